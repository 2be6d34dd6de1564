package bench

import (
	"errors"
	"math"
	"sync/atomic"
	"time"

	"cachecliff/bench/fill"
	"cachecliff/bench/hist"
	"cachecliff/bench/offset"
	"cachecliff/platform"
)

// tick is the length of a Sample.
const tick = 100 * time.Millisecond

// How long a worker waits for I/Os in flight once it has stopped submitting.
const (
	drainStopped = 300 * time.Millisecond // after the user's stop, which must act within a second
	drainEnd     = 30 * time.Second       // after the end of the time: a slow drive may need it
)

// stallLimit is how long a device may complete nothing while I/Os are in flight, before the step fails:
// the time after which Linux gives up a disk command (the SCSI layer's default), so that whoever answers
// later has been reset.
const stallLimit = 30 * time.Second

// errStalled is what a step fails with if the device does not answer.
var errStalled = &platform.OpError{Op: "wait for", Reason: platform.ErrStalled}

// never is a time that does not come.
const never = time.Duration(math.MaxInt64)

// interval is what one worker counted between two ticks. Workers own theirs and hand them over whole.
type interval struct {
	read, write           hist.H
	readBytes, writeBytes int64
	issued                *issued // nil without a rate
	warm                  bool
}

// issued is latencies from the issue, where those of an interval count from when I/Os were due.
type issued struct{ read, write hist.H }

func newInterval(rated bool) *interval {
	if rated {
		return &interval{issued: new(issued)}
	}
	return new(interval)
}

func (v *interval) reset(warm bool) {
	v.read.Reset()
	v.write.Reset()
	if v.issued != nil {
		v.issued.read.Reset()
		v.issued.write.Reset()
	}
	v.readBytes, v.writeBytes, v.warm = 0, 0, warm
}

// worker keeps one queue full. It runs on a goroutine and an OS thread of its own; nothing in its loop
// allocates, locks, or sends more than ten times a second.
type worker struct {
	queue  platform.Queue
	now    func() time.Duration
	spec   Spec
	cursor offset.Cursor
	stamp  fill.Stamper
	rand   fill.Rand
	stop   *atomic.Bool

	start       time.Duration // when the step began, on the host's clock
	from, until time.Duration // the counted time
	limit       int64         // bytes this worker may still submit
	countDrain  bool          // what completes after until counts as well

	arrivals arrivals        // with a rate: when I/Os are due
	due      []time.Duration // with a rate, per slot: when its I/O was due
	asked    int64           // I/Os that are due in the counted time
	given    int64           // and those of them that were issued

	free     []int
	writing  []time.Duration // per slot, with FlushEach: how long the write took, while its flush runs
	boundary time.Duration   // when cur is handed over
	cur      *interval
	handed   atomic.Int64   // until when all is handed over, for the collector
	out      chan *interval // to the collector
	spare    chan *interval // and back

	moved  Moved
	clock  time.Duration // the newest time that is known
	last   time.Duration // completion of the last I/O
	idle   time.Duration // until when nothing was in flight
	left   bool          // I/Os were left in flight
	err    error
	cpu    time.Duration
	waited time.Duration // for a processor
	engine platform.Engine
	reg    bool
}

// run works from start until the counted time or the bytes are over, the stop flag is set, or an I/O
// fails; then it waits for what is in flight.
func (w *worker) run(start time.Duration) {
	w.free = w.free[:0]
	for slot := range w.spec.Depth {
		w.free = append(w.free, slot)
	}
	w.start, w.last, w.idle, w.clock = start, start, start, start
	w.boundary = w.after(start, start)
	ending := false
	giveUp := never
	for {
		if !ending {
			ending = w.refill()
		}
		idle := len(w.free) == w.spec.Depth
		if idle && (ending || w.spec.Rate == 0) {
			return // nothing in flight, and nothing more to submit
		}
		wake := min(w.boundary, giveUp)
		if w.spec.Rate > 0 && len(w.free) > 0 && !ending {
			wake = min(wake, w.arrivals.at)
		}
		done, err := w.queue.Wait(wake)
		if err != nil {
			w.fail(err)
			return
		}
		at := w.take(done)
		if w.clock = at; idle {
			w.idle = at
		}
		if at >= w.boundary {
			w.handOver(at)
		}
		if !ending && (at >= w.until || w.err != nil || w.stop.Load()) {
			ending = true
		}
		if ending && giveUp == never {
			giveUp = at + drainEnd
		}
		if ending && w.stop.Load() {
			giveUp = min(giveUp, at+drainStopped)
		}
		if at >= giveUp || at-max(w.last, w.idle) >= stallLimit {
			w.left = true
			w.fail(errStalled)
			return
		}
	}
}

