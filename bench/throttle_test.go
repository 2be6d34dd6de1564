package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// Parts of a load that are told apart: how long, how fast in MB/s, how far from the limit in degrees.
func heatsOf(parts ...[3]float64) []nearLimit {
	var out []nearLimit
	for _, p := range parts {
		for range int(p[0]) {
			at := time.Duration(len(out)+1) * time.Second
			out = append(out, nearLimit{at: at, rate: p[1] * 1e6, known: true, above: int32(p[2] * 1000)})
		}
	}
	return out
}

func TestThrottled(t *testing.T) {
	type part = [3]float64
	for _, c := range []struct {
		name string
		in   []nearLimit
		want string
	}{
		{"nothing", nil, ""},
		{"never hot", heatsOf(part{60, 1000, -20}, part{60, 400, -8}), ""},
		{"hot and as fast", heatsOf(part{60, 1000, -20}, part{60, 950, 1}), ""},
		{"slower at the limit", heatsOf(part{60, 1000, -20}, part{60, 400, -1}), "60-120"},
		{"slow on while it cools", heatsOf(part{60, 1000, -20}, part{20, 400, -1}, part{20, 400, -8}, part{20, 1000, -9}), "60-100"},
		{"slow for another reason when cool", heatsOf(part{60, 1000, -20}, part{20, 400, -1}, part{60, 400, -15}), "60-80"},
		{"back and forth", heatsOf(part{60, 1000, -20}, part{8, 400, -1}, part{8, 1000, -4}, part{8, 400, -1}), "60-84"},
		{"twice", heatsOf(part{60, 1000, -20}, part{8, 400, -1}, part{60, 1000, -4}, part{8, 400, -1}), "60-68 128-136"},
		{"a dip is none", heatsOf(part{60, 1000, -2}, part{2, 400, -1}, part{60, 1000, -2}), ""},
		{"hot from the start: the rate without heat is not known", heatsOf(part{3, 1000, -20}, part{60, 400, -1}), ""},
		{"no limit", slices.Collect(func(yield func(nearLimit) bool) {
			for _, h := range heatsOf(part{60, 1000, -20}, part{60, 400, 5}) {
				yield(nearLimit{at: h.at, rate: h.rate})
			}
		}), ""},
	} {
		var got []string
		for _, s := range throttled(c.in) {
			got = append(got, fmt.Sprintf("%.0f-%.0f", s.From.Seconds(), s.To.Seconds()))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// A drive that runs at half its rate above a temperature is found to do so from then on.
func TestThermalThrottles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := warmDrive()
		m.ThrottleAt = 70 // of 78 that it would reach
		r := playThermal(t, "thermal-read", platformtest.Options{Model: m}, nil, func(f *platformtest.Host) platform.Host { return limited{f, 72_000} })
		p := r.ThermalPasses()[0]
		if len(p.Slowed) == 0 || p.Limit == nil || *p.Limit != 72_000 || p.Took != 10*time.Minute || p.Counted {
			t.Fatalf("%+v", p)
		}
		// It is 32 degrees warmer after ln(5) minutes.
		if first := p.Slowed[0].From; first < 90*time.Second || first > 110*time.Second {
			t.Errorf("slowed down after %v", first)
		}
		for _, s := range p.Slowed {
			if s.From < p.Hot || s.To > p.Took {
				t.Errorf("%v, hot after %v", s, p.Hot)
			}
		}
	})
}

// What a user changes of a test of the temperature, and what stays.
func TestThermalOverrides(t *testing.T) {
	p, _ := ByID("thermal-write")
	idle, most := time.Minute, 0
	if q := p.With(Overrides{}); *q.Thermal != *p.Thermal || (ThermalOverrides{}).Set() {
		t.Errorf("%+v", q.Thermal)
	}
	q := p.With(Overrides{Thermal: ThermalOverrides{Idle: &idle, Steady: true, Most: &most}})
	if *q.Thermal != (Thermal{Idle: idle, Steady: true}) || q.Workloads[0].Spec.Measure != SteadyMost || q.Rows[0].Shape.Measure != SteadyMost {
		t.Errorf("%+v", q)
	}
	if q = p.With(Overrides{Measure: time.Minute, Thermal: ThermalOverrides{Steady: true}}); q.Workloads[0].Spec.Measure != time.Minute {
		t.Errorf("%+v", q)
	}
	if err := q.Validate(); err != nil {
		t.Error(err)
	}
	if p.Thermal.Steady || p.Thermal.Most != 25 {
		t.Error("the shipped test was changed")
	}
}
