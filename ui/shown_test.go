package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"cachecliff/app"
	"cachecliff/bench"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
)

// lacks fails if a text is on the screen.
func (b *bed) lacks(t *testing.T, not ...string) {
	t.Helper()
	all := plain(strings.Join(texts(b.win.Content()), "\n"))
	for _, n := range not {
		if strings.Contains(all, n) {
			t.Errorf("%q is on the screen:\n%s", n, all)
		}
	}
}

// Numbers stand only below the target and the settings that they were measured with; from elsewhere the
// run is one click away.
func TestNumbersOfOtherChoicesAreNotShown(t *testing.T) {
	choose := func(change func(*run.Choice)) func(*bed) {
		return func(b *bed) {
			c := b.state.Run.Choice
			change(&c)
			b.Choose(c)
		}
	}
	for name, change := range map[string]func(*bed){
		"target": func(b *bed) {
			other := goodTarget()
			other.Path, other.Volume.Mount = "/mnt/fast", "/mnt/fast"
			b.pickTarget(other)
		},
		"drive": func(b *bed) {
			other := goodTarget()
			other.Drives[0].Key = "another"
			b.pickTarget(other)
		},
		"size":    choose(func(c *run.Choice) { c.FileSize = 256 << 20 }),
		"loops":   choose(func(c *run.Choice) { c.Loops = 9 }),
		"mix":     choose(func(c *run.Choice) { c.MixPct = 70 }),
		"profile": choose(func(c *run.Choice) { c.Profile = "cdm-peak" }),
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, nil)
			b.runs.view = done(t, "cdm-default")
			b.runs.view.Result.Warnings = []bench.Warning{{Code: bench.WarnBuffered}}
			r := b.runs.view.Result
			b.library.results[r.ID] = r
			b.showView(b.runs.view)
			b.wants(t, "7 321", "Done in", "from memory")
			target, choice := *b.state.Target, b.state.Run.Choice
			change(b)
			b.lacks(t, "7 321", "Done in", "from memory")
			b.wants(t, "The last run was made on another target or with other settings")
			if !b.button(t, "Save picture").Disabled() || !b.button(t, "Copy text").Disabled() {
				t.Error("the run can be saved under another name")
			}
			b.SavePicture()
			b.CopyText()
			if names, err := filepath.Glob(filepath.Join(b.Pictures, "*")); err != nil || len(names) > 0 || b.App.Clipboard().Content() != "" {
				t.Errorf("saved %v, %v; copied %q", names, err, b.App.Clipboard().Content())
			}
			test.Tap(b.button(t, "Last run"))
			b.wants(t, "7 321", "Crucial P5 2 TB · /home/anna")
			b.OpenRoom(Benchmark)
			b.Choose(choice)
			b.pickTarget(target)
			b.wants(t, "7 321", "Done in")
		})
	}
}

// Rows of earlier runs go with the choice, too, and do not come back.
func TestEarlierRowsGoWithTheChoice(t *testing.T) {
	b := open(t, nil)
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	b.Start([]string{"seq1m-q8t1-read"})
	b.wants(t, "7 321")
	b.runs.view = app.View{}
	b.showView(b.runs.view)
	c := b.state.Run.Choice
	c.Loops = 2
	b.Choose(c)
	b.lacks(t, "7 321")
}

// Why a run could not start stands below its own target only.
func TestFaultOfAnotherTargetIsNotShown(t *testing.T) {
	b := open(t, nil)
	b.Start(nil)
	b.runs.view = app.View{Phase: app.PhaseDone, Err: os.ErrPermission}
	b.showView(b.runs.view)
	b.wants(t, "Something went wrong")
	other := goodTarget()
	other.Path = "/mnt/fast"
	b.pickTarget(other)
	b.lacks(t, "Something went wrong")
}

// A run that failed before its first number has nothing to be saved.
func TestRunWithoutNumbersCannotBeSaved(t *testing.T) {
	b := open(t, nil)
	v := done(t, "cdm-default")
	v.Result.Measurements, v.Result.Reason = nil, bench.ReasonFailed
	b.showView(v)
	if !b.button(t, "Save picture").Disabled() || !b.button(t, "Copy text").Disabled() {
		t.Error("a picture without numbers can be saved")
	}
}

// A comment belongs to the run that is shown, while it goes on and later, and to the next one.
func TestCommentBelongsToTheRunThatIsShown(t *testing.T) {
	b := open(t, nil)
	entry := func(hint string) *part.Entry {
		t.Helper()
		e := b.frame.run.Controls()["comment"].(*part.Entry)
		if e.PlaceHolder != hint {
			t.Errorf("the field says %q, want %q", e.PlaceHolder, hint)
		}
		return e
	}
	test.Type(entry("Comment on the next run"), "a")
	if b.runs.view.Result.Comment != "" {
		t.Error("a comment on no run")
	}
	b.runs.view = running(t, "cdm-default")
	b.showView(b.runs.view)
	test.Type(entry("Comment on this run"), "b")
	if c := b.runs.view.Result.Comment; c != "ab" || len(b.runs.saved) > 0 {
		t.Errorf("while it runs: %q, saved %q", c, b.runs.saved)
	}
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	test.Type(entry("Comment on this run and the next"), "c")
	if len(b.runs.saved) != 1 || b.runs.saved[0] != "abc" {
		t.Errorf("after it: saved %q", b.runs.saved)
	}
	b.wants(t, "The comment is saved with the run.")
	b.Start(nil)
	if n := len(b.runs.comments); n != 1 || b.runs.comments[0] != "abc" {
		t.Errorf("the next run has %q", b.runs.comments)
	}
	b.runs.view = done(t, "cdm-default")
	b.showView(b.runs.view)
	c := b.state.Run.Choice
	c.Loops = 2
	b.Choose(c)
	test.Type(entry("Comment on the next run"), "d")
	if len(b.runs.saved) != 1 {
		t.Errorf("a run that is not shown was changed: %q", b.runs.saved)
	}
}

// While a run goes on its picture can be saved, but not the text, which says how it ended.
func TestTextIsOfAFinishedRun(t *testing.T) {
	b := open(t, nil)
	b.runs.view = running(t, "cdm-default")
	b.showView(b.runs.view)
	if b.button(t, "Save picture").Disabled() || !b.button(t, "Copy text").Disabled() {
		t.Error("what can be saved while a run goes on")
	}
	if b.CopyText(); b.App.Clipboard().Content() != "" {
		t.Error("the text of a run that goes on was copied")
	}
}
