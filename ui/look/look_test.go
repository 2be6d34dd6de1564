package look

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// luminance and contrast are those of WCAG 2.
func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n.R) + 0.7152*linear(n.G) + 0.0722*linear(n.B)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// over is the colour of a translucent c on the opaque field b.
func over(c, b color.NRGBA) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8((int(x)*int(c.A) + int(y)*(255-int(c.A))) / 255) }
	return color.NRGBA{R: mix(c.R, b.R), G: mix(c.G, b.G), B: mix(c.B, b.B), A: 255}
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	if got := contrast(color.White, color.Black); math.Abs(got-21) > 0.01 {
		t.Errorf("white on black: %.2f", got)
	}
	if got := contrast(rgb(0x767676), color.White); math.Abs(got-4.54) > 0.01 {
		t.Errorf("#767676 on white: %.2f", got)
	}
}

func variants(t *testing.T, f func(t *testing.T, th *Theme, dark bool)) {
	for name, m := range map[string]Mode{"dark": Dark, "light": Light} {
		t.Run(name, func(t *testing.T) { f(t, New(m), m == Dark) })
	}
}

func TestBackgrounds(t *testing.T) {
	if c := Colours(true).Background; c != rgb(0x15171A) {
		t.Errorf("dark background %v", c)
	}
	if c := Colours(false).Background; c != rgb(0xFFFFFF) {
		t.Errorf("light background %v", c)
	}
}

func TestTextContrast(t *testing.T) {
	variants(t, func(t *testing.T, th *Theme, dark bool) {
		p := Colours(dark)
		hover := th.Color(theme.ColorNameHover, 0).(color.NRGBA)
		selected := th.Color(theme.ColorNameSelection, 0).(color.NRGBA)
		fields := map[string]color.NRGBA{
			"background": p.Background, "surface": p.Surface, "raised": p.Raised, "overlay": p.Overlay,
		}
		texts := map[string]color.NRGBA{
			"text": p.Text, "dim": p.Dim, "disabled": p.Disabled, "accent": p.Accent,
			"good": p.Good, "doubt": p.Doubt, "invalid": p.Invalid,
		}
		for tn, text := range texts {
			for fn, field := range fields {
				if got := contrast(text, field); got < 4.5 {
					t.Errorf("%s on %s: %.2f", tn, fn, got)
				}
			}
		}
		for fn, field := range fields {
			if got := contrast(p.Text, over(hover, field)); got < 4.5 {
				t.Errorf("text on hovered %s: %.2f", fn, got)
			}
			if got := contrast(p.Text, over(selected, field)); got < 4.5 {
				t.Errorf("text on selected %s: %.2f", fn, got)
			}
		}
		for n, c := range map[string][2]color.NRGBA{
			"accent": {p.OnAccent, p.Accent}, "good": {p.OnGood, p.Good}, "doubt": {p.OnDoubt, p.Doubt}, "bad": {p.OnBad, p.Invalid},
			"hovered accent": {p.OnAccent, over(hover, p.Accent)},
		} {
			if got := contrast(c[0], c[1]); got < 4.5 {
				t.Errorf("on %s: %.2f", n, got)
			}
		}
		if got := contrast(p.Border, p.Surface); got < 3 {
			t.Errorf("border of a control: %.2f", got)
		}
	})
}

func TestBarAndLineContrast(t *testing.T) {
	variants(t, func(t *testing.T, th *Theme, dark bool) {
		bg := Colours(dark).Background
		for c := ClassUnknown; c <= ClassHardDisk; c++ {
			if got := contrast(ClassColour(c, dark), bg); got < 4.5 {
				t.Errorf("class %d: %.2f", c, got)
			}
		}
		for i, l := range Lines(dark) {
			if got := contrast(l.Colour, bg); got < 4.5 {
				t.Errorf("line %d: %.2f", i, got)
			}
		}
	})
}

