package ui

import (
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/app"
	"cachecliff/app/explain"
	"cachecliff/app/reference"
	"cachecliff/app/settings"
	"cachecliff/bench"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
	"cachecliff/ui/tests"
)

// roomOf is the room that a run belongs to.
func roomOf(p bench.Plan) Room {
	if p.Profile.Filling != nil {
		return Tests
	}
	return Benchmark
}

// applyTest turns the settings into the test and the lists of the Tests page.
func (w *Window) applyTest() {
	f := w.set.Fill
	c := tests.Default(w.set.Test)
	if f.FileSize > 0 {
		c.FileSize = f.FileSize
	}
	if f.Passes > 0 {
		c.Passes = f.Passes
	}
	if f.Loops > 0 {
		c.Loops = f.Loops
	}
	if f.Pause != 0 {
		c.Pause = max(time.Duration(f.Pause), 0) * time.Minute
	}
	if f.Most != 0 {
		c.Most = max(f.Most, 0)
	}
	c.Cached = f.Cached
	s := &w.state.Tests
	s.Choice, s.Level, w.state.Results.Level = c, f.Level, f.Level
	s.Profile, _ = c.Apply()
}

// planTest looks whether the test can be run on the target, and why not.
func (w *Window) planTest() {
	s := &w.state.Tests
	s.Target, s.Plan, s.Refusal = w.state.Target, nil, ""
	defer w.judgeTest()
	if s.Target == nil {
		s.Refusal = w.words.T("run.no-target")
		if w.state.Looking {
			s.Refusal = w.words.T("run.looking")
		}
		return
	}
	p, err := bench.NewPlan(s.Profile, *s.Target, bench.Options{Buffered: s.Choice.Cached})
	if err != nil {
		s.Refusal = w.sentence(err)
		return
	}
	s.Plan = &p
}

// ChooseTest implements tests.Actions.
func (w *Window) ChooseTest(c tests.Choice) {
	if w.fixed() {
		w.show() // the lists go back
		return
	}
	first := tests.Default(c.Test)
	set := settings.Fill{Cached: c.Cached, Level: w.set.Fill.Level}
	if c.FileSize != first.FileSize {
		set.FileSize = c.FileSize
	}
	if c.Passes != first.Passes {
		set.Passes = c.Passes
	}
	if c.Loops != first.Loops {
		set.Loops = c.Loops
	}
	if c.Pause != first.Pause {
		set.Pause = orNone(int(c.Pause / time.Minute))
	}
	if c.Most != first.Most {
		set.Most = orNone(c.Most)
	}
	w.set.Test, w.set.Fill = c.Test, set
	w.chosen()
}

// orNone is a number as the settings have it, in which 0 stands for what was not changed.
func orNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// SetLevel implements tests.Actions.
func (w *Window) SetLevel(on bool) {
	w.set.Fill.Level = on
	w.chosen()
}

// StartTest implements tests.Actions.
func (w *Window) StartTest() {
	if p := w.state.Tests.Plan; p != nil {
		w.start(*p)
	}
}

// Hold implements tests.Actions.
func (w *Window) Hold(held bool) {
	w.hush()
	w.Runs.Hold(held)
	w.showView(w.Runs.View())
}

// startRoom starts what the open room is for: the test on the Tests page, else the whole table.
func (w *Window) startRoom() {
	if w.state.Room == Tests {
		w.StartTest()
		return
	}
	w.OpenRoom(Benchmark)
	w.Start(nil)
}

// finding says whose findings are in which language.
type finding struct{ id, lang string }

// maxFound is how many runs' findings are remembered.
const maxFound = 50

// findings are what a finished filling found, in words. They take some milliseconds to make: until they are there it
// is nothing, and the window is shown again when they are.
func (w *Window) findings(r *bench.Result) []part.Span {
	if r.Plan.Profile.Filling == nil {
		return nil
	}
	key := finding{r.ID, w.words.Lang()}
	text, known := w.found[key]
	if known {
		return []part.Span{{Text: text}}
	}
	if len(w.found) >= maxFound {
		clear(w.found)
	}
	w.found[key] = "" // being made
	words, copied := w.words, *r
	w.Go(func() {
		all, err := reference.Shipped()
		text := explain.Found(words, &copied, all)
		if err != nil {
			text += " " + explain.Error(words, err).String()
		}
		fyne.Do(func() {
			w.found[key] = text
			w.judgeTest()
			w.judgeOpen()
			w.show()
		})
	})
	return []part.Span{{Text: w.found[key]}}
}

// judgeTest puts into words how the run ended that the Tests page shows.
func (w *Window) judgeTest() {
	s := &w.state.Tests
	s.Verdict, s.Tone, s.Doubts, s.Sentences, s.Findings = "", part.Plain, nil, nil, nil
	v := &s.View
	if r := s.Shown(); r != nil {
		s.Doubts, s.Sentences = run.Doubts(w.words, r), run.Sentences(w.words, r)
	}
	if r := s.Shown(); r != nil && !v.Running() {
		s.Findings = w.findings(r)
	}
	switch {
	case v.Running():
		if v.JournErr != nil {
			s.Sentences = []part.Span{{Text: w.sentence(v.JournErr), Tone: part.Doubt}}
		}
		return
	case v.Save == app.SaveFailed: // also if something else is chosen now: no run can be started before
		s.Verdict, s.Tone = w.sentence(v.SaveErr), part.Bad
		return
	case !s.Current():
		return
	case v.Result.ID != "":
		s.Verdict, s.Tone = facts.Verdict(w.words, &v.Result, s.Locale), run.Tone(v.Result.Reason)
	case v.Err != nil:
		s.Verdict, s.Tone = w.sentence(v.Err), part.Bad
	}
	if v.JournErr != nil {
		s.Sentences = append(s.Sentences, part.Span{Text: w.sentence(v.JournErr), Tone: part.Doubt})
	}
}
