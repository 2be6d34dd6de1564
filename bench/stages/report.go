package stages

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// report makes stages and borders of the cuts that are left.
func (f *finder) report(cuts []int) ([]Stage, []Border) {
	borders, cuts := f.placed(cuts)
	stages, usual := make([]Stage, len(cuts)+1), make([]float64, len(cuts)+1)
	for i := range stages {
		from, to := f.piece(cuts, i)
		stages[i], usual[i] = f.stage(from, to)
	}
	for i := range borders {
		stages[i].To, stages[i+1].From = borders[i].At, borders[i].At
	}
	for i := range borders {
		borders[i].Cause = cause(stages, usual, i)
	}
	return stages, borders
}

// placed finds where the borders lie, and which cuts have one. Where two come to lie at the same place, or one at an
// end, there is no stage between them, so that one of the cuts is taken back.
func (f *finder) placed(cuts []int) ([]Border, []int) {
	borders, end := []Border{}, int64(0)
	for i := 0; i < len(cuts); i++ {
		from, at := f.piece(cuts, i)
		_, to := f.piece(cuts, i+1)
		border := f.place(from, at, to)
		if border.At <= end || border.At >= f.total {
			cuts, borders, end, i = f.merge(slices.Delete(slices.Clone(cuts), i, i+1)), borders[:0], 0, -1
			continue
		}
		borders, end = append(borders, border), border.At
	}
	return borders, cuts
}

// stage is what some bins have in common, and their median rate, which a moment of standstill does not change. Its rates
// are those that were measured, with all spikes.
func (f *finder) stage(from, to int) (s Stage, usual float64) {
	raw := &finder{bins: f.bins, log: make([]float64, len(f.bins))}
	s = Stage{From: f.bins[from].from, To: f.bins[to-1].to}
	var hot int64
	seconds := 0.0
	for i := from; i < to; i++ {
		b := f.bins[i]
		raw.log[i] = b.log
		seconds += b.seconds
		if b.hot {
			hot += b.to - b.from
		}
	}
	s.Took = time.Duration(seconds * float64(time.Second))
	s.Rate = float64(s.To-s.From) / seconds
	lo, hi := f.tenths(from, to)
	s.Lo, s.Hi = min(lo, s.Rate), max(hi, s.Rate)
	s.HotPct = int(math.Round(100 * float64(hot) / float64(s.To-s.From)))
	return s, math.Exp(raw.quantile(from, to, 0.5))
}

// tenths are the rates below which and above which some bins are for a tenth of their time.
func (f *finder) tenths(from, to int) (lo, hi float64) {
	bins := slices.Clone(f.bins[from:to])
	slices.SortStableFunc(bins, func(a, b bin) int { return cmp.Compare(a.log, b.log) })
	var all, seen float64
	for _, b := range bins {
		all += b.seconds
	}
	lo, hi = math.Inf(-1), math.Inf(-1)
	for _, b := range bins {
		if seen += b.seconds; seen >= 0.1*all && math.IsInf(lo, -1) {
			lo = b.log
		}
		if hi = b.log; seen >= 0.9*all {
			break
		}
	}
	return math.Exp(lo), math.Exp(hi)
}

// hotPct is from which share of a stage's bytes on heat is its cause.
const hotPct = 50

// recovered is the share of the rate before a drop from which on it is not down any more.
const recovered = 0.8

// brief is the share of all bytes below which a faster stage between two of about the same rate is no cache.
const brief = 0.15

// leastAfter is how long a drive must have been written to after a drop, so that this is put down to its cache: what
// else is done on a computer holds a drive up for seconds, too.
const leastAfter = 10 * time.Second

// cause says why the rate fell at a border, from what stages there are and the usual rate in each.
func cause(stages []Stage, usual []float64, i int) Cause {
	before, after := stages[i], stages[i+1]
	if usual[i+1] >= usual[i] {
		return CauseNone
	}
	if after.HotPct >= hotPct && before.HotPct < hotPct {
		return CauseHeat
	}
	var lasted time.Duration
	for _, later := range stages[i+1:] {
		lasted += later.Took
	}
	if lasted < leastAfter {
		return CauseUnknown
	}
	for _, later := range usual[i+2:] {
		if later > recovered*usual[i] {
			return CauseUnknown
		}
	}
	short := float64(before.To-before.From) < brief*float64(stages[len(stages)-1].To)
	for _, earlier := range usual[:i] {
		if short && recovered*earlier < usual[i+1] {
			return CauseUnknown // it was faster for a while and is again as fast as before
		}
	}
	return CauseCache
}

// place finds where between two pieces the border lies, now that the rates of both are known.
func (f *finder) place(from, at, to int) Border {
	a, b := f.quantile(from, at, 0.5), f.quantile(at, to, 0.5)
	// The part next to the border tells the rate there better than a whole stage that has a slope.
	left, right := max(from, at-max(shortest, (at-from)/4)), min(to, at+max(shortest, (to-at)/4))
	a, b = f.quantile(left, at, 0.5)/2+a/2, f.quantile(at, right, 0.5)/2+b/2
	lo, hi := max(from+1, at-(at-from)/2), min(to-1, at+(to-at)/2)
	cost := func(i int) float64 { return sq(f.log[i]-a) - sq(f.log[i]-b) } // more if bin i is counted to the first stage
	best, where, sum := math.Inf(1), at, 0.0
	sums := make([]float64, 0, hi-lo+1)
	for i := lo; i <= hi; i++ {
		if sum < best {
			best, where = sum, i
		}
		sums = append(sums, sum)
		if i < hi {
			sum += cost(i)
		}
	}
	out := Border{At: f.bins[where].from}
	// Places that are less likely by no more than e² (two units of the log likelihood, a normal 95 %) are possible.
	possible := best + 4*f.noise*f.noise
	first, last := where, where
	for first > lo && sums[first-1-lo] <= possible {
		first--
	}
	for last < hi && sums[last+1-lo] <= possible {
		last++
	}
	out.At = f.across(where, a, b)
	out.Lo = min(out.At, f.bins[max(first-1, 0)].from)
	out.Hi = max(out.At, f.bins[last].to)
	if first == where && last == where {
		out.Lo, out.Hi = min(out.At, f.bins[where-1].from), max(out.At, f.bins[where].to)
	}
	return out
}

// across shares a bin out that lies across a border: with the rates a before and b after it. One of the two bins
// at the border is between both rates; the border lies in it.
func (f *finder) across(where int, a, b float64) int64 {
	at := f.bins[where].from
	ra, rb := math.Exp(a), math.Exp(b)
	for _, i := range []int{where - 1, where} {
		bin := f.bins[i]
		bytes, mid := float64(bin.to-bin.from), f.log[i]
		if bin.log != mid || (mid-a)*(mid-b) >= 0 || math.Min(math.Abs(mid-a), math.Abs(mid-b)) < 2*f.noise {
			continue // as fast as one of the stages
		}
		// bytes = ra·t + rb·(seconds-t)
		t := (bytes - rb*bin.seconds) / (ra - rb)
		return bin.from + int64(math.Max(0, math.Min(bytes, ra*t)))
	}
	return at
}

func sq(x float64) float64 { return x * x }
