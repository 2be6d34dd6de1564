package run

import (
	"strings"
	"testing"
	"time"

	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/chart"
	"cachecliff/ui/part"
)

func spaced(s string) string { return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s) }

// A whole run as the live line tells it.
func TestLive(t *testing.T) {
	w := words.New(words.English)
	p, _ := bench.ByID("cdm-demo")
	plan := bench.Plan{Profile: p, Target: platform.Target{Drives: []platform.Drive{{Bus: platform.BusSATA}}}}
	steps := plan.Steps()
	load := func(bytes int64) bench.Event {
		return bench.Sampled{Sample: bench.Sample{At: time.Second, Took: time.Second, Read: bench.Tally{Ops: 1, Bytes: bytes}}}
	}
	var v app.View
	for _, c := range []struct {
		event bench.Event
		want  string // beginning of the line
	}{
		{bench.Started{ID: "x", Plan: plan}, "Starting …"},
		{bench.Preparing{Done: 512 << 20, Total: 1 << 30}, "Writing the test file: 512 MiB of 1 GiB · "},
		{bench.Prepared{File: bench.FileFacts{Size: 1 << 30, Moved: bench.Moved{WriteBytes: 1 << 30}}}, "Writing the test file: 1 GiB of 1 GiB · "},
		{bench.StepStarted{Step: steps[0]}, "SEQ1M Q8T1 · Read · first pass, not counted · 45 s left · 1.074 GB written"},
		{load(550e6), "SEQ1M Q8T1 · Read · first pass, not counted · 550.0 MB/s · "},
		{bench.StepDone{Measurement: bench.Measurement{Step: steps[0]}}, "SEQ1M Q8T1"},
		{bench.StepStarted{Step: steps[2]}, "SEQ1M Q8T1 · Read · loop 2 of 3 · "},
		{bench.StepStarted{Step: steps[4]}, "Pause of 5 s, then SEQ1M Q8T1 · Write · "},
		{bench.Finished{Reason: bench.ReasonDone}, ""},
	} {
		v.Apply(c.event)
		got := spaced(Live(w, &v, format.EN))
		if !strings.HasPrefix(got, c.want) || (c.want == "" && got != "") {
			t.Errorf("after %T: %q, want %q", c.event, got, c.want)
		}
	}
	v = app.View{Phase: app.PhaseMeasuring, Stopping: true}
	if got := Live(w, &v, format.EN); got != "Stopping …" {
		t.Errorf("while stopping: %q", got)
	}
}

func TestChoice(t *testing.T) {
	for _, c := range []struct {
		choice Choice
		id     string
		ok     bool
	}{
		{Choice{Profile: "cdm-default", FileSize: 64 << 20, Loops: 5}, "cdm-default", true},
		{Choice{Profile: "cdm-default", FileSize: 64 << 20, Loops: 5, MixPct: 40}, "cdm-default+mix", true},
		{Choice{Profile: "gone"}, "", false},
	} {
		p, ok := c.choice.Apply()
		if ok != c.ok || p.ID != c.id {
			t.Errorf("%+v: %s, %v", c.choice, p.ID, ok)
		}
		if !ok {
			continue
		}
		if p.FileSize != c.choice.FileSize || p.Loops != c.choice.Loops {
			t.Errorf("%+v: %d bytes, %d loops", c.choice, p.FileSize, p.Loops)
		}
		for _, x := range p.Workloads {
			if x.Spec.Direction() == bench.DirMix && x.Spec.ReadPct != c.choice.MixPct {
				t.Errorf("%+v: mix of %d", c.choice, x.Spec.ReadPct)
			}
		}
	}
}

// Sizes and loops that were set by hand stay in their lists.
func TestListsKeepWhatWasSetByHand(t *testing.T) {
	w := words.New(words.English)
	for _, c := range []Choice{
		{Profile: "cdm-default", FileSize: 1 << 30, Loops: 3, Unit: bench.UnitMBs},
		{Profile: "cdm-real", FileSize: 3 << 30, Loops: 25, Unit: bench.UnitUS, MixPct: 33},
	} {
		l := State{Words: w, Locale: format.EN, Choice: c}.lists()
		for name, x := range map[string]list{"profile": l.profile, "size": l.size, "loops": l.loops, "unit": l.unit, "mix": l.mix} {
			if x.chosen < 0 || x.chosen >= len(x.texts) {
				t.Errorf("%+v: %s has %d of %v", c, name, x.chosen, x.texts)
			}
		}
		if l.sizes[l.size.chosen] != c.FileSize || l.counts[l.loops.chosen] != c.Loops || l.shares[l.mix.chosen] != c.MixPct {
			t.Errorf("%+v: %+v", c, l)
		}
	}
}

func TestDoubts(t *testing.T) {
	r := &bench.Result{Warnings: []bench.Warning{{Code: bench.WarnBuffered}, {Code: bench.WarnEngineFallback}, {Code: bench.WarnEngineFallback}, {Code: "of-tomorrow"}}}
	want := []part.Pill{{Level: chart.Invalid, Word: "from memory"}, {Level: chart.Doubt, Word: "other engine"}, {Level: chart.Doubt, Word: "doubtful"}}
	got := Doubts(words.New(words.English), r)
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i].Level != want[i].Level || got[i].Word != want[i].Word || len(got[i].Notes) != 1 {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
}
