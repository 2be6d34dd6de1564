package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"cachecliff/bench"
)

// job is the comparison on one device.
type job struct {
	*options
	device   *device
	state    *state
	version  string // of fio
	specs    []bench.Spec
	out      io.Writer
	progress io.Writer
}

const legend = `Each cell is ours by fio, in brackets fio by fio, and what it means: medians over the rounds of the ratio
within a round. CPU is the processor time of an I/O. ok: as asked for. FAIL: not. ?: two runs of fio differ
too much for anything to be said.`

// how says how a row is measured. What was measured otherwise does not count.
func (j *job) how(spec bench.Spec) string {
	d := j.device
	text := fmt.Sprintf("%d rounds of %v after %v, %d MiB, %s, %s", j.rounds, d.time(spec), d.ramp, d.size/mib, j.engine, j.version)
	if d.name == "drive" {
		text += ", " + j.dir
	}
	if d.limit != (limit{}) {
		text += fmt.Sprintf(", limits %.0f and %.0f", d.limit.iops, d.limit.rate)
	}
	return text
}

// ahead is what a run with these options is going to measure: after a fresh start all.
func (j *job) ahead() []bench.Spec {
	if j.fresh {
		return j.specs
	}
	return j.left()
}

// left are the rows that are not finished.
func (j *job) left() []bench.Spec {
	var out []bench.Spec
	for _, spec := range j.specs {
		if _, done := j.state.finished(j.device, spec, j.how(spec)); !done {
			out = append(out, spec)
		}
	}
	return out
}

// run measures what is left and prints the table.
func (j *job) run(ctx context.Context) (sum count, err error) {
	build, err := buildOf(j.cli)
	if err != nil {
		return nil, err
	}
	c := j.contest()
	rows := j.left()
	var long time.Duration
	for _, spec := range rows {
		long += c.estimate(spec)
	}
	fmt.Fprintf(j.out, "Measuring on %s in %s, against %s.\n", j.device.title, j.dir, j.version)
	fmt.Fprintf(j.out, "%d of %d rows are left: about %v, more where a row must be repeated.\n", len(rows), len(j.specs), long.Round(10*time.Second))
	if j.options.state != "" {
		fmt.Fprintf(j.out, "Finished rows are kept in %s.\n", j.options.state)
	}
	awake, err := keepAwake()
	if err != nil {
		fmt.Fprintf(j.out, "Processors may sleep between two I/Os, which makes rows with one I/O in flight noisy: %v\n", err)
	} else {
		defer func() { err = errors.Join(err, awake.Close()) }()
	}
	defer func() { err = errors.Join(err, c.file.drop()) }()
	for _, spec := range rows {
		if err := j.row(ctx, c, spec, build); err != nil {
			return nil, fmt.Errorf("%s: %w", name(spec), err)
		}
	}
	fmt.Fprintf(j.out, "\n%s\n\n", legend)
	return summary(j.out, j.device, j.specs, j.state, build), nil
}

// contest makes the sides.
func (j *job) contest() *contest {
	d := j.device
	plain := fio{file: j.fioFile(), size: d.size, engine: j.engine}
	like := plain
	like.registered = true
	us := ours{cli: j.cli, dir: j.dir, size: d.size, engine: j.engine, drain: d.delays}
	return &contest{
		device: *d, dir: j.dir, rounds: j.rounds, rest: j.rest, stat: j.stat, progress: j.progress,
		sides: [sides]contender{fioA: plain, own: us, fioLike: like, fioB: plain}, file: plain,
	}
}

// row measures a row until something can be said of it, keeps it, and prints it.
func (j *job) row(ctx context.Context, c *contest, spec bench.Spec, build string) error {
	for try := 1; ; try++ {
		r, err := c.row(ctx, spec)
		if err != nil {
			return err
		}
		rec := record{
			Device: j.device.name, Spec: spec.String(), Options: j.how(spec), Build: build,
			At: time.Now().UTC(), Tries: try, Start: r.start, Rounds: r.rounds,
		}
		if err := j.state.put(rec); err != nil {
			return err
		}
		r.print(j.out)
		if r.verdict() != inconclusive || try == j.tries {
			return nil
		}
		fmt.Fprintf(j.out, "  Two runs of fio differ too much: once more (%d of %d).\n", try+1, j.tries)
	}
}

// keepAwake forbids processors to sleep until the file is closed. Waking one up takes longer than a fast
// I/O, and whether one falls asleep between two I/Os depends on what ran before. Needs root.
func keepAwake() (io.Closer, error) {
	f, err := os.OpenFile("/dev/cpu_dma_latency", os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(make([]byte, 4)); err != nil { // a latency of 0 µs
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// fioFile is the name of the file that fio measures in.
func (o *options) fioFile() string {
	return filepath.Join(o.dir, fmt.Sprintf("benchfio-%d.fio", os.Getpid()))
}
