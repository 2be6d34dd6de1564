package bench

import (
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// Through the page cache every loop starts with the file on the drive, and one that writes ends with it there.
func TestBufferedLoopsStartAndEndOnTheDrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow()})
		target, err := h.Resolve(t.Context(), "/fake")
		if err != nil {
			t.Fatal(err)
		}
		f, err := h.Create(target, platform.CreateOptions{Size: 16 * mib, Buffered: true})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, c := range []struct {
			read    int
			flushed bool
			cached  int64
		}{{0, true, 16 * mib}, {100, false, 0}, {70, true, 16 * mib}} {
			job := Job{File: f.Name(), Size: f.Size(), Buffered: true, Seed: 1, Step: Step{Kind: StepLoad,
				Spec: Spec{Access: Random, ReadPct: c.read, Block: 4096, Depth: 4, Threads: 1, Measure: time.Second}}}
			m, err := Local{Host: h}.Measure(t.Context(), job, func(Sample) {})
			if err != nil {
				t.Fatal(err)
			}
			if flushed := m.FlushTook > 0; flushed != c.flushed || flushed && m.Elapsed < time.Second+m.FlushTook {
				t.Errorf("%d %% reads: flushed in %v, counted %v", c.read, m.FlushTook, m.Elapsed)
			}
			if n, err := f.Cached(); n != c.cached || err != nil {
				t.Errorf("%d %% reads: %d bytes are cached, want %d, error %v", c.read, n, c.cached, err)
			}
		}
	})
}
