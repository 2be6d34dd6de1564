// Package hist counts latencies in a histogram of fixed size, so that recording allocates nothing and
// percentiles of any number of I/Os can be had, merged and stored. It knows nothing of what is measured.
//
// Buckets: values below 128 ns are exact; above, each power of two is cut into 128 linear buckets, so a
// bucket is at most 1/128 = 0.79 % wide and the midpoint that Quantile returns is off by at most 0.4 %.
// 38 octaves reach to 4.8 hours; longer values count in the last bucket, and Max stays exact.
// 38 × 128 counters of 8 bytes are 38,912 bytes.
package hist

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"time"
)

const (
	subBits = 7
	sub     = 1 << subBits // linear buckets per octave
	octaves = 38
	buckets = octaves * sub
)

// H is a histogram of durations. The zero value is empty and ready. It is not safe for concurrent use.
type H struct {
	counts  [buckets]uint64
	lo, end int // the buckets in use lie in [lo, end): the others need not be looked at
	n       uint64
	sum     time.Duration
	max     time.Duration
}

// index is the bucket of a value; negative values count as 0.
func index(v int64) int {
	if v < sub {
		return int(max(v, 0))
	}
	shift := bits.Len64(uint64(v)) - subBits - 1
	i := shift*sub + int(v>>shift)
	return min(i, buckets-1)
}

// bounds are the smallest value of a bucket and the number of values in it.
func bounds(i int) (lo, width int64) {
	if i < 2*sub {
		return int64(i), 1
	}
	shift := i/sub - 1
	return int64(sub+i%sub) << shift, int64(1) << shift
}

// use widens the range of buckets in use.
func (h *H) use(lo, end int) {
	if lo < h.lo || h.n == 0 {
		h.lo = lo
	}
	h.end = max(h.end, end)
}

// Record counts one value.
func (h *H) Record(d time.Duration) {
	i := index(int64(d))
	h.use(i, i+1)
	h.counts[i]++
	h.n++
	h.sum += d
	if d > h.max {
		h.max = d
	}
}

// RecordN counts a value that came n times, which is not negative. A sum that would not fit any more stays at
// its limit.
func (h *H) RecordN(d time.Duration, n int64) {
	if n <= 0 {
		return
	}
	i := index(int64(d))
	h.use(i, i+1)
	h.counts[i] += uint64(n)
	h.n += uint64(n)
	if d > 0 && n > int64(math.MaxInt64-h.sum)/int64(d) {
		h.sum = math.MaxInt64
	} else {
		h.sum += d * time.Duration(n)
	}
	h.max = max(h.max, d)
}

// Merge adds all of o.
func (h *H) Merge(o *H) {
	if o.n == 0 {
		return
	}
	h.use(o.lo, o.end)
	for i, c := range o.counts[o.lo:o.end] {
		h.counts[o.lo+i] += c
	}
	h.n += o.n
	h.sum += o.sum
	h.max = max(h.max, o.max)
}

// Reset empties the histogram.
func (h *H) Reset() {
	clear(h.counts[h.lo:h.end])
	h.lo, h.end, h.n, h.sum, h.max = 0, 0, 0, 0, 0
}

// N is how many values were counted.
func (h *H) N() int64 { return int64(h.n) }

// Sum is the exact sum of all values.
func (h *H) Sum() time.Duration { return h.sum }

// Max is the exact largest value, 0 if there is none.
func (h *H) Max() time.Duration { return h.max }

// Mean is the exact mean, 0 if there is no value.
func (h *H) Mean() time.Duration {
	if h.n == 0 {
		return 0
	}
	return time.Duration(int64(h.sum) / int64(h.n))
}

// Quantile is the value that the share p (0 to 1) of all values does not exceed, as the midpoint of its
// bucket and never above Max: the first bucket whose cumulative count reaches p·n, as fio does. It is 0
// if there is no value.
func (h *H) Quantile(p float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	want := p * float64(h.n)
	var seen uint64
	for i, c := range h.counts[h.lo:h.end] {
		seen += c
		if c > 0 && float64(seen) >= want {
			lo, width := bounds(h.lo + i)
			return min(time.Duration(lo+width/2), h.max)
		}
	}
	return h.max
}

// All gives the midpoint and the count of every bucket in use, smallest value first.
func (h *H) All() iter.Seq2[time.Duration, int64] {
	return func(yield func(time.Duration, int64) bool) {
		for i, c := range h.counts {
			lo, width := bounds(i)
			if c > 0 && !yield(time.Duration(lo+width/2), int64(c)) {
				return
			}
		}
	}
}

// wire is the stored form: bucket numbers and counts in turn, only those that are not zero.
type wire struct {
	Sum     time.Duration `json:"sum"`
	Max     time.Duration `json:"max"`
	Buckets []uint64      `json:"buckets"`
}

// MarshalJSON writes only the buckets in use.
func (h *H) MarshalJSON() ([]byte, error) {
	w := wire{Sum: h.sum, Max: h.max, Buckets: []uint64{}}
	for i, c := range h.counts {
		if c > 0 {
			w.Buckets = append(w.Buckets, uint64(i), c)
		}
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON wrote and refuses anything else.
func (h *H) UnmarshalJSON(data []byte) error {
	var w wire
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("read histogram: %w", err)
	}
	if len(w.Buckets)%2 != 0 || w.Max < 0 || w.Sum < 0 {
		return fmt.Errorf("read histogram: odd number of entries or a negative time")
	}
	*h = H{sum: w.Sum, max: w.Max}
	last := -1
	for k := 0; k < len(w.Buckets); k += 2 {
		i, c := w.Buckets[k], w.Buckets[k+1]
		if i >= buckets || int(i) <= last || c > 1<<53 {
			return fmt.Errorf("read histogram: bucket %d is out of range or order", i)
		}
		last = int(i)
		if c > 0 {
			h.use(last, last+1)
		}
		h.counts[i] = c
		h.n += c
	}
	return nil
}
