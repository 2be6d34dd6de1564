package monitor

import (
	"testing"
	"time"

	"cachecliff/platform"
)

// TestFollower has a drive that reads 4 KiB each millisecond, each taking half of one.
func TestFollower(t *testing.T) {
	for _, tt := range []struct {
		period, over time.Duration
		bare         int // samples before awaits can be told
	}{
		{10 * time.Millisecond, 100 * time.Millisecond, 10},
		{30 * time.Millisecond, 120 * time.Millisecond, 4},
		{100 * time.Millisecond, 100 * time.Millisecond, 1},
		{time.Second, time.Second, 1},
	} {
		var f Follower
		for n := range 40 {
			at := time.Duration(n) * tt.period
			ms := uint64(at / time.Millisecond)
			row := f.Add(Sample{At: at, Drives: []Reading{reading(at, platform.Counters{
				ReadOps: ms, ReadBytes: ms * 4096, ReadTicks: ms / 2, BusyTicks: ms / 2, QueueTicks: ms / 2,
			})}})
			c := row.Drives[0]
			if n == 0 {
				if c != nil {
					t.Fatalf("%v: columns of one reading: %+v", tt.period, c)
				}
				continue
			}
			if c == nil || c.Read.PerSecond != 1000 || c.Read.Size != 4096 || c.Span != tt.period {
				t.Fatalf("%v, sample %d: %+v", tt.period, n, c)
			}
			if n < tt.bare {
				if c.AwaitsOver != 0 || c.Read.Await != nil {
					t.Errorf("%v, sample %d: awaits over %v", tt.period, n, c.AwaitsOver)
				}
				continue
			}
			if c.AwaitsOver != tt.over || c.Read.Await == nil || c.Busy != .5 || c.Queue != .5 ||
				*c.Read.Await < Await(490*time.Microsecond) || *c.Read.Await > Await(510*time.Microsecond) {
				t.Fatalf("%v, sample %d: %+v", tt.period, n, c)
			}
		}
		if kept := len(f.drives[0]); kept > 12 {
			t.Errorf("%v: %d readings kept", tt.period, kept)
		}
	}
}

// A hole is bridged by a longer span, a reset leaves one sample out.
func TestFollowerHoles(t *testing.T) {
	var f Follower
	add := func(at time.Duration, ops uint64) *Columns {
		return f.Add(Sample{At: at, Drives: []Reading{reading(at, platform.Counters{ReadOps: ops})}}).Drives[0]
	}
	add(0, 1<<40)
	if r := f.Add(Sample{At: time.Second, Drives: []Reading{{At: time.Second}}}); r.Drives[0] != nil {
		t.Errorf("a hole shows %+v", r.Drives[0])
	}
	if c := add(2*time.Second, 1<<40+500); c == nil || c.Span != 2*time.Second || c.Read.PerSecond != 250 {
		t.Errorf("after the hole: %+v", c)
	}
	if c := add(3*time.Second, 5); c != nil {
		t.Errorf("after a reset: %+v", c)
	}
	if c := add(4*time.Second, 15); c == nil || c.Read.PerSecond != 10 {
		t.Errorf("after that: %+v", c)
	}
}
