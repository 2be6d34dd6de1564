package ui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"cachecliff/app"
	"cachecliff/app/reference"
	"cachecliff/app/settings"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

// fakeHost answers from memory.
type fakeHost struct {
	targets []platform.Target
	health  *platform.Health
	left    []string // test files of killed runs
}

func (h *fakeHost) Leftovers(platform.Target) ([]string, error) { return h.left, nil }

func (h *fakeHost) Targets(context.Context) ([]platform.Target, error) { return h.targets, nil }

func (h *fakeHost) Resolve(_ context.Context, path string) (platform.Target, error) {
	for _, t := range h.targets {
		if t.Path == path {
			return t, nil
		}
	}
	return platform.Target{}, &platform.OpError{Op: "look at", Object: path, Reason: platform.ErrNotExist}
}

func (h *fakeHost) Sensors(context.Context, platform.Drive) (platform.Sensors, error) {
	return platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: 41_000}}}, nil
}

func (h *fakeHost) Health(context.Context, platform.Drive) (platform.Health, error) {
	if h.health == nil {
		return platform.Health{}, platform.ErrPermission
	}
	return *h.health, nil
}

// fakeRuns notes what it was asked for.
type fakeRuns struct {
	started   []bench.Plan
	comments  []string
	saved     []string // comments of what Save saved
	err       error    // of Start
	cancelled int
	held      []bool
	waited    int
	view      app.View
	changed   chan struct{}
}

func (r *fakeRuns) Start(p bench.Plan, comment string) error {
	if r.err != nil {
		return r.err
	}
	r.started, r.comments = append(r.started, p), append(r.comments, comment)
	r.view = app.View{Phase: app.PhasePreparing}
	return nil
}

func (r *fakeRuns) Hold(held bool) {
	r.held = append(r.held, held)
	r.view.Held = held
}

func (r *fakeRuns) Cancel() {
	r.cancelled++
	if r.view.Running() {
		r.view.Stopping = true
	}
}
func (r *fakeRuns) View() app.View           { return r.view }
func (r *fakeRuns) Changed() <-chan struct{} { return r.changed }
func (r *fakeRuns) Wait()                    { r.waited++ }
func (r *fakeRuns) SetComment(s string)      { r.view.Result.Comment = s }
func (r *fakeRuns) Save() error {
	if !r.view.Running() {
		r.view.Save = app.SaveDone
		r.saved = append(r.saved, r.view.Result.Comment)
	}
	return nil
}
func (r *fakeRuns) Forget(id string) {
	if r.view.Result.ID == id {
		r.view = app.View{}
	}
}

func (r *fakeRuns) Discard() { r.view.Save = app.SaveNothing }

// fakeLibrary keeps results in memory.
type fakeLibrary struct {
	results map[string]bench.Result
	damaged map[string]error
	trash   map[string]bench.Result
	broken  []string // IDs that Recover finds
}

func (l *fakeLibrary) Recover() ([]string, error) { return l.broken, nil }
func (l *fakeLibrary) Tidy(time.Time) error       { return nil }

func (l *fakeLibrary) List() ([]store.Entry, error) {
	var out []store.Entry
	for _, r := range l.results {
		out = append(out, store.Entry{Summary: store.Summarize(r)})
	}
	for id, err := range l.damaged {
		out = append(out, store.Entry{Summary: store.Summary{ID: id}, Err: err})
	}
	slices.SortFunc(out, func(a, b store.Entry) int { return strings.Compare(b.ID, a.ID) })
	return out, nil
}

func (l *fakeLibrary) Load(id string) (bench.Result, error) {
	if r, ok := l.results[id]; ok {
		return r, nil
	}
	return bench.Result{}, &platform.OpError{Op: "open result", Object: id, Err: store.ErrDamaged}
}

func (l *fakeLibrary) Delete(id string) error {
	l.trash[id] = l.results[id]
	delete(l.results, id)
	delete(l.damaged, id)
	return nil
}

func (l *fakeLibrary) Restore(id string) error {
	l.results[id] = l.trash[id]
	return nil
}

// fakeMemory keeps settings in memory.
type fakeMemory struct{ set settings.Settings }

func (m *fakeMemory) Load() (settings.Settings, error) { return m.set, nil }
func (m *fakeMemory) Save(s settings.Settings) error   { m.set = s; return nil }

// bed is a window with its fakes.
type bed struct {
	*Window
	host    *fakeHost
	runs    *fakeRuns
	library *fakeLibrary
	memory  *fakeMemory
	watcher *fakeWatcher
}

func goodTarget() platform.Target {
	return platform.Target{
		Path:   "/home/anna",
		Volume: platform.Volume{Mount: "/home", FS: "ext4", Size: 2000e9, Free: 740e9},
		Drives: []platform.Drive{{
			Key: "k1", Name: "nvme0n1", Model: "Crucial P5", Serial: "SECRET-1", Firmware: "P4CR311", Bus: platform.BusNVMe,
			Link: platform.Link{PCIeGen: 3, Lanes: 4}, LinkMax: platform.Link{PCIeGen: 4, Lanes: 4}, Capacity: 2_000_398_934_016,
		}},
	}
}

