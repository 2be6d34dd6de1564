package compare

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// Sizes of the bars in Fyne's units.
const (
	rowHeight     = 26
	unlikeHeight  = 44 // with the reason below
	headingHeight = 32
	axisHeight    = 18
	barHeight     = 16
	tickWidth     = 8
	tickHeight    = 20
	tickLines     = 4
	gap           = 8
	mostNames     = 0.36 // of the width, for names
	leastName     = 90
	reasonTop     = 25
)

// bars draws the rows of a sheet. Each has a tip with what is known of its values.
type bars struct {
	widget.BaseWidget
	keys  part.Keys
	tips  *part.Tips
	sheet sheet
	hints []*part.Hint
	seen  func(top, bottom float32) // told which part is to be seen, when a row gets the focus
}

func newBars(keys part.Keys, tips *part.Tips, seen func(top, bottom float32)) *bars {
	b := &bars{keys: keys, tips: tips, seen: seen}
	b.ExtendBaseWidget(b)
	return b
}

// set shows a sheet.
func (b *bars) set(s sheet) {
	b.sheet = s
	for len(b.hints) < len(s.rows) {
		b.hints = append(b.hints, part.NewHint(b.keys, b.tips))
	}
	for i, h := range b.hints {
		h.Focused = nil
		if i >= len(s.rows) {
			h.Set(nil)
			continue
		}
		h.Focused = func() {
			top := b.top(i)
			b.seen(top, top+s.rows[i].height())
		}
		h.Set(s.rows[i].notes)
	}
	b.Refresh()
}

func (r row) height() float32 {
	switch r.kind {
	case heading:
		return headingHeight
	case unlike:
		return unlikeHeight
	}
	return rowHeight
}

// top is where a row begins.
func (b *bars) top(index int) float32 {
	y := float32(0)
	for _, r := range b.sheet.rows[:index] {
		y += r.height()
	}
	return y
}

// columns says where names end and values begin: x of the bars and their full length.
func (s *sheet) columns(width float32) (left, length float32) {
	var name, value float32
	for _, r := range s.rows {
		if r.kind == heading {
			continue
		}
		name = max(name, part.Measure(r.role(), r.name).Width)
		value = max(value, part.Measure(look.Secondary, r.value).Width)
	}
	name = max(leastName, min(name, width*mostNames))
	left = float32(math.Ceil(float64(name))) + gap
	return left, max(width-left-value-2*gap-tickWidth, width/6)
}

// role is how a name is written: the own drive's is bold.
func (r row) role() look.Role {
	if r.own {
		return look.Strong
	}
	return look.Label
}

// marks are the places of the axis that are named.
func (s *sheet) marks() []float64 {
	var out []float64
	for i := 0; s.step > 0 && float64(i)*s.step <= s.top; i++ {
		out = append(out, float64(i)*s.step)
	}
	return out
}

// at is how long a bar of an amount is.
func (s *sheet) at(amount float64, length float32) float32 { return float32(amount/s.top) * length }

// CreateRenderer implements fyne.Widget.
func (b *bars) CreateRenderer() fyne.WidgetRenderer {
	r := &barsRenderer{b: b}
	r.Refresh()
	return r
}

type barsRenderer struct {
	b       *bars
	objects []fyne.CanvasObject
}

func (r *barsRenderer) Destroy()                     {}
func (r *barsRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *barsRenderer) Layout(fyne.Size)             { r.place() }

func (r *barsRenderer) MinSize() fyne.Size {
	return fyne.NewSize(leastName, r.b.top(len(r.b.sheet.rows)))
}

func (r *barsRenderer) Refresh() {
	r.place()
	canvas.Refresh(r.b)
}

// place makes the objects anew: a sheet changes when the user chooses another, and not while anything runs.
func (r *barsRenderer) place() {
	r.objects = nil
	s, p, size := &r.b.sheet, part.Palette(), r.b.Size()
	if size.Width <= 0 {
		return
	}
	left, length := s.columns(size.Width)
	for _, v := range s.marks() {
		r.box(p.Line, nil, 0, fyne.NewPos(left+s.at(v, length), 0), fyne.NewSize(1, size.Height))
	}
	for i, w := range s.rows {
		y := r.b.top(i)
		if w.kind == heading {
			r.text(look.Secondary, w.name, p, p.Dim, fyne.NewPos(0, y+headingHeight-20), size.Width)
			r.box(p.Line, nil, 0, fyne.NewPos(0, y+headingHeight-2), fyne.NewSize(size.Width, 1))
			continue
		}
		r.row(w, y, left, length, size.Width, p)
		h := r.b.hints[i]
		h.Move(fyne.NewPos(0, y))
		h.Resize(fyne.NewSize(size.Width, w.height()))
		r.objects = append(r.objects, h)
	}
}

