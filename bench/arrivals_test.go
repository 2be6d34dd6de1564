package bench

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/bench/fill"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// times are all arrivals of worker i.
func times(s Spec, i int, seed uint64) []time.Duration {
	a := arrivals{rand: fill.NewRand(seed), windows: s.windows(i, s.Limit/int64(s.Block)/int64(s.Threads))}
	var out []time.Duration
	for a.begin(0); a.at != never; a.next() {
		out = append(out, a.at)
	}
	return out
}

func TestArrivals(t *testing.T) {
	for _, c := range []struct {
		spec       string
		warm, full int // arrivals of all workers
	}{
		{"RND4K RATE=5000 TIME=2s", 0, 10000},
		{"RND4K RATE=5000 T3 TIME=2s WARM=1s", 5000, 10000},
		{"RND4K RATE=1 T2 TIME=2s", 0, 2},
		{"RND4K RATE=3 TIME=500ms WARM=100ms", 0, 2},
		{"RND4K RATE=100000 TIME=24h LIMIT=4K", 0, -1}, // only begun
		{"RND4K RATE=1000 TIME=0s LIMIT=4000K", 0, 1000},
	} {
		s, err := ParseSpec(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		if c.full < 0 {
			a := arrivals{rand: fill.NewRand(1), windows: s.windows(0, 1)}
			a.begin(0)
			if n := a.left + 1; n != 100000*86400 || a.at > time.Millisecond {
				t.Errorf("%s: %d arrivals, the first at %v", c.spec, n, a.at)
			}
			continue
		}
		warm, full := 0, 0
		for i := range s.Threads {
			last := time.Duration(0)
			for _, at := range times(s, i, uint64(i)) {
				if at < last {
					t.Fatalf("%s: %v after %v", c.spec, at, last)
				}
				if last = at; at < s.Warmup {
					warm++
				} else {
					full++
				}
			}
			if s.Measure > 0 && last >= s.Warmup+s.Measure {
				t.Errorf("%s: the last arrival is due at %v", c.spec, last)
			}
		}
		if warm != c.warm || full != c.full {
			t.Errorf("%s: %d and %d arrivals, want %d and %d", c.spec, warm, full, c.warm, c.full)
		}
	}
}

// Gaps are exponential: their standard deviation is their mean, and the share of those longer than k means
// is e^-k.
func TestArrivalsAreExponential(t *testing.T) {
	s, err := ParseSpec("RND4K RATE=20000 TIME=10s")
	if err != nil {
		t.Fatal(err)
	}
	at := times(s, 0, 42)
	n := float64(len(at) - 1)
	mean := 50e3 // ns
	var squares float64
	var longer [4]float64
	for i := range at[1:] {
		gap := float64(at[i+1] - at[i])
		squares += (gap - mean) * (gap - mean)
		for k := range longer {
			if gap > float64(k)*mean {
				longer[k]++
			}
		}
	}
	if dev := math.Sqrt(squares / n); math.Abs(dev/mean-1) > 0.02 {
		t.Errorf("standard deviation of the gaps %.0f, mean %.0f", dev, mean)
	}
	for k, c := range longer {
		if want := math.Exp(-float64(k)); math.Abs(c/n-want) > 0.005 {
			t.Errorf("%.4f of the gaps are longer than %d means, want %.4f", c/n, k, want)
		}
	}
	if again := times(s, 0, 42); again[len(again)-1] != at[len(at)-1] {
		t.Error("the same seed gives other arrivals")
	}
}

// rated measures on a fake drive of 10,000 I/Os a second in this bubble.
func rated(t *testing.T, text string) Measurement {
	t.Helper()
	return ratedUntil(t, t.Context(), text)
}

func ratedUntil(t *testing.T, ctx context.Context, text string) Measurement {
	t.Helper()
	s, err := ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	model := platformtest.Model{Capacity: 100e9, ReadRate: 4096 * 10e3, ReadLatency: 200 * time.Microsecond,
		CacheRate: 4096 * 10e3, CacheBytes: 1e12, FoldRate: 1e6, WriteLatency: 100 * time.Microsecond, HeatTau: time.Second}
	h := platformtest.New(platformtest.Options{Model: model})
	target, err := h.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	f, err := h.Create(target, platform.CreateOptions{Size: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := Local{Host: h}.Measure(ctx, Job{File: f.Name(), Size: f.Size(), Step: Step{Kind: StepLoad, Spec: s}, Seed: 3}, func(Sample) {})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A drive that can do 10,000 I/Os a second gets what it is asked for up to there, and not one more.
func TestAchievedRate(t *testing.T) {
	for _, c := range []struct {
		spec   string
		rate   float64
		missed bool
	}{
		{"RND4K Q32 RATE=20 WARM=1s", 20, false},
		{"RND4K Q32 RATE=2000", 2000, false},
		{"RND4K Q32 RATE=5000 WARM=500ms", 5000, false},
		{"RND4K Q32T4 RATE=8000 R70", 8000, false},
		{"SEQ4K Q32T2 RATE=8000 R0", 8000, false},
		{"RND4K Q32 RATE=13000", 10000, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := rated(t, c.spec)
			ops, _, sum := m.Total()
			if got := float64(ops) / m.Elapsed.Seconds(); math.Abs(got/c.rate-1) > 0.01 {
				t.Errorf("%s: %.1f I/Os per second, want %.0f", c.spec, got, c.rate)
			}
			if m.Elapsed != DefaultMeasure || (*m.Rated.Missed > 0) != c.missed {
				t.Errorf("%s: %v, %d missed", c.spec, m.Elapsed, *m.Rated.Missed)
			}
			if issued := m.Rated.Read.SumLat + m.Rated.Write.SumLat; issued > sum || c.missed && issued > sum/10 {
				t.Errorf("%s: latencies of %v from the issue, %v from when due", c.spec, issued, sum)
			}
		})
	}
}

// An idle drive answers at once, so that both latencies are its own; and a drive that has nothing to do for
// longer than one may be silent has not stalled.
func TestRareArrivals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := rated(t, "RND4K Q4 RATE=1 TIME=5m LIMIT=1M")
		if m.Read.Ops != 256 || m.Read.SumLat != m.Rated.Read.SumLat {
			t.Errorf("%+v, from the issue %+v", m.Read, m.Rated.Read)
		}
		m = rated(t, "RND4K Q4T64 RATE=1 TIME=10m")
		if ops, _, _ := m.Total(); ops != 600 || *m.Rated.Missed != 0 {
			t.Errorf("%d I/Os, %d missed", ops, *m.Rated.Missed)
		}
	})
}

