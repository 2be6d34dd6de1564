package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"cachecliff/bench/fill"
	"cachecliff/bench/offset"
	"cachecliff/platform"
)

// intervalsPerWorker is how many intervals a worker and the collector pass back and forth.
const intervalsPerWorker = 3

// Local measures in this process. It is what the measuring process runs, and what tests run on the fake
// drive. On a real drive use it only where nothing else in the process allocates.
type Local struct {
	Host platform.Host
}

// crew is the workers of one step and what they share.
type crew struct {
	host    platform.Host
	job     Job
	file    platform.File
	workers []*worker
	ready   chan error    // one per worker: its queue is made
	start   chan struct{} // closed when the clock starts
	done    chan int      // workers that have finished
	stop    atomic.Bool
	t0      time.Duration
}

// Measure implements Measurer.
func (l Local) Measure(ctx context.Context, job Job, sample func(Sample)) (Measurement, error) {
	m := Measurement{Step: job.Step, Engine: job.Engine}
	err := l.measure(ctx, job, &m, sample)
	m.Failure = NewFailure(err)
	return m, err
}

func (l Local) measure(ctx context.Context, job Job, m *Measurement, sample func(Sample)) (err error) {
	if len(job.Files) > 0 {
		return l.fill(ctx, job, m, sample)
	}
	if err := job.Step.Spec.Validate(); err != nil {
		return err
	}
	file, err := l.open(job)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}()
	if job.Buffered {
		if err := uncache(file); err != nil {
			return err
		}
	}
	c := &crew{host: l.Host, job: job, file: file}
	return c.measure(ctx, m, sample)
}

// open opens the file of a job.
func (l Local) open(job Job) (platform.File, error) {
	if !job.Memory {
		return l.Host.Open(job.File, platform.OpenOptions{Buffered: job.Buffered})
	}
	h, ok := l.Host.(platform.MemoryFiles)
	if !ok {
		return nil, &platform.OpError{Op: "make a file in", Object: "memory", Reason: platform.ErrUnsupported}
	}
	return h.Memory(job.Size)
}

// uncache makes a file that is not opened past the page cache come from the drive: what was written is made
// durable, then taken out of the cache. A system without such a call leaves it there; the number is
// marked as buffered in any case.
func uncache(file platform.File) error {
	if err := file.Flush(); err != nil {
		return err
	}
	if err := file.Uncache(); err != nil && !errors.Is(err, platform.ErrUnsupported) {
		return err
	}
	return nil
}

// flushEnd says whether what a step wrote is made durable within its time: if asked for, and through the
// page cache always, since else memory would be measured.
func (j Job) flushEnd() bool {
	spec := j.Step.Spec
	return spec.Flush == FlushEnd || j.Buffered && spec.Flush == FlushNone && spec.ReadPct < 100
}

func (c *crew) measure(ctx context.Context, m *Measurement, sample func(Sample)) error {
	if err := c.assemble(); err != nil {
		return err
	}
	return c.run(ctx, m, sample)
}

// run measures with workers that are ready.
func (c *crew) run(ctx context.Context, m *Measurement, sample func(Sample)) error {
	clock, _ := c.host.(platform.CPUClock)
	user, system, err := processCPU(clock)
	if err != nil {
		clock = nil // the step is measured all the same, its CPU stays unknown
	}
	c.begin()
	col := newCollector(c, m, sample)
	col.run(ctx)
	m.Stopped = ctx.Err() != nil
	err = c.firstError()
	if err == nil && !m.Stopped && c.job.flushEnd() {
		err = col.during(func() error { return c.flush(m) })
	}
	col.finish()
	if clock != nil {
		m.CPU = c.cpu(clock, user, system)
	}
	return err
}

func processCPU(clock platform.CPUClock) (user, system time.Duration, err error) {
	if clock == nil {
		return 0, 0, platform.ErrUnsupported
	}
	return clock.ProcessCPU()
}

// cpu is what the step cost since user and system were read; nil if the clock does not tell.
func (c *crew) cpu(clock platform.CPUClock, user, system time.Duration) *CPU {
	u, s, err := clock.ProcessCPU()
	if err != nil {
		return nil
	}
	out := &CPU{User: u - user, System: s - system}
	for _, w := range c.workers {
		out.Busiest = max(out.Busiest, w.cpu)
		out.Waited += w.waited
	}
	return out
}

// assemble starts the workers and waits until every queue is made and every buffer filled. If one
// fails, the others are sent home.
func (c *crew) assemble() error {
	spec := c.job.Step.Spec
	span := spec.Span
	if span == 0 || span > c.job.Size {
		span = c.job.Size
	}
	if span/int64(spec.Block) < int64(spec.Threads) {
		return fmt.Errorf("measure %s: %w", spec, &SpecError{"span", "at least one block per thread"})
	}
	c.ready, c.start, c.done = make(chan error, spec.Threads), make(chan struct{}), make(chan int, spec.Threads)
	for i := range spec.Threads {
		w := c.worker(i, span)
		c.workers = append(c.workers, w)
		go c.work(i, w)
	}
	var first error
	for range c.workers {
		if err := <-c.ready; err != nil && first == nil {
			first = err
		}
	}
	if first == nil {
		return nil
	}
	c.dismiss()
	return first
}

// dismiss sends workers home that have nothing to do.
func (c *crew) dismiss() {
	c.stop.Store(true)
	close(c.start)
	for range c.workers {
		<-c.done
	}
}

