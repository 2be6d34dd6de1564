package stages

import (
	"math"
	"slices"
)

// What makes a border, see the package's comment. Changes of rate are differences of logarithms.
const (
	leastChange  = 0.1625   // 15 %
	sureChange   = 0.2877   // 25 %
	clearOf      = 2        // times the spread of either stage, which a smaller change must be
	sameRate     = 0.2231   // 20 %: pieces that are no further apart have the same rate
	sameShare    = 0.35     // if that is no more than this share of the change between them
	nextTo       = 0.25     // the part of a stage next to a border
	leastStage   = 1 / 500. // of all bytes
	middleFifths = 0.4      // up to 0.6
	passing      = 1 / 20.  // of all bytes: a shorter piece between two of the same rate is none of its own
	transition   = 1 / 20.  // of what was written before it and after it: a shorter piece between a faster and a slower one is the way from one to the other
	turns        = 4        // from so many on ups and downs are those of one stage
)

// finder works on the bins of one series.
type finder struct {
	bins  []bin
	log   []float64 // of the rates, without spikes
	noise float64
	total int64
}

// merge takes cuts back until each that is left is a border.
func (f *finder) merge(cuts []int) []int {
	cuts = slices.Clone(cuts)
	for len(cuts) > 0 {
		if i, score := f.weakest(cuts); score < 1 {
			cuts = slices.Delete(cuts, i, i+1)
			continue
		}
		from, to := f.excursion(cuts)
		if to == from {
			from, to = f.between(cuts)
		}
		if to == from {
			from, to = f.swings(cuts)
		}
		if to == from {
			from, to = f.crumb(cuts)
		}
		if to == from {
			from, to = f.unclear(cuts)
		}
		if to == from {
			break
		}
		cuts = slices.Delete(cuts, from, to)
	}
	return cuts
}

// piece gives the bins between two cuts.
func (f *finder) piece(cuts []int, i int) (from, to int) {
	to = len(f.bins)
	if i > 0 {
		from = cuts[i-1]
	}
	if i < len(cuts) {
		to = cuts[i]
	}
	return from, to
}

func (f *finder) bytes(from, to int) int64 { return f.bins[to-1].to - f.bins[from].from }

// quantile is that of the logs over the bytes of some bins.
func (f *finder) quantile(from, to int, q float64) float64 {
	order := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case f.log[a] < f.log[b]:
			return -1
		case f.log[a] > f.log[b]:
			return 1
		}
		return a - b
	})
	want := q * float64(f.bytes(from, to))
	var seen float64
	for _, i := range order {
		if seen += float64(f.bins[i].to - f.bins[i].from); seen >= want {
			return f.log[i]
		}
	}
	return f.log[order[len(order)-1]]
}

// weakest is the cut that is least of a border; with a score of 1 or more it is one.
func (f *finder) weakest(cuts []int) (index int, score float64) {
	score = math.Inf(1)
	for i := range cuts {
		from, at := f.piece(cuts, i)
		_, to := f.piece(cuts, i+1)
		if s := f.score(from, at, to); s < score {
			index, score = i, s
		}
	}
	return index, score
}

// score says how much the place between two pieces is a border.
func (f *finder) score(from, at, to int) float64 {
	least := min(f.bytes(from, at), f.bytes(at, to))
	short := float64(least) / (leastStage * float64(f.total))
	if short < 1 {
		return short / 2 // shorter than any stage: it goes first
	}
	whole := f.quantile(from, at, 0.5) - f.quantile(at, to, 0.5)
	left := min(at-1, at-int(nextTo*float64(at-from)))
	right := max(at+1, at+int(nextTo*float64(to-at)))
	near := f.quantile(max(from, min(left, at-shortest)), at, 0.5) - f.quantile(at, min(to, max(right, at+shortest)), 0.5)
	if whole*near <= 0 {
		return 0.5
	}
	apart := math.Min(math.Abs(whole), math.Abs(near))
	high, low := [2]int{from, at}, [2]int{at, to}
	if whole < 0 {
		high, low = low, high
	}
	if f.quantile(high[0], high[1], middleFifths) <= f.quantile(low[0], low[1], 1-middleFifths) {
		return math.Min(0.5+apart/leastChange/4, 0.9)
	}
	return 0.5 + apart/leastChange/2
}

// unclear finds the least change that does not stand out of what the rate differs by in the stages beside it. It is
// looked for last: the parts of a swing are steadier than the whole.
func (f *finder) unclear(cuts []int) (from, to int) {
	least := sureChange
	for i := range cuts {
		a, b := f.piece(cuts, i)
		_, c := f.piece(cuts, i+1)
		change := math.Abs(f.quantile(a, b, 0.5) - f.quantile(b, c, 0.5))
		if change < least && change < clearOf*math.Max(f.spread(a, b), f.spread(b, c)) {
			from, to, least = i, i+1, change
		}
	}
	return from, to
}

// spread is half of what four fifths of the bytes of a piece differ by.
func (f *finder) spread(from, to int) float64 {
	return (f.quantile(from, to, 0.9) - f.quantile(from, to, 0.1)) / 2
}

