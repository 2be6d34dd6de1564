package ui

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app"
	"cachecliff/app/settings"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/part"
	"cachecliff/ui/results"
	"cachecliff/ui/run"
)

func TestFirstSeconds(t *testing.T) {
	b := open(t, nil)
	b.wants(t, "Crucial P5 2 TB · /home/anna", "PCIe 3.0 ×4 · 63 % full", "41 °C", "3 % of endurance used", "Health: good",
		"Default", "All", "SEQ1M", "Q8T1", "RND4K", "Read · MB/s", "Write · MB/s", "log scale", "stay free")
	if b.state.Run.Plan == nil {
		t.Error("All cannot be tapped")
	}
}

// button finds a button by its label.
func (b *bed) button(t *testing.T, label string) *part.Button {
	t.Helper()
	var found *part.Button
	walk(b.win.Content(), func(o fyne.CanvasObject) {
		if x, ok := o.(*part.Button); ok && x.Text == label {
			found = x
		}
	})
	if found == nil {
		t.Fatalf("there is no button %q", label)
	}
	return found
}

// rowButtons are the buttons of the table's rows.
func (b *bed) rowButtons() []*part.Button {
	var out []*part.Button
	walk(b.win.Content(), func(o fyne.CanvasObject) {
		if x, ok := o.(*part.Button); ok && x.Text == "" && x.Icon != nil && x.Importance == 0 {
			out = append(out, x)
		}
	})
	return out
}

func TestAllStartsTheWholePlan(t *testing.T) {
	b := open(t, nil)
	b.SetComment("with heatsink")
	test.Tap(b.button(t, "All"))
	if len(b.runs.started) != 1 {
		t.Fatalf("%d runs were started", len(b.runs.started))
	}
	p := b.runs.started[0]
	want, _ := bench.ByID("cdm-default")
	if p.Target.Path != "/home/anna" || p.Profile.ID != "cdm-default" || len(p.Profile.Workloads) != len(want.Workloads) || p.Profile.FileSize != 1<<30 {
		t.Errorf("started %s with %d workloads, %d bytes in %s", p.Profile.ID, len(p.Profile.Workloads), p.Profile.FileSize, p.Target.Path)
	}
	if b.runs.comments[0] != "with heatsink" {
		t.Errorf("comment %q", b.runs.comments[0])
	}
	b.wants(t, "Stop", "Starting")
	test.Tap(b.button(t, "Stop"))
	if b.runs.cancelled != 1 {
		t.Error("Stop does not stop")
	}
	b.wants(t, "Stopping")
}

func TestRowStartsItsWorkloads(t *testing.T) {
	b := open(t, nil)
	rows := b.rowButtons()
	if len(rows) != 4 {
		t.Fatalf("%d rows have buttons", len(rows))
	}
	test.Tap(rows[3])
	var ids []string
	for _, w := range b.runs.started[0].Profile.Workloads {
		ids = append(ids, w.ID)
	}
	if want := []string{"rnd4k-q1t1-read", "rnd4k-q1t1-write"}; !slices.Equal(ids, want) {
		t.Errorf("started %v, want %v", ids, want)
	}
}

// The run of a row leaves the other rows standing; a run of all, or of another profile, does not.
func TestRowLeavesTheOthersStanding(t *testing.T) {
	b := open(t, nil)
	numbers := func() int {
		n := 0
		for _, s := range texts(b.win.Content()) {
			if plain(s) == "7 321" {
				n++
			}
		}
		return n
	}
	finish := func() {
		v := done(t, "cdm-default")
		v.Result.ID += "-next"
		v.Result.Plan = b.runs.started[len(b.runs.started)-1]
		v.Result.Measurements = slices.DeleteFunc(v.Result.Measurements, func(m bench.Measurement) bool {
			return !slices.ContainsFunc(v.Result.Plan.Profile.Workloads, func(w bench.Workload) bool { return w.ID == m.Step.Workload })
		})
		b.runs.view = v
		b.showView(v)
	}
	for i, c := range []struct {
		only []string
		want int
	}{
		{[]string{"rnd4k-q1t1-read", "rnd4k-q1t1-write"}, 2},
		{[]string{"seq1m-q8t1-read"}, 3},
		{nil, 8},
		{[]string{"seq1m-q8t1-read"}, 8},
	} {
		b.Start(c.only)
		finish()
		if n := numbers(); n != c.want {
			t.Errorf("run %d: %d numbers, want %d", i, n, c.want)
		}
	}
	c := b.state.Run.Choice
	c.Profile = "cdm-nvme"
	b.Choose(c)
	if n := numbers(); n != 0 {
		t.Errorf("another profile shows %d numbers", n)
	}
}

func TestWhatCannotRunSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Deps, *bed)
		want   string
	}{
		"refused target": {func(d *Deps, b *bed) { d.Target = "/media/iso" }, "is an image that cannot be written"},
		"too large": {func(d *Deps, b *bed) {
			b.host.targets[0].Volume.Free = 50e9
			b.memory.set.FileSize = 64 << 30
		}, "A file of 64 GiB does not fit into /home/anna"},
		"no target": {func(d *Deps, b *bed) { b.host.targets = nil }, "No drive to test was found"},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, c.change)
			b.wants(t, c.want)
			if !b.button(t, "All").Disabled() {
				t.Error("All can be tapped")
			}
			for _, r := range b.rowButtons() {
				if !r.Disabled() {
					t.Error("a row can be tapped")
				}
			}
			b.Start(nil)
			if len(b.runs.started) > 0 {
				t.Error("a run was started all the same")
			}
		})
	}
}

func TestRecoveredRunsAreTold(t *testing.T) {
	open(t, func(_ *Deps, b *bed) { b.library.broken = []string{"a"} }).wants(t, "A run that was broken off was saved")
	open(t, func(_ *Deps, b *bed) { b.library.broken = []string{"a", "b"} }).wants(t, "2 runs that were broken off were saved")
}

func TestMissingFolderFallsBackToHome(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) { b.memory.set.Target = "/gone" })
	b.wants(t, "/gone does not exist", "Crucial P5 2 TB")
	if b.button(t, "All").Disabled() {
		t.Error("the home folder is not used")
	}
}

func TestStartThatFailsIsExplained(t *testing.T) {
	b := open(t, func(_ *Deps, b *bed) {
		b.runs.err = &platform.OpError{Op: "write to folder", Object: "/data/results", Reason: platform.ErrPermission}
	})
	test.Tap(b.button(t, "All"))
	b.wants(t, "No permission for /data/results")
}

func TestResultIsShown(t *testing.T) {
	b := open(t, nil)
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	b.wants(t, "7 321", "med. 7 248", "range 2 %", "p99 87.81", "Done in 2 min 40 s")
	b.SetUnit(bench.UnitUS)
	b.wants(t, "88.00", "µs", "lower is better")
	b.SetUnit(bench.UnitGBs)
	b.wants(t, "7.321", "Read · GB/s")
	if b.memory.set.Unit != bench.UnitGBs {
		t.Errorf("the unit is remembered as %q", b.memory.set.Unit)
	}
	c := b.state.Run.Choice
	c.Profile = "cdm-nvme"
	b.Choose(c)
	if all := strings.Join(texts(b.win.Content()), "\n"); strings.Contains(all, "7.321") {
		t.Error("the numbers of one profile stand in the table of another")
	}
}

func TestFailureIsExplained(t *testing.T) {
	b := open(t, nil)
	v := done(t, "cdm-default")
	v.Result.Reason = bench.ReasonFailed
	v.Result.Failure = bench.NewFailure(&platform.OpError{Op: "read", Object: "/home/anna", Reason: platform.ErrIO, Err: errors.New("EIO")})
	v.Result.Warnings = []bench.Warning{{Code: bench.WarnBuffered}}
	b.showView(v)
	b.wants(t, "/home/anna reported an error", "from memory")
}

func TestCacheIsOfferedWhereDirectIOFails(t *testing.T) {
	b := open(t, nil)
	b.Start([]string{"rnd4k-q1t1-read"})
	v := done(t, "cdm-default")
	v.Err = &platform.OpError{Op: "create test file", Object: "/home/anna", Reason: platform.ErrNoDirectIO}
	v.Result.Reason, v.Result.Failure = bench.ReasonFailed, bench.NewFailure(v.Err)
	b.runs.view = v
	b.showView(v)
	b.wants(t, "does not take direct I/O")
	test.Tap(b.button(t, "Run through the cache"))
	if n := len(b.runs.started); n != 2 || !b.runs.started[1].Buffered || len(b.runs.started[1].Profile.Workloads) != 1 {
		t.Errorf("%d runs, the last one %+v", n, b.runs.started[n-1])
	}
}

