package plot

import (
	"math"

	gochart "github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// layer is something that go-chart draws as one of its series.
type layer struct {
	axis gochart.YAxisType
	draw func(r gochart.Renderer)
}

var _ gochart.Series = layer{}

func (l layer) GetName() string             { return "" }
func (l layer) GetYAxis() gochart.YAxisType { return l.axis }
func (l layer) GetStyle() gochart.Style     { return gochart.Shown() }
func (l layer) Validate() error             { return nil }

func (l layer) Render(r gochart.Renderer, _ gochart.Box, _, _ gochart.Range, _ gochart.Style) {
	l.draw(r)
}

// layers are the parts of the chart from back to front: grid, areas, marks, curves, axes.
func (f *frame) layers() []gochart.Series {
	out := []gochart.Series{layer{draw: f.drawGrid}}
	limit := f.limit()
	var lines []gochart.Series
	for _, cv := range f.curves {
		on := gochart.YAxisPrimary
		if cv.s.Axis == Right {
			on = gochart.YAxisSecondary
		}
		var runs [][]point
		for _, run := range cv.runs {
			px := make([]point, len(run))
			for i, p := range run {
				px[i] = f.pixel(p, cv.s.Axis)
			}
			runs = append(runs, px)
		}
		runs = share(runs, limit)
		out = append(out, layer{on, func(r gochart.Renderer) { f.drawBand(r, cv) }})
		if cv.s.Fill {
			out = append(out, layer{on, func(r gochart.Renderer) { f.drawArea(r, cv, runs) }})
		}
		lines = append(lines, layer{on, func(r gochart.Renderer) { f.drawCurve(r, cv, runs) }})
	}
	out = append(out, layer{draw: f.drawMarks})
	return append(append(out, lines...), layer{draw: f.drawAxes})
}

// share divides limit among the runs of a curve. Runs beyond the limit, in a curve made of gaps, are
// thinned by leaving out some of them.
func share(runs [][]point, limit int) [][]point {
	total := 0
	for _, r := range runs {
		total += len(r)
	}
	if total <= limit {
		return runs
	}
	if most := max(1, limit/4); len(runs) > most {
		kept := make([][]point, 0, most)
		for i := range most {
			kept = append(kept, runs[i*len(runs)/most])
		}
		runs, total = kept, 0
		for _, r := range runs {
			total += len(r)
		}
	}
	out := make([][]point, len(runs))
	for i, r := range runs {
		out[i] = reduce(r, max(4, int(float64(limit)*float64(len(r))/float64(total))))
	}
	return out
}

// chunk is how many points are drawn in one stroke. The rasteriser's effort grows with the square of
// what lies in one row of pixels, so a curve of thousands of points must not be one path.
const (
	chunk       = 64
	dashedChunk = 512 // a dash pattern begins anew with each stroke
)

func (f *frame) drawCurve(r gochart.Renderer, cv curve, runs [][]point) {
	dash := dashes(cv.s.Dash, f.pen.scale)
	step := chunk
	if len(dash) > 0 {
		step = dashedChunk
	}
	for _, run := range runs {
		if len(run) == 1 || cv.s.Dots {
			f.drawDots(r, run, cv.colour)
		}
		if len(dash) > 0 && dense(run) {
			for _, part := range dashByX(run, dash) {
				f.stroke(r, part, cv.colour, nil)
			}
			continue
		}
		for from := 0; from+1 < len(run); from += step {
			part := run[from:min(from+step+1, len(run))]
			f.stroke(r, part, cv.colour, affordable(dash, part))
		}
	}
	if cv.s.Marks {
		f.drawSquares(r, runs, cv.colour)
	}
	r.ResetStyle()
}

func (f *frame) stroke(r gochart.Renderer, run []point, c drawing.Color, dash []float64) {
	r.ResetStyle()
	r.SetStrokeColor(c)
	r.SetStrokeWidth(2 * f.pen.scale)
	r.SetStrokeDashArray(dash)
	trace(r, run)
	r.Stroke()
}

// affordable is the dash pattern, or none for a part so long and jagged that it would be cut into
// more than ten thousand dashes. Such a part looks solid either way.
func affordable(dash []float64, part []point) []float64 {
	if len(dash) == 0 {
		return nil
	}
	period, length := 0.0, 0.0
	for _, d := range dash {
		period += d
	}
	for i := 1; i < len(part); i++ {
		length += math.Hypot(part[i].x-part[i-1].x, part[i].y-part[i-1].y)
	}
	if length/period*float64(len(dash)) > 10000 {
		return nil
	}
	return dash
}

func trace(r gochart.Renderer, run []point) {
	for i, p := range run {
		x, y := int(math.Round(p.x)), int(math.Round(p.y))
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
}

func (f *frame) drawDots(r gochart.Renderer, run []point, c drawing.Color) {
	radius := 3 * f.pen.scale
	for _, p := range run {
		r.ResetStyle()
		r.SetFillColor(c)
		r.SetStrokeColor(c)
		r.SetStrokeWidth(1)
		r.Circle(radius, int(math.Round(p.x)), int(math.Round(p.y)))
		r.FillStroke()
	}
}

// drawSquares marks a curve in the middle of its first run and then at even distances.
func (f *frame) drawSquares(r gochart.Renderer, runs [][]point, c drawing.Color) {
	next := math.Inf(-1)
	for _, run := range runs {
		for i, p := range run {
			if middle := i == len(run)/2; p.x >= next && (middle || !math.IsInf(next, -1)) {
				f.drawMark(r, int(math.Round(p.x)), int(math.Round(p.y)), c)
				next = p.x + 72*f.pen.scale
			}
		}
	}
}

// drawMark draws a square that stands out from its curve.
func (f *frame) drawMark(r gochart.Renderer, x, y int, c drawing.Color) {
	outer, inner := f.pen.px(4), f.pen.px(3)
	f.pen.box(r, x-outer, y-outer, x+outer, y+outer, f.style.back)
	f.pen.box(r, x-inner, y-inner, x+inner, y+inner, c)
}

// drawArea tints what lies between a curve and zero.
func (f *frame) drawArea(r gochart.Renderer, cv curve, runs [][]point) {
	base := int(f.baseline(cv.s.Axis))
	tint := cv.colour.WithAlpha(0x33)
	for _, run := range runs {
		for from := 0; from+1 < len(run); from += chunk {
			part := run[from:min(from+chunk+1, len(run))]
			r.ResetStyle()
			r.SetFillColor(tint)
			trace(r, part)
			r.LineTo(int(math.Round(part[len(part)-1].x)), base)
			r.LineTo(int(math.Round(part[0].x)), base)
			r.Close()
			r.Fill()
		}
	}
	r.ResetStyle()
}

// maxBand is how many points the edges of a band may have.
const maxBand = 4096

// drawBand tints what lies between the edges of a curve's band.
func (f *frame) drawBand(r gochart.Renderer, cv curve) {
	tint := cv.colour.WithAlpha(0x30)
	for i := 0; i < len(cv.lo) && len(cv.lo) == len(cv.hi); i++ {
		lo, hi := cv.lo[i], cv.hi[i]
		if len(lo) != len(hi) || len(lo) > maxBand {
			continue
		}
		for from := 0; from+1 < len(lo); from += chunk {
			to := min(from+chunk+1, len(lo))
			var edge []point
			for _, p := range hi[from:to] {
				edge = append(edge, f.pixel(p, cv.s.Axis))
			}
			for k := to - 1; k >= from; k-- {
				edge = append(edge, f.pixel(lo[k], cv.s.Axis))
			}
			r.ResetStyle()
			r.SetFillColor(tint)
			trace(r, edge)
			r.Close()
			r.Fill()
		}
	}
	r.ResetStyle()
}

func (f *frame) drawGrid(r gochart.Renderer) {
	one := f.pen.px(1)
	for _, t := range f.y.ticks {
		y := f.area.bottom - f.y.Translate(t.value)
		f.pen.box(r, f.area.left, y, f.area.right, y+one, f.style.grid)
	}
	for _, t := range f.x.ticks {
		x := f.area.left + f.x.Translate(t.value)
		f.pen.box(r, x, f.area.top, x+one, f.area.bottom, f.style.grid)
	}
}

// drawAxes draws the lower edge and the short strokes at the ticks below it.
func (f *frame) drawAxes(r gochart.Renderer) {
	one := f.pen.px(1)
	f.pen.box(r, f.area.left, f.area.bottom, f.area.right, f.area.bottom+one, f.style.line)
	for _, t := range f.x.ticks {
		x := f.area.left + f.x.Translate(t.value)
		f.pen.box(r, x, f.area.bottom, x+one, f.area.bottom+f.pen.px(4), f.style.line)
	}
}

func (f *frame) drawMarks(r gochart.Renderer) {
	one, dash := f.pen.px(1), f.pen.px(4)
	for _, m := range f.marks() {
		for y := f.area.top; y < f.area.bottom; y += 2 * dash {
			f.pen.box(r, m.x, y, m.x+one, min(y+dash, f.area.bottom), m.colour)
		}
	}
}

// placed is a mark in pixels.
type placed struct {
	x      int
	label  string
	colour drawing.Color
}

// marks are those of the chart that lie on it, two hundred at most.
func (f *frame) marks() []placed {
	var out []placed
	for _, m := range f.c.Marks {
		if number(m.X) && m.X >= f.x.min && m.X <= f.x.max && len(out) < 200 {
			out = append(out, placed{f.area.left + f.x.Translate(m.X), m.Label, colourOf(m.Color, f.style.dim)})
		}
	}
	return out
}
