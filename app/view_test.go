package app

import (
	"testing"
	"time"

	"cachecliff/bench"
)

// at applies events until one makes the view fit.
func at(t *testing.T, events []bench.Event, fits func(*View) bool) *View {
	t.Helper()
	v := new(View)
	for _, e := range events {
		v.Apply(e)
		if fits(v) {
			return v
		}
	}
	t.Fatal("no event led there")
	return nil
}

func TestPhasesInOrder(t *testing.T) {
	var phases []Phase
	v := new(View)
	for _, e := range script(testPlan(t), "r1") {
		v.Apply(e)
		if len(phases) == 0 || phases[len(phases)-1] != v.Phase {
			phases = append(phases, v.Phase)
		}
	}
	want := []Phase{PhasePreparing, PhaseMeasuring, PhaseResting, PhaseMeasuring, PhaseFinishing, PhaseDone}
	if asJSON(t, phases) != asJSON(t, want) {
		t.Errorf("phases %v, want %v", phases, want)
	}
}

func TestRemaining(t *testing.T) {
	plan := testPlan(t) // 3 × 5 s, pause 5 s, 3 × 5 s
	events := script(plan, "r1")
	const run = 35 * time.Second
	half := at(t, events, func(v *View) bool { return v.Prepared > 0 })
	half.PhaseAge = 3 * time.Second
	if got := half.Remaining(); got != run+3*time.Second {
		t.Errorf("half prepared in 3 s: %v", got)
	}
	fresh := at(t, events, func(v *View) bool { return v.Running() })
	if got := fresh.Remaining(); got <= run || got > run+time.Minute {
		t.Errorf("before the first byte: %v", got)
	}
	first := at(t, events, func(v *View) bool { return v.Last != nil && v.Last.At == 2*time.Second })
	first.PhaseAge = time.Hour // samples know better
	if got := first.Remaining(); got != run-2*time.Second {
		t.Errorf("2 s into the first step: %v", got)
	}
	rest := at(t, events, func(v *View) bool { return v.Phase == PhaseResting })
	rest.PhaseAge = time.Second
	if got := rest.Remaining(); got != 19*time.Second {
		t.Errorf("1 s into the pause: %v", got)
	}
	rest.PhaseAge = time.Hour // a pause that lasts too long does not eat the steps behind it
	if got := rest.Remaining(); got != 15*time.Second {
		t.Errorf("an hour into the pause: %v", got)
	}
	for _, p := range []Phase{PhaseFinishing, PhaseDone} {
		if got := at(t, events, func(v *View) bool { return v.Phase == p }).Remaining(); got != 0 {
			t.Errorf("%s: %v", p, got)
		}
	}
	if got := new(View).Remaining(); got != 0 {
		t.Errorf("idle: %v", got)
	}
}

// A step that ends by bytes takes as long as its speed so far says.
func TestRemainingByBytes(t *testing.T) {
	plan := testPlan(t)
	for i := range plan.Profile.Workloads {
		plan.Profile.Workloads[i].Spec.Measure = 0
		plan.Profile.Workloads[i].Spec.Limit = 1000 << 20
	}
	v := new(View)
	v.Apply(bench.Started{ID: "r", Plan: plan})
	steps := plan.Steps()
	last := steps[len(steps)-1]
	v.Apply(bench.StepStarted{Step: last})
	sample := bench.Sample{At: 2 * time.Second, Took: 2 * time.Second, Write: bench.Tally{Ops: 200, Bytes: 200 << 20}}
	v.Apply(bench.Sampled{Step: last.Index, Sample: sample})
	if got := v.Remaining(); got != 8*time.Second {
		t.Errorf("200 of 1000 MiB in 2 s: %v", got)
	}
}

func TestLive(t *testing.T) {
	events := script(testPlan(t), "r1")
	v := at(t, events, func(v *View) bool { return v.Last != nil && v.Last.At == 3*time.Second })
	l := v.Live()
	if l.Took != time.Second || l.Read.Ops != 100 || l.Read.Bytes != 100<<20 || l.Write.Ops != 0 {
		t.Errorf("newest second: %+v", l)
	}
	v = at(t, events, func(v *View) bool { return v.Last != nil && v.Last.At == 200*time.Millisecond })
	if l := v.Live(); l.Took != 200*time.Millisecond || l.Read.Ops != 20 {
		t.Errorf("after 200 ms: %+v", l)
	}
	v = at(t, events, func(v *View) bool { return v.Phase == PhaseResting })
	if l := v.Live(); l.Took != 0 {
		t.Errorf("in a pause: %+v", l)
	}
}

func TestTemperatures(t *testing.T) {
	events := script(testPlan(t), "r1")
	v := at(t, events, func(v *View) bool { return len(v.Temperatures) > 0 })
	before := v.clone()
	if got := v.Temperatures; len(got) != 1 || got[0].Drive != "d" || got[0].MilliC != 38000 || got[0].Label != "Composite" {
		t.Errorf("after the probe: %+v", got)
	}
	for _, e := range events[2:] {
		v.Apply(e)
	}
	if got := v.Temperatures[0].MilliC; got != 41000 || len(v.Temperatures) != 1 {
		t.Errorf("at the end: %+v", v.Temperatures)
	}
	if before.Temperatures[0].MilliC != 38000 {
		t.Error("a copy changed")
	}
}

// What is written is never more than at the end, and never shrinks, at any event.
func TestWrittenGrows(t *testing.T) {
	v := new(View)
	var last int64
	for i, e := range script(testPlan(t), "r1") {
		v.Apply(e)
		if v.Written < last {
			t.Fatalf("event %d: written went from %d to %d", i, last, v.Written)
		}
		last = v.Written
	}
	if want := int64(1<<30 + 3*(500<<20+2<<20)); last != want {
		t.Errorf("written %d, want %d", last, want)
	}
}

func BenchmarkViewCopy(b *testing.B) {
	v := new(View)
	for i := range 60 { // measurements of a long table, a minute of samples each
		step := bench.Step{Index: i, Kind: bench.StepLoad, Workload: "w", Loop: 1}
		v.Apply(bench.StepStarted{Step: step})
		for range 600 {
			v.Apply(bench.Sampled{Step: i})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = v.clone()
	}
}
