package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cachecliff/bench"
)

// The sides of the contest, in the order in which the first round runs them.
const (
	fioA    = iota // fio as it comes
	own            // this project
	fioLike        // fio with registered buffers and file, as ours has them
	fioB           // the first again, as noise floor
	sides
)

var sideNames = [sides]string{"fio", "ours", "fio, registered", "fio again"}

// figures are what one run showed.
type figures struct {
	Rate       float64       `json:"rate"` // bytes per second
	IOPS       float64       `json:"iops"`
	P50        float64       `json:"p50"` // nanoseconds
	P99        float64       `json:"p99"`
	P999       float64       `json:"p999"`
	Ops        float64       `json:"ops"`       // I/Os in all, those before the counted time included
	Processor  time.Duration `json:"processor"` // of the process that measures
	Registered bool          `json:"registered,omitempty"`
	Request    float64       `json:"request,omitempty"` // mean size of a request at the block device, bytes; 0 if not looked at
}

// contender is one that measures.
type contender interface {
	// run measures a spec with its warm-up and measuring time.
	run(ctx context.Context, s bench.Spec) (figures, error)
	// start is the processor time that run counts, but that is spent before the first I/O and after the last.
	start(ctx context.Context, s bench.Spec) (time.Duration, error)
}

// contest runs rows on one device.
type contest struct {
	device
	dir      string
	rounds   int
	rest     time.Duration // before each run
	stat     string        // counters of the block device, a file like /sys/block/sda/stat; empty is none
	progress io.Writer
	sides    [sides]contender
	file     fio // the file of all fios
}

// startRuns is how often the start-up is measured; the median counts.
const startRuns = 3

// who are the sides that run.
func (c *contest) who() []int {
	if c.like {
		return []int{fioA, own, fioLike, fioB}
	}
	return []int{fioA, own, fioB}
}

// row runs the rounds of one row.
func (c *contest) row(ctx context.Context, spec bench.Spec) (result, error) {
	r := result{device: &c.device, spec: spec}
	spec.Measure, spec.Warmup = c.time(spec), c.ramp
	if err := c.delay(spec); err != nil {
		return r, err
	}
	for _, side := range c.who() {
		var took []float64
		for range startRuns {
			t, err := c.sides[side].start(ctx, spec)
			if err != nil {
				return r, fmt.Errorf("%s: %w", sideNames[side], err)
			}
			took = append(took, float64(t))
		}
		r.start[side] = time.Duration(median(took))
	}
	for round := range c.rounds {
		var now [sides]figures
		for _, side := range turn(c.who(), round) {
			f, err := c.one(ctx, side, spec)
			if err != nil {
				return r, fmt.Errorf("%s: %w", sideNames[side], err)
			}
			now[side] = f
			fmt.Fprintf(c.progress, "%-22s round %d of %d  %-16s %9.1f MB/s %9.0f IOPS\n",
				name(spec), round+1, c.rounds, sideNames[side], f.Rate/1e6, f.IOPS)
		}
		r.rounds = append(r.rounds, now)
	}
	return r, nil
}

// name is the label of a row with its direction.
func name(s bench.Spec) string { return s.Label() + " " + string(s.Direction()) }

// turn is the order of the sides in a round: each round starts with another, and every other round goes
// backwards, so that nobody always comes after the same one.
func turn(who []int, round int) []int {
	out := make([]int, len(who))
	for i := range who {
		at := i
		if round%2 == 1 {
			at = len(who) - 1 - i
		}
		out[i] = who[(at+round/2)%len(who)]
	}
	return out
}

// delay programs delayfs for a row, and starts its mixture of times afresh.
func (c *contest) delay(spec bench.Spec) error {
	if !c.delays {
		return nil
	}
	d := delaysOf(spec)
	return os.WriteFile(filepath.Join(c.dir, ".delays"), fmt.Appendf(nil, "%d %d %d\n", d[0], d[1], d[2]), 0o600)
}

// one is one run of one side.
func (c *contest) one(ctx context.Context, side int, spec bench.Spec) (figures, error) {
	if err := c.place(ctx, side); err != nil {
		return figures{}, err
	}
	select { // what the last run left to the kernel, such as freeing memory, is not to be measured
	case <-time.After(c.rest):
	case <-ctx.Done():
	}
	if err := c.delay(spec); err != nil {
		return figures{}, err
	}
	before, err := readStat(c.stat)
	if err != nil {
		return figures{}, err
	}
	f, err := c.sides[side].run(ctx, spec)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || side == own { // ours tells it of the row alone, without the writing of its file
		return f, err
	}
	after, err := readStat(c.stat)
	if n := after.requests - before.requests; n > 0 {
		f.Request = float64(after.bytes-before.bytes) / float64(n)
	}
	return f, err
}

// place sees to the file of fio before a run of a side. Where a device keeps its data decides how fast it
// is, in memory as on a disk, so where it does no harm only one file exists at a time: both are made in
// the same empty file system, at the same place.
func (c *contest) place(ctx context.Context, side int) error {
	if side != own {
		return c.file.ready(ctx)
	}
	if c.same {
		return c.file.drop()
	}
	return nil
}

// estimate is how long a row takes if it is measured once.
func (c *contest) estimate(spec bench.Spec) time.Duration {
	const begin, every = 400 * time.Millisecond, time.Second // the start of fio, what a run of ours needs beside its time
	fios := time.Duration(len(c.who()) - 1)
	run := c.time(spec) + c.ramp
	fill := time.Duration(float64(c.size) / c.fillRate * float64(time.Second))
	round := 2*run + every + fill + fios*(run+begin) + (fios+1)*c.rest
	if c.same {
		round += fill
	}
	return time.Duration(c.rounds)*round + fios*startRuns*begin
}

// median of values, which it sorts; 0 if there are none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}
