package bench

import (
	"context"
	"time"

	"cachecliff/bench/hist"
)

// collector merges what the workers hand over into samples and totals.
type collector struct {
	crew     *crew
	m        *Measurement
	sample   func(Sample)
	at       time.Duration // end of the last sample, on the host's clock
	due      time.Duration // when the timer ends, on the same
	warm     interval      // of the sample being made: what does not count
	counted  interval      // and what does
	allRead  *hist.H
	allWrite *hist.H
	issued   issued // all that counts
}

func newCollector(c *crew, m *Measurement, sample func(Sample)) *collector {
	return &collector{crew: c, m: m, sample: sample, at: c.t0, allRead: new(hist.H), allWrite: new(hist.H)}
}

// slack is how long after a tick the workers' intervals are collected.
const slack = 10 * time.Millisecond

// run emits a sample at each tick until the workers are done. When ctx ends it tells the workers to stop.
func (k *collector) run(ctx context.Context) {
	left := len(k.crew.workers)
	cancel := ctx.Done()
	next := k.next(k.crew.t0)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	k.sleep(timer, next+slack)
	for left > 0 {
		select {
		case <-k.crew.done:
			left--
		case <-cancel:
			k.crew.stop.Store(true)
			cancel = nil
		case <-timer.C:
			k.woken()
			if next >= k.crew.workers[0].until { // the last sample is made when all is in
				k.sleep(timer, k.crew.host.Now()+tick)
				continue
			}
			if k.late(next) && k.crew.host.Now() < next+patience {
				k.sleep(timer, k.crew.host.Now()+slack/4)
				continue
			}
			at := k.latest(next)
			k.gather()
			if k.full(at) {
				k.send(at)
			}
			next = k.next(at)
			k.sleep(timer, next+slack)
		}
	}
	k.woken() // the last worker may have been faster
}

// during waits until do is done, and looks meanwhile whether the process stands still.
func (k *collector) during(do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		k.sleep(timer, k.crew.host.Now()+tick)
		select {
		case err := <-done:
			k.woken()
			return err
		case <-timer.C:
			k.woken()
		}
	}
}

// sleep sets the timer to a time on the host's clock, which may be over.
func (k *collector) sleep(timer *time.Timer, until time.Duration) {
	now := k.crew.host.Now()
	k.due = max(until, now)
	timer.Reset(until - now)
}

// heldUp is how late the collector is when more than a busy computer kept it waiting: the process was stopped,
// or the machine that it runs on stood still. A drive that does not answer keeps only the workers waiting.
const heldUp = 250 * time.Millisecond

// woken takes down for how long the process did not run since the warm-up.
func (k *collector) woken() {
	now := k.crew.host.Now()
	if now-k.due > heldUp {
		k.m.HeldUp += max(now-max(k.due, k.crew.workers[0].from), 0)
	}
}

// patience is how long a worker that gets no processor may keep a sample back. Without it a busy
// computer would show a drop to zero, and the double after it, which the drive never had.
const patience = tick * 9 / 10

// late says whether a worker has not handed over what came before a boundary.
func (k *collector) late(boundary time.Duration) bool {
	for _, w := range k.crew.workers {
		if time.Duration(w.handed.Load()) < boundary {
			return true
		}
	}
	return false
}

// next is the boundary after at.
func (k *collector) next(at time.Duration) time.Duration {
	return k.crew.workers[0].after(k.crew.t0, at)
}

// latest is the last boundary from at on that is over by now, for a collector that was held up. It
// does not go past an end of the warm-up or of the counted time.
func (k *collector) latest(at time.Duration) time.Duration {
	w, now := k.crew.workers[0], k.crew.host.Now()
	for at != w.from {
		next := k.next(at)
		if next+slack > now || next >= w.until || k.late(next) {
			break
		}
		at = next
	}
	return at
}

// finest is how many samples of one length a step has; then they get longer.
const finest = 6000

// sampleLength is the length of the samples of a step that has run for a time: a tick in the first ten
// minutes, 10 s after a day. So the samples of a step without a known end take a few megabytes at most.
func sampleLength(ran time.Duration) time.Duration {
	lengths := [...]time.Duration{tick, 2 * tick, 5 * tick, 10 * tick, 20 * tick, 50 * tick}
	for _, l := range lengths {
		if ran <= finest*l {
			return l
		}
	}
	return 100 * tick
}

