package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"cachecliff/app/settings"
	"cachecliff/bench"
	"cachecliff/platform"
)

// checked are the marked lines of the menu that is open, which it closes.
func (b *bed) checked(t *testing.T) []string {
	t.Helper()
	top := b.win.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no menu is open")
	}
	var out []string
	line := ""
	walk(top, func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *canvas.Text:
			line = plain(o.Text)
		case *canvas.Image: // stands behind the text of its line
			if o.Resource != nil && o.Resource.Name() == theme.ConfirmIcon().Name() {
				out = append(out, line)
			}
		}
	})
	b.press(fyne.KeyEscape)
	return out
}

// Every menu marks what is chosen now.
func TestMenusMarkThePresentChoice(t *testing.T) {
	b := open(t, nil)
	for name, want := range map[string]string{
		"profile": "Default", "size": "1 GiB", "loops": "3×", "unit": "MB/s", "mix": "No mix", "target": "Crucial P5 2 TB · /home/anna · 740 GB free",
	} {
		o := b.frame.run.Controls()[name]
		if name == "target" {
			o = b.frame.target
		}
		test.Tap(o.(fyne.Tappable))
		if got := b.checked(t); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: marked %q, want %q", name, got, want)
		}
	}
	b.frame.run.Controls()["loops"].(fyne.Focusable).TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	for range 5 {
		b.press(fyne.KeyDown)
	}
	b.press(fyne.KeyReturn)
	if b.set.Loops != 5 || b.win.Canvas().Overlays().Top() != nil {
		t.Errorf("chose %d loops by key", b.set.Loops)
	}
}

// The settings mark what is in force, also if the command line forces it.
func TestSettingsMarkWhatIsInForce(t *testing.T) {
	b := open(t, func(d *Deps, b *bed) {
		d.Theme, d.Language = settings.ThemeLight, "de"
		b.memory.set.Theme, b.memory.set.Language = settings.ThemeDark, "en"
	})
	b.PickSetting()
	if got := b.checked(t); len(got) != 2 || !strings.HasSuffix(got[0], "Hell") || got[1] != "Deutsch" {
		t.Errorf("marked %q", got)
	}
}

// Where no drive will be measured that is said before the click.
func TestTargetWithoutADriveIsDoubted(t *testing.T) {
	for want, volume := range map[string]platform.Volume{
		"This folder lies in the computer's memory (tmpfs)":     {FS: "tmpfs", Size: 2000e9, Free: 740e9},
		"No drive of this computer is known behind this folder": {FS: "nfs", Size: 2000e9, Free: 740e9},
	} {
		open(t, func(_ *Deps, b *bed) { b.host.targets[0].Volume, b.host.targets[0].Drives = volume, nil }).wants(t, "About", want)
	}
	open(t, nil).lacks(t, "No drive of this computer", "memory")
}

// The list names the row of a run of one row and how it ended; opened, what was not measured is a dash.
func TestRunOfOneRow(t *testing.T) {
	b := open(t, nil)
	p, _ := bench.ByID("cdm-default")
	v := done(t, "cdm-default")
	only := []string{"rnd4k-q1t1-read", "rnd4k-q1t1-write"}
	v.Result.Plan.Profile = p.With(bench.Overrides{Only: only})
	v.Result.Measurements = slices.DeleteFunc(v.Result.Measurements, func(m bench.Measurement) bool { return !slices.Contains(only, m.Step.Workload) })
	v.Result.Reason = bench.ReasonStopped
	b.library.results[v.Result.ID] = v.Result
	b.win.Resize(fyne.NewSize(1000, 700))
	b.OpenRoom(Results)
	b.wants(t, "Default · RND4K Q1T1", "stopped by the user", "Read 7 321 MB/s")
	b.Open(v.Result.ID)
	b.wants(t, "Default · RND4K Q1T1")
	dashes := 0
	for _, s := range texts(b.win.Content()) {
		if s == "–" {
			dashes++
		}
	}
	if dashes != 6 {
		t.Errorf("%d dashes for 6 tests that were not run", dashes)
	}
}

// Write-through is chosen in the settings, remembered, said before the run, and part of its plan.
func TestWriteThrough(t *testing.T) {
	b := open(t, nil)
	b.lacks(t, "write-through")
	v := done(t, "cdm-default")
	b.showView(v)
	b.wants(t, "7 321")
	b.toggleThrough()
	b.wants(t, "write-through")
	b.lacks(t, "7 321") // measured in another way
	if p := b.state.Run.Plan; p == nil || !p.Through || !b.memory.set.Through {
		t.Errorf("plan %+v, remembered %v", p, b.memory.set.Through)
	}
	b.PickSetting()
	if got := b.checked(t); !slices.Contains(got, "Write through caches (each write reaches the medium)") {
		t.Errorf("marked %q", got)
	}
	b.toggleThrough()
	b.lacks(t, "write-through")
	if b.state.Run.Plan.Through || b.memory.set.Through {
		t.Error("it stays on")
	}
}

// A program that ended by a fault of its own says so at the next start, beside what else there is to say.
func TestCrashIsTold(t *testing.T) {
	const file = "/data/faults/crash-1.txt"
	open(t, nil).lacks(t, "by a fault of its own")
	open(t, func(d *Deps, _ *bed) { d.Crash = file }).wants(t, "ended by a fault of its own the last time", file)
	open(t, func(d *Deps, b *bed) { d.Crash, b.library.broken = file, []string{"x"} }).wants(t, "broken off was saved", file)
}
