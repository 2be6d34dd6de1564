package bench

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"cachecliff/platform"
)

// Runner is what Run needs beside the plan.
type Runner struct {
	Host     platform.Host
	Measurer Measurer
	App      App
	Comment  string
	Gate     *Gate // may hold a filling; nil is always open
	// Recent, if set, tells what earlier runs wrote to the drives within RecentWindow, the newest first.
	Recent func(drives []platform.Drive) []Written
}

// run is a run in progress.
type run struct {
	Runner
	plan    Plan
	result  Result
	sink    func(Event)
	began   time.Duration
	sensors *sampler
	files   map[string]bool // names of the test files
	warned  map[WarningCode]bool
}

// Run runs a plan and tells sink everything that happens, in order, from this goroutine. It returns when
// nothing of the run is left: no goroutine, no process, no test file. Cancelling ctx ends the run within
// a second with ReasonStopped and no error. An error is also in the Result, which holds what was
// measured until then. The sink must return at once.
func (r Runner) Run(ctx context.Context, plan Plan, sink func(Event)) (Result, error) {
	if plan.Seed == 0 {
		plan.Seed = randomSeed()
	}
	run := &run{Runner: r, plan: plan, sink: sink, began: r.Host.Now(), warned: map[WarningCode]bool{}, files: map[string]bool{}}
	machine, err := r.Host.System(ctx)
	if err != nil && !stopped(ctx, err) {
		return Result{}, fmt.Errorf("describe this computer: %w", err)
	}
	now := time.Now()
	r.App.Method = MethodVersion
	run.emit(Started{ID: newID(now), At: now.UTC(), App: r.App, Machine: machine, Plan: plan, Comment: r.Comment})
	run.sensors = watch(ctx, r.Host, plan.Target.Drives, plan.sample(), run.began)
	err = run.place(ctx, run.all(ctx))
	run.sensors.close()
	run.sense()
	run.tell(Judge(&run.result))
	end := Finished{Reason: ReasonDone, Took: r.Host.Now() - run.began, Failure: NewFailure(err)}
	switch {
	case stopped(ctx, err):
		end.Reason, end.Failure, err = ReasonStopped, nil, nil
	case err != nil:
		end.Reason = ReasonFailed
	}
	run.emit(end)
	return run.result, err
}

// emit folds an event into the result and hands it on.
func (r *run) emit(e Event) {
	r.result.Apply(e)
	r.sink(e)
}

// warn tells a doubt about the whole run once.
func (r *run) warn(w Warning) {
	if !r.warned[w.Code] {
		r.warned[w.Code] = true
		r.emit(Warned{w})
	}
}

// all is the run between its first and its last event. The last look at the volume comes when the test
// file is gone.
func (r *run) all(ctx context.Context) error {
	r.emit(Probed{r.firstProbe(ctx)})
	on := r.onFile
	if r.plan.Profile.Filling != nil {
		on = r.onFiles
	}
	if r.plan.Profile.Copying != nil {
		on = r.onTree
	}
	if r.plan.Profile.Cloning != nil {
		on = r.onClone
	}
	if err := on(ctx); err != nil {
		return err
	}
	r.emit(Probed{r.probe(ctx)})
	return nil
}

// onFile is all that needs the test file, from making to removing it.
func (r *run) onFile(ctx context.Context) (err error) {
	file, err := r.Host.Create(r.plan.Target, platform.CreateOptions{Size: r.plan.Profile.FileSize, Buffered: r.plan.Buffered})
	if err != nil {
		return err
	}
	defer func() {
		if cerr := file.Close(); cerr != nil {
			err = errors.Join(err, cerr)
		}
	}()
	r.files[file.Name()] = true
	if !file.Direct() && !r.plan.Buffered {
		return &platform.OpError{Op: "write past the page cache in", Object: r.plan.Target.Path, Reason: platform.ErrNoDirectIO}
	}
	if err := r.aligned(file); err != nil {
		return err
	}
	if err := r.prepare(ctx, file); err != nil {
		return err
	}
	for _, step := range r.plan.Steps() {
		if err := r.step(ctx, step, func(m *Measurement) error { return r.load(ctx, file, step, m) }); err != nil {
			return err
		}
	}
	return nil
}

// place names the target in an error that names the file, which has no name that says anything to a user,
// and tells a drive that is gone from one that fails.
func (r *run) place(ctx context.Context, err error) error {
	var op *platform.OpError
	if !errors.As(err, &op) {
		return err
	}
	placed := *op
	if placed.Object == "" || r.files[placed.Object] {
		placed.Object = r.plan.Target.Path
	}
	placed.Reason = r.cause(ctx, op.Reason)
	if placed == *op {
		return err
	}
	return &placed
}

// aligned checks that the blocks of all workloads lie on the sectors below the file.
func (r *run) aligned(file platform.File) error {
	for _, w := range r.plan.Profile.Workloads {
		if w.Spec.Block%file.Align() != 0 {
			return &SpecError{"block size", fmt.Sprintf("a multiple of %d bytes on this volume, not %s", file.Align(), shortSize(int64(w.Spec.Block)))}
		}
	}
	return nil
}

// prepareSpec writes a file in full, the way the field does: 1 MiB blocks, several in flight, made
// durable at the end.
func prepareSpec(size int64) Spec {
	return Spec{Access: Sequential, ReadPct: 0, Block: mib, Depth: 8, Threads: 1, Limit: size, Flush: FlushEnd}
}

// prepareIndex sets the seed of the preparation apart from those of the steps.
const prepareIndex = -1

