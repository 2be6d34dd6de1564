package monitor

import (
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/format"
	"cachecliff/app/recording"
	"cachecliff/platform"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// Page is the Monitor page.
type Page struct {
	Object fyne.CanvasObject

	actions Actions
	keys    part.Keys
	state   State

	start          *part.Button
	period, span   *part.Select
	table, picture *part.Button
	checks         []*check
	checkRow       *fyne.Container
	status         *part.Lines
	hint           *widget.Label
	body           *container.Scroll
	sheets         []*sheet
	sheetRows      *fyne.Container
	cpu            *part.Text
	graph          *part.Curve
	room           *least // of the graph
}

// New makes the page. Actions is never nil.
func New(keys part.Keys, actions Actions) *Page {
	p := &Page{actions: actions, keys: keys}
	p.start = part.NewButton(keys, "", theme.MediaRecordIcon(), p.startOrStop)
	p.period = part.NewSelect(keys, 132, func(i int) { p.actions.SetPeriod(recording.Periods()[i]) })
	p.span = part.NewSelect(keys, 140, func(i int) { p.actions.SetRecent(i == 1) })
	p.table = part.NewButton(keys, "", theme.DocumentSaveIcon(), func() { p.actions.SaveTable() })
	p.picture = part.NewButton(keys, "", theme.MediaPhotoIcon(), func() { p.actions.SaveGraph() })
	p.status = part.NewLines(1, 6)
	p.hint = widget.NewLabel("")
	p.hint.Alignment, p.hint.Wrapping = fyne.TextAlignCenter, fyne.TextWrapWord
	p.cpu, p.graph = part.NewText(look.Unit, ""), part.NewCurve()
	p.Object = p.arrange()
	return p
}

// panelLeast is the least height of a chart: with less of it they are scrolled.
const panelLeast = 74

func (p *Page) arrange() fyne.CanvasObject {
	controls := container.NewHBox(p.start, p.period, p.span)
	buttons := container.NewHBox(layout.NewSpacer(), p.table, p.picture)
	p.checkRow = container.NewHBox()
	p.sheetRows = container.NewVBox()
	p.room = &least{}
	graph := &fyne.Container{Layout: p.room, Objects: []fyne.CanvasObject{p.graph.Object}}
	inner := part.Border(container.NewVBox(p.sheetRows, p.cpu), nil, nil, nil, graph)
	p.body = container.NewVScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, scrollBar), inner))
	empty := container.NewVBox(layout.NewSpacer(), p.hint, layout.NewSpacer())
	page := part.NewPage(&part.Page{
		Above:  container.NewVBox(controls, container.NewHScroll(p.checkRow), p.status),
		Middle: container.NewStack(p.body, empty), Below: buttons, Grown: p.status.Grown,
	})
	p.status.Grow = page.Refresh
	return page
}

// scrollBar is the room for the bar, which else lies over what is scrolled.
const scrollBar = 14

// least is the layout of one object that is never lower than a height.
type least struct{ height float32 }

// MinSize implements fyne.Layout.
func (l *least) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, max(l.height, objects[0].MinSize().Height))
}

// Layout implements fyne.Layout.
func (l *least) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(size)
}

func (p *Page) startOrStop() {
	if p.state.View.Running {
		p.actions.StopWatch()
		return
	}
	p.actions.StartWatch()
}

// Show shows a state. It changes only what differs from what is shown.
func (p *Page) Show(s State) {
	p.state = s
	p.showControls()
	p.showChecks()
	p.status.Set(s.status()...)
	if hint := s.hint(); p.hint.Text != hint {
		p.hint.SetText(hint)
	}
	p.showBody()
}

func (p *Page) showControls() {
	s, w := &p.state, p.state.Words
	v := &s.View
	if v.Running {
		p.start.Style(w.T("monitor.stop"), theme.MediaStopIcon(), widget.DangerImportance)
		p.start.EnableIf(!v.Stopping)
	} else {
		p.start.Style(w.T("monitor.start"), theme.MediaRecordIcon(), widget.HighImportance)
		p.start.EnableIf(!s.Busy && len(s.Watched()) > 0)
	}
	var periods []string
	for _, d := range recording.Periods() {
		periods = append(periods, s.periodText(d))
	}
	p.period.ShowChoice(periods, slices.Index(recording.Periods(), s.Period))
	p.period.EnableIf(!v.Running && !s.Busy)
	chosen := 0
	if s.Recent {
		chosen = 1
	}
	p.span.ShowChoice([]string{w.T("monitor.all"), w.T("monitor.recent")}, chosen)
	p.table.Label(w.T("monitor.save-table"))
	p.picture.Label(w.T("monitor.save-picture"))
	p.table.EnableIf(v.Samples > 0 && !s.Saving)
	p.picture.EnableIf(v.Samples > 0 && !s.Saving)
}

