package part

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cachecliff/ui/look"
)

func TestFit(t *testing.T) {
	test.NewTempApp(t)
	text := "Crucial P5 2 TB · /home/anna"
	whole := Measure(look.Label, text).Width
	if got := Fit(look.Label, text, whole); got != text {
		t.Errorf("what fits is shortened to %q", got)
	}
	for width := whole - 1; width > 0; width -= 7 {
		got := Fit(look.Label, text, width)
		if got != "" && (!strings.HasSuffix(got, "…") || Measure(look.Label, got).Width > width) {
			t.Fatalf("%v wide: %q", width, got)
		}
	}
}

func TestWrap(t *testing.T) {
	test.NewTempApp(t)
	for _, text := range []string{
		"The file system does not take direct I/O. Choose a folder on another file system, or allow cached access.",
		"No permission for /home/anna/a-rather-long-name-of-a-folder/and/another-long-name-of-a-folder below it.",
		strings.Repeat("x", 100),
	} {
		for _, width := range []float32{100, 200, 300, 2000} {
			for count := 1; count < 9; count++ {
				lines := wrap(text, count, width)
				if len(lines) > count {
					t.Errorf("%d lines where %d are allowed", len(lines), count)
				}
				for _, l := range lines {
					if Measure(look.Secondary, l).Width > width+0.5 {
						t.Errorf("%q is wider than %v", l, width)
					}
				}
				bare := strings.NewReplacer(" ", "")
				joined := bare.Replace(strings.Join(lines, ""))
				if whole := bare.Replace(text); joined != whole && (!strings.HasSuffix(joined, "…") || count > 7 && width > 100) {
					t.Errorf("%v wide, %d lines: words are lost: %q", width, count, joined)
				}
			}
		}
	}
}

// The field is as high as its sentences need, between its bounds, and says so when that changes.
func TestLinesGrow(t *testing.T) {
	test.NewTempApp(t)
	l := NewLines(2, 4)
	grown := 0
	l.Grow = func() { grown++ }
	for _, c := range []struct {
		words int
		width float32
		lines float32
		told  int
	}{{1, 0, 2, 0}, {1, 200, 2, 0}, {12, 200, 3, 1}, {12, 5000, 2, 1}, {500, 200, 4, 2}, {0, 200, 2, 3}} {
		l.Resize(fyne.NewSize(c.width, 100))
		l.Set(Span{Text: strings.TrimSpace(strings.Repeat("words ", c.words))})
		if h := l.MinSize().Height; h != c.lines*lineHeight || l.Grown() != (c.lines-2)*lineHeight || grown != c.told {
			t.Errorf("%d words in %v: %v high, grown %v, told %d times", c.words, c.width, h, l.Grown(), grown)
		}
	}
}

// A page gives what is above the height it needs, and the middle the rest; too little is nothing.
func TestPageGrowsAtTheCostOfTheMiddle(t *testing.T) {
	test.NewTempApp(t)
	above, middle := NewLines(1, 5), NewCurve()
	defer middle.Close()
	p := &Page{Above: container.NewVBox(above), Middle: middle.Object, Grown: above.Grown}
	page := NewPage(p)
	above.Grow = page.Refresh
	low := page.MinSize()
	page.Resize(fyne.NewSize(300, 200))
	before := middle.Object.Size().Height
	above.Set(Span{Text: strings.Repeat("word ", 40)})
	grown := above.Grown()
	if got := middle.Object.Size().Height; grown == 0 || got != before-grown || page.MinSize() != low || above.Size().Height != grown+lineHeight {
		t.Errorf("grown %v: middle %v before, %v now; at least %v before, %v now", grown, before, got, low, page.MinSize())
	}
	page.Resize(fyne.NewSize(300, 100))
	if middle.Object.Visible() {
		t.Errorf("a middle of %v is shown", middle.Object.Size())
	}
	page.Resize(fyne.NewSize(300, 200))
	if !middle.Object.Visible() {
		t.Error("the middle does not come back")
	}
}

