package ui

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/ui/run"
)

// press sends a key to what has the focus, as the window does.
func (b *bed) press(name fyne.KeyName) {
	e := &fyne.KeyEvent{Name: name}
	if f := b.win.Canvas().Focused(); f != nil {
		f.TypedKey(e)
		return
	}
	b.win.Canvas().OnTypedKey()(e)
}

// shortcut sends a shortcut to the window.
func (b *bed) shortcut(s fyne.Shortcut) {
	if f, ok := b.win.Canvas().Focused().(fyne.Shortcutable); ok {
		f.TypedShortcut(s)
		return
	}
	b.typedShortcut(s)
}

// Behind a menu or a dialog no key does anything, and Escape closes what is open.
func TestKeysStayInFrontOfDialogs(t *testing.T) {
	for name, show := range map[string]func(*bed){
		"targets":   func(b *bed) { b.PickTarget() },
		"folder":    func(b *bed) { b.pickFolder() },
		"settings":  func(b *bed) { b.PickSetting() },
		"leftovers": func(b *bed) { b.askLeftovers([]string{"/x"}) },
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, nil)
			show(b)
			overlays := b.win.Canvas().Overlays()
			if overlays.Top() == nil {
				t.Fatal("nothing is open")
			}
			b.press(fyne.KeyF5)
			for _, s := range []fyne.Shortcut{shortcutResults, shortcutSave, shortcutTarget, shortcutQuit} {
				b.shortcut(s)
			}
			names, err := filepath.Glob(filepath.Join(b.Pictures, "*"))
			if len(b.runs.started) > 0 || b.state.Room != Benchmark || len(names) > 0 || err != nil || b.closing || len(overlays.List()) != 1 {
				t.Errorf("%d runs, room %d, files %v, closing %v, %d open", len(b.runs.started), b.state.Room, names, b.closing, len(overlays.List()))
			}
			b.press(fyne.KeyEscape)
			if overlays.Top() != nil {
				t.Error("Escape does not close it")
			}
			b.press(fyne.KeyF5)
			if len(b.runs.started) != 1 {
				t.Error("F5 does not start a run after it")
			}
		})
	}
}

// Target and test stay as they are while a run goes on, whatever was opened before it.
func TestTargetIsFixedWhileARunGoesOn(t *testing.T) {
	b := open(t, nil)
	other := goodTarget()
	other.Path = "/mnt/fast"
	test.Tap(b.button(t, "All"))
	b.pickTarget(other)
	b.PickTarget()
	b.Choose(run.Choice{Profile: "cdm-peak", FileSize: 1 << 30, Loops: 1})
	if b.state.Target.Path != "/home/anna" || b.memory.set.Target == "/mnt/fast" || b.state.Run.Profile.ID != "cdm-default" {
		t.Errorf("the target is %s, the test %s", b.state.Target.Path, b.state.Run.Profile.ID)
	}
	if b.win.Canvas().Overlays().Top() != nil {
		t.Error("the list of targets opens")
	}
}
