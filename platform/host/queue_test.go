package host

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"cachecliff/platform"
)

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

// TestQueueDoesNotAllocate: garbage would have to be collected while something is measured.
func TestQueueDoesNotAllocate(t *testing.T) {
	for _, e := range testEngines {
		t.Run(string(e), func(t *testing.T) {
			const depth = 4
			h, q := testQueue(t, e, depth, 4096)
			n := testing.AllocsPerRun(200, func() {
				for slot := range depth {
					if err := q.Submit(slot, platform.Read, int64(slot)*4096, 4096); err != nil {
						t.Fatal(err)
					}
				}
				until := h.Now() + time.Minute
				for left := depth; left > 0; {
					done, err := q.Wait(until)
					if err != nil {
						t.Fatal(err)
					}
					left -= len(done)
				}
			})
			if n != 0 {
				t.Errorf("%v allocations for %d I/Os", n, depth)
			}
		})
	}
}

// TestStopsWithoutPreemption stops the world while each engine works in a process that has
// asynchronous preemption switched off, as the measuring process has.
func TestStopsWithoutPreemption(t *testing.T) {
	if os.Getenv(helperTask) != "" {
		helpStop(t)
		return
	}
	line, kill := helper(t, "TestStopsWithoutPreemption", "stop", "GODEBUG=asyncpreemptoff=1")
	kill()
	if line != "stopped" {
		t.Errorf("the helper said %q", line)
	}
}

func helpStop(t *testing.T) {
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(len(testEngines) + 2)
	for _, e := range testEngines {
		started := make(chan bool)
		go func() {
			h, q := testQueue(t, e, 4, 4096)
			for slot := range 4 {
				if err := q.Submit(slot, platform.Read, 0, 4096); err != nil {
					panic(err)
				}
			}
			close(started)
			for {
				done, err := q.Wait(h.Now() + 100*time.Millisecond)
				if err != nil {
					panic(err)
				}
				for _, d := range done {
					if err := q.Submit(d.Slot, platform.Read, 0, 4096); err != nil {
						panic(err)
					}
				}
			}
		}()
		<-started
	}
	for range 20 {
		runtime.GC()
	}
	fmt.Println("stopped")
	hang()
}

// BenchmarkWait is how late an idle queue wakes: what the latency of a load of a given rate, which counts
// from when I/Os are due, has too much at low rates.
func BenchmarkWait(b *testing.B) {
	for _, e := range testEngines {
		b.Run(string(e), func(b *testing.B) {
			h, q := testQueue(b, e, 2, 4096)
			late := make([]time.Duration, 0, b.N)
			for i := range b.N {
				until := h.Now() + time.Duration(1+i%7)*200*time.Microsecond
				if _, err := q.Wait(until); err != nil {
					b.Fatal(err)
				}
				late = append(late, h.Now()-until)
			}
			slices.Sort(late)
			b.ReportMetric(float64(late[len(late)/2]), "p50-ns")
			b.ReportMetric(float64(late[len(late)*99/100]), "p99-ns")
		})
	}
}
