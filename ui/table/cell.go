package table

import (
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/format"
	"cachecliff/ui/chart"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
	"cachecliff/ui/sheet"
)

// cell is one number: large, with median, spread and p99 beside it and a bar below. A mark says whether the
// number holds; what is doubtful is explained in a tip.
type cell struct {
	widget.BaseWidget
	c      sheet.Cell
	lang   string
	median string // the word before the median
	spread string // the word before the range
	class  look.Class
	hint   *part.Hint
}

func newCell(keys part.Keys, tips *part.Tips) *cell {
	c := &cell{hint: part.NewHint(keys, tips)}
	c.ExtendBaseWidget(c)
	return c
}

// show costs nothing if nothing changes, and doubts are put into words only when they do.
func (c *cell) show(s sheet.Cell, w Words, class look.Class) {
	if c.lang == w.Lang && c.class == class && c.c.Same(s) {
		return
	}
	if c.lang != w.Lang || !slices.Equal(c.c.Doubts, s.Doubts) {
		var notes []part.Note
		if len(s.Doubts) > 0 {
			notes = w.Explain(s.Doubts, s.Workload)
		}
		c.hint.Set(notes)
	}
	c.c, c.lang, c.median, c.spread, c.class = s, w.Lang, w.Median, w.Range, class
	c.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (c *cell) CreateRenderer() fyne.WidgetRenderer {
	r := &cellRenderer{
		c: c, back: &canvas.Rectangle{CornerRadius: 6}, number: &canvas.Text{},
		bar: chart.NewBar(), strike: &canvas.Rectangle{}, mark: newMark(),
	}
	for i := range r.side {
		r.side[i] = &canvas.Text{}
	}
	r.Refresh()
	return r
}

type cellRenderer struct {
	strike *canvas.Rectangle // through a number that does not hold
	c      *cell
	back   *canvas.Rectangle
	number *canvas.Text
	mark   *mark
	side   [3]*canvas.Text
	bar    *chart.Bar
	size   fyne.Size
}

const (
	cellPad     = 10
	barHeight   = 12  // with the room for a rated tick
	wideCell    = 255 // inner width from which all numbers have a column of the same width
	numberWidth = 152 // of that column: seven digits
	sideLine    = 16
	leastNumber = 0.75 // share of its size to which a number shrinks for those beside it
)

func (r *cellRenderer) MinSize() fyne.Size { return fyne.NewSize(minCell, lowRow) }

func (r *cellRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.c.hint, r.number, r.strike, r.mark.pill, r.mark.tick, r.mark.word, r.side[0], r.side[1], r.side[2], r.bar}
}

func (r *cellRenderer) Destroy() {}

func (r *cellRenderer) Layout(size fyne.Size) {
	r.size = size
	r.place()
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *cellRenderer) Refresh() {
	p := part.Palette()
	r.back.FillColor, r.back.StrokeWidth, r.back.StrokeColor = p.Surface, 0, color.Transparent
	if r.c.c.State == sheet.Running {
		r.back.StrokeWidth, r.back.StrokeColor = 2, p.Accent
	}
	r.strike.FillColor = p.Invalid
	look.Number.Paint(r.number, p)
	if r.c.c.State != sheet.Done {
		r.number.Color = p.Dim
	}
	for _, s := range r.side {
		look.Secondary.Paint(s, p)
	}
	r.mark.show(r.c, p)
	r.bar.Set(r.c.c.Rate/1e6, math.NaN(), look.ClassColour(r.c.class, part.Dark()))
	r.place()
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// place writes the texts that fit and puts everything where it belongs.
func (r *cellRenderer) place() {
	c, w := r.c.c, r.size.Width
	if w == 0 {
		return
	}
	r.back.Resize(r.size)
	r.c.hint.Resize(r.size)
	r.number.Text = c.Number
	if c.Number == "" {
		r.number.Text = format.Unknown
	}
	inner := w - 2*cellPad
	side := r.fill(inner)
	column := inner
	switch {
	case inner > wideCell: // the same for all, so that numbers stand below each other
		column = numberWidth
	case side > 0:
		column = inner - side - look.Grid
	}
	r.shrink(column - markRoom)
	top, height := float32(3), r.size.Height-barHeight-3
	width := r.number.MinSize().Width
	r.number.Move(fyne.NewPos(cellPad, top))
	r.number.Resize(fyne.NewSize(column-markRoom, height))
	r.strike.Hidden = !c.Struck()
	r.strike.Move(fyne.NewPos(cellPad-3, top+height/2))
	r.strike.Resize(fyne.NewSize(width+6, 2))
	r.placeSide(cellPad+column+2*look.Grid, top, height, side)
	taken := cellPad + column + 2*look.Grid + side
	if inner <= wideCell { // the mark stands at its number, and there is no room for a word
		column, taken = width+markRoom, w
	}
	r.mark.place(cellPad+column-look.PillHeight, top, height, taken+2*look.Grid, w-cellPad)
	r.bar.Hidden = c.Workload == ""
	r.bar.Move(fyne.NewPos(cellPad, r.size.Height-barHeight-1))
	r.bar.Resize(fyne.NewSize(inner, barHeight))
}

// fill writes the small numbers: with their words, without, or not at all, as room allows beside the number,
// which gives way a little, and its mark. It returns their width.
func (r *cellRenderer) fill(inner float32) float32 {
	c := r.c.c
	number := part.Measure(look.Number, r.number.Text).Width*leastNumber + markRoom
	for _, texts := range [][3]string{
		{join(r.c.median, c.Median), join(r.c.spread, c.Spread), join("p99", c.P99)},
		{c.Median, join(r.c.spread, c.Spread), join("p99", c.P99)},
		{},
	} {
		var side float32
		for i, t := range texts {
			r.side[i].Text = t
			side = max(side, part.Measure(look.Secondary, t).Width)
		}
		if inner > wideCell || number+look.Grid+side <= inner {
			return side
		}
	}
	return 0
}

// placeSide puts those small numbers that are there below each other, in the middle of the height.
func (r *cellRenderer) placeSide(x, top, height, width float32) {
	if r.size.Width-2*cellPad <= wideCell {
		x = r.size.Width - cellPad - width
	}
	n := 0
	for _, s := range r.side {
		if s.Text != "" {
			n++
		}
	}
	line := min(sideLine, height/3)
	y := top + (height-float32(n)*line)/2 - (sideLine - line)
	for _, s := range r.side {
		s.Move(fyne.NewPos(x, y))
		s.Resize(fyne.NewSize(width, line))
		if s.Text != "" {
			y += line
		}
	}
}

// shrink makes the large number smaller if it does not fit.
func (r *cellRenderer) shrink(width float32) {
	r.number.TextSize = look.NumberSize
	if w := part.Measure(look.Number, r.number.Text).Width; w > width {
		r.number.TextSize = look.NumberSize * width / w
	}
}

func join(word, number string) string {
	if number == "" || word == "" {
		return number
	}
	return word + " " + number
}
