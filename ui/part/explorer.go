package part

import (
	"image"
	"image/color"
	"math"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/plot"
	"cachecliff/ui/chart"
)

// View is a chart of which parts can be looked at closely.
type View struct {
	Key   any           // comparable; the same key is the same picture
	Scope any           // comparable; another one is seen whole again
	Every time.Duration // least time between two pictures while the key keeps changing
	// Draw collects the points for a part of the X axis; the zero range is all of it. It is called off the UI goroutine.
	Draw func(f chart.Frame, x plot.Range) Drawn
}

// Drawn is a chart and what can be read off it. It does not change any more.
type Drawn struct {
	Chart plot.Chart
	Whole plot.Range                // of the X axis
	Read  func(x float64) []ReadOff // what the curves show at x: first where that is; nil if nothing can be read
}

// ReadOff is a line of what is read off a chart.
type ReadOff struct {
	Text   string
	Colour color.Color // of its curve; nil is that of text
}

// Explorer shows a chart of which the part between two values of X can be looked at closely: by the mouse wheel, by
// dragging over it, and by keys. Under the pointer stands what the curves show there.
type Explorer struct {
	widget.BaseWidget
	// Zoomed, if set, is told when a part is shown instead of all, and when all is shown again.
	Zoomed func(bool)

	keys    Keys
	live    *chart.Live
	still   *canvas.Image // instead of live, in a picture of the window
	view    View
	zoom    plot.Range // what is shown; the zero value is all
	shown   explorerKey
	at      time.Time
	seen    atomic.Pointer[explored]
	focused bool
	cursor  *float64 // X under the pointer, or where the keys brought it
	pointer fyne.Position
	mouse   bool        // it is the pointer: X follows the picture
	reads   atomic.Bool // there is a cursor
	from    *float64    // X where a dragging began
}

type explorerKey struct {
	key  any
	zoom plot.Range
}

// explored is the picture that was drawn last.
type explored struct {
	area  plot.Area
	drawn Drawn
}

var (
	_ desktop.Hoverable   = (*Explorer)(nil)
	_ fyne.Scrollable     = (*Explorer)(nil)
	_ fyne.Draggable      = (*Explorer)(nil)
	_ fyne.DoubleTappable = (*Explorer)(nil)
	_ fyne.Focusable      = (*Explorer)(nil)
)

// NewExplorer makes an empty one.
func NewExplorer(keys Keys) *Explorer {
	e := &Explorer{keys: keys, live: chart.NewLive(minCurve)}
	e.live.Deliver = func(show func()) {
		fyne.Do(func() {
			show()
			if e.reads.Load() {
				e.redrawn()
			}
		})
	}
	e.ExtendBaseWidget(e)
	return e
}

// Set shows a chart.
func (e *Explorer) Set(v View) {
	if v.Scope != e.view.Scope {
		e.view = v
		e.place(nil)
		e.from = nil
		e.show(plot.Range{})
	}
	if e.shown == (explorerKey{v.Key, e.zoom}) || time.Since(e.at) < v.Every {
		return
	}
	e.view = v
	e.draw()
}

// draw asks for a new picture.
func (e *Explorer) draw() {
	v, zoom := e.view, e.zoom
	e.shown, e.at = explorerKey{v.Key, zoom}, time.Now()
	if v.Draw == nil {
		return
	}
	e.live.Draw(func(f chart.Frame) image.Image { return e.render(v, zoom, f) })
}

// render draws a picture, or nothing if it cannot be drawn. It is called on the goroutine that draws.
func (e *Explorer) render(v View, zoom plot.Range, f chart.Frame) image.Image {
	d := v.Draw(f, zoom)
	img, area, err := plot.RenderArea(d.Chart, f.Width, f.Height, f.Scale)
	if err != nil {
		return nil
	}
	e.seen.Store(&explored{area, d})
	return img
}

// show shows a part of the X axis, or all of it.
func (e *Explorer) show(r plot.Range) {
	if r == e.zoom {
		return
	}
	before := e.IsZoomed()
	e.zoom = r
	if e.IsZoomed() != before && e.Zoomed != nil {
		e.Zoomed(!before)
	}
	if e.view.Draw != nil {
		e.draw()
	}
	e.Refresh()
}

