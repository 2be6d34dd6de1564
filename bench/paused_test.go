package bench

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// jumpy is a host whose clock jumps once, as it does for a process that was stopped meanwhile.
type jumpy struct {
	platform.Host
	after, by time.Duration
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

// A process that did not run for a while tells for how long; a drive that does not answer is another matter.
func TestHeldUp(t *testing.T) {
	tests := []struct {
		name string
		by   time.Duration
		hang time.Duration // how long each I/O takes
		want bool
	}{
		{name: "as usual"},
		{name: "a busy computer", by: 200 * time.Millisecond},
		{name: "stopped", by: 1200 * time.Millisecond, want: true},
		{name: "a drive that hardly answers", hang: 1200 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := slow()
				model.ReadLatency = max(model.ReadLatency, tt.hang)
				fake := platformtest.New(platformtest.Options{Model: model})
				h := &jumpy{Host: fake, after: 1050 * time.Millisecond, by: tt.by}
				target, err := h.Resolve(t.Context(), "/fake")
				if err != nil {
					t.Fatal(err)
				}
				f, err := h.Create(target, platform.CreateOptions{Size: 16 * mib})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				s := Spec{Access: Random, ReadPct: 100, Block: 4096, Depth: 1, Threads: 1, Measure: 5 * time.Second}
				m, err := Local{Host: h}.Measure(t.Context(), Job{File: f.Name(), Size: f.Size(), Step: Step{Kind: StepLoad, Spec: s}, Seed: 3}, func(Sample) {})
				if err != nil {
					t.Fatal(err)
				}
				if got := m.HeldUp > 0; got != tt.want {
					t.Errorf("held up for %v", m.HeldUp)
				}
				if off := m.HeldUp - tt.by; tt.want && (off < 0 || off > tick) {
					t.Errorf("held up for %v, want %v", m.HeldUp, tt.by)
				}
				if tt.hang > 0 && m.Read.Max < tt.hang {
					t.Errorf("the longest latency is %v, want %v", m.Read.Max, tt.hang)
				}
			})
		})
	}
}

// A boundary that is over already when the collector looks for it was not missed twice.
func TestHeldUpOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &collector{crew: &crew{host: platformtest.New(platformtest.Options{})}, m: new(Measurement)}
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
