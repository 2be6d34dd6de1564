package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/platform"
	"cachecliff/ui/drive"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
)

// driveRoom is what the Drive page shows of a state.
func (s State) driveRoom() drive.State {
	d := s.Drive
	d.Words, d.Locale = s.Run.Words, s.Run.Locale
	d.Looking, d.Target, d.Now = s.Looking, s.Target, time.Now()
	return d
}

// shownDrive is the drive that the Drive page is about; nil if there is none.
func (w *Window) shownDrive() *platform.Drive {
	d := w.state.driveRoom()
	return d.Drive()
}

// isShown says whether the Drive page is still about that drive.
func (w *Window) isShown(d platform.Drive) bool {
	now := w.shownDrive()
	return now != nil && now.Key == d.Key
}

// lookAtDrive reads what the Drive page shows if it is open, and says so to the goroutine that reads temperatures.
func (w *Window) lookAtDrive() {
	open := w.state.Room == Drive
	select { // only the newest answer counts
	case <-w.looks:
	default:
	}
	w.looks <- open
	if open {
		w.readFacts()
		w.readHealth(w.state.Drive.Index)
	}
}

// warmPause is the time between two looks at the temperatures while they are shown.
const warmPause = time.Second

// watchDrive calls read every second while the page is open, as told by looks, until ctx ends.
func watchDrive(ctx context.Context, looks <-chan bool, read func(context.Context)) {
	next := time.NewTimer(0)
	next.Stop()
	for {
		select {
		case <-ctx.Done():
			next.Stop()
			return
		case open := <-looks:
			next.Stop()
			if open {
				next.Reset(0)
			}
		case <-next.C:
			read(ctx)
			next.Reset(warmPause)
		}
	}
}

// readWarm reads the temperatures for the Drive page, unless the question could disturb what is measured.
func (w *Window) readWarm(ctx context.Context) {
	if v := w.Runs.View(); v.Running() && run.Calm(&v) {
		return
	}
	w.readDrive(ctx)
}

// warmDrives are the drives whose temperature is shown: that of the bar, and that of the page.
func (w *Window) warmDrives() []platform.Drive {
	t := w.state.Target
	if t == nil || len(t.Drives) == 0 {
		return nil
	}
	out := []platform.Drive{t.Drives[0]}
	if d := w.shownDrive(); d != nil && w.state.Room == Drive && d.Key != out[0].Key {
		out = append(out, *d)
	}
	return out
}

// readDrive reads the temperatures that are shown. It may be called on any goroutine but the UI's.
func (w *Window) readDrive(ctx context.Context) {
	ask := make(chan []platform.Drive, 1)
	fyne.Do(func() { ask <- w.warmDrives() })
	var drives []platform.Drive
	select {
	case drives = <-ask:
	case <-ctx.Done():
		return
	}
	for _, d := range drives {
		limited, cancel := context.WithTimeout(ctx, patience)
		s, err := w.Host.Sensors(limited, d)
		cancel()
		if ctx.Err() != nil {
			return
		}
		fyne.Do(func() { w.takeSensors(d, s, err) })
	}
}

// takeSensors shows what a drive's sensors say. A temperature that is not known any more is not shown.
func (w *Window) takeSensors(d platform.Drive, s platform.Sensors, err error) {
	if w.isShown(d) {
		w.state.Drive.Watch = w.state.Drive.Watch.Add(d.Key, time.Now(), s, err)
	}
	if w.isDrive(d) {
		w.state.Now.MilliC = nil
		if err == nil && len(s.Temperatures) > 0 {
			w.state.Now.MilliC = &s.Temperatures[0].MilliC
		}
	}
	w.show()
}

// readHealth reads what a drive of the target says of its health, and its limits. It does not while a run goes on:
// the drive has better things to do.
func (w *Window) readHealth(index int) {
	t := w.state.Target
	if t == nil || index < 0 || index >= len(t.Drives) || w.fixed() {
		return
	}
	d := t.Drives[index]
	if index == w.state.Drive.Index {
		w.state.Drive.Reading = true
	}
	w.withPatience(func(ctx context.Context) func() {
		health, err := w.Host.Health(ctx, d)
		var limits platform.TempLimits
		if l, ok := w.Host.(platform.TempLimiter); ok {
			limits, _ = l.TempLimits(ctx, d) // limits that are not known are not shown
		}
		return func() {
			if w.isDrive(d) && err == nil { // without health the bar simply says nothing of it
				w.state.Now.Health = &health
				w.state.Now.Warn, w.state.Now.Critical = drive.Limits(limits, &health, "Composite", true)
			}
			if w.isShown(d) {
				w.takeHealth(health, limits, err)
			}
			w.show()
		}
	})
}