// IsZoomed says whether only a part is shown.
func (e *Explorer) IsZoomed() bool { return e.zoom != plot.Range{} }

// ShowAll shows all.
func (e *Explorer) ShowAll() { e.show(plot.Range{}) }

// closest is how small a part can be looked at, of all.
const closest = 1.0 / 2000

// zoomBy makes what is shown so many times as wide, around x.
func (e *Explorer) zoomBy(factor, x float64) {
	if s := e.seen.Load(); s != nil {
		e.show(zoomed(s.drawn.Whole, s.area.X, factor, x))
	}
}

// zoomed is a part of a range that is factor times as wide as another part, with x at the same place in it; the zero
// range if that is all.
func zoomed(whole, part plot.Range, factor, x float64) plot.Range {
	all := whole.Max - whole.Min
	width := math.Max((part.Max-part.Min)*factor, all*closest)
	if !(all > 0) || width >= all*0.999 {
		return plot.Range{}
	}
	share := (x - part.Min) / (part.Max - part.Min)
	return moved(whole, plot.Range{Min: x - share*width, Max: x - share*width + width}, 0)
}

// moved is a part of a range moved by so much, without leaving the range.
func moved(whole, part plot.Range, by float64) plot.Range {
	width := part.Max - part.Min
	low := math.Max(whole.Min, math.Min(part.Min+by, whole.Max-width))
	return plot.Range{Min: low, Max: low + width}
}

// pan moves what is shown by a share of its width.
func (e *Explorer) pan(share float64) {
	s := e.seen.Load()
	if s == nil || !e.IsZoomed() {
		return
	}
	e.show(moved(s.drawn.Whole, e.zoom, share*(e.zoom.Max-e.zoom.Min)))
}

// x is the value at a place of the widget, held inside the plot.
func (s *explored) x(at float32) float64 {
	share := (float64(at) - s.area.Left) / math.Max(s.area.Right-s.area.Left, 1)
	return s.area.X.Min + math.Max(0, math.Min(share, 1))*(s.area.X.Max-s.area.X.Min)
}

// place is where a value lies on the widget.
func (s *explored) place(x float64) float32 {
	share := (x - s.area.X.Min) / (s.area.X.Max - s.area.X.Min)
	return float32(s.area.Left + share*(s.area.Right-s.area.Left))
}