// A stop acts within a second, also while nothing is due, and what was missed is not known then.
func TestRatedLoadStops(t *testing.T) {
	for _, text := range []string{"RND4K Q4T2 RATE=2 TIME=1h", "RND4K Q32 RATE=50000 TIME=1h"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3250*time.Millisecond)
			defer cancel()
			began := time.Now()
			m := ratedUntil(t, ctx, text)
			if took := time.Since(began); took > 3750*time.Millisecond || !m.Stopped || m.Rated == nil || m.Rated.Missed != nil {
				t.Errorf("%s: stopped %v after %v, %+v", text, m.Stopped, took, m.Rated)
			}
		})
	}
}

func TestRatedEstimate(t *testing.T) {
	s, err := ParseSpec("RND4K Q32T4 R50 RATE=1000 TIME=10s WARM=2s")
	if err != nil {
		t.Fatal(err)
	}
	step := Step{Kind: StepLoad, Spec: s}
	if got := step.writtenMax(ceilingMemory); got != 1000*4096*12/2 {
		t.Errorf("writes at most %d bytes", got)
	}
	s.Measure, s.Warmup, s.Limit = 0, 0, 4096*5000
	step.Spec = s
	if got := step.Estimate(ceilingMemory); got != 5*time.Second {
		t.Errorf("5000 I/Os take %v", got)
	}
}