// row draws one row.
func (r *barsRenderer) row(w row, y, left, length, width float32, p look.Palette) {
	s := &r.b.sheet
	high := part.Measure(w.role(), "M").Height
	r.text(w.role(), part.Fit(w.role(), w.name, left-gap), p, p.Text, fyne.NewPos(0, y+(rowHeight-high)/2), left)
	end := left + s.at(w.amount, length)
	top := y + (rowHeight-barHeight)/2
	colour := look.ClassColour(lookClass(w.class), part.Dark())
	long := fyne.NewSize(max(end-left, 2), barHeight)
	switch {
	case w.kind == rated:
		r.tick(w.amount, y, left, length, p)
		end += tickWidth / 2
	case w.own: // outlined, not in another colour
		r.box(colour, p.Text, 2, fyne.NewPos(left, top), long)
	case w.kind == unlike: // hollow: it is not one of those that are ranked
		r.box(color.Transparent, colour, 1, fyne.NewPos(left, top), long)
	default:
		r.box(colour, nil, 0, fyne.NewPos(left, top), long)
	}
	for _, t := range w.ticks {
		r.tick(t, y, left, length, p)
		end = max(end, left+s.at(t, length)+tickWidth/2)
	}
	small := part.Measure(look.Secondary, "M").Height
	tone := p.Dim
	if w.own {
		tone = p.Text
	}
	at := fyne.NewPos(end+gap, y+(rowHeight-small)/2)
	r.box(p.Background, nil, 0, at, fyne.NewSize(part.Measure(look.Secondary, w.value).Width, small)) // no line of the axis goes through it
	r.text(look.Secondary, w.value, p, tone, at, width-end)
	if w.kind == unlike && w.reason != "" {
		sign := r.text(look.Role{Size: 15}, "△", p, p.Doubt, fyne.NewPos(left, y+reasonTop-3), 16)
		sign.TextStyle.Monospace = true
		r.text(look.Secondary, part.Fit(look.Secondary, w.reason, width-left-18), p, p.Doubt, fyne.NewPos(left+18, y+reasonTop), width-left-18)
	}
}

// tick is what a maker rates: outlined and striped, so that it is never taken for a measurement.
func (r *barsRenderer) tick(amount float64, y, left, length float32, p look.Palette) {
	x := float32(math.Round(float64(left + r.b.sheet.at(amount, length) - tickWidth/2)))
	top := y + (rowHeight-tickHeight)/2
	r.box(p.Background, p.Text, 1, fyne.NewPos(x, top), fyne.NewSize(tickWidth, tickHeight))
	const apart = float32(tickWidth+tickHeight) / (tickLines + 1)
	for i := range tickLines {
		at := apart * float32(i+1) // where the stripe meets the left edge, or would below the corner
		from, to := max(0, at-tickHeight), min(tickWidth, at)
		line := canvas.NewLine(p.Text)
		line.StrokeWidth = 1
		line.Position1, line.Position2 = fyne.NewPos(x+from, top+at-from), fyne.NewPos(x+to, top+at-to)
		r.objects = append(r.objects, line)
	}
}

func (r *barsRenderer) box(fill, stroke color.Color, wide float32, at fyne.Position, size fyne.Size) {
	b := canvas.NewRectangle(fill)
	b.StrokeColor, b.StrokeWidth = stroke, wide
	b.Move(at)
	b.Resize(size)
	r.objects = append(r.objects, b)
}

func (r *barsRenderer) text(role look.Role, s string, p look.Palette, c color.Color, at fyne.Position, width float32) *canvas.Text {
	t := role.Text(s, p)
	t.Color = c
	t.Move(at)
	t.Resize(fyne.NewSize(width, t.MinSize().Height))
	r.objects = append(r.objects, t)
	return t
}

// scale is the axis above the bars, which stays when they are scrolled.
type scale struct {
	widget.BaseWidget
	sheet sheet
	tick  func(float64) string
}

func newScale() *scale {
	a := &scale{}
	a.ExtendBaseWidget(a)
	return a
}

func (a *scale) set(s sheet, tick func(float64) string) {
	a.sheet, a.tick = s, tick
	a.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (a *scale) CreateRenderer() fyne.WidgetRenderer {
	r := &scaleRenderer{a: a}
	r.Refresh()
	return r
}

type scaleRenderer struct {
	a       *scale
	objects []fyne.CanvasObject
}

func (r *scaleRenderer) Destroy()                     {}
func (r *scaleRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *scaleRenderer) MinSize() fyne.Size           { return fyne.NewSize(leastName, axisHeight) }
func (r *scaleRenderer) Layout(fyne.Size)             { r.Refresh() }

func (r *scaleRenderer) Refresh() {
	r.objects = nil
	s, p, width := &r.a.sheet, part.Palette(), r.a.Size().Width
	if width > 0 && len(s.rows) > 0 {
		left, length := s.columns(width)
		last := s.marks()[len(s.marks())-1]
		free := float32(math.Inf(-1)) // up to where labels stand
		for _, v := range s.marks() {
			label := r.a.tick(v)
			if v == last {
				label += " " + s.unit
			}
			wide := part.Measure(look.Secondary, label).Width
			x := left + s.at(v, length) - part.Measure(look.Secondary, r.a.tick(v)).Width/2
			if x < free {
				continue
			}
			free = x + wide + gap
			t := look.Secondary.Text(label, p)
			t.Move(fyne.NewPos(x, 0))
			t.Resize(fyne.NewSize(wide, axisHeight))
			r.objects = append(r.objects, t)
		}
	}
	canvas.Refresh(r.a)
}
