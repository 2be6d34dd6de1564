package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cachecliff/ui/part"
)

// keys are the keys that work everywhere in the window.
func (w *Window) keys() part.Keys { return part.Keys{Key: w.typedKey, Shortcut: w.typedShortcut} }

// typedKey answers F5 (All, or on the Tests page its test) and Escape (closes a tip, else Stop, or back to the list). While a menu or a dialog is open the
// keys are its own, and Escape closes it.
func (w *Window) typedKey(e *fyne.KeyEvent) bool {
	if top := w.win.Canvas().Overlays().Top(); top != nil {
		if e.Name == fyne.KeyEscape {
			top.Hide()
			return true
		}
		return false
	}
	if e.Name == fyne.KeyEscape && w.frame.tips.Close() {
		return true
	}
	switch e.Name {
	case fyne.KeyF5:
		w.startRoom()
	case fyne.KeyEscape:
		switch {
		case w.state.Run.View.Running():
			w.Stop()
		case w.state.comparing():
			w.LeaveCompare()
		case w.state.Room == Results && w.state.Results.Open != nil:
			w.Open("")
		default:
			return false
		}
	default:
		return false
	}
	return true
}

var (
	shortcutSave      = &desktop.CustomShortcut{KeyName: fyne.KeyS, Modifier: fyne.KeyModifierControl}
	shortcutBenchmark = &desktop.CustomShortcut{KeyName: fyne.Key1, Modifier: fyne.KeyModifierControl}
	shortcutTests     = &desktop.CustomShortcut{KeyName: fyne.Key2, Modifier: fyne.KeyModifierControl}
	shortcutMonitor   = &desktop.CustomShortcut{KeyName: fyne.Key3, Modifier: fyne.KeyModifierControl}
	shortcutDrive     = &desktop.CustomShortcut{KeyName: fyne.Key4, Modifier: fyne.KeyModifierControl}
	shortcutResults   = &desktop.CustomShortcut{KeyName: fyne.Key5, Modifier: fyne.KeyModifierControl}
	shortcutTarget    = &desktop.CustomShortcut{KeyName: fyne.KeyL, Modifier: fyne.KeyModifierControl}
	shortcutQuit      = &desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierControl}
)

// typedShortcut answers the window's shortcuts, unless a menu or a dialog is open.
func (w *Window) typedShortcut(s fyne.Shortcut) bool {
	if w.win.Canvas().Overlays().Top() != nil {
		return false
	}
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		w.CopyText()
		return true
	}
	for _, c := range []struct {
		shortcut fyne.Shortcut
		do       func()
	}{
		{shortcutSave, w.saveRoom},
		{shortcutBenchmark, func() { w.OpenRoom(Benchmark) }},
		{shortcutTests, func() { w.OpenRoom(Tests) }},
		{shortcutMonitor, func() { w.OpenRoom(Monitor) }},
		{shortcutDrive, func() { w.OpenRoom(Drive) }},
		{shortcutResults, func() { w.OpenRoom(Results) }},
		{shortcutTarget, w.PickTarget},
		{shortcutQuit, w.quit},
	} {
		if s.ShortcutName() == c.shortcut.ShortcutName() {
			c.do()
			return true
		}
	}
	return false
}

func (w *Window) addShortcuts() {
	c := w.win.Canvas()
	for _, s := range []fyne.Shortcut{shortcutSave, shortcutBenchmark, shortcutTests, shortcutMonitor, shortcutDrive, shortcutResults, shortcutTarget, shortcutQuit, &fyne.ShortcutCopy{}} {
		c.AddShortcut(s, func(s fyne.Shortcut) { w.typedShortcut(s) })
	}
	c.SetOnTypedKey(func(e *fyne.KeyEvent) { w.typedKey(e) })
}
