package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/bench"
	"cachecliff/ui/compare"
	"cachecliff/ui/drive"
	"cachecliff/ui/facts"
	"cachecliff/ui/look"
	"cachecliff/ui/monitor"
	"cachecliff/ui/part"
	"cachecliff/ui/results"
	"cachecliff/ui/run"
	"cachecliff/ui/tests"
)

// actions is all that the user can do.
type actions interface {
	run.Actions
	tests.Actions
	monitor.Actions
	drive.Actions
	results.Actions
	compare.Actions
	// OpenRoom shows a page.
	OpenRoom(r Room)
	// PickTarget opens the list of targets.
	PickTarget()
	// PickSetting opens the menu of settings.
	PickSetting()
}

// frame is the content of the window: rail, bar, and the room that is open.
type frame struct {
	object   fyne.CanvasObject
	rail     []*part.RailButton
	target   *part.Picker
	setting  *part.Button
	run      *run.Page
	tests    *tests.Page
	monitor  *monitor.Page
	drive    *drive.Page
	results  *results.Page
	compare  *compare.Page
	strip    *fyne.Container // what a run does, in the rooms that do not show it themselves
	doing    *part.Text
	stop     *part.Button
	runRoom  fyne.CanvasObject
	watching fyne.CanvasObject
	listRoom fyne.CanvasObject
	tips     *part.Tips
	page     page // that is shown
}

// page is what a tip belongs to.
type page struct {
	room Room
	open *bench.Result
	both bool // it is a comparison
}

// newFrame makes the widgets. Where nobody clicks the actions are those of nobody.
func newFrame(keys part.Keys, a actions) *frame {
	f := &frame{tips: part.NewTips()}
	for r, icon := range []fyne.Resource{theme.MediaFastForwardIcon(), theme.HistoryIcon(), theme.VisibilityIcon(), theme.StorageIcon(), theme.ListIcon()} {
		f.rail = append(f.rail, part.NewRailButton(keys, icon, func() { a.OpenRoom(Room(r)) }))
	}
	f.target = part.NewPicker(keys, func() { a.PickTarget() })
	f.setting = part.NewButton(keys, "", theme.SettingsIcon(), func() { a.PickSetting() })
	f.setting.Importance = widget.LowImportance
	f.run, f.results = run.New(keys, f.tips, a), results.New(keys, f.tips, a)
	f.tests = tests.New(keys, f.tips, a)
	f.drive = drive.New(keys, a)
	f.compare = compare.New(keys, f.tips, a)
	f.monitor = monitor.New(keys, a)
	f.doing = part.NewText(look.Label, "")
	f.stop = part.NewButton(keys, "", theme.MediaStopIcon(), func() { a.Stop() })
	f.stop.Importance = widget.DangerImportance
	f.strip = part.Border(nil, nil, nil, f.stop, f.doing)
	f.object = f.arrange()
	return f
}

func (f *frame) arrange() fyne.CanvasObject {
	rail := container.NewVBox()
	for _, b := range f.rail {
		rail.Add(b)
	}
	gear := container.NewVBox(layout.NewSpacer(), f.setting, layout.NewSpacer())
	bar := part.Border(nil, nil, nil, gear, f.target)
	f.runRoom, f.watching, f.listRoom = f.run.Object, f.monitor.Object, f.results.Object
	rooms := container.NewStack(f.runRoom, f.tests.Object, f.drive.Object, f.watching, f.listRoom, f.compare.Object)
	page := container.New(layout.NewCustomPaddedLayout(8, 8, 4, 12), part.Border(bar, f.strip, nil, nil,
		container.New(layout.NewCustomPaddedLayout(4, 0, 0, 0), rooms)))
	side := container.New(layout.NewCustomPaddedLayout(8, 8, 4, 4), rail)
	return container.NewStack(part.Border(nil, nil, side, nil, page), f.tips)
}

// Show shows a state. It changes only what differs from what is shown.
func (f *frame) Show(s State) {
	w := s.Run.Words
	if next := (page{s.Room, s.Results.Open, s.Compare.On}); f.page != next {
		f.page = next
		f.tips.Close()
	}
	names := []string{w.T("room.benchmark"), w.T("room.tests"), w.T("room.monitor"), w.T("room.drive"), w.T("room.results")}
	for i, b := range f.rail {
		b.Set(names[i], s.Room == Room(i))
	}
	f.target.Set(s.bar())
	f.target.SetMarks(s.marks())
	f.target.EnableIf(!s.Run.View.Running())
	part.ShowIf(f.runRoom, s.Room == Benchmark)
	part.ShowIf(f.tests.Object, s.Room == Tests)
	part.ShowIf(f.watching, s.Room == Monitor)
	part.ShowIf(f.drive.Object, s.Room == Drive)
	part.ShowIf(f.listRoom, s.Room == Results && !s.Compare.On)
	part.ShowIf(f.compare.Object, s.comparing())
	switch s.Room {
	case Benchmark:
		f.run.Show(s.Run)
	case Tests:
		f.tests.Show(s.Tests)
	case Monitor:
		f.monitor.Show(s.Monitor)
	case Drive:
		f.drive.Show(s.driveRoom())
	case Results:
		if s.Compare.On {
			f.compare.Show(s.compareRoom())
			break
		}
		f.results.Show(s.Results)
	}
	running := s.Run.View.Running()
	part.ShowIf(f.strip, running && s.Room != Benchmark && s.Room != Tests) // those say it themselves
	f.doing.Set(run.Live(w, &s.Run.View, s.Run.Locale))
	f.stop.Label(w.T("run.stop"))
	f.stop.EnableIf(!s.Run.View.Stopping)
}

// bar is the two lines of the bar.
func (s State) bar() (title, detail string) {
	w := s.Run.Words
	switch {
	case s.Target == nil && s.Looking:
		return w.T("top.looking"), ""
	case s.Target == nil:
		return w.T("top.none"), ""
	}
	return facts.Title(s.Target, s.Run.Locale), facts.Detail(w, s.Target, s.Now, s.Run.Locale)
}

// marks are what the end of the bar shows: how warm and how well the drive is.
func (s State) marks() []part.Mark {
	if s.Target == nil {
		return nil
	}
	now := s.Now
	if v := s.Run.View; v.Running() && len(v.Temperatures) > 0 {
		now.MilliC = &v.Temperatures[0].MilliC
	}
	return drive.Marks(s.Run.Words, s.Target, now)
}

// Close ends what the pages do in the background.
func (f *frame) Close() {
	f.run.Close()
	f.tests.Close()
	f.monitor.Close()
	f.results.Close()
	f.compare.Close()
}
