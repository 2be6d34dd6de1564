package plot

import (
	"image/color"
	"math"
	"slices"

	gochart "github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// style is the colours of a chart without its curves. Texts keep 4.5:1 on the back.
type style struct {
	back, text, dim, line, grid drawing.Color
}

func styleFor(dark bool) style {
	hex := drawing.ColorFromHex
	if dark {
		return style{back: hex("15171A"), text: hex("ECEFF2"), dim: hex("A9B1BB"), line: hex("717A85"), grid: hex("2E343A")}
	}
	return style{back: hex("FFFFFF"), text: hex("16191D"), dim: hex("525B66"), line: hex("7C858F"), grid: hex("E1E5EA")}
}

// colourOf converts a colour; nil and the fully transparent become other.
func colourOf(c color.Color, other drawing.Color) drawing.Color {
	if c == nil {
		return other
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	if n.A == 0 {
		return other
	}
	return drawing.Color{R: n.R, G: n.G, B: n.B, A: n.A}
}

// box is the plot area in pixels; right and bottom lie outside of it.
type box struct{ left, top, right, bottom int }

func (b box) width() int  { return b.right - b.left }
func (b box) height() int { return b.bottom - b.top }

// frame is a chart laid out in real pixels.
type frame struct {
	c      Chart
	pw, ph int
	pen    *pen
	style  style
	curves []curve
	seen   bool // there is at least one point to draw

	x, y, y2 *axis
	right    bool // the right axis is used
	area     box
	titleY   int // centres of the rows above the plot; 0: no such row
	legendY  int
	unitY    int
}

// curve is a series made drawable.
type curve struct {
	s      Series
	runs   [][]point
	lo, hi [][]point // the edges of its band
	colour drawing.Color
}

func newFrame(c Chart, pw, ph int, scale float64, face fontOf, svg bool) (*frame, error) {
	if !(c.TextSize >= 4 && c.TextSize <= 200) {
		c.TextSize = 12
	}
	p, err := newPen(face, scale, c.TextSize, svg)
	if err != nil {
		return nil, err
	}
	f := &frame{c: c, pw: pw, ph: ph, pen: p, style: styleFor(c.Dark)}
	for _, format := range []*func(float64) string{&f.c.XFormat, &f.c.YFormat, &f.c.Y2Format} {
		if *format == nil {
			*format = plain
		}
	}
	xs := f.prepare()
	f.rows()
	f.verticals()
	f.sides(xs)
	f.clampArea()
	f.silence()
	f.x.domain, f.y.domain, f.y2.domain = f.area.width(), f.area.height(), f.area.height()
	return f, nil
}

// prepare cleans and clips the series and returns the span of X.
func (f *frame) prepare() span {
	xs, given := f.c.XRange.given()
	if !given {
		xs = noSpan()
	}
	for _, s := range f.c.Series {
		cv := curve{s: s, runs: clean(s.X, s.Y), lo: clean(s.X, s.Lo), hi: clean(s.X, s.Hi), colour: colourOf(s.Color, f.style.text)}
		if given {
			for _, runs := range []*[][]point{&cv.runs, &cv.lo, &cv.hi} {
				var cut [][]point
				for _, r := range *runs {
					cut = append(cut, clipX(r, xs.lo, xs.hi)...)
				}
				*runs = cut
			}
		} else {
			for _, r := range cv.runs {
				for _, p := range r {
					xs.add(p.x)
				}
			}
		}
		f.seen = f.seen || len(cv.runs) > 0
		f.right = f.right || s.Axis == Right
		f.curves = append(f.curves, cv)
	}
	return xs.widen()
}

// rows stacks what stands above and below the plot. A plot too low for it goes without title, then
// without legend, without the word below, and at last without units.
func (f *frame) rows() {
	row := f.pen.px(f.c.TextSize * 1.7)
	least := 5
	if f.c.packed {
		least = 3
	}
	for _, drop := range []func(){
		func() { f.c.Title = "" },
		func() { f.c.Legend = false },
		func() { f.c.XLabel = "" },
		func() { f.c.YLabel, f.c.Y2Label = "", "" },
	} {
		if f.stack(row); 2*f.area.height() >= least*row {
			return
		}
		drop()
	}
	f.stack(row)
}

func (f *frame) stack(row int) {
	f.titleY, f.legendY, f.unitY = 0, 0, 0
	y := f.pen.px(6)
	if f.c.Title != "" {
		title := f.pen.px(f.c.TextSize * 2)
		f.titleY, y = y+title/2, y+title
	}
	if f.c.Legend && f.names() > 0 {
		f.legendY = y + row/2
	}
	if f.c.YLabel != "" || f.right && f.c.Y2Label != "" {
		f.unitY = y + row/2
	}
	if f.legendY+f.unitY > 0 { // names and units share a row
		y += row
	}
	f.area.top = y + f.pen.px(f.c.TextSize*0.6) // half of the topmost tick label
	f.area.bottom = f.ph - f.pen.px(6) - row
	if f.c.XLabel != "" {
		f.area.bottom -= f.pen.px(f.c.TextSize * 1.4)
	}
}

func (f *frame) names() int {
	n := 0
	for _, cv := range f.curves {
		if cv.s.Name != "" {
			n++
		}
	}
	return n
}

// verticals makes both Y axes for the height of the plot.
func (f *frame) verticals() {
	most := max(1, min(8, f.area.height()/f.pen.px(f.c.TextSize*3)))
	left, right := f.spans()
	ls, given := f.c.YRange.given()
	if !given {
		ls = left
	}
	if f.c.Log {
		f.y = decades(ls, given, most, f.c.YFormat)
	} else {
		f.y = vertical(ls, given, f.c.Floating, most, f.c.YFormat)
	}
	if rs, ok := f.c.Y2Range.given(); ok {
		f.y2 = vertical(rs, true, false, most, f.c.Y2Format)
	} else {
		f.y2 = beside(right, len(f.y.ticks)-1, f.c.Y2Format)
	}
}

// spans are the values on the left and on the right axis. On a logarithmic axis only what is above
// zero counts.
func (f *frame) spans() (left, right span) {
	left, right = noSpan(), noSpan()
	for _, cv := range f.curves {
		for _, r := range append(slices.Clone(cv.runs), cv.hi...) {
			for _, p := range r {
				switch {
				case cv.s.Axis == Right:
					right.add(p.y)
				case !f.c.Log || p.y > 0:
					left.add(p.y)
				}
			}
		}
	}
	return left, right
}

// sides leaves room for the labels beside the plot and makes the X axis for the width that is left.
func (f *frame) sides(xs span) {
	gap := f.pen.px(8)
	f.area.left = gap + f.widest(f.y.ticks) + f.pen.px(7)
	f.area.right = f.pw - 2*gap
	if f.right {
		f.area.right = f.pw - gap - f.widest(f.y2.ticks) - f.pen.px(7)
	}
	apart := f.pen.px(f.c.TextSize * 1.5)
	f.x = horizontal(xs, f.c.Time, f.c.XFormat, func(ts []tick) bool {
		return (f.widest(ts)+apart)*(len(ts)-1) <= f.area.width()
	})
	if n := len(f.x.ticks); n > 0 && !f.right { // the last label may stick out to the right
		last := f.x.ticks[n-1]
		at := f.area.left + int((last.value-xs.lo)/(xs.hi-xs.lo)*float64(f.area.width()))
		out := at + f.pen.width(last.label, f.c.TextSize)/2 + gap/2 - f.pw
		f.area.right -= max(0, out)
	}
}

// silence takes the numbers off axes that nothing gave a range: 0 to 1 would look like a measurement.
func (f *frame) silence() {
	for a, r := range map[*axis]Range{f.x: f.c.XRange, f.y: f.c.YRange, f.y2: f.c.Y2Range} {
		if _, given := r.given(); f.seen || given {
			continue
		}
		for i := range a.ticks {
			a.ticks[i].label = ""
		}
	}
}

func (f *frame) widest(ts []tick) int {
	w := 0
	for _, t := range ts {
		w = max(w, f.pen.width(t.label, f.c.TextSize))
	}
	return min(w, f.pw/3)
}

// clampArea keeps the plot inside the picture and at least two pixels large, however small the
// picture. What has no room is drawn over then, but nothing breaks.
func (f *frame) clampArea() {
	clamp := func(lo, hi *int, size int) {
		*lo = min(max(*lo, 0), max(0, size-2))
		*hi = min(max(*hi, *lo+2), max(size, *lo+2))
	}
	clamp(&f.area.left, &f.area.right, f.pw)
	clamp(&f.area.top, &f.area.bottom, f.ph)
}

// padding makes go-chart's canvas our area.
func (f *frame) padding() gochart.Box {
	return gochart.NewBox(f.area.top, f.area.left, f.pw-f.area.right, f.ph-f.area.bottom)
}

// limit is how many points one curve may have.
func (f *frame) limit() int {
	n := 2 * f.area.width()
	if f.c.MaxPoints > 0 {
		n = min(n, f.c.MaxPoints/max(1, len(f.curves)))
	}
	return min(max(n, 8), 4096)
}

// pixel is where a value lies in the picture. It may lie between pixels and never outside the plot.
func (f *frame) pixel(p point, a Axis) point {
	y := f.y
	if a == Right {
		y = f.y2
	}
	return point{float64(f.area.left) + f.x.at(p.x), float64(f.area.bottom) - y.at(p.y)}
}

// baseline is where an area below a curve ends: at zero, or at the lower edge.
func (f *frame) baseline(a Axis) float64 {
	y := f.y
	if a == Right {
		y = f.y2
	}
	return float64(f.area.bottom) - math.Round(y.at(0))
}
