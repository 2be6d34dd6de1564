package bench

import (
	"context"
	"errors"
	"time"

	"cachecliff/bench/fill"
	"cachecliff/platform"
)

// EngineCeiling is what this computer can do at most, measured in a fraction of a second before the first row.
// A zero is not known.
type EngineCeiling struct {
	// IO is the processor time that one thread takes for an I/O of 4 KiB from a file in memory, 32 in flight,
	// with the engine of the run: one over it is the IOPS that a thread can submit and collect if nothing
	// else runs. The true ceiling lies below: a real drive costs more (its driver, its interrupts), and what
	// threads of the kernel or of the queue do beside this one (pread, or io_uring on kernels where files in
	// memory are read by a thread of its own) is not counted. A row that is near it is limited by the
	// processor; one that is not may be limited all the same.
	IO    time.Duration `json:"io"`
	Stamp time.Duration `json:"stamp,omitempty"` // making 1 MiB of data unique before it is written
	Clock time.Duration `json:"clock,omitempty"` // reading the clock once
}

// ceilingSpec is the load on the file in memory.
var ceilingSpec = Spec{Access: Random, ReadPct: 100, Block: 4096, Depth: 32, Threads: 1, Warmup: 50 * time.Millisecond, Measure: 150 * time.Millisecond}

// ceilingFile is the size of the file in memory, in bytes: larger than the fast caches of a processor, like
// what comes from a drive.
const ceilingFile = 64 * mib

// ceilingIndex sets the seed of the self-test apart from those of the steps.
const ceilingIndex = -2

// ceiling measures the computer; nil where the system has no files in memory or gives none.
func (r *run) ceiling(ctx context.Context) (*EngineCeiling, error) {
	if _, ok := r.Host.(platform.MemoryFiles); !ok {
		return nil, nil
	}
	job := Job{Memory: true, Size: ceilingFile, Engine: r.plan.Engine, Huge: r.plan.Huge, Seed: r.plan.Seed,
		Step: Step{Index: ceilingIndex, Kind: StepLoad, Spec: ceilingSpec}}
	m, err := r.Measurer.Measure(ctx, job, func(Sample) {})
	for _, denied := range []error{platform.ErrUnsupported, platform.ErrPermission, platform.ErrResources} {
		if errors.Is(err, denied) {
			return nil, nil // unknown, as on a system without
		}
	}
	cost := m.costOfIO()
	if err != nil || cost == 0 {
		return nil, err
	}
	return &EngineCeiling{IO: cost, Stamp: stampCost(r.Host.Now), Clock: clockCost(r.Host.Now)}, nil
}

// costOfIO is the time of its busiest thread per I/O, where each thread always works: processor time, since
// other programs take of the rest, or if that is not known all of it. 0 if nothing was done.
func (m Measurement) costOfIO() time.Duration {
	ops, _, _ := m.Total()
	if ops == 0 {
		return 0
	}
	cost := m.Elapsed / time.Duration(ops)
	if all := m.Moved.ReadOps + m.Moved.WriteOps; all > 0 && m.CPU != nil && m.CPU.Busiest > 0 {
		cost = min(cost, m.CPU.Busiest/time.Duration(all))
	}
	return cost
}

// costRounds: the shortest of several rounds is what a step costs when nothing else runs.
const costRounds = 5

// stampCost times the making of 1 MiB of unique data.
func stampCost(now func() time.Duration) time.Duration {
	buf := make([]byte, mib)
	fill.Random(buf, 1)
	s := fill.NewStamper(1)
	return shortest(now, func() { s.Stamp(buf, 0) })
}

// clockCost times the clock.
func clockCost(now func() time.Duration) time.Duration {
	const readings = 1000
	return shortest(now, func() {
		for range readings {
			now()
		}
	}) / readings
}

func shortest(now func() time.Duration, work func()) time.Duration {
	least := never
	for range costRounds {
		begin := now()
		work()
		least = min(least, now()-begin)
	}
	return least
}
