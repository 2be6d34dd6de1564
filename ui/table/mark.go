package table

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"cachecliff/ui/chart"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// mark says at a number whether it holds: a tick if it is valid, else the sign of its worst doubt, with its
// word where there is room. A note takes nothing from a number, but takes the place of the tick.
type mark struct {
	pill *chart.Pill
	tick *canvas.Text
	word *canvas.Text
	text string // of the word, in full
}

func newMark() *mark {
	m := &mark{pill: chart.NewPill(chart.Note, ""), tick: &canvas.Text{}, word: &canvas.Text{}}
	m.pill.Hide()
	return m
}

// The distance of a mark from its number, and what a mark takes beside it, without the word. The room is kept
// also while there is no mark, so that no number changes its size when one comes.
const (
	markGap  = 4
	markRoom = markGap + look.PillHeight
)

// show takes what stands in a cell.
func (m *mark) show(c *cell, p look.Palette) {
	look.Strong.Paint(m.tick, p)
	m.tick.Text, m.tick.Color = "✓", p.Good
	m.tick.TextStyle = fyne.TextStyle{Monospace: true} // the bold face has no tick
	look.Secondary.Paint(m.word, p)
	m.text = ""
	notes := c.hint.Notes()
	m.tick.Hidden = len(notes) > 0 || !c.c.Valid()
	part.ShowIf(m.pill, len(notes) > 0)
	if len(notes) == 0 {
		return
	}
	m.pill.Set(notes[0].Level, "")
	m.text = notes[0].Word
	if n := len(notes) - 1; n > 0 {
		m.text += " +" + strconv.Itoa(n)
	}
	switch notes[0].Level {
	case chart.Doubt:
		m.word.Color = p.Doubt
	case chart.Invalid:
		m.word.Color = p.Invalid
	}
}

// place puts the mark at left, and the word between from and to if it fits.
func (m *mark) place(left, top, height, from, to float32) {
	pill, tick := m.pill.MinSize(), m.tick.MinSize()
	m.pill.Move(fyne.NewPos(left, top+(height-pill.Height)/2))
	m.pill.Resize(pill)
	m.tick.Move(fyne.NewPos(left+(pill.Width-tick.Width)/2, top+(height-tick.Height)/2))
	m.tick.Resize(tick)
	m.word.Text = ""
	if word := part.Measure(look.Secondary, m.text); from+word.Width <= to {
		m.word.Text = m.text
		m.word.Move(fyne.NewPos(to-word.Width, top+(height-word.Height)/2))
		m.word.Resize(word)
	}
}