// No two curves share dash and marks: they must differ for who sees no colours.
func TestLinesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Lines(true) {
		key := map[bool]string{true: "marks"}[l.Marks]
		for _, d := range l.Dash {
			key += string(rune('a' + int(d)))
		}
		if seen[key] {
			t.Errorf("dash %v twice", l.Dash)
		}
		seen[key] = true
	}
}

func TestModeOverridesSystem(t *testing.T) {
	for _, c := range []struct {
		m      Mode
		system fyne.ThemeVariant
		dark   bool
	}{
		{System, theme.VariantDark, true}, {System, theme.VariantLight, false},
		{Light, theme.VariantDark, false}, {Dark, theme.VariantLight, true},
	} {
		got := New(c.m).Color(theme.ColorNameBackground, c.system)
		if got != Colours(c.dark).Background {
			t.Errorf("mode %d on %d: %v", c.m, c.system, got)
		}
	}
}

// Every colour that a Fyne widget may ask for is one of ours: a new one in Fyne would fall through to
// its own palette and look foreign.
func TestNoForeignColours(t *testing.T) {
	test.NewTempApp(t)
	names := []fyne.ThemeColorName{
		theme.ColorNameBackground, theme.ColorNameButton, theme.ColorNameDisabledButton, theme.ColorNameDisabled,
		theme.ColorNameError, theme.ColorNameFocus, theme.ColorNameForeground, theme.ColorNameForegroundOnError,
		theme.ColorNameForegroundOnPrimary, theme.ColorNameForegroundOnSuccess, theme.ColorNameForegroundOnWarning,
		theme.ColorNameHeaderBackground, theme.ColorNameHover, theme.ColorNameHyperlink, theme.ColorNameInputBackground,
		theme.ColorNameInputBorder, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground,
		theme.ColorNamePlaceHolder, theme.ColorNamePressed, theme.ColorNamePrimary, theme.ColorNameScrollBar,
		theme.ColorNameScrollBarBackground, theme.ColorNameSelection, theme.ColorNameSeparator, theme.ColorNameShadow,
		theme.ColorNameSuccess, theme.ColorNameWarning,
	}
	p := Colours(true)
	for _, n := range names {
		_, text := textColour(p, n)
		_, field := fieldColour(p, n)
		if text == field {
			t.Errorf("%s: text %v, field %v", n, text, field)
		}
	}
}

// Figures have one width in the face of numbers and in that of labels, so that columns line up and
// live numbers do not dance. The narrow space between thousands is there and is narrow.
func TestFiguresAreTabular(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(New(Dark))
	for _, r := range []Role{Number, Unit, Secondary, Label, Strong} {
		style := fyne.TextStyle{Bold: r.Bold}
		width := func(s string) float32 { return fyne.MeasureText(s, r.Size, style).Width }
		for _, d := range "123456789" {
			if w := width(string(d)); w != width("0") {
				t.Errorf("size %v bold %v: %q is %v wide, 0 is %v", r.Size, r.Bold, d, w, width("0"))
			}
		}
		gap := width("7\u202f321") - width("7321")
		if gap <= 0 || gap >= width(" ") {
			t.Errorf("size %v bold %v: narrow space is %v wide, a space %v", r.Size, r.Bold, gap, width(" "))
		}
	}
}

func TestSizes(t *testing.T) {
	test.NewTempApp(t)
	th := New(System)
	for n, want := range map[fyne.ThemeSizeName]float32{
		theme.SizeNameText: 14, theme.SizeNameCaptionText: 12, theme.SizeNameInnerPadding: 8, theme.SizeNamePadding: 4,
	} {
		if got := th.Size(n); got != want {
			t.Errorf("%s: %v", n, got)
		}
	}
	if th.Size(theme.SizeNameScrollBar) <= 0 || th.Font(fyne.TextStyle{}) == nil || th.Icon(theme.IconNameHome) == nil {
		t.Error("what is not ours must come from Fyne")
	}
	p := Colours(true)
	if got := Secondary.Text("x", p); got.TextSize != 12 || got.Color != p.Dim || got.TextStyle.Bold {
		t.Errorf("secondary text: %+v", got)
	}
}
