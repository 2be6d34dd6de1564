package plot

import (
	"slices"

	gochart "github.com/wcharczuk/go-chart/v2"
)

// drawText is go-chart's last element: all that is read, on top of all that is drawn.
func (f *frame) drawText(r gochart.Renderer, _ gochart.Box, _ gochart.Style) {
	size, gap := f.c.TextSize, f.pen.px(8)
	if f.titleY > 0 {
		big := size * 1.25
		f.pen.text(r, f.pen.fit(f.c.Title, big, f.pw-2*gap), gap, f.titleY, big, start, f.style.text)
	}
	from, to := gap, f.pw-gap
	if f.unitY > 0 {
		half := f.pw/2 - 2*gap
		unit := f.pen.fit(f.c.YLabel, size, half)
		f.pen.text(r, unit, gap, f.unitY, size, start, f.style.dim)
		from += f.pen.width(unit, size) + 2*gap
		if f.right {
			unit = f.pen.fit(f.c.Y2Label, size, half)
			f.pen.text(r, unit, f.pw-gap, f.unitY, size, end, f.style.dim)
			to -= f.pen.width(unit, size) + gap
		}
	}
	if f.legendY > 0 {
		f.drawLegend(r, max(from, f.area.left), to)
	}
	f.drawTickLabels(r)
	f.drawTags(r, f.drawMarkLabels(r))
	if !f.seen {
		x, y := f.area.left+f.area.width()/2, f.area.top+f.area.height()/2
		f.pen.text(r, f.pen.fit(f.c.Empty, size*1.15, f.area.width()), x, y, size*1.15, middle, f.style.dim)
	}
}

func (f *frame) drawTickLabels(r gochart.Renderer) {
	size, away := f.c.TextSize, f.pen.px(7)
	for _, t := range f.y.ticks {
		y := f.area.bottom - f.y.Translate(t.value)
		f.pen.text(r, t.label, f.area.left-away, y, size, end, f.style.text)
	}
	if f.right {
		for _, t := range f.y2.ticks {
			y := f.area.bottom - f.y2.Translate(t.value)
			f.pen.text(r, t.label, f.area.right+away, y, size, start, f.style.text)
		}
	}
	y := f.area.bottom + f.pen.px(5+size*0.7)
	for _, t := range f.x.ticks {
		f.pen.text(r, t.label, f.area.left+f.x.Translate(t.value), y, size, middle, f.style.text)
	}
	if f.c.XLabel != "" {
		label := f.pen.fit(f.c.XLabel, size, f.area.width())
		f.pen.text(r, label, f.area.left+f.area.width()/2, y+f.pen.px(size*1.45), size, middle, f.style.dim)
	}
}

// drawMarkLabels puts each label right of its mark, or left of it where the right edge is near, one
// line lower where it would run into another; after four lines labels are left out. It returns where they are.
func (f *frame) drawMarkLabels(r gochart.Renderer) (out []box) {
	size := f.c.TextSize
	row, gap := f.pen.px(size*1.35), f.pen.px(4)
	type stretch struct{ from, to int }
	taken := make([][]stretch, 4)
	for _, m := range f.marks() {
		label := f.pen.fit(m.label, size, f.area.width()/2)
		w := f.pen.width(label, size)
		if w == 0 {
			continue
		}
		at := stretch{m.x + gap, m.x + gap + w}
		if at.to > f.area.right {
			at = stretch{m.x - gap - w, m.x - gap}
		}
	rows:
		for i := range taken {
			for _, other := range taken[i] {
				if at.from < other.to+gap && at.to+gap > other.from {
					continue rows
				}
			}
			y := f.area.top + row*i + row*2/3
			if y+row/2 > f.area.bottom {
				break
			}
			taken[i] = append(taken[i], at)
			out = append(out, box{at.from - gap/2, y - row/2, at.to + gap/2, y + row/2})
			f.pen.box(r, at.from-gap/2, y-row/2, at.to+gap/2, y+row/2, f.style.back.WithAlpha(0xCC))
			f.pen.text(r, label, at.from, y, size, start, f.style.text)
			break
		}
	}
	return out
}

// drawTags names curves beside their ends: above the end, or as near to it as other texts allow.
func (f *frame) drawTags(r gochart.Renderer, taken []box) {
	size := f.c.TextSize
	row, gap := f.pen.px(size*1.35), f.pen.px(4)
	for _, cv := range f.curves {
		tag := f.pen.fit(cv.s.Tag, size, f.area.width()/2)
		if tag == "" || len(cv.runs) == 0 {
			continue
		}
		last := cv.runs[len(cv.runs)-1]
		end := f.pixel(last[len(last)-1], cv.s.Axis)
		w := f.pen.width(tag, size)
		right := min(max(int(end.x), f.area.left+w+gap), f.area.right)
		above, below := f.extent(last, cv.s.Axis, float64(right-w-gap), end.y)
		for _, away := range []int{-2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7, -8, 8} {
			y := int(above) + away*row/2
			if away > 0 {
				y = int(below) + away*row/2
			}
			at := box{right - w - gap, y - row/2, right, y + row/2}
			if at.top < f.area.top || at.bottom > f.area.bottom || slices.ContainsFunc(taken, at.meets) {
				continue
			}
			taken = append(taken, at)
			f.pen.box(r, at.left, at.top, at.right, at.bottom, f.style.back.WithAlpha(0xCC))
			f.pen.text(r, tag, at.left+gap/2, y, size, start, cv.colour)
			break
		}
	}
}

// extent is how high and how low a run gets in the picture from a place to its end.
func (f *frame) extent(run []point, a Axis, from, end float64) (top, bottom float64) {
	top, bottom = end, end
	for _, p := range slices.Backward(run) {
		at := f.pixel(p, a)
		if at.x < from {
			break
		}
		top, bottom = min(top, at.y), max(bottom, at.y)
	}
	return top, bottom
}

// meets says whether two boxes have something in common.
func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// drawLegend draws a piece of each curve and its name in one row. What does not fit is left out.
func (f *frame) drawLegend(r gochart.Renderer, x, right int) {
	size, gap := f.c.TextSize, f.pen.px(8)
	for _, cv := range f.curves {
		if cv.s.Name == "" {
			continue
		}
		sample := f.pen.px(28)
		name := f.pen.fit(cv.s.Name, size, right-x-sample-gap)
		if name == "" {
			return
		}
		r.ResetStyle()
		r.SetStrokeColor(cv.colour)
		r.SetStrokeWidth(2 * f.pen.scale)
		r.SetStrokeDashArray(dashes(cv.s.Dash, f.pen.scale))
		r.MoveTo(x, f.legendY)
		r.LineTo(x+sample, f.legendY)
		r.Stroke()
		if cv.s.Marks {
			f.drawMark(r, x+sample/2, f.legendY, cv.colour)
		}
		x += sample + f.pen.px(6)
		f.pen.text(r, name, x, f.legendY, size, start, f.style.text)
		x += f.pen.width(name, size) + 2*gap
	}
}
