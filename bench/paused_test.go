package bench

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// jumpy is a host whose clock jumps once after a time, as it does for a process that was stopped meanwhile.
type jumpy struct {
	platform.Host
	after, by time.Duration
	hang      time.Duration // how long a flush takes
	jumped    atomic.Bool
}

func (j *jumpy) Now() time.Duration {
	now := j.Host.Now()
	if now > j.after {
		j.jumped.Store(true)
	}
	if j.jumped.Load() {
		return now + j.by
	}
	return now
}

func (j *jumpy) Open(name string, o platform.OpenOptions) (platform.File, error) {
	f, err := j.Host.Open(name, o)
	return slowFlush{f, j.hang}, err
}

type slowFlush struct {
	platform.File
	hang time.Duration
}

func (f slowFlush) Flush() error {
	time.Sleep(f.hang)
	return f.File.Flush()
}

// A process that did not run for a while tells for how long; a drive that does not answer is another matter.
func TestHeldUp(t *testing.T) {
	const stop = 1200 * time.Millisecond
	tests := []struct {
		name      string
		after, by time.Duration // when it stops, since the step's start, and for how long
		hang      time.Duration // how long each I/O takes
		warmup    time.Duration
		want      time.Duration // less than a tick more is as good
	}{
		{name: "as usual"},
		{name: "a busy computer", after: 1050 * time.Millisecond, by: 200 * time.Millisecond},
		{name: "stopped", after: 1050 * time.Millisecond, by: stop, want: stop},
		{name: "stopped at the end", after: 4950 * time.Millisecond, by: stop, want: stop - slack}, // a stop counts from when the collector was to look
		{name: "stopped in the warm-up", after: 1050 * time.Millisecond, by: stop, warmup: 3 * time.Second},
		{name: "stopped at the end of the warm-up", after: 1050 * time.Millisecond, by: stop, warmup: 2 * time.Second, want: stop - 950*time.Millisecond},
		{name: "a drive that hardly answers", hang: stop},
		{name: "a drive whose last answer comes late", hang: 3 * time.Second},
		{name: "stopped while such a drive is waited for", hang: 3 * time.Second, after: 5500 * time.Millisecond, by: stop, want: stop},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := measureJumpy(t, Spec{Access: Random, ReadPct: 100, Block: 4096, Depth: 1, Threads: 1, Warmup: tt.warmup, Measure: 5 * time.Second},
					tt.hang, tt.after, tt.by)
				if off := m.HeldUp - tt.want; off < 0 || off > tick || tt.want == 0 && off > 0 {
					t.Errorf("held up for %v, want %v", m.HeldUp, tt.want)
				}
				if tt.hang > 0 && m.Read.Max < tt.hang {
					t.Errorf("the longest latency is %v, want %v", m.Read.Max, tt.hang)
				}
			})
		})
	}
}

// What is flushed at the end counts, and a stop meanwhile as well.
func TestHeldUpWhileFlushing(t *testing.T) {
	for _, by := range []time.Duration{0, 1200 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			m := measureJumpy(t, Spec{Access: Random, Block: 4096, Depth: 1, Threads: 1, Flush: FlushEnd, Measure: time.Second}, 3*time.Second, 1500*time.Millisecond, by)
			if off := m.HeldUp - by; off < 0 || off > tick || by == 0 && off > 0 {
				t.Errorf("held up for %v, want %v", m.HeldUp, by)
			}
			if m.FlushTook < 3*time.Second {
				t.Errorf("flushed in %v", m.FlushTook)
			}
		})
	}
}

// measureJumpy measures one step on a drive whose reads and flushes take a time, and whose host's clock jumps.
func measureJumpy(t *testing.T, s Spec, hang, after, by time.Duration) Measurement {
	t.Helper()
	model := slow()
	model.ReadLatency = max(model.ReadLatency, hang)
	fake := platformtest.New(platformtest.Options{Model: model})
	h := &jumpy{Host: fake, after: fake.Now() + after, by: by, hang: hang}
	f := emptyFile(t, h)
	defer f.Close()
	m, err := Local{Host: h}.Measure(t.Context(), Job{File: f.Name(), Size: f.Size(), Step: Step{Kind: StepLoad, Spec: s}, Seed: 3}, func(Sample) {})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A boundary that is over already when the collector looks for it was not missed twice.
func TestHeldUpOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &collector{crew: &crew{host: platformtest.New(platformtest.Options{}), workers: []*worker{{}}}, m: new(Measurement)}
		timer := time.NewTimer(time.Hour)
		time.Sleep(3 * time.Second)
		k.sleep(timer, time.Second)
		<-timer.C
		k.woken()
		if k.m.HeldUp != 0 {
			t.Errorf("held up for %v", k.m.HeldUp)
		}
	})
}
