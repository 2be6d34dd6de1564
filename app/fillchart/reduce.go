package fillchart

import (
	"math"
	"sort"

	"cachecliff/bench/stages"
)

// Scale says where on the X axis of a chart a byte of a pass lies.
type Scale struct {
	Base    float64 // where the pass begins
	PerByte float64
}

func (s Scale) at(bytes int64) float64 { return s.Base + float64(bytes)*s.PerByte }

// Line is the points of a pass that are drawn: at X the mean rate, and the lowest and the highest of the samples behind
// it, bytes per second. All have the same length.
type Line struct {
	X, Mean, Lo, Hi []float64
	Merged          bool // there are points that stand for several samples
}

// maxColumns is more than a screen has.
const maxColumns = 8192

// Reduce makes a line of a pass for a chart that shows lo to hi in so many columns: in each column in which samples
// lie, one point. The mean is that of bytes over time, so that it is the true one, and no dip and no peak is lost. Of
// what lies outside only the nearest sample on each side is kept, so that the line goes on to the edges.
//
// It looks at each sample once and keeps nothing but the columns: 80,000 samples take about a millisecond.
func Reduce(points []stages.Point, s Scale, lo, hi float64, columns int) Line {
	var l Line
	if !(hi > lo) {
		return l
	}
	columns = min(max(columns, 1), maxColumns)
	width := (hi - lo) / float64(columns)
	c := column{index: -2}
	var written int64
	for _, p := range points {
		from := written
		written += p.Bytes
		if p.Took <= 0 {
			continue
		}
		x := (s.at(from) + s.at(written)) / 2
		k := place(x, lo, width, columns)
		if x <= hi { // a stall at the very end
			k = min(k, columns-1)
		}
		if k != c.index || k < 0 { // before the first column only the newest sample is kept
			if k >= 0 {
				l.add(c, s)
			}
			c = column{index: k, from: from}
		}
		c.take(p, written)
		if k == columns {
			break
		}
	}
	l.add(c, s)
	return l
}

// place is the column in which x lies: -1 before the first, columns after the last.
func place(x, lo, width float64, columns int) int {
	return int(math.Max(-1, math.Min(float64(columns), math.Floor((x-lo)/width))))
}

// column is the samples of one column.
type column struct {
	index    int
	from, to int64 // bytes
	seconds  float64
	lo, hi   float64
	count    int
}

func (c *column) take(p stages.Point, to int64) {
	rate := float64(p.Bytes) / p.Took.Seconds()
	if c.count == 0 {
		c.lo, c.hi = rate, rate
	}
	c.lo, c.hi = math.Min(c.lo, rate), math.Max(c.hi, rate)
	c.to, c.seconds, c.count = to, c.seconds+p.Took.Seconds(), c.count+1
}

// add makes a point of a column.
func (l *Line) add(c column, s Scale) {
	if c.count == 0 {
		return
	}
	l.X = append(l.X, (s.at(c.from)+s.at(c.to))/2)
	l.Mean = append(l.Mean, float64(c.to-c.from)/c.seconds)
	l.Lo, l.Hi = append(l.Lo, c.lo), append(l.Hi, c.hi)
	l.Merged = l.Merged || c.count > 1
}

// near is the point next to x, unless x lies beyond an end of the line by more than so much.
func (l Line) near(x, beyond float64) (int, bool) {
	n := len(l.X)
	if n == 0 || x < l.X[0]-beyond || x > l.X[n-1]+beyond {
		return 0, false
	}
	i := sort.SearchFloat64s(l.X, x)
	if i == n || i > 0 && x-l.X[i-1] < l.X[i]-x {
		i--
	}
	return i, true
}
