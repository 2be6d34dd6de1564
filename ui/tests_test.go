package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/ui/results"
	"cachecliff/ui/tests"
)

// fillView is a view of the fill test of a choice in which so many passes have ended: 20 GB at 2,000 MB/s, the rest at
// 400. The next one has written 5 GB, unless all have.
func fillView(t testing.TB, plan bench.Plan, passes int) app.View {
	t.Helper()
	var v app.View
	v.Apply(bench.Started{ID: "20260102T030405Z-fill", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Plan: plan})
	for _, s := range plan.Steps() {
		v.Apply(bench.StepStarted{Step: s})
		m := bench.Measurement{Step: s}
		if s.Kind == bench.StepDelete {
			m.Freed = &bench.Freed{Files: 1, Bytes: s.Bytes, Trimmed: &s.Bytes}
		}
		for gb := 0; gb < 60 && s.Kind == bench.StepFill; gb++ {
			if s.Pass > passes && gb == 5 {
				return v
			}
			took := time.Second / 2
			if gb >= 20 {
				took = 5 * time.Second / 2
			}
			m.Elapsed += took
			m.Moved.WriteBytes += 1e9
			x := bench.Sample{At: m.Elapsed, Took: took, Write: bench.Tally{Ops: 1000, Bytes: 1e9}}
			m.Series = append(m.Series, x)
			v.Apply(bench.Sampled{Step: s.Index, Sample: x})
		}
		m.Write = bench.Tally{Ops: m.Moved.WriteBytes / 1e6, Bytes: m.Moved.WriteBytes}
		v.Apply(bench.StepDone{Measurement: m})
	}
	v.Apply(bench.Finished{Reason: bench.ReasonDone, Took: time.Hour})
	v.Save = app.SaveDone
	return v
}

// fillPlan is the plan of the test with three passes.
func fillPlan(t testing.TB) bench.Plan {
	t.Helper()
	p, _ := tests.Default("fill").Apply()
	plan, err := bench.NewPlan(p, goodTarget(), bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// The button that starts a test names what it writes, and a click starts just that.
func TestStartOfATest(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Tests)
	b.wants(t, "Write cache, quick", "Files of 10 GB", "1 pass", "Up to 40 % of the drive", "Direct", "on most drives several times as long")
	plan := b.state.Tests.Plan
	if plan == nil {
		t.Fatal(b.state.Tests.Refusal)
	}
	b.wants(t, "Start: writes at most 700 GB", "writes at most 700 GB", "40 GB stay free")
	test.Tap(b.button(t, plainStart(b)))
	if len(b.runs.started) != 1 || b.runs.started[0].Profile.ID != "fill-quick" || b.runs.started[0].Estimate().WrittenMax != plan.Estimate().WrittenMax {
		t.Fatalf("started %+v", b.runs.started)
	}
	b.wants(t, "Stop")
}

// plainStart is what the button says.
func plainStart(b *bed) string { return tests.Start(b.words, b.state.Tests.Plan, b.state.Tests.Locale) }

// F5 starts what the open room is for.
func TestF5OnTheTestsPage(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Tests)
	b.press(fyne.KeyF5)
	if len(b.runs.started) != 1 || b.runs.started[0].Profile.Filling == nil || b.state.Room != Tests {
		t.Errorf("started %v in room %d", b.runs.started, b.state.Room)
	}
}

func TestSettingsOfATest(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Tests)
	c := tests.Default("fill")
	c.FileSize, c.Passes, c.Pause, c.Loops, c.Most, c.Cached = 1<<30, 2, 0, 3, 0, true
	b.ChooseTest(c)
	b.wants(t, "Files of 1.1 GB", "2 passes", "No rest", "3 times", "Up to the reserve", "Through the system")
	again := open(t, func(d *Deps, _ *bed) { d.Memory = b.memory })
	got := again.state.Tests
	if got.Choice != c {
		t.Errorf("remembered %+v, want %+v", got.Choice, c)
	}
	p := got.Plan
	if p == nil || !p.Buffered || p.Profile.Loops != 3 || p.Profile.Rest != 0 || !slices.Equal(p.Profile.Filling.Again, []int{50}) || p.Profile.FileSize != 1<<30 {
		t.Errorf("plan %+v, %s", p, got.Refusal)
	}
	c = tests.Default("fill-quick") // another test brings its own settings
	b.ChooseTest(c)
	if b.state.Tests.Choice != c || b.state.Tests.Profile.Rest != 0 {
		t.Errorf("%+v", b.state.Tests.Choice)
	}
}

// A shipped test with its own settings is the shipped test: runs of it can be compared.
func TestDefaultIsTheShippedTest(t *testing.T) {
	for _, p := range tests.Tests() {
		got, ok := tests.Default(p.ID).Apply()
		if !ok || got.Rest != p.Rest || got.FileSize != p.FileSize || got.Loops != p.Loops || !slices.Equal(got.Filling.Again, p.Filling.Again) ||
			got.Filling.Most != p.Filling.Most || got.Filling.After != p.Filling.After || got.Filling.Write != p.Filling.Write {
			t.Errorf("%s: %+v with %+v", p.ID, got, got.Filling)
		}
	}
}

