package app

import (
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// fillPlan is a fill of 80 GB, half of it deleted and filled again, on a connection of 4 GB/s.
func fillPlan(t *testing.T) bench.Plan {
	t.Helper()
	p, _ := bench.ByID("fill")
	f := *p.Filling
	f.Again = []int{50}
	p.Filling, p.Rest = &f, time.Minute
	drive := platform.Drive{Key: "a", Capacity: 200e9, Link: platform.Link{BitRate: 32e9}}
	target := platform.Target{Path: "/x", Volume: platform.Volume{Size: 200e9, Free: 80e9 + 4<<30}, Drives: []platform.Drive{drive}}
	plan, err := bench.NewPlan(p, target, bench.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// What a filling still takes follows from the rate of its newest samples, and in a pause from that before it.
func TestRemainingOfAFill(t *testing.T) {
	plan := fillPlan(t)
	steps := plan.Steps() // fill, delete, rest, fill
	first, second := float64(steps[0].Bytes), float64(steps[3].Bytes)
	const pauses = 72 * time.Second // a minute, and 12 s after deleting
	v := new(View)
	v.Apply(bench.Started{ID: "r1", Plan: plan})
	near := func(when string, want time.Duration) {
		t.Helper()
		if got := v.Remaining(); got < want-10*time.Millisecond || got > want+10*time.Millisecond {
			t.Errorf("%s: %v left, want %v", when, got, want)
		}
	}
	seconds := func(bytes, rate float64) time.Duration { return time.Duration(bytes / rate * 1e9) }
	near("before the first byte", seconds(first+second, 4e9)+pauses)
	v.Apply(bench.StepStarted{Step: steps[0]})
	near("before the first sample", seconds(first+second, 4e9)+pauses)
	write := func(step int, seconds int, rate int64) {
		for i := range seconds {
			s := bench.Sample{At: time.Duration(i+1) * time.Second, Took: time.Second, Write: bench.Tally{Ops: rate >> 20, Bytes: rate}}
			v.Apply(bench.Sampled{Step: step, Sample: s})
		}
	}
	write(0, 20, 2e9)
	near("in the cache", seconds(first-40e9+second, 2e9)+pauses)
	write(0, 10, 1e9)
	near("behind it", seconds(first-50e9+second, 1e9)+pauses)
	if v.Phase != PhaseMeasuring || v.Written != 50e9 {
		t.Errorf("%s, %d written", v.Phase, v.Written)
	}
	v.Apply(bench.StepDone{Measurement: bench.Measurement{Step: steps[0], Moved: bench.Moved{WriteBytes: steps[0].Bytes}}})
	v.Apply(bench.StepStarted{Step: steps[1]})
	v.PhaseAge = 2 * time.Second
	near("after deleting", seconds(second, 1e9)+pauses-2*time.Second)
	if v.Phase != PhaseResting || v.Written != steps[0].Bytes {
		t.Errorf("%s, %d written", v.Phase, v.Written)
	}
	v.Apply(bench.StepDone{Measurement: bench.Measurement{Step: steps[1], Freed: &bench.Freed{Files: 4, Bytes: 40e9}}})
	v.Apply(bench.StepStarted{Step: steps[2]})
	v.PhaseAge = 20 * time.Second
	near("in the pause", seconds(second, 1e9)+40*time.Second)
	v.Apply(bench.StepStarted{Step: steps[3]})
	write(3, 10, 4e9)
	near("in the second pass", seconds(second-40e9, 4e9))
}
