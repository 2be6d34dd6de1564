// Package part holds the small widgets that several pages share: text in a role, controls that pass the
// window's keys on, and what they need to know of the theme. It knows nothing of tests and results.
package part

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cachecliff/ui/look"
)

// Dark says whether the window is dark now.
func Dark() bool {
	s := fyne.CurrentApp().Settings()
	if t, ok := s.Theme().(*look.Theme); ok {
		return t.IsDark(s.ThemeVariant())
	}
	return s.ThemeVariant() == theme.VariantDark
}

// Palette is the set of colours that the window uses now.
func Palette() look.Palette { return look.Colours(Dark()) }