// A test that goes on is seen in every room, and not under the name of another.
func TestFillIsSeenInEveryRoom(t *testing.T) {
	b := open(t, nil)
	b.ChooseTest(tests.Default("fill"))
	b.runs.view = fillView(t, fillPlan(t), 1)
	b.showView(b.runs.view)
	line := "Pass 2 of 3 · 5 GB of"
	for _, r := range []Room{Tests, Benchmark, Monitor, Drive, Results} {
		b.OpenRoom(r)
		b.wants(t, line, "2 000 MB/s", "left", "Stop")
	}
	if b.state.Run.Shown() != nil {
		t.Error("the table of the Benchmark page shows a fill test")
	}
	if b.state.Tests.Shown() == nil {
		t.Error("the Tests page does not show it")
	}
	b.OpenRoom(Results)
	test.Tap(b.button(t, "Stop"))
	if b.runs.cancelled != 1 {
		t.Error("Stop does not stop")
	}
	b.runs.view = running(t, "cdm-default")
	b.showView(b.runs.view)
	b.OpenRoom(Tests)
	b.wants(t, "SEQ1M Q8T1 · Read · loop 2 of 3", "Stop")
	if b.state.Tests.Shown() != nil {
		t.Error("the Tests page shows a run of the table")
	}
}

func TestEndOfATest(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Tests)
	b.ChooseTest(tests.Default("fill"))
	b.runs.view = fillView(t, fillPlan(t), 3)
	b.showView(b.runs.view)
	b.wants(t, "Done in 1 h", "The first 20 GB are written at about 2 000 MB/s")
	b.SavePicture()
	for _, end := range []string{"window", "card"} {
		if _, err := os.Stat(filepath.Join(b.Pictures, "cachecliff-20260102T030405Z-fill-"+end+".png")); err != nil {
			t.Error(err)
		}
	}
	b.ChooseTest(tests.Default("fill-quick")) // it is not the run of another test
	if b.state.Tests.Shown() != nil || len(b.state.Tests.Findings) > 0 {
		t.Error("numbers stand under another test")
	}
	b.wants(t, "among the results")
}

// Pause holds a fill test, and the same button lets it go on.
func TestHoldOfATest(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Tests)
	b.runs.view = fillView(t, fillPlan(t), 1)
	b.showView(b.runs.view)
	test.Tap(b.button(t, "Pause"))
	b.wants(t, "pauses after this file · 5 GB of", "Go on", "Stop")
	if all := plain(strings.Join(texts(b.win.Content()), "\n")); strings.Contains(all, "MB/s ·") || strings.Contains(all, " left") {
		t.Errorf("it has a rate or an end while it is held:\n%s", all)
	}
	if !b.runs.view.Held {
		t.Error("it is not held")
	}
	test.Tap(b.button(t, "Go on"))
	if b.runs.view.Held {
		t.Error("it does not go on")
	}
	b.runs.view = running(t, "cdm-default")
	b.showView(b.runs.view)
	if all := strings.Join(texts(b.win.Content()), "\n"); strings.Contains(all, "Pause\n") {
		t.Errorf("a table can be held:\n%s", all)
	}
}

// A test that could not be started says so on its page.
func TestTestThatCannotStart(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Tests)
	b.runs.err = app.ErrRunning
	b.StartTest()
	if b.state.Tests.Notice.Text == "" || b.state.Run.Notice.Text != "" {
		t.Errorf("notices %q and %q", b.state.Tests.Notice.Text, b.state.Run.Notice.Text)
	}
	full := goodTarget()
	full.Volume.Free = 1e9
	b.setTarget(&full)
	if b.state.Tests.Plan != nil || b.state.Tests.Refusal == "" {
		t.Error("a full drive is no reason")
	}
}

// A stored fill has its chart and its sentences where others have a table.
func TestStoredFill(t *testing.T) {
	b := open(t, nil)
	r := fillView(t, fillPlan(t), 3).Result
	other := done(t, "cdm-default").Result
	b.library.results[r.ID], b.library.results[other.ID] = r, other
	b.OpenRoom(Results)
	b.wants(t, "Cache 20 GB")
	b.Open(r.ID)
	b.wants(t, "The first 20 GB", "By GB written", "SVG", "Write cache", "Files of 10 GB")
	b.SetLevel(true)
	b.wants(t, "By fill level")
	b.Export(results.Drawing)
	data, err := os.ReadFile(filepath.Join(b.Pictures, "cachecliff-"+r.ID+".svg"))
	if err != nil || !strings.Contains(string(data), "cache 20") && !strings.Contains(string(data), "cache 20\u00a0GB") {
		t.Errorf("%v: %.300s", err, data)
	}
	b.setLanguage(words.German)
	b.wants(t, "Die ersten 20 GB")
	b.Open(other.ID)
	if all := strings.Join(texts(b.win.Content()), "\n"); strings.Contains(all, "SVG") || !strings.Contains(all, "SEQ1M") {
		t.Errorf("a table looks like a fill:\n%s", all)
	}
}

// The Tests page fits into the smallest window, in every state and language.
func TestTestsPageFitsTheSmallestWindow(t *testing.T) {
	b := open(t, nil)
	b.OpenRoom(Tests)
	plan := fillPlan(t)
	fits := func(what string) {
		t.Helper()
		if m := b.win.Content().MinSize(); m.Width > MinWidth || m.Height > MinHeight {
			t.Errorf("%s: needs %v", what, m)
		}
	}
	for _, lang := range words.Languages() {
		b.setLanguage(lang)
		for _, p := range tests.Tests() {
			b.ChooseTest(tests.Default(p.ID))
			fits(lang + " " + p.ID)
		}
		b.ChooseTest(tests.Default("fill"))
		b.showView(fillView(t, plan, 1))
		fits(lang + " running")
		v := fillView(t, plan, 3)
		v.Save, v.SaveErr = app.SaveFailed, app.ErrUnsaved
		b.showView(v)
		fits(lang + " not saved")
		b.showView(app.View{})
	}
}
