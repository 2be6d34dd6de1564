package bench

import (
	"sync/atomic"
	"testing"
	"time"

	"cachecliff/bench/fill"
	"cachecliff/bench/offset"
	"cachecliff/platform"
)

// instant is a queue whose I/Os are done at once, so that only the loop itself costs time.
type instant struct {
	buf  []byte
	done []platform.Done
	now  time.Duration
	step time.Duration
}

func (q *instant) Engine() platform.Engine { return platform.EngineFake }
func (q *instant) Registered() bool        { return false }
func (q *instant) Buf(int) []byte          { return q.buf }
func (q *instant) Close() error            { return nil }

func (q *instant) Submit(slot int, op platform.Op, _ int64, n int) error {
	q.done = append(q.done, platform.Done{Slot: slot, Op: op, Bytes: n, Took: 100 * time.Microsecond})
	return nil
}

func (q *instant) Wait(time.Duration) ([]platform.Done, error) {
	q.now += q.step
	out := q.done
	for i := range out {
		out[i].At = q.now
	}
	q.done = q.done[:0]
	return out, nil
}

// loopOf is a worker on an instant queue that does n I/Os.
func loopOf(spec Spec, n int64) *worker {
	q := &instant{buf: make([]byte, spec.Block), done: make([]platform.Done, 0, spec.Depth), step: 10 * time.Microsecond}
	w := &worker{
		queue: q, spec: spec, stop: new(atomic.Bool), until: never, limit: n * int64(spec.Block),
		now:    func() time.Duration { return q.now },
		cursor: offset.New(spec.Access == Random, 0, 1<<30, int64(spec.Block), 1),
		stamp:  fill.NewStamper(1), rand: fill.NewRand(1),
		free: make([]int, 0, spec.Depth), writing: make([]time.Duration, spec.Depth),
		cur: newInterval(spec.Rate > 0), out: make(chan *interval, intervalsPerWorker), spare: make(chan *interval, intervalsPerWorker),
	}
	for range intervalsPerWorker - 1 {
		w.spare <- newInterval(spec.Rate > 0)
	}
	if spec.Rate > 0 {
		w.due = make([]time.Duration, spec.Depth)
		w.arrivals.windows = [2]window{{took: time.Second, n: 1 << 40}} // all of them are due
		w.arrivals.begin(0)
	}
	return w
}

func TestLoopAllocatesNothing(t *testing.T) {
	for _, s := range []string{"RND4K Q32T1 R100", "RND4K Q1T1 R0", "SEQ128K Q32T1 R70", "RND4K Q4 R0 FLUSH=each", "RND4K Q8 R70 RATE=1000000"} {
		spec, err := ParseSpec(s)
		if err != nil {
			t.Fatal(err)
		}
		w := loopOf(spec, 1<<40)
		if n := testing.AllocsPerRun(20, func() {
			w.limit = 10000 * int64(spec.Block)
			w.run(0)
		}); n != 0 {
			t.Errorf("%s: %v allocations in 10,000 I/Os", s, n)
		}
		if w.moved.ReadOps+w.moved.WriteOps < 200000 || w.err != nil {
			t.Errorf("%s: moved %+v, error %v", s, w.moved, w.err)
		}
	}
}

// BenchmarkLoop is what the loop costs per I/O beside the system call.
func BenchmarkLoop(b *testing.B) {
	for _, s := range []string{"RND4K Q32T1 R100", "RND4K Q1T1 R100", "RND4K Q32T1 R0", "SEQ1M Q8T1 R0", "RND4K Q32T1 R100 RATE=1000000"} {
		b.Run(s, func(b *testing.B) {
			spec, err := ParseSpec(s)
			if err != nil {
				b.Fatal(err)
			}
			w := loopOf(spec, int64(b.N))
			b.ReportAllocs()
			b.ResetTimer()
			w.run(0)
		})
	}
}

func TestSharesDoNotOverlap(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 16} {
		seen := map[int64]int{}
		for i := range threads {
			base, length := offset.Share(false, 100*mib, 64*kib, i, threads)
			c := offset.New(false, base, length, 64*kib, 1)
			for range length / (64 * kib) {
				seen[c.Next()]++
			}
			if first := c.Next(); first != base {
				t.Errorf("worker %d of %d goes on at %d, not at its start", i, threads, first)
			}
		}
		for off, n := range seen {
			if n != 1 || off%(64*kib) != 0 || off >= 100*mib {
				t.Fatalf("%d threads: offset %d is used %d times", threads, off, n)
			}
		}
		if want := 1600 / threads * threads; len(seen) != want {
			t.Errorf("%d threads touch %d blocks of %d", threads, len(seen), want)
		}
	}
}

func TestRandomOffsetsAreUniform(t *testing.T) {
	c := offset.New(true, 8192, 100*4096+17, 4096, 3)
	var seen [100]int
	for range 100000 {
		off := c.Next() - 8192
		if off%4096 != 0 || off < 0 || off >= 100*4096 {
			t.Fatalf("offset %d", off)
		}
		seen[off/4096]++
	}
	for i, n := range seen {
		if n < 850 || n > 1150 { // 1000 expected, standard deviation 31
			t.Errorf("block %d was hit %d times", i, n)
		}
	}
}