// worker makes worker i, without its queue.
func (c *crew) worker(i int, span int64) *worker {
	spec := c.job.Step.Spec
	seeds := fill.NewRand(c.job.Seed ^ uint64(c.job.Step.Index)<<32 ^ uint64(i)<<48)
	base, length := offset.Share(spec.Access == Random, span, int64(spec.Block), i, spec.Threads)
	w := &worker{
		now: c.host.Now, spec: spec, stop: &c.stop,
		cursor:     offset.New(spec.Access == Random, base, length, int64(spec.Block), seeds.Next()),
		stamp:      fill.NewStamper(seeds.Next()),
		rand:       fill.NewRand(seeds.Next()),
		limit:      int64(never),
		countDrain: spec.Measure == 0 || c.job.flushEnd(),
		free:       make([]int, 0, spec.Depth),
		writing:    make([]time.Duration, spec.Depth),
		cur:        newInterval(spec.Rate > 0),
		out:        make(chan *interval, intervalsPerWorker),
		spare:      make(chan *interval, intervalsPerWorker),
	}
	if spec.Limit > 0 {
		blocks := spec.Limit / int64(spec.Block)
		mine := blocks / int64(spec.Threads)
		if int64(i) < blocks%int64(spec.Threads) {
			mine++
		}
		w.limit = mine * int64(spec.Block)
	}
	for range intervalsPerWorker - 1 {
		w.spare <- newInterval(spec.Rate > 0)
	}
	if spec.Rate > 0 {
		w.due = make([]time.Duration, spec.Depth)
		w.arrivals.rand = fill.NewRand(seeds.Next())
		w.arrivals.windows = spec.windows(i, w.limit/int64(spec.Block))
		w.asked = w.arrivals.windows[0].n
		if spec.Measure > 0 {
			w.asked = w.arrivals.windows[1].n
		}
	}
	return w
}

// work is the life of a worker: queue, start signal, loop, end.
func (c *crew) work(i int, w *worker) {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	defer func() {
		w.out <- w.cur // a worker may end in the warm-up, long before the others
		w.handed.Store(int64(never))
		c.done <- i
	}()
	spec := c.job.Step.Spec
	queue, err := c.file.Queue(platform.QueueOptions{
		Depth: spec.Depth, Block: spec.Block, Engine: c.job.Engine, Huge: c.job.Huge, WriteThrough: c.job.Through,
	})
	if err != nil {
		c.ready <- err
		return
	}
	w.queue, w.engine, w.reg = queue, queue.Engine(), queue.Registered()
	for slot := range spec.Depth {
		buf := queue.Buf(slot)
		if spec.Fill == FillZero {
			clear(buf)
		} else {
			fill.Random(buf, w.rand.Next())
		}
	}
	c.ready <- nil
	<-c.start
	c.settle()
	clock, _ := c.host.(platform.CPUClock)
	queued, _ := c.host.(platform.CPUQueue)
	before, ready := threadCPU(clock), threadWaited(queued)
	if !c.stop.Load() {
		w.run(c.t0)
	}
	if after := threadWaited(queued); ready >= 0 && after > ready {
		w.waited = after - ready
	}
	if after := threadCPU(clock); after > before {
		w.cpu = after - before
	}
	if w.left {
		// Closing would wait for what the device still owes. The process that measures ends soon and
		// lets go of it; the answer must not wait for that.
	} else if err := queue.Close(); err != nil {
		w.fail(err)
	}
	if w.err != nil {
		c.stop.Store(true) // one failed I/O ends the step for all
	}
}

// settle keeps a thread on its processor that waits for each I/O alone. Where the scheduler moves it, each
// move costs about as much as an I/O of a fast drive; DiskSpd binds its threads, too, unless told not to. Several
// threads are left to the scheduler, which spreads them. Where the system refuses, it only costs more.
func (c *crew) settle() {
	if s, ok := c.host.(platform.Settler); ok && c.job.Step.Spec.Threads == 1 && c.job.Step.Spec.Depth == 1 {
		_ = s.Settle()
	}
}

// threadCPU is the calling thread's CPU time, 0 if the system does not tell.
func threadCPU(clock platform.CPUClock) time.Duration {
	if clock == nil {
		return 0
	}
	user, system, err := clock.ThreadCPU()
	if err != nil {
		return 0
	}
	return user + system
}

// threadWaited is how long the calling thread waited for a processor so far, -1 if the system does not tell.
func threadWaited(queued platform.CPUQueue) time.Duration {
	if queued == nil {
		return -1
	}
	waited, err := queued.ThreadWaited()
	if err != nil {
		return -1
	}
	return waited
}

// begin starts the clock and the workers.
func (c *crew) begin() {
	spec := c.job.Step.Spec
	c.t0 = c.host.Now()
	until := never
	if spec.Measure > 0 {
		until = c.t0 + spec.Warmup + spec.Measure
	}
	for _, w := range c.workers {
		w.from, w.until = c.t0+spec.Warmup, until
		w.cur.warm = spec.Warmup > 0
		if spec.Rate > 0 {
			w.arrivals.begin(c.t0)
		}
	}
	close(c.start)
}

func (c *crew) firstError() error {
	for _, w := range c.workers {
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// flush makes what was written durable; its time counts.
func (c *crew) flush(m *Measurement) error {
	begin := c.host.Now()
	if err := c.file.Flush(); err != nil {
		return err
	}
	m.FlushTook = c.host.Now() - begin
	return nil
}
