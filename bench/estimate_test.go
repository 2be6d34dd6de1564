package bench

import (
	"testing"
	"time"

	"cachecliff/platform"
)

// A filling writes its passes and no more, at best as fast as the connection; pauses come on top.
func TestEstimateOfAFill(t *testing.T) {
	drive := platform.Drive{Key: "a", Capacity: 1e12, Bus: platform.BusNVMe, Link: platform.Link{BitRate: 32e9}} // 4 GB/s
	target := platform.Target{Path: "/x", Volume: platform.Volume{Size: 1e12, Free: 820e9}, Drives: []platform.Drive{drive}}
	for _, tt := range []struct {
		id      string
		written float64
		pauses  time.Duration
	}{
		{"fill", 800e9 * (1 + .5 + .2), 2 * (30*time.Minute + 12*time.Second)},
		{"fill-quick", 400e9, 0},
	} {
		p, _ := ByID(tt.id)
		plan, err := NewPlan(p, target, Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := plan.Estimate()
		if off := float64(e.WrittenMax) / tt.written; off < .999 || off > 1.001 {
			t.Errorf("%s writes %d, want %.0f", tt.id, e.WrittenMax, tt.written)
		}
		want := tt.pauses + time.Duration(float64(e.WrittenMax)/4e9*1e9)
		if d := e.Time - want; d < -time.Second || d > time.Second {
			t.Errorf("%s takes %v, want %v", tt.id, e.Time, want)
		}
	}
}