// prepare writes the test file in full and looks whether nothing of it is left unwritten.
func (r *run) prepare(ctx context.Context, file platform.File) error {
	size := r.plan.Profile.FileSize
	progress := Preparing{Total: size}
	r.emit(progress)
	step := Step{Index: prepareIndex, Kind: StepLoad, Spec: prepareSpec(size)}
	m, err := r.Measurer.Measure(ctx, r.job(file, step), func(s Sample) {
		progress.Done = min(progress.Done+s.Write.Bytes, size)
		r.emit(progress)
		r.sense()
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && m.Moved.WriteBytes != size {
		err = &platform.OpError{Op: "write the test file in", Object: r.plan.Target.Path, Reason: platform.ErrShortIO,
			Err: fmt.Errorf("%d of %d bytes were written", m.Moved.WriteBytes, size)}
	}
	if err != nil {
		return err
	}
	facts, err := r.inspect(file)
	if err != nil {
		return err
	}
	facts.Moved, facts.Took = m.Moved, m.Elapsed
	ceiling, err := r.ceiling(ctx)
	if err != nil {
		return err
	}
	r.emit(Prepared{File: facts, Ceiling: ceiling})
	r.tell(judgeEarly(&r.result))
	if !r.plan.Buffered && facts.Cached != nil && *facts.Cached > size/2 {
		return &platform.OpError{Op: "write past the page cache in", Object: r.plan.Target.Path, Reason: platform.ErrNoDirectIO}
	}
	return nil
}

// inspect looks at the file that was written.
func (r *run) inspect(file platform.File) (FileFacts, error) {
	facts := FileFacts{Size: file.Size(), Direct: file.Direct(), Named: file.Named(), Align: file.Align()}
	if facts.Named {
		facts.Name = file.Name()
	}
	cached, err := file.Cached()
	if err == nil {
		facts.Cached = &cached
	} else if !errors.Is(err, platform.ErrUnsupported) {
		return facts, err
	}
	layout, err := file.Layout()
	if err == nil {
		facts.Layout = &layout
	} else if !errors.Is(err, platform.ErrUnsupported) {
		return facts, err
	}
	return facts, nil
}

// tell warns of those doubts that were not told yet.
func (r *run) tell(doubts []Warning) {
	for _, w := range doubts {
		if !slices.Contains(r.result.Warnings, w) {
			r.emit(Warned{w})
		}
	}
}

func (r *run) job(file platform.File, step Step) Job {
	return Job{
		File: file.Name(), Size: file.Size(), Buffered: r.plan.Buffered,
		Step: step, Engine: r.plan.Engine, Huge: r.plan.Huge, Through: r.plan.Through, Seed: r.plan.Seed,
	}
}

// load measures a workload, or rests.
func (r *run) load(ctx context.Context, file platform.File, step Step, m *Measurement) (err error) {
	if step.Kind == StepRest {
		return r.rest(ctx, step, m)
	}
	sub, cancel := context.WithCancel(ctx)
	defer cancel()
	enough := r.warmEnough(cancel)
	before := r.counters(ctx)
	*m, err = r.Measurer.Measure(sub, r.job(file, step), func(s Sample) { enough(r.sampled(step, s)) })
	if ctx.Err() == nil && sub.Err() != nil {
		m.Stopped = false // as planned
	}
	m.Devices = pair(before, r.counters(ctx))
	if err == nil && m.Moved == (Moved{}) && ctx.Err() == nil {
		err = &platform.OpError{Op: "measure in", Object: r.plan.Target.Path, Reason: platform.ErrStalled}
	}
	return err
}

// step runs one step and closes it, whatever happens.
func (r *run) step(ctx context.Context, step Step, do func(*Measurement) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.sense()
	began := r.Host.Now() - r.began
	r.emit(StepStarted{step, began})
	var m Measurement
	err := do(&m)
	m.Step, m.Began = step, began
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		m.Stopped = true
		if !stopped(ctx, err) {
			m.Failure = NewFailure(r.place(ctx, err))
		}
	}
	r.emit(StepDone{m})
	r.tell(judgeEarly(&r.result))
	return err
}

// sampled adds what the sensors showed meanwhile and hands the sample on.
func (r *run) sampled(step Step, s Sample) Sample {
	s.Drive = r.sensors.fresh()
	r.warnLost()
	r.emit(Sampled{Step: step.Index, Sample: s})
	return s
}

// restTick is how often a pause tells that it goes on.
const restTick = time.Second

// rest waits, and goes on showing temperature and counters. One that lets the drive settle ends once the temperature
// does not change any more; without a sensor it does not wait for anything.
func (r *run) rest(ctx context.Context, step Step, m *Measurement) error {
	begin := r.Host.Now()
	defer func() { m.Elapsed = r.Host.Now() - begin }()
	ticker := time.NewTicker(restTick)
	defer ticker.Stop()
	end := time.NewTimer(step.Rest)
	defer end.Stop()
	last := begin
	settled := steady{began: begin - r.began}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-end.C:
			return nil
		case <-ticker.C:
			now := r.Host.Now()
			s := r.sampled(step, Sample{At: now - begin, Took: now - last})
			last = now
			if step.Settle && (settled.see(s.Drive, now-r.began) || len(settled.known) == 0 && now-begin > noSensor) {
				return nil
			}
		}
	}
}

// noSensor is how long a drive may take to tell a temperature.
const noSensor = 10 * time.Second

// newID is unique and sorts by time: "20260131T093000Z-1f2e3d4c".
func newID(at time.Time) string {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], uint32(randomSeed()))
	return at.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(b[:])
}

// randomSeed is a random number that is not 0.
func randomSeed() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program if the system has no randomness
	return binary.LittleEndian.Uint64(b[:]) | 1
}
