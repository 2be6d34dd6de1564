package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/bench/worker"
	"cachecliff/platform"
)

// ours measures as the programs do: in a measuring process, which is this program started again.
type ours struct {
	exe    string
	file   string
	size   int64
	engine platform.Engine
}

// seed makes the offsets the same in every round.
const seed = 1

// measure runs one step and tells the processor time of the whole process.
func (u ours) measure(ctx context.Context, s bench.Spec) (bench.Measurement, time.Duration, error) {
	var took time.Duration
	p := worker.Process{Exe: u.exe, Ended: func(s *os.ProcessState) { took = s.UserTime() + s.SystemTime() }}
	job := bench.Job{
		File: u.file, Size: u.size, Engine: u.engine, Seed: seed,
		Step: bench.Step{Kind: bench.StepLoad, Loop: 1, Spec: s},
	}
	m, err := p.Measure(ctx, job, func(bench.Sample) {})
	if err == nil {
		err = ctx.Err()
	}
	return m, took, err
}

// fill writes the whole file, as the preparation of a test does, and looks whether nothing is left
// unwritten: reading that would not reach the drive.
func (u ours) fill(ctx context.Context, file platform.File) error {
	_, _, err := u.measure(ctx, bench.Spec{
		Access: bench.Sequential, Block: 1 << 20, Depth: 8, Threads: 1, Limit: u.size, Flush: bench.FlushEnd,
	})
	if err != nil {
		return err
	}
	layout, err := file.Layout()
	if err != nil && !errors.Is(err, platform.ErrUnsupported) {
		return err
	}
	if layout.Unwritten > 0 {
		return fmt.Errorf("%d bytes of it are unwritten", layout.Unwritten)
	}
	return nil
}

func (u ours) start(ctx context.Context, s bench.Spec) (time.Duration, error) {
	s.Measure, s.Warmup, s.Limit = 0, 0, int64(s.Block*s.Threads)
	_, took, err := u.measure(ctx, s)
	return took, err
}

func (u ours) run(ctx context.Context, s bench.Spec) (figures, error) {
	m, took, err := u.measure(ctx, s)
	if err != nil {
		return figures{}, err
	}
	ops, bytes, _ := m.Total()
	sec := m.Elapsed.Seconds()
	h := m.Hist()
	if h == nil {
		h = new(hist.H)
	}
	return figures{
		rate: float64(bytes) / sec, iops: float64(ops) / sec,
		p50: coarse(h, 0.5), p99: coarse(h, 0.99),
		ops:       float64(m.Moved.ReadOps + m.Moved.WriteOps),
		processor: took, registered: m.Registered,
	}, nil
}

// coarse is a percentile as fio would tell it: fio cuts each power of two into 64 buckets, where the
// histogram has 128, and tells the middle of a bucket. Two equal distributions must give equal numbers.
func coarse(h *hist.H, p float64) float64 {
	const perOctave = 64
	want := p * float64(h.N())
	var seen, value int64
	for at, n := range h.All() {
		width := int64(1)
		for int64(at)/width >= 2*perOctave {
			width *= 2
		}
		value = int64(at)/width*width + width/2
		if seen += n; float64(seen) >= want {
			break
		}
	}
	return float64(value)
}
