package stages

import (
	"math"
	"slices"
)

// finest is how many bins there are at most. The partition takes the square of it in steps.
const finest = 4096

// bin is one or several points with at least a byte.
type bin struct {
	from, to int64 // bytes from the start
	seconds  float64
	log      float64 // of the rate
	hot      bool
}

// binned puts points together until each bin has its share of all bytes.
func binned(points []Point, total int64) []bin {
	var out []bin
	var at int64
	open := bin{}
	hot := 0
	inBin := 0
	for _, p := range points {
		at += p.Bytes
		open.seconds += p.Took.Seconds()
		inBin++
		if p.Hot {
			hot++
		}
		if b := at - open.from; b <= 0 || open.seconds <= 0 || b < total/finest {
			continue
		}
		open.to, open.hot = at, 2*hot > inBin
		open.log = math.Log(float64(open.to-open.from) / open.seconds)
		out = append(out, open)
		open, hot, inBin = bin{from: at}, 0, 0
	}
	// What is left at the end is less than a share: it belongs to the last bin.
	if n := len(out); n > 0 && (at > open.from || open.seconds > 0) {
		l := &out[n-1]
		l.to, l.seconds = at, l.seconds+open.seconds
		l.log = math.Log(float64(l.to-l.from) / l.seconds)
	}
	return out
}

// reach is how many neighbours on each side a bin is compared with.
const reach = 3

// despiked is the log of each bin's rate without spikes, and the noise of it (standard deviation).
func despiked(bins []bin) (smooth []float64, noise float64) {
	raw := make([]float64, len(bins))
	for i, b := range bins {
		raw[i] = b.log
	}
	noise = noiseOf(raw)
	smooth = slices.Clone(raw)
	limit := math.Max(3*noise, 0.2)
	for i := range raw {
		lo, hi := max(i-reach, 0), min(i+reach+1, len(raw))
		if m := median(raw[lo:hi]); math.Abs(raw[i]-m) > limit {
			smooth[i] = m
		}
	}
	return smooth, noiseOf(smooth)
}

// noiseOf is the standard deviation of a series apart from its steps and slopes, from the median of the absolute
// differences of neighbours.
func noiseOf(x []float64) float64 {
	const least = 0.005 // below half a percent no series is known, and a price of zero would cut everywhere
	if len(x) < 2 {
		return least
	}
	d := make([]float64, len(x)-1)
	for i := range d {
		d[i] = math.Abs(x[i+1] - x[i])
	}
	return math.Max(median(d)/(0.6745*math.Sqrt2), least) // 0.6745: the third quartile of the normal distribution
}

func median(x []float64) float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}
