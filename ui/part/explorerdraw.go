package part

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"cachecliff/ui/look"
)

// maxReadOff is how many lines can be read off at once.
const maxReadOff = 14

// CreateRenderer implements fyne.Widget.
func (e *Explorer) CreateRenderer() fyne.WidgetRenderer {
	r := &explorerRenderer{
		e: e, line: &canvas.Rectangle{}, chosen: &canvas.Rectangle{}, focus: &canvas.Rectangle{StrokeWidth: 2, CornerRadius: 4},
		back: &canvas.Rectangle{CornerRadius: 6, StrokeWidth: 1},
	}
	for range maxReadOff {
		r.texts = append(r.texts, look.Secondary.Text("", Palette()))
	}
	r.Refresh()
	return r
}

type explorerRenderer struct {
	e                         *Explorer
	line, chosen, focus, back *canvas.Rectangle
	texts                     []*canvas.Text
}

func (r *explorerRenderer) Destroy()           {}
func (r *explorerRenderer) MinSize() fyne.Size { return r.e.live.MinSize() }

func (r *explorerRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.e.live}
	if r.e.still != nil {
		out[0] = r.e.still
	}
	out = append(out, r.chosen, r.line, r.focus, r.back)
	for _, t := range r.texts {
		out = append(out, t)
	}
	return out
}

func (r *explorerRenderer) Layout(size fyne.Size) {
	r.e.live.Resize(size)
	r.focus.Resize(size)
	r.Refresh()
}

// Refresh places what lies on the chart; the chart itself is drawn elsewhere.
func (r *explorerRenderer) Refresh() {
	p, size := Palette(), r.e.Size()
	if r.e.still != nil {
		r.e.still.Resize(size)
	}
	r.focus.FillColor, r.focus.StrokeColor, r.focus.Hidden = color.Transparent, p.Accent, !r.e.focused
	r.focus.Refresh()
	for _, o := range append([]fyne.CanvasObject{r.line, r.chosen, r.back}, objects(r.texts)...) {
		o.Hide()
	}
	s := r.e.seen.Load()
	if s != nil && r.e.cursor != nil && r.e.still == nil {
		r.point(s, p)
	}
	canvas.Refresh(r.e)
}

func objects(texts []*canvas.Text) []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, t := range texts {
		out = append(out, t)
	}
	return out
}

// point shows the line under the pointer, what is being dragged over, and what is read off.
func (r *explorerRenderer) point(s *explored, p look.Palette) {
	at := s.place(*r.e.cursor)
	top, bottom := float32(s.area.Top), float32(s.area.Bottom)
	r.line.FillColor = p.Dim
	r.line.Move(fyne.NewPos(at, top))
	r.line.Resize(fyne.NewSize(1, bottom-top))
	r.line.Show()
	if r.e.from != nil {
		from := s.place(*r.e.from)
		r.chosen.FillColor = color.NRGBA{R: p.Accent.R, G: p.Accent.G, B: p.Accent.B, A: 0x40}
		r.chosen.Move(fyne.NewPos(min(at, from), top))
		r.chosen.Resize(fyne.NewSize(max(at-from, from-at), bottom-top))
		r.chosen.Show()
	}
	if s.drawn.Read == nil {
		return
	}
	r.write(s.drawn.Read(*r.e.cursor), at, p)
}

// write puts lines beside the pointer: on the side of it that has room.
func (r *explorerRenderer) write(lines []ReadOff, at float32, p look.Palette) {
	if len(lines) == 0 {
		return
	}
	lines = lines[:min(len(lines), len(r.texts))]
	const pad, away = 6, 12
	width := float32(0)
	for _, l := range lines {
		width = max(width, Measure(look.Secondary, l.Text).Width)
	}
	box, size := fyne.NewSize(width+2*pad, float32(len(lines))*lineHeight+2*pad), r.e.Size()
	left := at + away
	if left+box.Width > size.Width {
		left = max(0, at-away-box.Width)
	}
	top := max(0, min(r.e.pointer.Y-box.Height/2, size.Height-box.Height))
	r.back.FillColor, r.back.StrokeColor = p.Overlay, p.Border
	r.back.Move(fyne.NewPos(left, top))
	r.back.Resize(box)
	r.back.Show()
	for i, l := range lines {
		t := r.texts[i]
		look.Secondary.Paint(t, p)
		t.Text, t.Color = l.Text, p.Text
		if l.Colour != nil {
			t.Color = l.Colour
		}
		t.Move(fyne.NewPos(left+pad, top+pad+float32(i)*lineHeight))
		t.Resize(fyne.NewSize(width, lineHeight))
		t.Show()
	}
}
