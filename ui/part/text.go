package part

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/look"
)

// Tone is what the colour of a text says.
type Tone int

// The tones. Plain is the colour of the role.
const (
	Plain Tone = iota
	Dim
	Good
	Doubt
	Bad
)

// Colour is the colour of a tone; plain is that of the role.
func (t Tone) Colour(p look.Palette, plain color.Color) color.Color {
	switch t {
	case Dim:
		return p.Dim
	case Good:
		return p.Good
	case Doubt:
		return p.Doubt
	case Bad:
		return p.Invalid
	}
	return plain
}

// Text is one line of text in a role. What does not fit ends in an ellipsis, unless it is Rigid.
type Text struct {
	widget.BaseWidget
	Role  look.Role
	Align fyne.TextAlign
	Rigid bool // asks for the width of its text; else the layout decides

	text string
	tone Tone
}

// NewText makes a text that gives way when space is short.
func NewText(role look.Role, s string) *Text {
	t := &Text{Role: role, text: s}
	t.ExtendBaseWidget(t)
	return t
}

// NewRigid makes a text that is always shown in full.
func NewRigid(role look.Role, s string) *Text {
	t := NewText(role, s)
	t.Rigid = true
	return t
}

// Text is what it shows, also where the ellipsis hides it.
func (t *Text) Text() string { return t.text }

// Set changes the text; it costs nothing if nothing changes.
func (t *Text) Set(s string) { t.SetToned(s, t.tone) }

// SetToned changes text and tone.
func (t *Text) SetToned(s string, tone Tone) {
	if s == t.text && tone == t.tone {
		return
	}
	t.text, t.tone = s, tone
	t.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	r := &textRenderer{t: t, line: t.Role.Text(t.text, Palette())}
	r.Refresh()
	return r
}

type textRenderer struct {
	t    *Text
	line *canvas.Text
	size fyne.Size
}

func (r *textRenderer) MinSize() fyne.Size {
	s := Measure(r.t.Role, r.t.text)
	if s.Height == 0 || r.t.text == "" {
		s.Height = Measure(r.t.Role, "M").Height
	}
	if !r.t.Rigid {
		s.Width = 0
	}
	return s
}

func (r *textRenderer) Layout(size fyne.Size) {
	r.size = size
	r.line.Resize(size)
	if fit := Fit(r.t.Role, r.t.text, size.Width); fit != r.line.Text {
		r.line.Text = fit
		r.line.Refresh()
	}
}

func (r *textRenderer) Refresh() {
	p := Palette()
	r.t.Role.Paint(r.line, p)
	r.line.Color = r.t.tone.Colour(p, r.line.Color)
	r.line.Alignment = r.t.Align
	r.line.Text = r.t.text
	if r.size.Width > 0 {
		r.line.Text = Fit(r.t.Role, r.t.text, r.size.Width)
	}
	r.line.Refresh()
}

func (r *textRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.line} }
func (r *textRenderer) Destroy()                     {}

// Measure is the size of a text in a role.
func Measure(role look.Role, s string) fyne.Size {
	return fyne.MeasureText(s, role.Size, fyne.TextStyle{Bold: role.Bold})
}

// Fit shortens a text to a width, with an ellipsis at the end if anything is cut.
func Fit(role look.Role, s string, width float32) string {
	if s == "" || Measure(role, s).Width <= width+0.5 {
		return s
	}
	runes := []rune(s)
	lo, hi := 0, len(runes)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if Measure(role, string(runes[:mid])+"…").Width <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return ""
	}
	return string(runes[:lo]) + "…"
}