func TestUnsavedResultCanBeSavedAgain(t *testing.T) {
	b := open(t, nil)
	v := done(t, "cdm-default")
	v.Save, v.SaveErr = app.SaveFailed, &app.SaveError{ID: "x", Err: &platform.OpError{Op: "write", Object: "/data", Reason: platform.ErrNoSpace}}
	b.runs.view = v
	b.showView(v)
	b.wants(t, "could not be saved", "Discard")
	test.Tap(b.button(t, "Save again"))
	if b.runs.view.Save != app.SaveDone {
		t.Error("it was not saved")
	}
	b.wants(t, "Done in")
}

func TestRunIsSeenInEveryRoom(t *testing.T) {
	b := open(t, nil)
	b.runs.view = running(t, "cdm-default")
	b.showView(b.runs.view)
	b.wants(t, "SEQ1M Q8T1 · Read · loop 2 of 3 · 3 412 MB/s", "left", "1.074 GB written", "Stop")
	b.OpenRoom(Results)
	b.wants(t, "SEQ1M Q8T1 · Read · loop 2 of 3", "Stop")
	test.Tap(b.button(t, "Stop"))
	if b.runs.cancelled != 1 {
		t.Error("Stop does not stop")
	}
}

func TestSettingsAreRemembered(t *testing.T) {
	b := open(t, nil)
	b.Choose(run.Choice{Profile: "cdm-peak", FileSize: 256 << 20, Loops: 5, Unit: bench.UnitMBs, MixPct: 30})
	b.setTheme(settings.ThemeLight)
	b.setLanguage(words.German)
	memory := b.memory
	again := open(t, func(d *Deps, b *bed) { d.Memory = memory })
	again.wants(t, "Spitze", "256 MiB", "5×", "Mix 30/70", "Alle", "Lesen")
	p := again.state.Run.Plan.Profile
	if p.ID != "cdm-peak+mix" || p.Loops != 5 || p.FileSize != 256<<20 {
		t.Errorf("the plan is %s, %d loops, %d bytes", p.ID, p.Loops, p.FileSize)
	}
	if part.Dark() {
		t.Error("the theme is forgotten")
	}
}

func TestLanguageChangesEverything(t *testing.T) {
	b := open(t, nil)
	b.showView(done(t, "cdm-default"))
	b.setLanguage(words.German)
	b.wants(t, "Alle", "Lesen · MB/s", "Fertig in 2 min 40 s", "Bild speichern", "Ergebnisse", "belegt", "Med. 7 248")
}

// Everything fits into the smallest window, in every state and language.
func TestFitsTheSmallestWindow(t *testing.T) {
	b := open(t, nil)
	states := map[string]func(){
		"empty":   func() {},
		"running": func() { b.showView(running(t, "cdm-default")) },
		"done": func() {
			v := done(t, "cdm-default")
			v.Result.Warnings = []bench.Warning{{Code: bench.WarnBuffered}, {Code: bench.WarnLayoutUnknown}}
			v.Save, v.SaveErr = app.SaveFailed, app.ErrUnsaved
			b.showView(v)
		},
		"results": func() { b.OpenRoom(Results) },
		"open": func() {
			r := done(t, "cdm-default+mix").Result
			b.library.results[r.ID] = r
			b.Open(r.ID)
			b.AskDelete(r.ID)
		},
	}
	for _, lang := range words.Languages() {
		b.setLanguage(lang)
		for _, name := range []string{"empty", "running", "done", "results", "open"} {
			states[name]()
			for _, p := range bench.Builtin() {
				b.set.Profile = p.ID
				b.chosen()
				if m := b.win.Content().MinSize(); m.Width > MinWidth || m.Height > MinHeight {
					t.Errorf("%s, %s, %s: needs %v", lang, name, p.ID, m)
				}
			}
		}
		b.OpenRoom(Benchmark)
		b.Open("")
	}
}

