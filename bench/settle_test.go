package bench

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// settling counts the threads that were settled.
type settling struct {
	platform.Host
	n atomic.Int32
}

func (s *settling) Settle() error { s.n.Add(1); return nil }

// Only a thread that waits for each I/O alone is kept on its processor.
func TestSettle(t *testing.T) {
	tests := []struct {
		depth, threads int
		want           int32
	}{
		{1, 1, 1},
		{2, 1, 0},
		{1, 2, 0},
		{32, 16, 0},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			h := &settling{Host: platformtest.New(platformtest.Options{Model: slow()})}
			f := emptyFile(t, h)
			defer f.Close()
			s := Spec{Access: Random, ReadPct: 100, Block: 4096, Depth: tt.depth, Threads: tt.threads, Measure: 100 * time.Millisecond}
			job := Job{File: f.Name(), Size: f.Size(), Step: Step{Kind: StepLoad, Spec: s}, Seed: 3}
			if _, err := (Local{Host: h}).Measure(t.Context(), job, func(Sample) {}); err != nil {
				t.Fatal(err)
			}
			if got := h.n.Load(); got != tt.want {
				t.Errorf("Q%dT%d: %d threads were settled, want %d", tt.depth, tt.threads, got, tt.want)
			}
		})
	}
}
