package plot

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	gochart "github.com/wcharczuk/go-chart/v2"
)

// axis is a range of ours under go-chart's interface. Translate never leaves the plot.
type axis struct {
	min, max float64
	log      bool
	domain   int
	ticks    []tick
}

type tick struct {
	value float64
	label string
}

var _ gochart.Range = (*axis)(nil)

func (a *axis) String() string       { return fmt.Sprintf("%g to %g", a.min, a.max) }
func (a *axis) IsZero() bool         { return false }
func (a *axis) GetMin() float64      { return a.min }
func (a *axis) SetMin(v float64)     { a.min = v }
func (a *axis) GetMax() float64      { return a.max }
func (a *axis) SetMax(v float64)     { a.max = v }
func (a *axis) GetDelta() float64    { return a.max - a.min }
func (a *axis) GetDomain() int       { return a.domain }
func (a *axis) SetDomain(domain int) { a.domain = domain }
func (a *axis) IsDescending() bool   { return false }

// Translate is how many pixels from the lower end v lies, held between both ends.
func (a *axis) Translate(v float64) int { return int(math.Round(a.at(v))) }

func (a *axis) at(v float64) float64 {
	f := (v - a.min) / (a.max - a.min)
	if a.log {
		if v <= a.min {
			return 0
		}
		f = math.Log10(v/a.min) / math.Log10(a.max/a.min)
	}
	if !(f > 0) {
		return 0
	}
	return math.Min(f, 1) * float64(a.domain)
}

// span is the smallest and the largest of some values; nothing seen if lo > hi.
type span struct{ lo, hi float64 }

func noSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) { s.lo, s.hi = math.Min(s.lo, v), math.Max(s.hi, v) }

func (s span) empty() bool { return s.lo > s.hi }

// given is r as a span if it is a usable range.
func (r Range) given() (span, bool) {
	ok := number(r.Min) && number(r.Max) && r.Max-r.Min > tiny(r.Min, r.Max)
	return span{r.Min, r.Max}, ok
}

// tiny is a difference that cannot be told from nothing near lo and hi.
func tiny(lo, hi float64) float64 { return 1e-9 * math.Max(1e-3, math.Max(math.Abs(lo), math.Abs(hi))) }

// widen makes a span that can be divided through, from one that may be empty or a single value.
func (s span) widen() span {
	if s.empty() {
		return span{0, 1}
	}
	if s.hi-s.lo > tiny(s.lo, s.hi) {
		return s
	}
	half := math.Max(math.Abs(s.lo)/10, 0.5)
	return span{s.lo - half, s.hi + half}
}

// fromZero makes a span that holds zero and can be divided through.
func (s span) fromZero() span {
	if s.empty() {
		return span{0, 1}
	}
	s = span{math.Min(s.lo, 0), math.Max(s.hi, 0)}
	if s.hi-s.lo <= tiny(s.lo, s.hi) {
		return span{0, 1}
	}
	return s
}

// horizontal is the X axis: exactly the span, with round ticks inside. fits tells whether ticks with
// these labels have room side by side.
func horizontal(s span, byTime bool, format func(float64) string, fits func([]tick) bool) *axis {
	a := &axis{min: s.lo, max: s.hi}
	for count := 12; count >= 2; count-- {
		raw := (s.hi - s.lo) / float64(count)
		step := niceStep(raw)
		if byTime {
			step = timeStep(raw)
		}
		a.ticks = multiples(s, step, format)
		if fits(a.ticks) {
			return a
		}
	}
	a.ticks = a.ticks[:min(1, len(a.ticks))]
	return a
}

// vertical is a Y axis of at most most intervals. An automatic one ends at a tick; a given range is
// kept as it is.
func vertical(s span, given, floating bool, most int, format func(float64) string) *axis {
	if given {
		return &axis{min: s.lo, max: s.hi, ticks: multiples(s, niceStep((s.hi-s.lo)/float64(most)), format)}
	}
	if floating {
		s = s.widen()
	} else {
		s = s.fromZero()
	}
	step := niceStep((s.hi - s.lo) / float64(most))
	s = span{math.Floor(s.lo/step+1e-9) * step, math.Ceil(s.hi/step-1e-9) * step}
	return &axis{min: s.lo, max: s.hi, ticks: multiples(s, step, format)}
}

// beside is a second Y axis whose ticks lie at the height of those of the first, so that one grid
// serves both.
func beside(s span, intervals int, format func(float64) string) *axis {
	s = s.fromZero()
	intervals = max(2, intervals) // one could not hold values on both sides of zero
	step := niceStep((s.hi - s.lo) / float64(intervals))
	lo := math.Floor(s.lo/step+1e-9) * step
	for lo+step*float64(intervals) < s.hi-1e-9*step {
		step = niceStep(step * 1.01)
		lo = math.Floor(s.lo/step+1e-9) * step
	}
	all := span{lo, lo + step*float64(intervals)}
	return &axis{min: all.lo, max: all.hi, ticks: multiples(all, step, format)}
}

// decades is a logarithmic Y axis from a power of ten to a power of ten, twelve of them at most, with
// at most most intervals between its ticks.
func decades(s span, given bool, most int, format func(float64) string) *axis {
	lo, hi := s.lo, s.hi
	if !(hi > 0) {
		lo, hi = 1, 10
	}
	if !(lo > 0) {
		lo = hi / 1000
	}
	lo = math.Max(lo, hi/1e12)
	from, to := math.Floor(math.Log10(lo)+1e-9), math.Ceil(math.Log10(hi)-1e-9)
	if to <= from {
		to = from + 1
	}
	a := &axis{min: math.Pow(10, from), max: math.Pow(10, to), log: true}
	if given && lo < hi {
		a.min, a.max = lo, hi
	}
	stride := math.Ceil((to - from) / float64(max(1, most)))
	for e := from; e <= to; e += stride {
		if v := math.Pow(10, e); v >= a.min*(1-1e-9) && v <= a.max*(1+1e-9) {
			a.ticks = append(a.ticks, tick{v, format(v)})
		}
	}
	return a
}

// niceStep is the smallest of 1, 2, 5 times a power of ten that is not below raw.
func niceStep(raw float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// timeStep is the smallest step of whole seconds, minutes, hours or days that is not below raw seconds.
func timeStep(raw float64) float64 {
	if raw <= 1 {
		return niceStep(raw)
	}
	for _, s := range []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400} {
		if s >= raw*(1-1e-9) {
			return s
		}
	}
	return niceStep(raw/86400) * 86400
}

// multiples are the ticks at multiples of step within s. There are never more than a hundred.
func multiples(s span, step float64, format func(float64) string) []tick {
	first, last := math.Ceil(s.lo/step-1e-6), math.Floor(s.hi/step+1e-6)
	if !(last-first <= 100) {
		return nil
	}
	var out []tick
	for i := first; i <= last; i++ {
		v := tidy(i * step)
		out = append(out, tick{v, format(v)})
	}
	return out
}

// tidy drops the noise of binary fractions, so that a formatter sees 0.3 and not 0.30000000000000004.
func tidy(v float64) float64 {
	t, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil || t == 0 { // t == 0 also turns -0 into 0
		return 0
	}
	return t
}

// plain is the formatter for a caller who brings none: all digits, thousands set apart.
func plain(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	whole, rest, fraction := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "\u202f" + whole[i:]
	}
	if fraction {
		whole += "." + rest
	}
	if v < 0 {
		whole = "−" + whole
	}
	return whole
}
