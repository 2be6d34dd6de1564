package part

import (
	"slices"
	"strings"
	"unicode/utf8"

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

// Lines is a field of small text. Each sentence begins on a line of its own and may wrap. The field is as
// high as its sentences need, between two bounds; what does not fit into the upper ends in an ellipsis.
type Lines struct {
	widget.BaseWidget
	// Grow, if set, is called when the field needs another height.
	Grow func()

	least, most int
	spans       []Span
}

// NewLines makes a field of at least and at most so many lines.
func NewLines(least, most int) *Lines {
	l := &Lines{least: least, most: most}
	l.ExtendBaseWidget(l)
	return l
}

// Set shows these sentences; empty ones are left out. It costs nothing if nothing changes.
func (l *Lines) Set(spans ...Span) {
	spans = slices.DeleteFunc(slices.Clone(spans), func(s Span) bool { return s.Text == "" })
	if slices.Equal(l.spans, spans) {
		return
	}
	before := l.needed()
	l.spans = spans
	l.Refresh()
	if l.needed() != before && l.Grow != nil {
		l.Grow()
	}
}

// needed is how many lines the field takes at its present width.
func (l *Lines) needed() int {
	width := l.Size().Width
	if width <= 0 {
		return l.least
	}
	return max(l.least, len(layOut(l.spans, l.most, width)))
}

// Grown is by how much the field is higher than at least.
func (l *Lines) Grown() float32 { return float32(l.needed()-l.least) * lineHeight }

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
	for range l.most {
		r.texts = append(r.texts, look.Secondary.Text("", Palette()))
	}
	return r
}

const lineHeight = 17

type linesRenderer struct {
	l     *Lines
	texts []*canvas.Text
}

func (r *linesRenderer) MinSize() fyne.Size { return fyne.NewSize(0, float32(r.l.needed())*lineHeight) }
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
			t.Text, t.Color = lines[i].Text, lines[i].Tone.Colour(p, p.Text)
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

// wrap breaks a text into at most count lines; the last takes the rest, shortened.
func wrap(text string, count int, width float32) []string {
	var out []string
	for len(out) < count-1 && Measure(look.Secondary, text).Width > width {
		cut := lineEnd(text, width)
		out, text = append(out, strings.TrimRight(text[:cut], " ")), strings.TrimLeft(text[cut:], " ")
	}
	return append(out, Fit(look.Secondary, text, width))
}

// lineEnd is where a text that is too long for a line breaks: after a word or, in a long path, after a
// slash, or else anywhere.
func lineEnd(text string, width float32) int {
	word, slash, any := 0, 0, 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		if Measure(look.Secondary, text[:i]).Width <= width && r == ' ' {
			word = i
		}
		if Measure(look.Secondary, text[:end]).Width > width {
			break
		}
		any = end
		if r == '/' || r == '\\' {
			slash = end
		}
	}
	switch {
	case word > 0 && word >= any/3: // a short line before a long path would look odd
		return word
	case slash > 0:
		return slash
	case word > 0:
		return word
	}
	_, first := utf8.DecodeRuneInString(text)
	return max(any, first)
}
