package part

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// Marks are shown whole, and the lines before them give way.
func TestPickerMarks(t *testing.T) {
	test.NewTempApp(t)
	p := NewPicker(Keys{}, func() {})
	win := test.NewTempWindow(t, p)
	win.Resize(fyne.NewSize(420, 60))
	long := strings.Repeat("long title ", 20)
	p.Set(long, long)
	for _, marks := range [][]Mark{nil, {{Text: "41 °C"}}, {{Text: "41 °C"}, {Sign: "✓", Text: "Health: good", Tone: Good}}, {{Text: "41 °C"}}} {
		p.SetMarks(marks)
		shown := map[string]*canvas.Text{}
		var cut *canvas.Text
		for _, o := range test.WidgetRenderer(p).Objects() {
			if x, ok := o.(*canvas.Text); ok && x.Visible() && x.Text != "" {
				shown[x.Text] = x
				if strings.HasPrefix(x.Text, "long") {
					cut = x
				}
			}
		}
		want := 1 // both lines are cut at their own place
		for _, m := range marks {
			x := shown[m.Text]
			if x == nil {
				t.Errorf("%v: %q is not shown", marks, m.Text)
				continue
			}
			if cut != nil && cut.Position().X+cut.MinSize().Width > x.Position().X {
				t.Errorf("%v: %q runs into %q", marks, cut.Text, m.Text)
			}
			want++
			if m.Sign != "" {
				want++
			}
		}
		if len(shown) != want && len(shown) != want+1 {
			t.Errorf("%v: %d texts, want %d", marks, len(shown), want)
		}
	}
}
