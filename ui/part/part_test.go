package part

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
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
	text := "The file system does not take direct I/O. Choose a folder on another file system, or allow cached access."
	for _, width := range []float32{100, 200, 300, 2000} {
		for count := 1; count < 5; count++ {
			lines := wrap(text, count, width)
			if len(lines) > count {
				t.Errorf("%d lines where %d are allowed", len(lines), count)
			}
			for _, l := range lines {
				if Measure(look.Secondary, l).Width > width+0.5 {
					t.Errorf("%q is wider than %v", l, width)
				}
			}
			joined := strings.Join(lines, " ")
			if !strings.HasSuffix(joined, "…") && joined != text {
				t.Errorf("%v wide: words are lost without an ellipsis: %q", width, joined)
			}
		}
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