// full says whether the sample being made ends at a time.
func (k *collector) full(at time.Duration) bool {
	l := sampleLength(at - k.crew.t0)
	return at == k.crew.workers[0].from || (at-k.crew.t0)/l > (k.at-k.crew.t0)/l
}

// gather takes what the workers have handed over.
func (k *collector) gather() {
	for _, w := range k.crew.workers {
		for len(w.out) > 0 {
			v := <-w.out
			k.merge(v)
			w.spare <- v
		}
	}
}

// merge adds an interval to the sample being made.
func (k *collector) merge(v *interval) {
	sum := &k.counted
	if v.warm {
		sum = &k.warm
	}
	sum.read.Merge(&v.read)
	sum.write.Merge(&v.write)
	sum.readBytes += v.readBytes
	sum.writeBytes += v.writeBytes
	if v.issued != nil && !v.warm {
		k.issued.read.Merge(&v.issued.read)
		k.issued.write.Merge(&v.issued.write)
	}
}

// send emits the sample being made, adds it to the totals if it counts, and starts the next. What
// counts but came before its sample waits for the next one.
func (k *collector) send(at time.Duration) {
	warm := at <= k.crew.workers[0].from
	sum := &k.counted
	if warm {
		sum = &k.warm
	}
	s := Sample{
		At: at - k.crew.t0, Took: at - k.at, Warm: warm,
		Read: tallyOf(&sum.read, sum.readBytes), Write: tallyOf(&sum.write, sum.writeBytes),
	}
	if !warm {
		k.allRead.Merge(&sum.read)
		k.allWrite.Merge(&sum.write)
		k.m.Read.Bytes += sum.readBytes
		k.m.Write.Bytes += sum.writeBytes
	}
	sum.reset(false)
	k.at = at
	k.sample(s)
}

// finish emits the last sample and fills in the measurement's totals.
func (k *collector) finish() {
	w := k.crew.workers[0]
	var last time.Duration
	for _, w := range k.crew.workers {
		last = max(last, w.last)
		k.m.Moved = k.m.Moved.Add(w.moved)
	}
	end := k.end(last)
	k.m.Drain = max(last-end, 0)
	k.gather()
	if k.at < w.from && w.from < end {
		k.send(w.from) // the step ended so soon after its warm-up that this was not yet sent
	}
	k.send(end)
	k.m.Elapsed = max(end-w.from, 0)
	k.m.Engine, k.m.Registered = w.engine, w.reg
	k.m.Read = tallyOf(k.allRead, k.m.Read.Bytes)
	k.m.Write = tallyOf(k.allWrite, k.m.Write.Bytes)
	if k.m.Read.Ops > 0 {
		k.m.ReadHist = k.allRead
	}
	if k.m.Write.Ops > 0 {
		k.m.WriteHist = k.allWrite
	}
	if k.crew.job.Step.Spec.Rate > 0 {
		k.m.Rated = k.rated()
	}
}

// rated is what else there is to know of a step with a rate.
func (k *collector) rated() *Rated {
	r := &Rated{
		Read:  tallyOf(&k.issued.read, k.m.Read.Bytes),
		Write: tallyOf(&k.issued.write, k.m.Write.Bytes),
	}
	if r.Read.Ops > 0 {
		r.ReadHist = &k.issued.read
	}
	if r.Write.Ops > 0 {
		r.WriteHist = &k.issued.write
	}
	if !k.crew.stop.Load() {
		var missed int64
		for _, w := range k.crew.workers {
			missed += w.missed()
		}
		r.Missed = &missed
	}
	return r
}

// end is when the counted time was over, given the last completion. As long as one worker has bytes left it
// is the end of the measuring time, else the last completion. A step that counts its drain and its flush
// ends with them. The end lies after the last sample.
func (k *collector) end(last time.Duration) time.Duration {
	w := k.crew.workers[0]
	timeUp := false
	for _, w := range k.crew.workers {
		timeUp = timeUp || w.limit >= int64(w.spec.Block)
	}
	end := last
	if timeUp && !k.crew.stop.Load() && w.until != never {
		end = max(last, w.until)
	}
	if !w.countDrain {
		return max(min(end, w.until), k.at+1)
	}
	return max(end+k.m.FlushTook, k.at+1)
}
