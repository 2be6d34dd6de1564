package main

import (
	"context"
	"fmt"
	"io"
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
	rate       float64 // bytes per second
	iops       float64
	p50, p99   float64       // nanoseconds
	ops        float64       // I/Os in all, those before the counted time included
	processor  time.Duration // of the whole process
	registered bool
	request    float64 // mean size of a request at the block device, bytes; 0 if not looked at
}

// contender is one that measures.
type contender interface {
	// run measures a spec with its warm-up and measuring time.
	run(ctx context.Context, s bench.Spec) (figures, error)
	// start does as little as possible of a spec: one I/O per thread. What it costs is the start-up.
	start(ctx context.Context, s bench.Spec) (time.Duration, error)
}

// contest runs all rows.
type contest struct {
	options
	progress io.Writer
	sides    [sides]contender
}

// startRuns is how often the start-up is measured; the median counts.
const startRuns = 3

// all runs and prints row after row, so that what is known is on the screen when it is stopped.
func (c *contest) all(ctx context.Context, out io.Writer) (ok bool, err error) {
	ok = true
	for _, spec := range c.rows {
		spec.Measure, spec.Warmup = c.measure, c.ramp
		r, err := c.row(ctx, spec)
		if err != nil {
			return false, fmt.Errorf("%s: %w", name(spec), err)
		}
		ok = r.print(out) && ok
	}
	return ok, nil
}

// name is the label of a row with its direction.
func name(s bench.Spec) string { return s.Label() + " " + string(s.Direction()) }

// row runs the rounds of one row.
func (c *contest) row(ctx context.Context, spec bench.Spec) (result, error) {
	r := result{spec: spec, limit: c.limit}
	for side, x := range c.sides {
		var took []float64
		for range startRuns {
			t, err := x.start(ctx, spec)
			if err != nil {
				return r, fmt.Errorf("%s: %w", sideNames[side], err)
			}
			took = append(took, float64(t))
		}
		r.start[side] = time.Duration(median(took))
	}
	for round := range c.rounds {
		var now [sides]figures
		for i := range sides {
			side := turn(round, i)
			f, err := c.one(ctx, side, spec)
			if err != nil {
				return r, fmt.Errorf("%s: %w", sideNames[side], err)
			}
			now[side] = f
			fmt.Fprintf(c.progress, "%-22s round %d of %d  %-16s %9.1f MB/s %9.0f IOPS\n",
				name(spec), round+1, c.rounds, sideNames[side], f.rate/1e6, f.iops)
		}
		r.rounds = append(r.rounds, now)
	}
	return r, nil
}

// turn is the side that runs as number i of a round: each round starts with another, and every other
// round goes backwards, so that nobody always comes after the same one.
func turn(round, i int) int {
	if round%2 == 1 {
		i = sides - 1 - i
	}
	return (i + round/2) % sides
}

// one is one run of one side.
func (c *contest) one(ctx context.Context, side int, spec bench.Spec) (figures, error) {
	select { // what the last run left to the kernel, such as freeing memory, is not to be measured
	case <-time.After(c.rest):
	case <-ctx.Done():
	}
	before, err := readStat(c.stat)
	if err != nil {
		return figures{}, err
	}
	f, err := c.sides[side].run(ctx, spec)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return f, err
	}
	after, err := readStat(c.stat)
	if n := after.requests - before.requests; n > 0 {
		f.request = float64(after.bytes-before.bytes) / float64(n)
	}
	return f, err
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
