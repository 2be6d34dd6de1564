package plot

import "math"

// beyond is where a number is no measurement any more. It keeps sums and differences finite.
const beyond = 1e15

func number(v float64) bool { return math.Abs(v) <= beyond } // false for NaN

// point is a place on a chart, in values or in pixels.
type point struct{ x, y float64 }

// clean makes runs of drawable points of a series: it ends at the shorter of both lists, and what is
// no number parts two runs.
func clean(xs, ys []float64) [][]point {
	n := min(len(xs), len(ys))
	var runs [][]point
	var run []point
	for i := range n {
		if !number(xs[i]) || !number(ys[i]) {
			if len(run) > 0 {
				runs, run = append(runs, run), nil
			}
			continue
		}
		run = append(run, point{xs[i], ys[i]})
	}
	if len(run) > 0 {
		runs = append(runs, run)
	}
	return runs
}

// clipX cuts a run to what lies between lo and hi, with points put on the borders where the curve
// crosses them.
func clipX(run []point, lo, hi float64) [][]point {
	inside := func(p point) bool { return p.x >= lo && p.x <= hi }
	if len(run) == 1 && inside(run[0]) {
		return [][]point{run}
	}
	var out [][]point
	var part []point
	for i := 1; i < len(run); i++ {
		a, b, ok := clipSegment(run[i-1], run[i], lo, hi)
		if !ok {
			continue
		}
		if len(part) == 0 || part[len(part)-1] != a {
			if len(part) > 0 {
				out = append(out, part)
			}
			part = []point{a}
		}
		part = append(part, b)
	}
	if len(part) > 0 {
		out = append(out, part)
	}
	return out
}

// clipSegment cuts the line from a to b to lo ≤ x ≤ hi; false if nothing is left.
func clipSegment(a, b point, lo, hi float64) (point, point, bool) {
	if math.Max(a.x, b.x) < lo || math.Min(a.x, b.x) > hi {
		return a, b, false
	}
	at := func(p point) point {
		x := math.Min(math.Max(p.x, lo), hi)
		if x == p.x {
			return p
		}
		return point{x, a.y + (b.y-a.y)*(x-a.x)/(b.x-a.x)}
	}
	return at(a), at(b), true
}

// reduce thins a run of points in pixels to at most limit, keeping of each stretch the lowest and the
// highest in their order. Points of one pixel column are one stretch; if columns alone do not suffice
// (a curve that goes to and fro) stretches of equal count follow. A peak is never lost.
func reduce(run []point, limit int) []point {
	limit = max(limit, 4)
	if len(run) <= limit {
		return run
	}
	out := extremes(run, func(i, first int) bool { return math.Floor(run[i].x) != math.Floor(run[first].x) })
	if len(out) <= limit {
		return out
	}
	size := (len(out) + limit/2 - 2) / (limit/2 - 1)
	columns := out
	return extremes(columns, func(i, first int) bool { return i-first >= size })
}

// extremes keeps lowest and highest of each stretch; next tells whether point i begins a new one.
func extremes(run []point, next func(i, first int) bool) []point {
	out := make([]point, 0, len(run))
	first, lo, hi := 0, 0, 0
	flush := func() {
		a, b := min(lo, hi), max(lo, hi)
		out = append(out, run[a])
		if b != a {
			out = append(out, run[b])
		}
	}
	for i := 1; i < len(run); i++ {
		if next(i, first) {
			flush()
			first, lo, hi = i, i, i
			continue
		}
		if run[i].y < run[lo].y {
			lo = i
		}
		if run[i].y > run[hi].y {
			hi = i
		}
	}
	flush()
	return out
}

// dashes makes a dash pattern that any renderer survives: finite lengths of at least a pixel, an even
// number of them. Anything else is solid.
func dashes(pattern []float64, scale float64) []float64 {
	if len(pattern) == 0 || len(pattern) > 8 {
		return nil
	}
	out := make([]float64, 0, 2*len(pattern))
	for _, d := range pattern {
		if !(d > 0 && d <= 1000) {
			return nil
		}
		out = append(out, math.Max(1, d*scale))
	}
	if len(out)%2 == 1 {
		out = append(out, out...)
	}
	return out
}

// dense tells whether a run in pixels ascends with a point for every other pixel or more. Noise makes
// such a curve so jagged that a dash pattern along its length cannot be seen.
func dense(run []point) bool {
	for i := 1; i < len(run); i++ {
		if run[i].x < run[i-1].x {
			return false
		}
	}
	return 2*float64(len(run)) > run[len(run)-1].x-run[0].x
}

// dashByX cuts an ascending run into the pieces that a dash pattern along the X axis leaves.
func dashByX(run []point, dash []float64) [][]point {
	var out [][]point
	part := []point{run[0]}
	k, edge := 0, run[0].x+dash[0]
	for i := 1; i < len(run); i++ {
		a, b := run[i-1], run[i]
		for b.x > edge {
			p := point{edge, a.y + (b.y-a.y)*(edge-a.x)/(b.x-a.x)}
			if k%2 == 0 {
				out, part = append(out, append(part, p)), nil
			} else {
				part = []point{p}
			}
			k = (k + 1) % len(dash)
			edge += dash[k]
		}
		if k%2 == 0 {
			part = append(part, b)
		}
	}
	if len(part) > 1 {
		out = append(out, part)
	}
	return out
}
