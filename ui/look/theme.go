package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Mode is the user's choice between dark and light.
type Mode int

// The modes. System follows the desktop's setting.
const (
	System Mode = iota
	Light
	Dark
)

// Theme is the program's fyne.Theme.
type Theme struct{ mode Mode }

// New makes the theme for a mode; hand it to app.Settings().SetTheme.
func New(mode Mode) *Theme { return &Theme{mode: mode} }

// IsDark tells whether this theme is dark on a desktop that prefers system, for what is drawn
// without Fyne's help: charts, bars, pictures.
func (t *Theme) IsDark(system fyne.ThemeVariant) bool {
	switch t.mode {
	case Light:
		return false
	case Dark:
		return true
	}
	return system != theme.VariantLight
}

// Palette is the colours that this theme uses on a desktop that prefers system.
func (t *Theme) Palette(system fyne.ThemeVariant) Palette { return Colours(t.IsDark(system)) }

// Color implements fyne.Theme.
func (t *Theme) Color(name fyne.ThemeColorName, system fyne.ThemeVariant) color.Color {
	p := t.Palette(system)
	if c, ok := textColour(p, name); ok {
		return c
	}
	if c, ok := fieldColour(p, name); ok {
		return c
	}
	return theme.DefaultTheme().Color(name, system)
}

// textColour is the colour of what is read.
func textColour(p Palette, name fyne.ThemeColorName) (color.NRGBA, bool) {
	switch name {
	case theme.ColorNameForeground:
		return p.Text, true
	case theme.ColorNamePlaceHolder:
		return p.Dim, true
	case theme.ColorNameDisabled:
		return p.Disabled, true
	case theme.ColorNamePrimary, theme.ColorNameHyperlink:
		return p.Accent, true
	case theme.ColorNameSuccess:
		return p.Good, true
	case theme.ColorNameWarning:
		return p.Doubt, true
	case theme.ColorNameError:
		return p.Invalid, true
	case theme.ColorNameForegroundOnPrimary:
		return p.OnAccent, true
	case theme.ColorNameForegroundOnSuccess:
		return p.OnGood, true
	case theme.ColorNameForegroundOnWarning:
		return p.OnDoubt, true
	case theme.ColorNameForegroundOnError:
		return p.OnBad, true
	}
	return color.NRGBA{}, false
}

// fieldColour is the colour of what lies behind, around or over what is read.
func fieldColour(p Palette, name fyne.ThemeColorName) (color.NRGBA, bool) {
	switch name {
	case theme.ColorNameBackground:
		return p.Background, true
	case theme.ColorNameInputBackground, theme.ColorNameHeaderBackground, theme.ColorNameScrollBarBackground:
		return p.Surface, true
	case theme.ColorNameButton, theme.ColorNameDisabledButton:
		return p.Raised, true
	case theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground:
		return p.Overlay, true
	case theme.ColorNameSeparator:
		return p.Line, true
	case theme.ColorNameInputBorder, theme.ColorNameScrollBar:
		return p.Border, true
	case theme.ColorNameHover:
		return veil(p.Text, 0x12), true
	case theme.ColorNamePressed:
		return veil(p.Text, 0x1C), true
	case theme.ColorNameFocus:
		return veil(p.Accent, 0x50), true
	case theme.ColorNameSelection:
		return veil(p.Accent, 0x38), true
	case theme.ColorNameShadow:
		return color.NRGBA{A: 0x48}, true
	}
	return color.NRGBA{}, false
}

func veil(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// Font implements fyne.Theme with Fyne's own faces.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(style) }

// Icon implements fyne.Theme with Fyne's own icons.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size implements fyne.Theme: 14 px text on a grid of 8 px.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return LabelSize
	case theme.SizeNameCaptionText:
		return SecondarySize
	case theme.SizeNameHeadingText:
		return 24
	case theme.SizeNameSubHeadingText:
		return 18
	case theme.SizeNamePadding:
		return Grid / 2
	case theme.SizeNameInnerPadding:
		return Grid
	case theme.SizeNameInputRadius:
		return 6
	}
	return theme.DefaultTheme().Size(name)
}
