package stages

import (
	"math"
	"slices"
	"time"
)

// report makes stages and borders of the cuts that are left.
func (f *finder) report(cuts []int) ([]Stage, []Border) {
	borders, cuts := f.placed(cuts)
	stages := make([]Stage, len(cuts)+1)
	for i := range stages {
		from, to := f.piece(cuts, i)
		stages[i] = f.stage(from, to)
	}
	for i := range borders {
		stages[i].To, stages[i+1].From = borders[i].At, borders[i].At
	}
	for i := range borders {
		borders[i].Cause = cause(stages, i)
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

// stage is what some bins have in common. Its rates are those that were measured, with all spikes.
func (f *finder) stage(from, to int) Stage {
	raw := &finder{bins: f.bins, log: make([]float64, len(f.bins))}
	s := Stage{From: f.bins[from].from, To: f.bins[to-1].to}
	var hot int64
	for i := from; i < to; i++ {
		b := f.bins[i]
		raw.log[i] = b.log
		s.Took += time.Duration(b.seconds * float64(time.Second))
		if b.hot {
			hot += b.to - b.from
		}
	}
	s.Rate = math.Exp(raw.quantile(from, to, 0.5))
	s.Lo, s.Hi = math.Exp(raw.quantile(from, to, 0.1)), math.Exp(raw.quantile(from, to, 0.9))
	s.HotPct = int(math.Round(100 * float64(hot) / float64(s.To-s.From)))
	return s
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

// cause says why the rate fell at a border.
func cause(stages []Stage, i int) Cause {
	before, after := stages[i], stages[i+1]
	if after.Rate >= before.Rate {
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
	for _, later := range stages[i+2:] {
		if later.Rate > recovered*before.Rate {
			return CauseUnknown
		}
	}
	short := float64(before.To-before.From) < brief*float64(stages[len(stages)-1].To)
	for _, earlier := range stages[:i] {
		if short && recovered*earlier.Rate < after.Rate {
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
