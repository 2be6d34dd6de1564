package bench

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// heapNow is what is in use of the heap, in bytes.
func heapNow() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one made free by finalizers
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// slowest is a drive of 25 I/Os a second, so that an hour of it is over soon.
func slowest() platformtest.Model {
	return platformtest.Model{
		Capacity: 100e9, ReadRate: 100e3, ReadLatency: 10 * time.Millisecond, WriteLatency: 10 * time.Millisecond,
		CacheRate: 100e6, CacheBytes: 16 << 20, FoldRate: 100e3, Ambient: 40, HeatTau: time.Second,
	}
}

// heaps are the heap after 5 and after 60 minutes.
type heaps struct{ early, late int64 }

func (h *heaps) look(at time.Duration) {
	switch {
	case at >= 5*time.Minute && h.early == 0:
		h.early = heapNow()
	case at >= 60*time.Minute && h.late == 0:
		h.late = heapNow()
	}
}

// check reports a heap that grew by more than a bound.
func (h *heaps) check(t *testing.T, what string, bound int64) {
	t.Helper()
	if h.early == 0 || h.late == 0 {
		t.Fatalf("%s: the heap was not looked at: %+v", what, h)
	}
	t.Logf("%s: heap of %d KiB after 5 minutes, %d KiB after 60", what, h.early>>10, h.late>>10)
	if h.late > h.early+bound {
		t.Errorf("%s: the heap grew by %d KiB, at most %d are right", what, (h.late-h.early)>>10, bound>>10)
	}
}

// A measurement of an hour keeps nothing of what it has told.
func TestHourKeepsMemoryFlat(t *testing.T) {
	for _, text := range []string{"RND4K Q4T1 R70 TIME=61m", "RND4K Q4T2 R70 RATE=15 TIME=61m"} {
		synctest.Test(t, func(t *testing.T) {
			s, err := ParseSpec(text)
			if err != nil {
				t.Fatal(err)
			}
			h := platformtest.New(platformtest.Options{Model: slowest()})
			target, err := h.Resolve(t.Context(), "/fake")
			if err != nil {
				t.Fatal(err)
			}
			f, err := h.Create(target, platform.CreateOptions{Size: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var seen heaps
			samples, ops := 0, int64(0)
			job := Job{File: f.Name(), Size: f.Size(), Step: Step{Kind: StepLoad, Spec: s}, Seed: 1}
			m, err := Local{Host: h}.Measure(t.Context(), job, func(x Sample) {
				samples++
				ops += x.Read.Ops + x.Write.Ops
				seen.look(x.At)
			})
			if n, _, _ := m.Total(); err != nil || n != ops || n < 30000 {
				t.Errorf("%s: %d I/Os, %d in samples, error %v", text, n, ops, err)
			}
			if samples < 5000 || samples > 15000 {
				t.Errorf("%s: %d samples", text, samples)
			}
			seen.check(t, text, 64<<10)
		})
	}
}

// A run of an hour keeps its samples and nothing else.
func TestRunOfAnHourIsSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := ParseSpec("RND4K Q4 R70 TIME=61m")
		if err != nil {
			t.Fatal(err)
		}
		h := platformtest.New(platformtest.Options{Model: slowest()})
		target, err := h.Resolve(t.Context(), "/fake")
		if err != nil {
			t.Fatal(err)
		}
		p := AdHoc(s)
		p.FileSize, p.Loops = 16<<20, 1
		plan, err := NewPlan(p, target, Options{Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		var seen heaps
		events := 0
		res, err := Runner{Host: h, Measurer: Local{Host: h}}.Run(context.Background(), plan, func(e Event) {
			events++
			if x, ok := e.(Sampled); ok {
				seen.look(x.Sample.At)
			}
		})
		if err != nil || res.Reason != ReasonDone {
			t.Fatalf("ended %s: %v", res.Reason, err)
		}
		t.Logf("%d events", events)
		seen.check(t, "run", 4<<20)
	})
}

func TestSampleLength(t *testing.T) {
	for _, c := range []struct{ ran, want time.Duration }{
		{0, tick}, {5 * time.Second, tick}, {10 * time.Minute, tick}, {10*time.Minute + tick, 2 * tick},
		{time.Hour, time.Second}, {24 * time.Hour, 10 * time.Second}, {never, 10 * time.Second},
	} {
		if got := sampleLength(c.ran); got != c.want {
			t.Errorf("after %v samples of %v, want %v", c.ran, got, c.want)
		}
	}
	samples := 0
	for at := time.Duration(0); at < 24*time.Hour; at += sampleLength(at) {
		samples++
	}
	if samples > 30000 {
		t.Errorf("%d samples a day", samples)
	}
}