// MouseIn implements desktop.Hoverable.
func (e *Explorer) MouseIn(ev *desktop.MouseEvent) { e.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (e *Explorer) MouseMoved(ev *desktop.MouseEvent) { e.point(ev.Position) }

func (e *Explorer) point(at fyne.Position) {
	if s := e.seen.Load(); s != nil {
		x := s.x(at.X)
		e.pointer, e.mouse = at, true
		e.place(&x)
		e.Refresh()
	}
}

// place sets where values are read off; nil is nowhere.
func (e *Explorer) place(x *float64) {
	e.cursor = x
	e.reads.Store(x != nil)
}

// redrawn reads off anew: the picture shows something else now, under a pointer that has not moved.
func (e *Explorer) redrawn() {
	if e.cursor != nil && e.mouse {
		e.point(e.pointer)
		return
	}
	e.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (e *Explorer) MouseOut() {
	e.place(nil)
	e.Refresh()
}

// wheelStep is by how much one notch of a mouse wheel zooms; Fyne tells ten to twenty-five units a notch.
const wheelStep = 1.01

// Scrolled implements fyne.Scrollable.
func (e *Explorer) Scrolled(ev *fyne.ScrollEvent) {
	s := e.seen.Load()
	if s == nil {
		return
	}
	if math.Abs(float64(ev.Scrolled.DX)) > math.Abs(float64(ev.Scrolled.DY)) {
		e.pan(-float64(ev.Scrolled.DX) / 200)
		return
	}
	e.zoomBy(math.Pow(wheelStep, -float64(ev.Scrolled.DY)), s.x(ev.Position.X))
}

// Dragged implements fyne.Draggable: what is dragged over will be shown.
func (e *Explorer) Dragged(ev *fyne.DragEvent) {
	s := e.seen.Load()
	if s == nil {
		return
	}
	if e.from == nil {
		from := s.x(ev.Position.X - ev.Dragged.DX)
		e.from = &from
	}
	e.point(ev.Position)
}

// DragEnd implements fyne.Draggable.
func (e *Explorer) DragEnd() {
	s := e.seen.Load()
	if e.from != nil && e.cursor != nil && s != nil {
		lo, hi := math.Min(*e.from, *e.cursor), math.Max(*e.from, *e.cursor)
		if hi-lo >= (s.drawn.Whole.Max-s.drawn.Whole.Min)*closest && s.place(hi)-s.place(lo) > 4 {
			e.from = nil
			e.show(plot.Range{Min: lo, Max: hi})
		}
	}
	e.from = nil
	e.Refresh()
}

// Tapped implements fyne.Tappable: a click gives it the keys.
func (e *Explorer) Tapped(*fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(e); c != nil {
		c.Focus(e)
	}
}

// DoubleTapped implements fyne.DoubleTappable.
func (e *Explorer) DoubleTapped(*fyne.PointEvent) { e.ShowAll() }

// FocusGained implements fyne.Focusable.
func (e *Explorer) FocusGained() { e.focused = true; e.Refresh() }

// FocusLost implements fyne.Focusable.
func (e *Explorer) FocusLost() { e.focused = false; e.Refresh() }

// TypedRune implements fyne.Focusable: plus and minus look closer and less closely, zero shows all.
func (e *Explorer) TypedRune(r rune) {
	s := e.seen.Load()
	if s == nil {
		return
	}
	middle := (s.area.X.Min + s.area.X.Max) / 2
	if e.cursor != nil {
		middle = *e.cursor
	}
	switch r {
	case '+', '=':
		e.zoomBy(0.5, middle)
	case '-', '−':
		e.zoomBy(2, middle)
	case '0':
		e.ShowAll()
	}
}

// TypedKey implements fyne.Focusable: the arrows move what is read off, page up and down what is shown.
func (e *Explorer) TypedKey(k *fyne.KeyEvent) {
	if e.keys.Handle(k) {
		return
	}
	switch k.Name {
	case fyne.KeyLeft:
		e.step(-1)
	case fyne.KeyRight:
		e.step(1)
	case fyne.KeyPageUp:
		e.pan(-0.5)
	case fyne.KeyPageDown:
		e.pan(0.5)
	case fyne.KeyHome:
		e.ShowAll()
	}
}

// step moves what is read off by a hundredth of the width.
func (e *Explorer) step(by float64) {
	s := e.seen.Load()
	if s == nil {
		return
	}
	x := (s.area.X.Min + s.area.X.Max) / 2
	if e.cursor != nil {
		x = *e.cursor + by*(s.area.X.Max-s.area.X.Min)/100
	} else {
		e.pointer.Y = float32(s.area.Top)
	}
	x = math.Max(s.area.X.Min, math.Min(x, s.area.X.Max))
	e.mouse = false
	e.place(&x)
	e.Refresh()
}

// Still draws the present chart at once, for a picture of the window at a scale. The widget must have its size.
func (e *Explorer) Still(scale float32) {
	size := e.Size()
	if e.view.Draw == nil || size.Width < 1 || size.Height < 1 {
		return
	}
	f := chart.Frame{Width: int(size.Width), Height: int(size.Height), Scale: float64(scale), Dark: Dark()}
	img := e.render(e.view, e.zoom, f)
	if img == nil {
		return
	}
	e.still = canvas.NewImageFromImage(img)
	e.still.FillMode, e.still.ScaleMode = canvas.ImageFillStretch, canvas.ImageScaleFastest
	e.Refresh()
}

// Close ends the goroutine that draws.
func (e *Explorer) Close() { e.live.Close() }

// Seen is the chart that was drawn last; nil if none was. For tests.
func (e *Explorer) Seen() *plot.Chart {
	if s := e.seen.Load(); s != nil {
		return &s.drawn.Chart
	}
	return nil
}
