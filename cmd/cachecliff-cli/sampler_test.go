package main

import (
	"context"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/host"
)

// idle is a Measurer that moves nothing, so that what the process costs meanwhile is the sampler. It sends
// samples as a real one does.
type idle struct {
	cpu  platform.CPUClock
	cost time.Duration // processor time of the last step, all threads of this process
	took time.Duration
}

func (m *idle) Measure(_ context.Context, job bench.Job, sample func(bench.Sample)) (bench.Measurement, error) {
	spec := job.Step.Spec
	out := bench.Measurement{Step: job.Step, Elapsed: spec.Measure, Moved: bench.Moved{WriteOps: 1, WriteBytes: job.Size}}
	if job.Step.Loop == 0 { // the preparation, and the pass that is discarded
		return out, nil
	}
	user, system, err := m.cpu.ProcessCPU()
	if err != nil {
		return out, err
	}
	const tick = 100 * time.Millisecond
	began := time.Now()
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for at := tick; at <= spec.Measure; at += tick {
		<-ticks.C
		sample(bench.Sample{At: at, Took: tick})
	}
	u, s, err := m.cpu.ProcessCPU()
	m.cost, m.took = u+s-user-system, time.Since(began)
	return out, err
}

// BenchmarkSampler measures what a run costs beside the measurement when the drive below the folder for
// temporary files is looked at each 100 ms and each second, and when it is not: ten seconds a round, so take
// -benchtime 1x.
func BenchmarkSampler(b *testing.B) {
	h, err := host.New(host.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var system platform.Host = h
	clock, ok := system.(platform.CPUClock)
	target, err := h.Resolve(b.Context(), b.TempDir())
	if !ok || err != nil || len(target.Drives) == 0 {
		b.Skip("no clock, or no drive below the temporary folder: ", err)
	}
	bare := target
	bare.Drives = nil
	b.Run("100ms", func(b *testing.B) { benchmarkSampler(b, h, clock, target, bench.MinSample) })
	b.Run("1s", func(b *testing.B) { benchmarkSampler(b, h, clock, target, bench.DefaultSample) })
	b.Run("no drive", func(b *testing.B) { benchmarkSampler(b, h, clock, bare, bench.MinSample) })
}

func benchmarkSampler(b *testing.B, h platform.Host, clock platform.CPUClock, target platform.Target, every time.Duration) {
	p := bench.AdHoc(bench.Spec{Access: bench.Sequential, Block: 1 << 20, Depth: 1, Threads: 1, Measure: 10 * time.Second}).
		With(bench.Overrides{FileSize: bench.MinFileSize, Loops: 1})
	plan, err := bench.NewPlan(p, target, bench.Options{Sample: every})
	if err != nil {
		b.Skip(err)
	}
	m := &idle{cpu: clock}
	readings := 0
	for b.Loop() {
		res, err := bench.Runner{Host: h, Measurer: m}.Run(b.Context(), plan, func(bench.Event) {})
		if err != nil {
			b.Fatal(err)
		}
		readings = len(res.Readings())
	}
	share := 100 * m.cost.Seconds() / m.took.Seconds()
	b.ReportMetric(share, "%core")
	b.ReportMetric(float64(readings), "readings")
	if share >= 1 {
		b.Errorf("%.2f %% of a core, want less than 1 %%", share)
	}
}
