package plot

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"sync"

	"github.com/golang/freetype/truetype"
	gochart "github.com/wcharczuk/go-chart/v2"
)

// Axis is the vertical axis that a series belongs to.
type Axis int

// The axes. The left one carries the grid.
const (
	Left Axis = iota
	Right
)

// Series is one curve. X and Y belong together by index; if one is longer its rest is left out. A
// point without a number (NaN, infinite, beyond 1e15) is a gap in the curve. X usually ascends, but
// need not.
type Series struct {
	Name  string
	X, Y  []float64
	Axis  Axis
	Color color.Color // nil: the colour of text
	Dash  []float64   // lengths in pixels, drawn and left out in turn; empty: solid
	Fill  bool        // tint the area below the curve
	Dots  bool        // mark each point, for curves of few points
	Marks bool        // squares here and there, which tell a curve from others however dense it is
	// Lo and Hi belong to X as Y does: what lies between them is tinted. A band of more than 4096 points is left out.
	Lo, Hi []float64
	Tag    string // a short name beside the end of the curve
}

// Mark is a vertical line at X with a short label at its top.
type Mark struct {
	X     float64
	Label string
	Color color.Color // nil: the colour of secondary text
}

// Range is what an axis shows. The zero value, and any range that is empty or not finite, means: as
// the data say.
type Range struct{ Min, Max float64 }

// Chart says what to draw. The zero value is a chart with empty axes.
type Chart struct {
	Title   string
	XLabel  string
	YLabel  string // with the unit; stands above its axis
	Y2Label string
	Empty   string // stands in the middle while there is nothing to draw

	Series []Series
	Marks  []Mark

	XRange, YRange, Y2Range Range
	Log                     bool // left axis by powers of ten; values of zero and less lie on its edge
	Floating                bool // left axis need not begin at zero
	Time                    bool // X is seconds: ticks at 5, 10, 15, 30, 60 … instead of 5, 10, 20, 50 …

	XFormat, YFormat, Y2Format func(float64) string // labels of ticks; nil: plain numbers

	Dark      bool
	Legend    bool    // draw names and dashes above the plot, beside the units; leave it off where the caller does
	TextSize  float64 // pixels before scaling; 0: 12
	MaxPoints int     // most points drawn of all series together; 0: two a pixel column for each

	packed bool // one of many: units and names are worth more than the height of the plot
}

// Limits of a picture in real pixels.
const (
	maxSide = 16384
	maxArea = 64 << 20
)

// LivePoints is a good Chart.MaxPoints for charts that are drawn again and again.
const LivePoints = 600

// ErrSize is returned for a picture without or with too many pixels.
var ErrSize = errors.New("plot: size out of range")

// font is go-chart's own, fetched once: its own lazy getter is not safe for concurrent use.
var font = sync.OnceValues(gochart.GetDefaultFont)

// Area is where the plot lies in a picture, in units before scaling, and what its axes show.
type Area struct {
	Left, Top, Right, Bottom float64
	X, Y                     Range
}

// Render draws c on w × h units of scale pixels each. Errors: ErrSize, or a fault inside the drawing
// library.
func Render(c Chart, w, h int, scale float64) (*image.RGBA, error) {
	img, _, err := RenderArea(c, w, h, scale)
	return img, err
}

// RenderArea draws as Render does and says where the plot lies, for who reads values off the picture.
func RenderArea(c Chart, w, h int, scale float64) (*image.RGBA, Area, error) {
	if !(scale > 0) || scale > maxSide {
		return nil, Area{}, fmt.Errorf("%w: scale %v", ErrSize, scale)
	}
	pw, ph := float64(w)*scale, float64(h)*scale
	if err := checkSize(pw, ph); err != nil {
		return nil, Area{}, err
	}
	var out collector
	area, err := draw(c, int(math.Round(pw)), int(math.Round(ph)), scale, gochart.PNG, false, &out)
	if err != nil {
		return nil, Area{}, err
	}
	if out.image == nil {
		return nil, Area{}, errors.New("plot: nothing was drawn")
	}
	return out.image, area, nil
}

// SVG draws c as an SVG document of w × h units. Errors as Render.
func SVG(c Chart, w, h int) ([]byte, error) {
	if err := checkSize(float64(w), float64(h)); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := draw(c, w, h, 1, gochart.SVG, true, &out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func checkSize(pw, ph float64) error {
	if !(pw >= 1 && ph >= 1 && pw <= maxSide && ph <= maxSide && pw*ph <= maxArea) {
		return fmt.Errorf("%w: %v × %v pixels", ErrSize, pw, ph)
	}
	return nil
}

// draw hands a chart to go-chart. A panic there, or in a formatter of the caller's, comes back as an
// error.
func draw(c Chart, pw, ph int, scale float64, provider gochart.RendererProvider, svg bool, out interface {
	Write([]byte) (int, error)
}) (area Area, err error) {
	defer recoverTo(&err)
	face, err := font()
	if err != nil {
		return area, fmt.Errorf("plot: font: %w", err)
	}
	f, err := newFrame(c, pw, ph, scale, face, svg)
	if err != nil {
		return area, err
	}
	chart := f.chart()
	return f.where(scale), chart.Render(provider, out)
}

// where is the plot area in units.
func (f *frame) where(scale float64) Area {
	unit := func(px int) float64 { return float64(px) / scale }
	return Area{
		Left: unit(f.area.left), Top: unit(f.area.top), Right: unit(f.area.right), Bottom: unit(f.area.bottom),
		X: Range{f.x.min, f.x.max}, Y: Range{f.y.min, f.y.max},
	}
}

// recoverTo turns a panic into an error.
func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("plot: drawing failed: %v", p)
	}
}

// collector takes the pixels from go-chart as they are, without a detour through PNG.
type collector struct{ image *image.RGBA }

// SetRGBA implements gochart.RGBACollector.
func (c *collector) SetRGBA(i *image.RGBA) { c.image = i }

// Write is never reached: a renderer that finds a SetRGBA does not encode.
func (c *collector) Write([]byte) (int, error) { return 0, errors.New("plot: pixels expected") }

// chart is the go-chart value that draws the frame.
func (f *frame) chart() gochart.Chart {
	hidden := gochart.Hidden()
	return gochart.Chart{
		Width: f.pw, Height: f.ph,
		DPI:        72, // one point is one pixel; sizes are scaled by us
		Font:       f.pen.font,
		Background: gochart.Style{FillColor: f.style.back, StrokeColor: f.style.back, StrokeWidth: 1, Padding: f.padding()},
		Canvas:     gochart.Style{FillColor: f.style.back, StrokeColor: f.style.back, StrokeWidth: 1},
		XAxis:      gochart.XAxis{Style: hidden, Range: f.x},
		YAxis:      gochart.YAxis{Style: hidden, Range: f.y},
		YAxisSecondary: gochart.YAxis{
			Style: hidden, Range: f.y2,
		},
		Series:   f.layers(),
		Elements: []gochart.Renderable{f.drawText},
	}
}

var _ gochart.RGBACollector = (*collector)(nil)

// fontOf keeps the type of go-chart's font in one place.
type fontOf = *truetype.Font