// takeHealth shows what a drive says of its health on the Drive page.
func (w *Window) takeHealth(h platform.Health, limits platform.TempLimits, err error) {
	s := &w.state.Drive
	s.Reading, s.Fault, s.Limits = false, err, limits
	s.Health = nil
	if err == nil {
		s.Health = &h
	}
}

// readFacts reads what lies on the drive of the page, and what the computer is.
func (w *Window) readFacts() {
	d, t := w.shownDrive(), w.state.Target
	if d == nil {
		return
	}
	drv, here := *d, *t
	w.withPatience(func(ctx context.Context) func() {
		found, _ := w.Host.Targets(ctx) // the one that is chosen is known all the same
		system, err := w.Host.System(ctx)
		volumes, last := volumesOn(drv.Key, append(found, here)), lastOn(w.Deps.Results, drv)
		return func() {
			s := &w.state.Drive
			if w.isShown(drv) {
				s.Volumes, s.Last = volumes, last
			}
			if err == nil {
				s.System = &system
			}
			w.show()
		}
	})
}

// mostLooks is in how many results the last run on a drive is looked for.
const mostLooks = 20

// lastOn finds the last run on a drive; nil if there is none. Results that cannot be read are passed over: the
// Results page shows what is wrong with them.
func lastOn(lib Library, d platform.Drive) *drive.Last {
	entries, err := lib.List()
	if err != nil {
		return nil
	}
	looks := 0
	for _, e := range entries { // the newest first
		if e.Err != nil || !strings.Contains(e.Model, d.Model) || looks == mostLooks {
			continue
		}
		looks++
		r, err := lib.Load(e.ID)
		if err != nil {
			continue
		}
		if last := drive.LastOf(&r, d); last != nil {
			return last
		}
	}
	return nil
}

// afterRun reads what a run has changed.
func (w *Window) afterRun() {
	w.readHealth(w.state.Drive.Index)
	if w.state.Room == Drive {
		w.readFacts()
	}
}

// volumesOn are the volumes that lie on a drive, each once.
func volumesOn(key string, targets []platform.Target) []platform.Target {
	var out []platform.Target
	for _, t := range targets {
		on := slices.ContainsFunc(t.Drives, func(d platform.Drive) bool { return d.Key == key })
		known := slices.ContainsFunc(out, func(o platform.Target) bool {
			return o.Volume.Mount == t.Volume.Mount && o.Volume.Source == t.Volume.Source && (t.Volume.Mount != "" || o.Path == t.Path)
		})
		if on && !known {
			out = append(out, t)
		}
	}
	return out
}

// newDrive forgets what was known of another drive, and begins to learn of the one that is chosen.
func (w *Window) newDrive(index int) {
	w.state.Drive = drive.State{Index: index, System: w.state.Drive.System}
	w.wordNotices()
	w.readHealth(0) // for the bar
	if index > 0 {
		w.readHealth(index)
	}
	if w.state.Room == Drive {
		w.readFacts()
	}
	w.Go(func() { w.readDrive(context.Background()) })
}

// PickDrive implements drive.Actions.
func (w *Window) PickDrive(index int) {
	if index == w.state.Drive.Index {
		return
	}
	w.hush()
	w.newDrive(index)
	w.show()
}

// ShowSerial implements drive.Actions.
func (w *Window) ShowSerial(on bool) {
	w.hush()
	w.state.Drive.Serial = on
	w.show()
}

// ReadAgain implements drive.Actions.
func (w *Window) ReadAgain() {
	w.hush()
	w.readFacts()
	w.readHealth(w.state.Drive.Index)
	w.Go(func() { w.readDrive(context.Background()) })
	w.show()
}

// copyDrive copies the Drive page as text. The serial number stays out, for the text is to be shown around.
func (w *Window) copyDrive() {
	w.hush()
	s := w.state.driveRoom()
	s.Serial = false
	w.App.Clipboard().SetContent(s.Text())
	w.sayMessage(Drive, part.Plain, "drive.copied")
	w.show()
}

// PickDrive implements actions.
func (nobody) PickDrive(int) {}

// ShowSerial implements actions.
func (nobody) ShowSerial(bool) {}

// ReadAgain implements actions.
func (nobody) ReadAgain() {}
