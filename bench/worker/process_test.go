package worker_test

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/worker"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// childMode tells the test binary what to be when it is started as a measuring process.
const childMode = "WORKER_TEST_CHILD"

func TestMain(m *testing.M) {
	mode := os.Getenv(childMode)
	if len(os.Args) < 2 || os.Args[1] != worker.Arg || mode == "" {
		os.Exit(m.Run())
	}
	opt := platformtest.Options{}
	switch mode {
	case "dies":
		os.Stderr.WriteString("out of luck\n")
		os.Exit(3)
	case "mute": // neither answers nor ends
		never := make(chan os.Signal, 1)
		signal.Notify(never, os.Interrupt)
		<-never
	case "stalled":
		opt.Stalled = func(time.Duration) bool { return true }
	case "fails":
		opt.Fault = func(platform.Op, int64, time.Duration) error {
			return &platform.OpError{Op: "read", Object: "/fake/fake-1", Reason: platform.ErrIO}
		}
	}
	h := platformtest.New(opt)
	t, err := h.Resolve(context.Background(), "/fake")
	if err == nil {
		_, err = h.Create(t, platform.CreateOptions{Size: 16 << 20})
	}
	if err != nil {
		panic(err)
	}
	os.Exit(worker.Main(h, os.Stdin, os.Stdout, os.Stderr))
}

func job(measure time.Duration) bench.Job {
	return bench.Job{
		File: "/fake/fake-1", Size: 16 << 20, Seed: 1,
		Step: bench.Step{Kind: bench.StepLoad, Loop: 1, Spec: bench.Spec{
			Access: bench.Random, ReadPct: 100, Block: 4096, Depth: 4, Threads: 2, Measure: measure,
		}},
	}
}

func process(t *testing.T, mode string) worker.Process {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return worker.Process{Exe: exe, Env: append(os.Environ(), childMode+"="+mode)}
}

func TestMeasure(t *testing.T) {
	var sum bench.Tally
	var state *os.ProcessState
	p := process(t, "works")
	var started int
	p.Started = func(child *os.Process) { started = child.Pid }
	p.Ended = func(s *os.ProcessState) { state = s }
	m, err := p.Measure(context.Background(), job(250*time.Millisecond), func(s bench.Sample) {
		sum.Ops += s.Read.Ops
		sum.Bytes += s.Read.Bytes
	})
	if err != nil {
		t.Fatal(err)
	}
	if m.Read.Ops == 0 || m.Read.Ops != sum.Ops || m.Read.Bytes != sum.Bytes || m.Read.Bytes != m.Read.Ops*4096 {
		t.Errorf("measured %+v, samples sum up to %+v", m.Read, sum)
	}
	if m.Elapsed != 250*time.Millisecond || m.Stopped || m.ReadHist.N() != m.Read.Ops || m.Engine != platform.EngineFake {
		t.Errorf("elapsed %v, stopped %v, histogram of %d, engine %q", m.Elapsed, m.Stopped, m.ReadHist.N(), m.Engine)
	}
	if state == nil || state.Pid() != started || !state.Success() || state.UserTime()+state.SystemTime() <= 0 {
		t.Errorf("process %d was started, and ended with %v", started, state)
	}
}

// A stop must act within a second, whatever the child or its drive does.
func TestStop(t *testing.T) {
	for _, mode := range []string{"works", "stalled", "mute"} {
		t.Run(mode, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			samples := 0
			if mode == "mute" {
				timer := time.AfterFunc(50*time.Millisecond, cancel)
				defer timer.Stop()
			}
			m, err := process(t, mode).Measure(ctx, job(time.Hour), func(bench.Sample) {
				if samples++; samples == 3 {
					cancel()
				}
			})
			if err != nil || !m.Stopped {
				t.Errorf("stopped %v, error %v", m.Stopped, err)
			}
			if mode == "works" && (m.Read.Ops == 0 || m.Elapsed <= 0) {
				t.Errorf("what was measured is lost: %+v", m)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for mode, want := range map[string]error{"dies": bench.ErrWorkerDied, "fails": platform.ErrIO} {
		t.Run(mode, func(t *testing.T) {
			m, err := process(t, mode).Measure(context.Background(), job(time.Second), func(bench.Sample) {})
			if !errors.Is(err, want) || m.Failure == nil {
				t.Errorf("error %v, want %v; failure %+v", err, want, m.Failure)
			}
		})
	}
	why := func(error) error { return platform.ErrResources }
	if m, err := (worker.Process{Exe: "/no/such/program", Why: why}).Measure(context.Background(), job(time.Second), nil); !errors.Is(err, platform.ErrResources) ||
		!errors.Is(m.Failure.Err(), platform.ErrResources) {
		t.Errorf("the system's reason is lost: %v", err)
	}
	if _, err := (worker.Process{Exe: "/no/such/program"}).Measure(context.Background(), job(time.Second), nil); err == nil {
		t.Error("a program that is not there was started")
	}
}