// refill submits on every free slot, with a rate only what is due. It says true when the bytes are used up
// or an I/O failed.
func (w *worker) refill() bool {
	for len(w.free) > 0 {
		if w.limit < int64(w.spec.Block) || w.err != nil {
			return true
		}
		if w.spec.Rate > 0 && !w.isDue() {
			return false
		}
		w.limit -= int64(w.spec.Block)
		slot := w.free[len(w.free)-1]
		w.free = w.free[:len(w.free)-1]
		if w.spec.Rate > 0 {
			w.arrive(slot)
		}
		op, off := w.pick(), w.cursor.Next()
		if op == platform.Write && w.spec.Fill == FillRandom {
			w.stamp.Stamp(w.queue.Buf(slot)[:w.spec.Block], off)
		}
		if err := w.queue.Submit(slot, op, off, w.spec.Block); err != nil {
			w.free = append(w.free, slot)
			w.fail(err)
			return true
		}
	}
	return false
}

// isDue says whether the time of the next arrival has come.
func (w *worker) isDue() bool {
	if w.arrivals.at > w.clock {
		w.clock = w.now()
	}
	return w.arrivals.at <= w.clock
}

// arrive gives the next arrival a slot.
func (w *worker) arrive(slot int) {
	w.due[slot] = w.arrivals.at
	if w.arrivals.at >= w.from {
		w.given++
	}
	w.arrivals.next()
}

// missed is how many I/Os were due in the counted time, and allowed by the bytes, but not issued.
func (w *worker) missed() int64 { return min(w.asked-w.given, w.limit/int64(w.spec.Block)) }

// pick chooses between reading and writing.
func (w *worker) pick() platform.Op {
	switch w.spec.ReadPct {
	case 100:
		return platform.Read
	case 0:
		return platform.Write
	}
	if w.rand.Below(100) < int64(w.spec.ReadPct) {
		return platform.Read
	}
	return platform.Write
}

// take counts a batch of completions and returns the time of the batch, or now if it is empty.
func (w *worker) take(done []platform.Done) time.Duration {
	if len(done) == 0 {
		return w.now()
	}
	at := done[0].At
	if at > w.boundary {
		w.handOver(at)
	}
	for i := range done {
		w.complete(&done[i])
	}
	w.last = at
	return at
}

// complete counts one I/O, or starts the flush that belongs to it.
func (w *worker) complete(d *platform.Done) {
	if d.Err != nil {
		w.free = append(w.free, d.Slot)
		w.fail(d.Err)
		return
	}
	took := d.Took
	switch d.Op {
	case platform.Read:
		w.moved.ReadOps++
		w.moved.ReadBytes += int64(d.Bytes)
	case platform.Write:
		w.moved.WriteOps++
		w.moved.WriteBytes += int64(d.Bytes)
		if w.spec.Flush == FlushEach {
			w.writing[d.Slot] = took
			if err := w.queue.Submit(d.Slot, platform.Flush, 0, 0); err != nil {
				w.free = append(w.free, d.Slot)
				w.fail(err)
			}
			return
		}
	case platform.Flush:
		took += w.writing[d.Slot]
	}
	w.free = append(w.free, d.Slot)
	if d.At > w.until && !w.countDrain {
		return
	}
	if w.spec.Rate > 0 {
		w.recordIssued(d.Op, took)
		took = d.At - w.due[d.Slot]
	}
	if d.Op == platform.Read {
		w.cur.read.Record(took)
		w.cur.readBytes += int64(w.spec.Block)
	} else {
		w.cur.write.Record(took)
		w.cur.writeBytes += int64(w.spec.Block)
	}
}

// recordIssued counts a latency from the issue.
func (w *worker) recordIssued(op platform.Op, took time.Duration) {
	if op == platform.Read {
		w.cur.issued.read.Record(took)
	} else {
		w.cur.issued.write.Record(took)
	}
}

// handOver gives the interval that ends at the boundary to the collector. If the collector is behind,
// the worker goes on with the same one, so that samples become longer and nothing is lost; only at the
// end of the warm-up it starts afresh, since what was counted before does not count.
func (w *worker) handOver(at time.Duration) {
	select {
	case next := <-w.spare:
		next.reset(at < w.from)
		w.out <- w.cur // never blocks: there are as many places as intervals
		w.cur = next
	default:
		if w.cur.warm && at >= w.from {
			w.cur.reset(false)
		}
	}
	w.handed.Store(int64(at))
	w.boundary = w.after(w.start, at)
}

// after is the first boundary after at: ticks from start, the end of the warm-up and the end of the
// counted time.
func (w *worker) after(start, at time.Duration) time.Duration {
	b := start + ((at-start)/tick+1)*tick
	for _, edge := range []time.Duration{w.from, w.until} {
		if at < edge && edge < b {
			b = edge
		}
	}
	return b
}

// fail keeps the first error.
func (w *worker) fail(err error) {
	if w.err == nil && !(errors.Is(err, platform.ErrStalled) && w.stop.Load()) {
		w.err = err
	}
}
