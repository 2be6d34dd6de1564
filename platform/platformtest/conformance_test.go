package platformtest

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
)

// TestFakeConforms runs the suite on the fake: what passes on a drive of sleeps must be what real
// drives do.
func TestFakeConforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stalled atomic.Bool
		h := New(Options{Keep: true, Stalled: func(time.Duration) bool { return stalled.Load() }})
		target, err := h.Resolve(t.Context(), "/fake/folder")
		if err != nil {
			t.Fatal(err)
		}
		Conformance(t, h, target, ConformanceOptions{
			Engines:  []platform.Engine{platform.EngineAuto, platform.EngineFake},
			InBubble: true,
			Stall: func() func() {
				stalled.Store(true)
				return func() { stalled.Store(false) }
			},
		})
	})
}

func TestFakeCopyConforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New(Options{Keep: true})
		target, err := h.Resolve(t.Context(), "/fake/folder")
		if err != nil {
			t.Fatal(err)
		}
		CopyConformance(t, h, target, CopyOptions{})
		if left := h.Files(); len(left) > 0 {
			t.Errorf("%q are left", left)
		}
	})
}
