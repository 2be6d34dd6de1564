package monitor

import (
	"time"

	"cachecliff/platform"
)

// AwaitSpan is the least time that awaits, the queue and the use of a drive are reckoned over: the system
// counts them in whole milliseconds and adds an I/O when it completes, so less shows the counting.
const AwaitSpan = 100 * time.Millisecond

// Way is what went one way: reads, writes or discards.
type Way struct {
	PerSecond   float64 // requests that completed: r/s
	BytesPerSec float64 // rkB/s times 1024
	Merged      float64 // requests a second that were joined to others before they reached the drive: rrqm/s
	MergedShare float64 // of all that were asked for, 0 to 1: %rrqm
	Size        float64 // bytes of a request on average, 0 if there was none: rareq-sz
	Await       *Await  // nil if there was none, or the span is too short
}

// Await is how long requests took on average, waiting in the queue of the system included.
type Await time.Duration

// Columns are what iostat -x shows of a drive for a span of time (sysstat, rd_stats.c and iostat.c).
type Columns struct {
	Span                 time.Duration // that the rates are reckoned over
	Read, Write, Discard Way
	Flushes              float64 // a second: f/s
	FlushAwait           *Await
	AwaitsOver           time.Duration // the span of awaits, Queue and Busy; 0 if they are not known
	Queue                float64       // requests in flight on average: aqu-sz
	Busy                 float64       // share of the time with a request in flight, 0 to 1: %util
}

// Between reckons the columns from two readings of a drive, where a span of less than AwaitSpan leaves
// awaits, Queue and Busy out. It is false if one of them has no counts, no time lies between them, or the drive was reset.
func Between(before, after Reading) (Columns, bool) {
	span := after.At - before.At
	if before.Counters == nil || after.Counters == nil || span <= 0 {
		return Columns{}, false
	}
	d, ok := after.Counters.Since(*before.Counters)
	if !ok {
		return Columns{}, false
	}
	c := Columns{
		Span:    span,
		Read:    way(d.ReadOps, d.ReadMerges, d.ReadBytes, d.ReadTicks, span),
		Write:   way(d.WriteOps, d.WriteMerges, d.WriteBytes, d.WriteTicks, span),
		Discard: way(d.DiscardOps, d.DiscardMerges, d.DiscardBytes, d.DiscardTicks, span),
		Flushes: float64(d.FlushOps) / span.Seconds(),
	}
	if span >= AwaitSpan {
		c.AwaitsOver = span
		c.FlushAwait = await(d.FlushTicks, d.FlushOps)
		c.Queue = float64(d.QueueTicks) / span.Seconds() / perSecond
		c.Busy = min(float64(d.BusyTicks)/span.Seconds()/perSecond, 1)
	}
	return c, true
}

// perSecond is how many ticks of the counters a second has.
const perSecond = float64(time.Second / time.Millisecond)

func way(ops, merges, bytes, ticks uint64, span time.Duration) Way {
	w := Way{
		PerSecond: float64(ops) / span.Seconds(), BytesPerSec: float64(bytes) / span.Seconds(),
		Merged: float64(merges) / span.Seconds(),
	}
	if ops > 0 {
		w.Size = float64(bytes) / float64(ops)
	}
	if all := ops + merges; all > 0 {
		w.MergedShare = float64(merges) / float64(all)
	}
	if span >= AwaitSpan {
		w.Await = await(ticks, ops)
	}
	return w
}

func await(ticks, ops uint64) *Await {
	if ops == 0 {
		return nil
	}
	a := Await(float64(ticks) / float64(ops) * float64(time.Millisecond))
	return &a
}

// CPUShares are what the processors did in a span, each a share of all of them, 0 to 1. Nil is not told.
type CPUShares struct {
	User, System, Idle  float64
	Nice, IOWait, Steal *float64
}

// CPUBetween reckons the shares; false if no time was counted.
func CPUBetween(before, after platform.CPUTimes) (CPUShares, bool) {
	user, system, idle := after.User-before.User, after.System-before.System, after.Idle-before.Idle
	some := func(a, b *time.Duration) time.Duration {
		if a == nil || b == nil {
			return 0
		}
		return max(*a-*b, 0) // waiting for I/O may be counted backwards (proc(5))
	}
	nice, wait, steal := some(after.Nice, before.Nice), some(after.IOWait, before.IOWait), some(after.Steal, before.Steal)
	user, system, idle = max(user, 0), max(system, 0), max(idle, 0)
	all := user + system + idle + nice + wait + steal
	if all <= 0 {
		return CPUShares{}, false
	}
	share := func(d time.Duration) float64 { return float64(d) / float64(all) }
	known := func(p *time.Duration, d time.Duration) *float64 {
		if p == nil {
			return nil
		}
		f := share(d)
		return &f
	}
	return CPUShares{
		User: share(user), System: share(system), Idle: share(idle),
		Nice: known(after.Nice, nice), IOWait: known(after.IOWait, wait), Steal: known(after.Steal, steal),
	}, true
}