func TestResultsRoom(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Results)
	b.wants(t, "No results yet")
	r := done(t, "cdm-default").Result
	r.Comment = "with heatsink"
	b.library.results[r.ID] = r
	b.library.damaged["20260101T000000Z-bad"] = &platform.OpError{Op: "open result", Object: "bad.json", Err: store.ErrDamaged}
	b.win.Resize(fyne.NewSize(1000, 700))
	b.OpenRoom(Results)
	b.wants(t, "Crucial P5", "with heatsink", "Read 7 321 MB/s", "cannot be opened")

	b.Open(r.ID)
	b.wants(t, "Crucial P5 2 TB · /home/anna", "7 321", "Done in 2 min 40 s", "All results")
	test.Tap(b.button(t, "Delete"))
	if len(b.library.results) != 1 {
		t.Fatal("deleted without asking")
	}
	test.Tap(b.button(t, "Keep"))
	test.Tap(b.button(t, "Delete"))
	test.Tap(b.button(t, "Really delete"))
	if len(b.library.results) != 0 || b.state.Results.Open != nil {
		t.Fatal("not deleted")
	}
	b.wants(t, "The run was deleted")
	test.Tap(b.button(t, "Undo"))
	if len(b.library.results) != 1 {
		t.Fatal("not brought back")
	}

	b.Open("20260101T000000Z-bad")
	b.wants(t, "20260101T000000Z-bad")
	test.Tap(b.button(t, "Delete"))
	if len(b.library.damaged) != 0 {
		t.Error("a damaged file cannot be deleted")
	}
}

func TestExports(t *testing.T) {
	b := open(t, nil)
	r := done(t, "cdm-default").Result
	b.library.results[r.ID] = r
	b.OpenRoom(Results)
	b.Open(r.ID)
	for _, k := range results.Kinds() {
		b.Export(k)
		b.wants(t, "Saved")
	}
	b.Export(results.CSV) // does not overwrite
	names, err := filepath.Glob(filepath.Join(b.Pictures, "*"))
	if err != nil || len(names) != 6 {
		t.Errorf("files: %v, %v", names, err)
	}
	for _, n := range names {
		data, err := os.ReadFile(n)
		if err != nil || strings.Contains(string(data), "SECRET-1") {
			t.Errorf("%s: serial number inside, or %v", n, err)
		}
	}
	b.CopyText()
	if c := b.App.Clipboard().Content(); !strings.Contains(c, "SEQ") || !strings.Contains(c, "7321") {
		t.Errorf("copied %q", c)
	}
}

