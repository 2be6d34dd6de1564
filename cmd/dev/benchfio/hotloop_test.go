package main

import (
	"context"
	"fmt"
	"testing"

	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/host"
)

// BenchmarkMeasure runs the loop that measures on a file in the temporary folder: one operation is one
// I/O, and allocates nothing. What a step needs once, its queue, histograms and samples, is spread over
// as many I/Os as there are, so let it run for a second or more and read allocs/op.
func BenchmarkMeasure(b *testing.B) {
	for _, engine := range []platform.Engine{platform.EngineURing, platform.EngineAIO, platform.EngineThreads} {
		for _, text := range []string{"RND4K Q1T1 R100", "RND4K Q32T1 R100", "RND4K Q32T1 R70", "SEQ128K Q32T1 R0"} {
			b.Run(fmt.Sprintf("%s/%s", engine, text), func(b *testing.B) { measure(b, engine, text) })
		}
	}
}

const hotFile = 64 << 20

func measure(b *testing.B, engine platform.Engine, text string) {
	h, err := host.New(host.Options{})
	if err != nil {
		b.Fatal(err)
	}
	spec, err := bench.ParseSpec(text)
	if err != nil {
		b.Fatal(err)
	}
	name := testFile(b, h)
	spec.Measure, spec.Limit = 0, int64(b.N)*int64(spec.Block)
	job := bench.Job{File: name, Size: hotFile, Engine: engine, Seed: 1, Step: bench.Step{Kind: bench.StepLoad, Spec: spec}}
	b.ReportAllocs()
	b.SetBytes(int64(spec.Block))
	b.ResetTimer()
	m, err := bench.Local{Host: h}.Measure(context.Background(), job, func(bench.Sample) {})
	if err != nil {
		b.Fatal(err)
	}
	if ops, _, _ := m.Total(); ops != int64(b.N) {
		b.Fatalf("%d I/Os, want %d", ops, b.N)
	}
}

// testFile makes a file that is written in full, or skips where the folder has no direct I/O.
func testFile(b *testing.B, h *host.Host) string {
	ctx := context.Background()
	target, err := h.Resolve(ctx, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	file, err := h.Create(target, platform.CreateOptions{Size: hotFile})
	if err != nil {
		b.Skip(err)
	}
	b.Cleanup(func() {
		if err := file.Close(); err != nil {
			b.Error(err)
		}
	})
	fill := bench.Spec{Access: bench.Sequential, Block: 1 << 20, Depth: 8, Threads: 1, Limit: hotFile}
	job := bench.Job{File: file.Name(), Size: hotFile, Seed: 1, Step: bench.Step{Kind: bench.StepLoad, Spec: fill}}
	if _, err := (bench.Local{Host: h}).Measure(ctx, job, func(bench.Sample) {}); err != nil {
		b.Fatal(err)
	}
	return file.Name()
}

// What is allocated does not depend on how many I/Os there are.
func TestHotLoopDoesNotAllocate(t *testing.T) {
	r := testing.Benchmark(func(b *testing.B) { measure(b, platform.EngineAuto, "RND4K Q8T1 R50") })
	if r.N < 5000 {
		t.Skipf("only %d I/Os were done", r.N)
	}
	if r.AllocsPerOp() != 0 {
		t.Errorf("%d allocations per I/O in %d I/Os", r.AllocsPerOp(), r.N)
	}
}
