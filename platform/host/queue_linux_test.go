package host

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"cachecliff/platform"
)

var testEngines = []platform.Engine{platform.EngineURing, platform.EngineAIO, platform.EngineThreads}

// testQueue makes a queue on a written file of 64 blocks; the test stays on its thread.
func testQueue(tb testing.TB, e platform.Engine, depth, block int) (*Host, platform.Queue) {
	tb.Helper()
	runtime.LockOSThread()
	tb.Cleanup(runtime.UnlockOSThread)
	h, err := New(Options{Engine: e})
	if err != nil {
		tb.Fatal(err)
	}
	f, err := h.Create(platform.Target{Path: tb.TempDir()}, platform.CreateOptions{Size: int64(64 * block)})
	if err != nil {
		tb.Fatal(err)
	}
	q, err := f.Queue(platform.QueueOptions{Depth: depth, Block: block})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := q.Close(); err != nil {
			tb.Error(err)
		}
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	if q.Engine() != e {
		tb.Fatalf("engine %q, want %q", q.Engine(), e)
	}
	for i := range int64(64) {
		if err := q.Submit(0, platform.Write, i*int64(block), block); err != nil {
			tb.Fatal(err)
		}
		waitAll(tb, q, 1)
	}
	return h, q
}

// waitAll takes n answers, none of which may be an error.
func waitAll(tb testing.TB, q platform.Queue, n int) {
	for n > 0 {
		done, err := q.Wait(math.MaxInt64)
		if err != nil {
			tb.Fatal(err)
		}
		for _, d := range done {
			if d.Err != nil {
				tb.Fatal(d.Err)
			}
		}
		n -= len(done)
	}
}

// BenchmarkQueue reads 4 KiB at random places as the measuring loop does.
func BenchmarkQueue(b *testing.B) {
	for _, e := range testEngines {
		for _, depth := range []int{1, 32} {
			b.Run(fmt.Sprintf("%s/Q%d", e, depth), func(b *testing.B) {
				h, q := testQueue(b, e, depth, 4096)
				free := make([]int, 0, depth)
				for i := range depth {
					free = append(free, i)
				}
				b.ReportAllocs()
				b.ResetTimer()
				until := h.Now() + 100*time.Millisecond
				x := uint64(1)
				for sent, got := 0, 0; got < b.N; {
					for len(free) > 0 && sent < b.N {
						slot := free[len(free)-1]
						free = free[:len(free)-1]
						x = x*6364136223846793005 + 1442695040888963407
						if err := q.Submit(slot, platform.Read, int64(x>>58)*4096, 4096); err != nil {
							b.Fatal(err)
						}
						sent++
					}
					done, err := q.Wait(until)
					if err != nil {
						b.Fatal(err)
					}
					if len(done) == 0 {
						until = h.Now() + 100*time.Millisecond
					}
					for _, d := range done {
						if d.Err != nil {
							b.Fatal(d.Err)
						}
						free = append(free, d.Slot)
					}
					got += len(done)
				}
			})
		}
	}
}