func refusedTarget() platform.Target {
	return platform.Target{
		Path: "/media/iso", Volume: platform.Volume{Mount: "/media/iso", FS: "iso9660", ReadOnly: true},
		Refusal: platform.RefusedImage,
	}
}

// open makes a window. change may be nil.
func open(t testing.TB, change func(*Deps, *bed)) *bed {
	t.Helper()
	worn := 3
	b := &bed{
		host:    &fakeHost{targets: []platform.Target{goodTarget(), refusedTarget()}, health: &platform.Health{PercentUsed: &worn}},
		runs:    &fakeRuns{changed: make(chan struct{}, 1)},
		library: &fakeLibrary{results: map[string]bench.Result{}, damaged: map[string]error{}, trash: map[string]bench.Result{}},
		memory:  &fakeMemory{set: settings.Default()},
		watcher: &fakeWatcher{},
	}
	d := Deps{
		App: test.NewTempApp(t), Host: b.host, Runs: b.runs, Results: b.library, References: reference.New(t.TempDir()), Memory: b.memory, Watcher: b.watcher,
		Home: "/home/anna", Pictures: t.TempDir(), Version: "1.2.3", System: "en",
		Go: func(f func()) { f() },
	}
	if change != nil {
		change(&d, b)
	}
	b.Window = Open(d)
	b.notes.pause = 0
	t.Cleanup(func() { b.frame.Close() })
	return b
}

// done is a view of a finished run of a profile: each loop moves a little less than the one before.
func done(t testing.TB, id string) app.View {
	t.Helper()
	p, ok := bench.ByID(id)
	if !ok {
		t.Fatalf("no profile %s", id)
	}
	plan := bench.Plan{Profile: p, Target: goodTarget()}
	var v app.View
	v.Apply(bench.Started{ID: "20260102T030405Z-" + id, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Plan: plan, App: bench.App{Version: "1.2.3"}})
	v.Apply(bench.Prepared{File: bench.FileFacts{Size: p.FileSize, Moved: bench.Moved{WriteBytes: p.FileSize}}})
	for _, s := range plan.Steps() {
		step(&v, s)
	}
	v.Apply(bench.Finished{Reason: bench.ReasonDone, Took: 160 * time.Second})
	v.Save = app.SaveDone
	return v
}

// step runs one step in a view: 7321 MB/s in the first loop, 1 % less in each further one.
func step(v *app.View, s bench.Step) {
	v.Apply(bench.StepStarted{Step: s})
	if s.Kind != bench.StepLoad {
		return
	}
	seconds := int64(s.Spec.Measure.Seconds())
	bytes := int64(7_321e6) * seconds * int64(101-max(s.Loop, 1)) / 100
	tally := bench.Tally{Ops: bytes / int64(s.Spec.Block), Bytes: bytes, SumLat: time.Duration(bytes/int64(s.Spec.Block)) * 88 * time.Microsecond}
	m := bench.Measurement{Step: s, Elapsed: s.Spec.Measure}
	m.ReadHist = newOf(m.ReadHist)
	m.ReadHist.Record(88 * time.Microsecond)
	sample := bench.Sample{At: s.Spec.Measure, Took: s.Spec.Measure}
	if s.Spec.ReadPct > 0 {
		m.Read, sample.Read = tally, tally
	} else {
		m.Write, sample.Write = tally, tally
		m.Moved.WriteBytes = bytes
	}
	v.Apply(bench.Sampled{Step: s.Index, Sample: sample})
	v.Apply(bench.StepDone{Measurement: m})
}

// running is a view in the middle of a run.
func running(t testing.TB, id string) app.View {
	t.Helper()
	p, _ := bench.ByID(id)
	plan := bench.Plan{Profile: p, Target: goodTarget()}
	var v app.View
	v.Apply(bench.Started{ID: "20260102T030405Z-running", Plan: plan})
	v.Apply(bench.Preparing{Done: p.FileSize, Total: p.FileSize})
	v.Apply(bench.Prepared{File: bench.FileFacts{Size: p.FileSize, Moved: bench.Moved{WriteBytes: p.FileSize}}})
	steps := plan.Steps()
	step(&v, steps[0])
	step(&v, steps[1])
	v.Apply(bench.StepStarted{Step: steps[2]})
	v.Apply(bench.Sampled{Step: steps[2].Index, Sample: bench.Sample{At: time.Second, Took: time.Second, Read: bench.Tally{Ops: 1000, Bytes: 3_412e6}}})
	return v
}

// texts collects all visible texts below an object.
func texts(o fyne.CanvasObject) []string {
	var out []string
	walk(o, func(o fyne.CanvasObject) {
		if t, ok := o.(*canvas.Text); ok && t.Text != "" {
			out = append(out, t.Text)
		}
	})
	return out
}

// walk visits all visible objects.
func walk(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if !o.Visible() {
		return
	}
	visit(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			walk(c, visit)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			walk(c, visit)
		}
	}
}

// wants fails unless all texts are on the screen. Narrow and no-break spaces are written as plain ones.
func (b *bed) wants(t *testing.T, want ...string) {
	t.Helper()
	all := plain(strings.Join(texts(b.win.Content()), "\n"))
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("%q is not on the screen:\n%s", w, all)
		}
	}
}

func plain(s string) string { return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s) }

// newOf makes a value of a type that this package may not name.
func newOf[T any](*T) *T { return new(T) }
