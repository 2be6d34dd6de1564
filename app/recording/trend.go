package recording

import (
	"math"
	"time"

	"cachecliff/bench/monitor"
)

// Quantity is what a curve shows.
type Quantity int

// The quantities of a drive. Rates are in bytes a second, awaits in nanoseconds, Use in 0 to 1, Temperature
// in degrees Celsius.
const (
	ReadRate Quantity = iota
	WriteRate
	ReadOps
	WriteOps
	ReadAwait
	WriteAwait
	QueueSize
	Use
	Temperature
	quantities
)

// of is a quantity in columns and the reading that they end with; NaN if it is not known.
func (q Quantity) of(c *monitor.Columns, r monitor.Reading) float64 {
	if q == Temperature {
		if len(r.Temperatures) == 0 || r.Gone {
			return math.NaN()
		}
		return float64(r.Temperatures[0].MilliC) / 1000
	}
	if c == nil {
		return math.NaN()
	}
	switch q {
	case ReadRate:
		return c.Read.BytesPerSec
	case WriteRate:
		return c.Write.BytesPerSec
	case ReadOps:
		return c.Read.PerSecond
	case WriteOps:
		return c.Write.PerSecond
	case ReadAwait:
		return nanos(c.Read.Await)
	case WriteAwait:
		return nanos(c.Write.Await)
	}
	if c.AwaitsOver == 0 {
		return math.NaN()
	}
	if q == QueueSize {
		return c.Queue
	}
	return c.Busy
}

func nanos(a *monitor.Await) float64 {
	if a == nil {
		return math.NaN()
	}
	return float64(*a)
}

// Hole is a time in which a drive's counts could not be read.
type Hole struct {
	From, To time.Duration // since the start
	Why      string        // a platform.Why, or WhyGone
	Open     bool          // it goes on
}

// maxHoles is how many holes of a drive are kept; what is more is counted.
const maxHoles = 200

// DriveTrend is what one drive did all the time.
type DriveTrend struct {
	curves [quantities]curve
	holes  []Hole
	More   int // holes that are not in the list
}

// Holes are those of a drive, in their order.
func (d *DriveTrend) Holes() []Hole { return d.holes }

// Trend is a recording reduced to what a picture shows. However long it gets, it takes the same memory: when
// it is full, neighbours are joined, and the lowest and the highest of them are kept.
type Trend struct {
	Header  Header
	Drives  []DriveTrend
	Length  time.Duration // until the last sample
	Samples int
	Late    int           // samples that came late or came to nothing
	from    time.Duration // of the first sample
	cpu     curve
	follow  monitor.Follower
	row     monitor.Row        // the last
	shares  *monitor.CPUShares // the last that are known
	last    monitor.Sample
}

// NewTrend begins with nothing.
func NewTrend(h Header) *Trend { return &Trend{Header: h, Drives: make([]DriveTrend, len(h.Drives))} }

// Add takes the next sample.
func (t *Trend) Add(s monitor.Sample) {
	t.row, t.last = t.follow.Add(s), s
	if t.Samples == 0 {
		t.from = s.At
	}
	t.Samples++
	t.Length = s.At
	if s.Late > 0 {
		t.Late += 1 + s.Missed
	}
	if t.row.CPU != nil {
		t.shares = t.row.CPU
		t.cpu.add(s.At, 1-t.row.CPU.Idle-part(t.row.CPU.IOWait))
	}
	for i, r := range s.Drives {
		d := &t.Drives[i]
		d.hole(s.At, string(HoleOf(r)))
		if r.Counters == nil {
			for q := range d.curves {
				d.curves[q].gap()
			}
			continue
		}
		if t.row.Drives[i] == nil && len(r.Temperatures) == 0 {
			continue
		}
		for q := range d.curves {
			v := Quantity(q).of(t.row.Drives[i], r)
			if math.IsNaN(v) {
				d.curves[q].rest(s.At)
				continue
			}
			d.curves[q].add(s.At, v)
		}
	}
}

func part(p *float64) float64 {
	if p == nil {
		return 0
	}
	return *p
}

// hole notes whether there is one.
func (d *DriveTrend) hole(at time.Duration, why string) {
	if n := len(d.holes); n > 0 && d.holes[n-1].Open {
		h := &d.holes[n-1]
		h.To = at
		if h.Why == why {
			return
		}
		h.Open = false
	}
	if why == "" {
		return
	}
	if len(d.holes) == maxHoles {
		d.More++
		return
	}
	d.holes = append(d.holes, Hole{From: at, To: at, Why: why, Open: true})
}

