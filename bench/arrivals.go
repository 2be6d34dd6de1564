package bench

import (
	"math"
	"time"

	"cachecliff/bench/fill"
)

// arrivals are the times at which the I/Os of a worker are due under a load of a given rate. They do not
// depend on how fast the drive answers (an open loop), so that what a slow answer keeps waiting is seen.
//
// They are a Poisson process of which it is known how many arrivals lie in a window. Given their number
// arrivals are independent and uniform over the window, so the next of n that are left comes after the
// share 1 − U^(1/n) of the time that is left (the least of n uniform numbers). For large n that is an
// exponential gap. In this way the offered rate is exactly the one that was asked for: of a plain
// Poisson process it would differ by 1/√n, which is 1.4 % for 5000 arrivals.
type arrivals struct {
	rand    fill.Rand
	at      time.Duration // the next one; never if none is left
	left    int64         // further ones in this window
	end     time.Duration // of this window
	windows [2]window     // this one's successors
}

// window is a span of time with n arrivals.
type window struct {
	took time.Duration
	n    int64
}

// begin starts the first window.
func (a *arrivals) begin(start time.Duration) {
	a.at, a.end, a.left = start, start, 0
	a.next()
}

// next goes on to the next arrival.
func (a *arrivals) next() {
	for a.left == 0 {
		if a.windows == [2]window{} {
			a.at = never
			return
		}
		w := a.windows[0]
		a.windows = [2]window{a.windows[1]}
		a.at, a.end, a.left = a.end, a.end+w.took, w.n
	}
	u := float64(a.rand.Next()>>11+1) / (1 << 53) // above 0, at most 1
	gap := -math.Expm1(math.Log(u)/float64(a.left)) * float64(a.end-a.at)
	a.at = min(a.at+time.Duration(gap), a.end-1)
	a.left--
}

// windows are the warm-up and the counted time of worker i, or the time that the bytes take at the rate.
// A span of time gets the whole number of arrivals that is nearest to the rate, shared by the workers.
func (s Spec) windows(i int, blocks int64) [2]window {
	share := func(took time.Duration) window {
		all, n := int64(math.Round(float64(s.Rate)*took.Seconds())), int64(s.Threads)
		w := window{took, all / n}
		if int64(i) < all%n {
			w.n++
		}
		return w
	}
	if s.Measure == 0 {
		took := float64(blocks) * float64(s.Threads) / float64(s.Rate)
		return [2]window{{time.Duration(took * float64(time.Second)), blocks}}
	}
	return [2]window{share(s.Warmup), share(s.Measure)}
}
