package part

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/look"
)

// Span is a sentence with its tone.
type Span struct {
	Text string
	Tone Tone
}

// Lines is a field of a fixed number of lines of small text. Each sentence begins on a line of its own
// and may wrap; what does not fit ends in an ellipsis.
type Lines struct {
	widget.BaseWidget
	count int
	spans []Span
}

// NewLines makes a field of count lines.
func NewLines(count int) *Lines {
	l := &Lines{count: count}
	l.ExtendBaseWidget(l)
	return l
}

// Set shows these sentences; empty ones are left out. It costs nothing if nothing changes.
func (l *Lines) Set(spans ...Span) {
	spans = slices.DeleteFunc(spans, func(s Span) bool { return s.Text == "" })
	if slices.Equal(l.spans, spans) {
		return
	}
	l.spans = spans
	l.Refresh()
}

// Text is all sentences, also what the ellipsis hides.
func (l *Lines) Text() string {
	var out []string
	for _, s := range l.spans {
		out = append(out, s.Text)
	}
	return strings.Join(out, "\n")
}

// CreateRenderer implements fyne.Widget.
func (l *Lines) CreateRenderer() fyne.WidgetRenderer {
	r := &linesRenderer{l: l}
	for range l.count {
		r.texts = append(r.texts, look.Secondary.Text("", Palette()))
	}
	return r
}

const lineHeight = 17

type linesRenderer struct {
	l     *Lines
	texts []*canvas.Text
}

func (r *linesRenderer) MinSize() fyne.Size { return fyne.NewSize(0, float32(r.l.count)*lineHeight) }
func (r *linesRenderer) Destroy()           {}

func (r *linesRenderer) Objects() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, t := range r.texts {
		out = append(out, t)
	}
	return out
}

func (r *linesRenderer) Layout(fyne.Size) { r.Refresh() }

func (r *linesRenderer) Refresh() {
	p, width := Palette(), r.l.Size().Width
	lines := layOut(r.l.spans, len(r.texts), width)
	for i, t := range r.texts {
		look.Secondary.Paint(t, p)
		t.Text = ""
		if i < len(lines) {
			t.Text, t.Color = lines[i].Text, lines[i].Tone.colour(p, p.Text)
		}
		t.Move(fyne.NewPos(0, float32(i)*lineHeight))
		t.Resize(fyne.NewSize(width, lineHeight))
		t.Refresh()
	}
}

// layOut spreads sentences over lines: the earlier wrap as long as a line is left for each later one.
func layOut(spans []Span, count int, width float32) []Span {
	var out []Span
	for i, s := range spans {
		room := count - len(out) - (len(spans) - 1 - i)
		if len(out) == count {
			return out
		}
		for _, line := range wrap(s.Text, max(room, 1), width) {
			out = append(out, Span{line, s.Tone})
		}
	}
	return out
}

// wrap breaks a text at spaces into at most count lines; the last takes the rest, shortened.
func wrap(text string, count int, width float32) []string {
	var out []string
	for len(out) < count-1 && Measure(look.Secondary, text).Width > width {
		cut := 0
		for i, r := range text {
			if r == ' ' && Measure(look.Secondary, text[:i]).Width <= width {
				cut = i
			}
		}
		if cut == 0 {
			break
		}
		out, text = append(out, text[:cut]), text[cut+1:]
	}
	return append(out, Fit(look.Secondary, text, width))
}