func TestPicture(t *testing.T) {
	b := open(t, nil)
	b.win.Resize(fyne.NewSize(900, 700))
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	test.Tap(b.button(t, "Save picture"))
	id := b.runs.view.Result.ID
	b.wants(t, "Saved in "+b.Pictures)
	for name, size := range map[string]image.Point{"-window.png": {900, 700}, "-card.png": {1200, 675}} {
		f, err := os.Open(filepath.Join(b.Pictures, "cachecliff-"+id+name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		if cerr := f.Close(); err != nil || cerr != nil {
			t.Fatal(err, cerr)
		}
		if img.Bounds().Size() != size {
			t.Errorf("%s is %v, want %v", name, img.Bounds().Size(), size)
		}
		if n := colours(img); n < 20 {
			t.Errorf("%s has %d colours: it is blank", name, n)
		}
	}
}

// A picture is saved in every room and every stage, also when there is a comment: the picture's widgets
// report to nobody.
func TestPictureWithAComment(t *testing.T) {
	for stage, view := range map[string]func(testing.TB, string) app.View{"during": running, "after": done} {
		for _, room := range []Room{Benchmark, Results} {
			b := open(t, func(_ *Deps, b *bed) { b.memory.set.Comment = "with heatsink" })
			b.runs.view = view(t, "cdm-default")
			b.showView(b.runs.view)
			r := done(t, "cdm-default").Result
			r.Comment = "an old one"
			b.library.results[r.ID] = r
			b.OpenRoom(room)
			pictures := 1
			if room == Results {
				pictures++
				b.SavePicture() // of the list
				b.Open(r.ID)
			}
			b.SavePicture()
			if names, err := filepath.Glob(filepath.Join(b.Pictures, "*-window*.png")); err != nil || len(names) != pictures {
				t.Errorf("%s a run, room %d: saved %v, %v", stage, room, names, err)
			}
		}
	}
}

func colours(img image.Image) int {
	seen := map[any]bool{}
	for y := 0; y < img.Bounds().Dy(); y += 2 {
		for x := 0; x < img.Bounds().Dx(); x += 2 {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

func TestKeys(t *testing.T) {
	b := open(t, nil)
	key := func(name fyne.KeyName) {
		e := &fyne.KeyEvent{Name: name}
		if f := b.win.Canvas().Focused(); f != nil {
			f.TypedKey(e)
			return
		}
		b.win.Canvas().OnTypedKey()(e)
	}
	key(fyne.KeyF5)
	if len(b.runs.started) != 1 {
		t.Error("F5 does not start a run")
	}
	for range 30 { // whatever has the focus
		b.runs.cancelled = 0
		key(fyne.KeyEscape)
		if b.runs.cancelled != 1 {
			t.Errorf("Escape does not stop while %T has the focus", b.win.Canvas().Focused())
		}
		b.win.Canvas().FocusNext()
	}
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	b.typedShortcut(shortcutSave)
	if names, _ := filepath.Glob(filepath.Join(b.Pictures, "*.png")); len(names) != 2 {
		t.Errorf("Ctrl+S saved %v", names)
	}
	b.typedShortcut(shortcutResults)
	if b.state.Room != Results {
		t.Error("Ctrl+2 does not open the results")
	}
}

// The Tab key reaches every control that is visible and enabled.
func TestTabReachesEverything(t *testing.T) {
	b := open(t, nil)
	want := map[fyne.Focusable]bool{}
	walk(b.win.Content(), func(o fyne.CanvasObject) {
		if f, ok := o.(fyne.Focusable); ok {
			if d, ok := o.(fyne.Disableable); !ok || !d.Disabled() {
				want[f] = true
			}
		}
	})
	for range len(want) + 2 {
		b.win.Canvas().FocusNext()
		delete(want, b.win.Canvas().Focused())
	}
	for f := range want {
		t.Errorf("Tab does not reach %T", f)
	}
}

func TestQuitEndsTheRunFirst(t *testing.T) {
	b := open(t, nil)
	b.runs.view = running(t, "cdm-default")
	b.showView(b.runs.view)
	b.quit()
	if b.runs.cancelled != 1 || b.runs.waited != 1 {
		t.Errorf("cancelled %d times, waited %d times", b.runs.cancelled, b.runs.waited)
	}
}

func TestTargets(t *testing.T) {
	b := open(t, nil)
	b.PickTarget()
	top := b.win.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no menu")
	}
	all := plain(strings.Join(texts(top), "\n"))
	for _, want := range []string{"Crucial P5 2 TB · /home/anna · 740 GB free", "image that cannot be written", "Choose a folder"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in the menu:\n%s", want, all)
		}
	}
	other := goodTarget()
	other.Path, other.Volume.Mount = "/mnt/fast", "/mnt/fast"
	b.host.targets = append(b.host.targets, other)
	b.pickFolder()
	b.press(fyne.KeyEscape)
	b.pickTarget(other)
	if b.memory.set.Target != "/mnt/fast" || b.state.Run.Plan.Target.Path != "/mnt/fast" {
		t.Errorf("remembered %q", b.memory.set.Target)
	}
}

// A new view of a running test must not hold the UI goroutine for more than 2 ms.
func BenchmarkShowView(b *testing.B) {
	bed := open(b, nil)
	v := running(b, "cdm-default+mix")
	for i := 0; b.Loop(); i++ {
		bytes := int64(3_000e6 + i*1e6)
		v.Apply(bench.Sampled{Step: v.Step.Index, Sample: bench.Sample{At: time.Second, Took: time.Second, Read: bench.Tally{Ops: bytes >> 20, Bytes: bytes}}})
		bed.showView(v)
	}
}

// A library of a thousand results is listed within half a second, and costs nothing while it is shown.
func BenchmarkThousandResults(b *testing.B) {
	bed := open(b, nil)
	r := done(b, "cdm-demo").Result
	for i := range 1000 {
		r.ID = fmt.Sprintf("20260102T030405Z-%04d", i)
		bed.library.results[r.ID] = r
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			bed.OpenRoom(Results)
		}
	})
	b.Run("show", func(b *testing.B) {
		for b.Loop() {
			bed.show()
		}
	})
}