// Each sentence gets a line, and the first one what is left.
func TestLines(t *testing.T) {
	test.NewTempApp(t)
	long := strings.Repeat("word ", 40)
	for _, c := range []struct {
		spans []Span
		want  []Tone
	}{
		{nil, nil},
		{[]Span{{"short", Good}}, []Tone{Good}},
		{[]Span{{long, Bad}}, []Tone{Bad, Bad, Bad}},
		{[]Span{{long, Bad}, {"short", Good}}, []Tone{Bad, Bad, Good}},
		{[]Span{{"a", Bad}, {"b", Good}, {"c", Doubt}, {"d", Dim}}, []Tone{Bad, Good, Doubt}},
	} {
		var got []Tone
		for _, s := range layOut(c.spans, 3, 200) {
			got = append(got, s.Tone)
		}
		if len(got) != len(c.want) {
			t.Errorf("%d sentences: %v, want %v", len(c.spans), got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%d sentences: %v, want %v", len(c.spans), got, c.want)
			}
		}
	}
}

func TestSelectTellsOnlyWhatTheUserChose(t *testing.T) {
	test.NewTempApp(t)
	var picked []int
	s := NewSelect(Keys{}, 100, func(i int) { picked = append(picked, i) })
	s.ShowChoice([]string{"a", "b", "c"}, 1)
	if s.Selected != "b" || len(picked) != 0 {
		t.Errorf("shows %q, told %v", s.Selected, picked)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if len(picked) != 1 || picked[0] != 2 {
		t.Errorf("told %v", picked)
	}
	s.EnableIf(false)
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if len(picked) != 1 {
		t.Error("a list that is disabled can be changed by key")
	}
	s.ShowChoice(nil, -1)
	if s.Selected != "" {
		t.Errorf("an empty list shows %q", s.Selected)
	}
}

func TestEntryTellsOnlyWhatTheUserTyped(t *testing.T) {
	test.NewTempApp(t)
	var told []string
	e := NewEntry(Keys{}, "", func(s string) { told = append(told, s) })
	e.ShowText("abc")
	if e.Text != "abc" || len(told) != 0 {
		t.Errorf("shows %q, told %q", e.Text, told)
	}
	test.Type(e, "x")
	if len(told) != 1 || !strings.Contains(told[0], "x") {
		t.Errorf("told %q", told)
	}
}

// The window's keys come first in every control, and the control's own keys still work.
func TestKeysPassThroughControls(t *testing.T) {
	test.NewTempApp(t)
	taken, tapped := 0, 0
	keys := Keys{
		Key:      func(e *fyne.KeyEvent) bool { taken++; return e.Name == fyne.KeyF5 },
		Shortcut: func(fyne.Shortcut) bool { taken++; return true },
	}
	tap := func() { tapped++ }
	entry := NewEntry(keys, "", nil)
	for _, f := range []fyne.Focusable{
		NewButton(keys, "x", nil, tap), NewRailButton(keys, nil, tap), NewPicker(keys, tap), NewSelect(keys, 100, nil), entry,
	} {
		taken = 0
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF5})
		if taken != 1 {
			t.Errorf("%T keeps F5 for itself", f)
		}
	}
	for _, f := range []fyne.Focusable{NewButton(keys, "x", nil, tap), NewRailButton(keys, nil, tap), NewPicker(keys, tap)} {
		for _, k := range []fyne.KeyName{fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter} {
			tapped = 0
			f.TypedKey(&fyne.KeyEvent{Name: k})
			if tapped != 1 {
				t.Errorf("%s taps a %T %d times", k, f, tapped)
			}
		}
	}
	taken = 0
	entry.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyS, Modifier: fyne.KeyModifierControl})
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	if taken != 1 {
		t.Errorf("the window was asked for %d shortcuts of the field, want 1", taken)
	}
}
