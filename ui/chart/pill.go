package chart

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Level is how much a badge takes from a number.
type Level int

// The levels: worth knowing (grey), to be doubted (amber), not valid (red).
const (
	Note Level = iota
	Doubt
	Invalid
)

// Sign is the sign of a level, for who does not see colours.
func (l Level) Sign() string {
	switch l {
	case Doubt:
		return "△"
	case Invalid:
		return "✕"
	}
	return "○"
}

// Sizes of a pill in Fyne's units.
const (
	pillHeight = 20
	pillEdge   = 7
	pillGap    = 4
	signLarger = 4 // the signs are small for their size
)

// Pill is a badge: sign and word on a rounded field in the colour of its level. The word is the
// caller's, in the language of the window.
type Pill struct {
	widget.BaseWidget
	level Level
	word  string
}

var _ fyne.Widget = (*Pill)(nil)

// NewPill makes a badge.
func NewPill(level Level, word string) *Pill {
	p := &Pill{level: level, word: word}
	p.ExtendBaseWidget(p)
	return p
}

// Set changes level and word.
func (p *Pill) Set(level Level, word string) {
	p.level, p.word = level, word
	p.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (p *Pill) CreateRenderer() fyne.WidgetRenderer {
	r := &pillRenderer{p: p, field: &canvas.Rectangle{CornerRadius: pillHeight / 2}, sign: &canvas.Text{}, word: &canvas.Text{}}
	r.paint()
	return r
}

type pillRenderer struct {
	p          *Pill
	field      *canvas.Rectangle
	sign, word *canvas.Text
}

func (r *pillRenderer) Destroy() {}

func (r *pillRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.field, r.sign, r.word}
}

func (r *pillRenderer) MinSize() fyne.Size {
	if r.p.word == "" { // a circle
		return fyne.NewSize(pillHeight, pillHeight)
	}
	return fyne.NewSize(2*pillEdge+r.sign.MinSize().Width+pillGap+r.word.MinSize().Width, pillHeight)
}

// Layout keeps the height of a pill, in the middle of whatever it was given.
func (r *pillRenderer) Layout(size fyne.Size) {
	min := r.MinSize()
	top := (size.Height - pillHeight) / 2
	r.field.Move(fyne.NewPos(0, top))
	r.field.Resize(fyne.NewSize(min.Width, pillHeight))
	x := float32(pillEdge)
	if r.p.word == "" {
		x = (min.Width - r.sign.MinSize().Width) / 2
	}
	for _, t := range []*canvas.Text{r.sign, r.word} {
		s := t.MinSize()
		t.Move(fyne.NewPos(x, top+(pillHeight-s.Height)/2))
		t.Resize(s)
		x += s.Width + pillGap
	}
}

func (r *pillRenderer) Refresh() {
	r.paint()
	r.Layout(r.p.Size())
	canvas.Refresh(r.p)
}

func (r *pillRenderer) paint() {
	field, ink := theme.ColorNameButton, theme.ColorNameForeground
	switch r.p.level {
	case Doubt:
		field, ink = theme.ColorNameWarning, theme.ColorNameForegroundOnWarning
	case Invalid:
		field, ink = theme.ColorNameError, theme.ColorNameForegroundOnError
	}
	th, v := r.p.Theme(), variant()
	r.field.FillColor = th.Color(field, v)
	size := th.Size(theme.SizeNameCaptionText)
	for _, t := range []*canvas.Text{r.sign, r.word} {
		t.Color, t.TextSize = th.Color(ink, v), size
	}
	r.sign.TextSize += signLarger
	r.sign.Text, r.word.Text = r.p.level.Sign(), r.p.word
	r.sign.TextStyle = fyne.TextStyle{Monospace: true} // the only bundled face that has these signs
}
