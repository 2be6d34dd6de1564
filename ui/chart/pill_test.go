package chart

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

func TestPill(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(forced{theme.DefaultTheme(), theme.VariantDark})
	signs := map[string]bool{}
	for level, field := range map[Level]fyne.ThemeColorName{
		Note: theme.ColorNameButton, Doubt: theme.ColorNameWarning, Invalid: theme.ColorNameError,
	} {
		p := NewPill(level, "throttled")
		if got := p.MinSize().Height; got != 20 {
			t.Errorf("level %d is %v high", level, got)
		}
		img := drawn(t, p, fyne.NewSize(160, 40))
		want := color.NRGBAModel.Convert(theme.DefaultTheme().Color(field, theme.VariantDark)).(color.NRGBA)
		from, to := extent(img, 13, want) // above the letters
		if from > 4 || to < int(p.MinSize().Width)-6 || to > int(p.MinSize().Width) {
			t.Errorf("level %d: field from %d to %d, pill is %v wide", level, from, to, p.MinSize().Width)
		}
		signs[level.Sign()] = true
	}
	if len(signs) != 3 {
		t.Errorf("signs do not differ: %v", signs)
	}
}

func TestPillGrowsWithItsWord(t *testing.T) {
	test.NewTempApp(t)
	p := NewPill(Note, "")
	bare := p.MinSize().Width
	p.Set(Doubt, "noisy")
	short := p.MinSize().Width
	p.Set(Doubt, "write cache ended")
	if long := p.MinSize().Width; !(bare < short && short < long) {
		t.Errorf("widths %v, %v, %v", bare, short, long)
	}
}

// The signs are in the bundled face they are set in: a bare machine has no other.
func TestSignsAreInTheBundledFace(t *testing.T) {
	test.NewTempApp(t)
	mono := fyne.TextStyle{Monospace: true}
	cell := fyne.MeasureText("0", 12, mono).Width
	for _, l := range []Level{Note, Doubt, Invalid} {
		if got := fyne.MeasureText(l.Sign(), 12, mono).Width; got != cell {
			t.Errorf("%s is %v wide, a cell is %v", l.Sign(), got, cell)
		}
	}
}
