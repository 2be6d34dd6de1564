package chart

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The scale of a bar, in whatever unit the caller counts: MB/s as a rule.
const (
	BarMin = 1.0
	BarMax = 20000.0
)

// Sizes of a bar in Fyne's units.
const (
	barHeight  = 6
	tickWidth  = 8
	tickHeight = 12
	tickLines  = 4
)

// Bar is a thin horizontal bar on a logarithmic scale from BarMin to BarMax, on a track that shows
// its full length. A rated value is a hatched tick on it: outlined and striped, not filled, so that
// it is never taken for a measurement.
type Bar struct {
	widget.BaseWidget
	value, rated float64
	colour       color.Color
}

var _ fyne.Widget = (*Bar)(nil)

// NewBar makes a bar without a value.
func NewBar() *Bar {
	b := &Bar{value: math.NaN(), rated: math.NaN()}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows a value and a rated value; NaN and what is not above zero is no value. A nil colour is
// the theme's primary one.
func (b *Bar) Set(value, rated float64, colour color.Color) {
	b.value, b.rated, b.colour = value, rated, colour
	b.Refresh()
}

// Fraction is how much of the full length a value takes, 0 to 1. What is no value takes nothing; a
// value below the scale takes nothing either, one above it everything.
func Fraction(value float64) float64 {
	if !(value > BarMin) {
		return 0
	}
	return math.Min(1, math.Log(value/BarMin)/math.Log(BarMax/BarMin))
}

// CreateRenderer implements fyne.Widget.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b: b, track: &canvas.Rectangle{CornerRadius: barHeight / 2}, fill: &canvas.Rectangle{CornerRadius: barHeight / 2},
		frame: &canvas.Rectangle{StrokeWidth: 1}}
	r.objects = []fyne.CanvasObject{r.track, r.fill, r.frame}
	for range tickLines {
		line := &canvas.Line{StrokeWidth: 1}
		r.hatch, r.objects = append(r.hatch, line), append(r.objects, line)
	}
	r.paint()
	return r
}

type barRenderer struct {
	b           *Bar
	track, fill *canvas.Rectangle
	frame       *canvas.Rectangle // of the rated tick
	hatch       []*canvas.Line
	objects     []fyne.CanvasObject
}

func (r *barRenderer) Destroy()                     {}
func (r *barRenderer) MinSize() fyne.Size           { return fyne.NewSize(48, tickHeight) }
func (r *barRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *barRenderer) Layout(size fyne.Size) {
	top := float32(math.Floor(float64(size.Height-barHeight) / 2))
	r.track.Move(fyne.NewPos(0, top))
	r.track.Resize(fyne.NewSize(size.Width, barHeight))

	width := size.Width * float32(Fraction(r.b.value))
	r.fill.Hidden = !(r.b.value > 0)
	r.fill.Move(fyne.NewPos(0, top))
	r.fill.Resize(fyne.NewSize(fyne.Max(width, 2), barHeight)) // something was measured, so something is seen

	r.layoutTick(size, top+barHeight/2)
}

// layoutTick puts the rated tick around its value and stripes it from lower left to upper right.
func (r *barRenderer) layoutTick(size fyne.Size, middle float32) {
	hidden := !(r.b.rated > 0)
	r.frame.Hidden = hidden
	for _, line := range r.hatch {
		line.Hidden = hidden
	}
	if hidden {
		return
	}
	x := size.Width*float32(Fraction(r.b.rated)) - tickWidth/2
	x = fyne.Max(0, fyne.Min(float32(math.Round(float64(x))), size.Width-tickWidth))
	top := middle - tickHeight/2
	r.frame.Move(fyne.NewPos(x, top))
	r.frame.Resize(fyne.NewSize(tickWidth, tickHeight))
	const apart = float32(tickWidth+tickHeight) / (tickLines + 1)
	for i, line := range r.hatch {
		s := apart * float32(i+1) // where the stripe meets the left edge, or would below the corner
		left := fyne.Max(0, s-tickHeight)
		right := fyne.Min(tickWidth, s)
		line.Position1 = fyne.NewPos(x+left, top+s-left)
		line.Position2 = fyne.NewPos(x+right, top+s-right)
	}
}

func (r *barRenderer) Refresh() {
	r.paint()
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}

func (r *barRenderer) paint() {
	th, v := r.b.Theme(), variant()
	r.track.FillColor = th.Color(theme.ColorNameButton, v)
	r.fill.FillColor = r.b.colour
	if r.b.colour == nil {
		r.fill.FillColor = th.Color(theme.ColorNamePrimary, v)
	}
	ink := th.Color(theme.ColorNameForeground, v)
	r.frame.StrokeColor = ink
	r.frame.FillColor = th.Color(theme.ColorNameBackground, v)
	for _, line := range r.hatch {
		line.StrokeColor = ink
	}
}