// Curve gives the points of a quantity of a drive: seconds since the start, and values, with NaN where
// nothing is known.
func (t *Trend) Curve(drive int, q Quantity) (seconds, values []float64) {
	return t.Drives[drive].curves[q].points()
}

// CPU gives the share of the processors' time that was used, 0 to 1, as Curve does.
func (t *Trend) CPU() (seconds, values []float64) { return t.cpu.points() }

// clone is a copy that does not change any more.
func (t *Trend) clone() *Trend {
	out := *t
	out.Drives = make([]DriveTrend, len(t.Drives))
	for i := range t.Drives {
		out.Drives[i].More = t.Drives[i].More
		out.Drives[i].holes = append([]Hole(nil), t.Drives[i].holes...)
		for q := range t.Drives[i].curves {
			out.Drives[i].curves[q] = t.Drives[i].curves[q].clone()
		}
	}
	out.cpu = t.cpu.clone()
	out.follow = monitor.Follower{} // the copy takes no samples
	return &out
}

// bins is how many a curve has at most: more than the pixel columns of any picture that is made. It is even.
const bins = 4096

// bin is a stretch of a curve: its lowest and its highest value, and when they were.
type bin struct {
	loAt, hiAt time.Duration
	lo, hi     float64
	broken     bool // nothing is known right before it
}

// curve is a bounded row of bins. The zero value is empty.
type curve struct {
	all    []bin
	each   int // samples in a bin; 0 is 1
	taken  int // samples in the last bin
	broken bool
	lastAt time.Duration // of the last value
	rested time.Duration // how long there has been none
}

// restful is how long a quantity may be absent without a gap in its curve, where it belongs to I/Os and
// there were none: awaits.
const restful = 2 * monitor.AwaitSpan

// gap says that nothing is known.
func (c *curve) gap() { c.broken = true }

// rest says that there is no value at a time, because there was nothing to measure.
func (c *curve) rest(at time.Duration) {
	if at-c.lastAt > restful {
		c.broken = true
	}
}

func (c *curve) add(at time.Duration, v float64) {
	c.lastAt = at
	n := len(c.all)
	if n > 0 && !c.broken && c.taken < max(c.each, 1) {
		c.all[n-1].join(bin{at, at, v, v, false})
		c.taken++
		return
	}
	if n == bins {
		c.halve()
	}
	c.all = append(c.all, bin{at, at, v, v, c.broken})
	c.taken, c.broken = 1, false
}

// join takes a later bin into this one.
func (b *bin) join(o bin) {
	if o.lo < b.lo {
		b.lo, b.loAt = o.lo, o.loAt
	}
	if o.hi > b.hi {
		b.hi, b.hiAt = o.hi, o.hiAt
	}
}

// halve joins each two neighbours, but not over a gap, unless the curve is made of gaps.
func (c *curve) halve() {
	c.pair(false)
	if len(c.all) > bins*3/4 {
		c.pair(true)
	}
	c.each = 2 * max(c.each, 1)
	c.taken = c.each
}

func (c *curve) pair(overGaps bool) {
	kept := c.all[:0]
	for i := 0; i < len(c.all); i++ {
		b := c.all[i]
		if i+1 < len(c.all) && (overGaps || !c.all[i+1].broken) {
			i++
			b.join(c.all[i])
		}
		kept = append(kept, b)
	}
	c.all = kept
}

func (c *curve) clone() curve {
	out := *c
	out.all = append([]bin(nil), c.all...)
	return out
}

func (c *curve) points() (seconds, values []float64) {
	for _, b := range c.all {
		if b.broken {
			seconds, values = append(seconds, min(b.loAt, b.hiAt).Seconds()), append(values, math.NaN())
		}
		first, last := b, b
		first.hiAt, first.hi, last.loAt, last.lo = b.loAt, b.lo, b.hiAt, b.hi
		if b.hiAt < b.loAt {
			first, last = last, first
		}
		seconds, values = append(seconds, first.loAt.Seconds()), append(values, first.lo)
		if b.loAt != b.hiAt {
			seconds, values = append(seconds, last.loAt.Seconds()), append(values, last.lo)
		}
	}
	return seconds, values
}