// showChecks has a check for each drive.
func (p *Page) showChecks() {
	s := &p.state
	if !slices.EqualFunc(p.checks, s.Drives, func(c *check, d platform.Drive) bool { return c.key == d.Key && c.Text == name(d) }) {
		p.checks = nil
		p.checkRow.RemoveAll()
		for _, d := range s.Drives {
			c := newCheck(p.keys, d.Key, name(d), func(key string, on bool) { p.actions.ChooseDrive(key, on) })
			p.checks = append(p.checks, c)
			p.checkRow.Add(c)
		}
	}
	for _, c := range p.checks {
		c.show(slices.Contains(s.Chosen, c.key), !s.View.Running && !s.Busy)
	}
}

func (p *Page) showBody() {
	s := &p.state
	part.ShowIf(p.body, s.View.Samples > 0)
	if s.View.Samples == 0 {
		return
	}
	for len(p.sheets) < len(s.View.Drives) {
		n := newSheet()
		p.sheets = append(p.sheets, n)
		p.sheetRows.Add(n.object)
	}
	for i, n := range p.sheets {
		part.ShowIf(n.object, i < len(s.View.Drives))
		if i < len(s.View.Drives) {
			n.show(s, s.View.Drives[i])
		}
	}
	p.cpu.Set(s.cpu())
	if height := float32(s.panels()) * panelLeast; p.room.height != height {
		p.room.height = height
		p.body.Refresh()
	}
	p.graph.Set(s.graph())
}

// cpu is the line of the processors.
func (s *State) cpu() string {
	out := []string{s.Words.T("monitor.processors")}
	for i, name := range recording.CPUHeadings() {
		if i < len(s.View.CPU) && !math.IsNaN(s.View.CPU[i]) {
			out = append(out, name+" "+s.value(s.View.CPU[i], 1))
		}
	}
	if len(out) == 1 {
		out = append(out, format.Unknown)
	}
	return strings.Join(out, "   ")
}

// Close ends what the page does in the background.
func (p *Page) Close() { p.graph.Close() }

// Still draws the charts at once, for a picture of the page at a scale.
func (p *Page) Still(scale float32) { p.graph.Still(scale) }

// Controls are what a user works with, by name, for tests that click.
func (p *Page) Controls() map[string]fyne.CanvasObject {
	out := map[string]fyne.CanvasObject{
		"monitor-start": p.start, "monitor-period": p.period, "monitor-span": p.span,
		"monitor-table": p.table, "monitor-picture": p.picture,
	}
	for _, c := range p.checks {
		out["monitor-drive-"+c.key] = c
	}
	return out
}

// check chooses a drive. It passes the window's keys on.
type check struct {
	widget.Check
	keys part.Keys
	key  string
}

func newCheck(keys part.Keys, key, text string, changed func(key string, on bool)) *check {
	c := &check{keys: keys, key: key}
	c.Text = text
	c.OnChanged = func(on bool) { changed(key, on) }
	c.ExtendBaseWidget(c)
	return c
}

// show sets the check without telling that it changed.
func (c *check) show(on, enabled bool) {
	if c.Checked != on {
		c.Checked = on
		c.Refresh()
	}
	switch {
	case enabled && c.Disabled():
		c.Enable()
	case !enabled && !c.Disabled():
		c.Disable()
	}
}

// TypedKey implements fyne.Focusable. Return changes it, as the space bar does.
func (c *check) TypedKey(e *fyne.KeyEvent) {
	if c.keys.Handle(e) {
		return
	}
	if (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && !c.Disabled() {
		c.SetChecked(!c.Checked)
		return
	}
	c.Check.TypedKey(e)
}