// excursion finds the shortest piece that passes by, between two of the same rate, and gives the cuts around it:
// one that is short, or hot while its neighbours are not. Without one, both are 0.
func (f *finder) excursion(cuts []int) (from, to int) {
	least := int64(math.MaxInt64)
	for i := 1; i < len(cuts); i++ {
		a, b := f.piece(cuts, i-1)
		_, c := f.piece(cuts, i)
		_, d := f.piece(cuts, i+1)
		here := f.bytes(b, c)
		if here >= least || here > f.bytes(a, b)+f.bytes(c, d) {
			continue
		}
		before, mid, after := f.quantile(a, b, 0.5), f.quantile(b, c, 0.5), f.quantile(c, d, 0.5)
		off := math.Abs(before - after)
		if off >= sameRate || off >= sameShare*math.Min(math.Abs(before-mid), math.Abs(after-mid)) {
			continue
		}
		if hot := f.hot(b, c) && !f.hot(a, b) && !f.hot(c, d); hot || float64(here) < passing*float64(f.total) {
			from, to, least = i-1, i+1, here
		}
	}
	return from, to
}

// hot says whether most bytes of some bins were written hot.
func (f *finder) hot(from, to int) bool {
	var hot int64
	for _, b := range f.bins[from:to] {
		if b.hot {
			hot += b.to - b.from
		}
	}
	return 2*hot > f.bytes(from, to)
}

// crumb finds a piece beside a stage ten times as long whose rate that stage has as well, now and then: a part of its
// swing or noise. It gives the cut between them.
func (f *finder) crumb(cuts []int) (from, to int) {
	for i := range cuts {
		a, b := f.piece(cuts, i)
		_, c := f.piece(cuts, i+1)
		long, short := [2]int{a, b}, [2]int{b, c}
		if f.bytes(a, b) < f.bytes(b, c) {
			long, short = short, long
		}
		if f.bytes(short[0], short[1]) > f.bytes(long[0], long[1])/10 {
			continue
		}
		rate := f.quantile(short[0], short[1], 0.5)
		if rate > f.quantile(long[0], long[1], 0.05) && rate < f.quantile(long[0], long[1], 0.95) {
			return i, i + 1
		}
	}
	return 0, 0
}

// between finds a piece that is the way from one rate to another and gives the cut to the one that it is nearer to.
func (f *finder) between(cuts []int) (from, to int) {
	for i := 1; i < len(cuts); i++ {
		a, b := f.piece(cuts, i-1)
		_, c := f.piece(cuts, i)
		_, d := f.piece(cuts, i+1)
		before, mid, after := f.quantile(a, b, 0.5), f.quantile(b, c, 0.5), f.quantile(c, d, 0.5)
		around := min(f.bytes(0, b), f.bytes(c, len(f.bins)))
		if float64(f.bytes(b, c)) > transition*float64(around) || (before-mid)*(mid-after) <= 0 {
			continue
		}
		if math.Abs(before-mid) < math.Abs(mid-after) {
			return i - 1, i
		}
		return i, i + 1
	}
	return 0, 0
}

// swings finds a stretch in which the rate goes up and down again and again, and gives the cuts in it.
func (f *finder) swings(cuts []int) (from, to int) {
	level := make([]float64, len(cuts)+1)
	for i := range level {
		a, b := f.piece(cuts, i)
		level[i] = f.quantile(a, b, 0.5)
	}
	var turn []int // the pieces that are faster, or slower, than both neighbours
	for i := 1; i < len(cuts); i++ {
		if (level[i]-level[i-1])*(level[i]-level[i+1]) > 0 {
			turn = append(turn, i)
		}
	}
	for i := range turn {
		j, low, high := f.swing(level, turn[i:])
		if j < turns {
			continue
		}
		first, last := f.widen(cuts, level, turn[i], turn[i+j-1], low-sameRate, high+sameRate)
		return first, last
	}
	return 0, 0
}

// swing says how many of the turning points are those of one swing, in which each high is higher than each low, and
// how far it goes.
func (f *finder) swing(level []float64, turn []int) (n int, low, high float64) {
	least, most := math.Inf(1), math.Inf(-1) // of the highs, of the lows
	low, high = math.Inf(1), math.Inf(-1)
	for n = range turn {
		l := level[turn[n]]
		if l > level[turn[n]-1] {
			least = math.Min(least, l)
		} else {
			most = math.Max(most, l)
		}
		if least-most < leastChange {
			return n, low, high
		}
		low, high = math.Min(low, l), math.Max(high, l)
	}
	return len(turn), low, high
}

// widen takes the pieces at the ends of a swing to it that are no longer than its own and no faster or slower.
func (f *finder) widen(cuts []int, level []float64, first, last int, low, high float64) (int, int) {
	longest := int64(0)
	for i := first; i <= last; i++ {
		longest = max(longest, f.bytes(f.piece(cuts, i)))
	}
	fits := func(i int) bool {
		return level[i] > low && level[i] < high && f.bytes(f.piece(cuts, i)) <= 2*longest
	}
	for first > 0 && fits(first-1) {
		first--
	}
	for last < len(cuts) && fits(last+1) {
		last++
	}
	return first, last
}
