package main

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"cachecliff/app"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// fillStage has a drive of 200 GB with a write cache of 20 GB.
func fillStage(t *testing.T) *stage {
	m := platformtest.Typical()
	m.Capacity, m.CacheBytes = 200e9, 20e9
	return stageOn(t, platformtest.Options{Model: m})
}

// A fill is run from the command line, told before and after, kept, listed, shown and exported.
func TestRunFill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fillStage(t)
		args := "run fill --target /fake --size 8GiB --pause 10s --passes 50"
		if status := s.run(t.Context(), line(args)...); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		golden(t, "fill-text", masked(s, s.stdout.String()))
		golden(t, "fill-notes", masked(s, s.stderr.String()))
		s.nothingLeft(t)
		for name, args := range map[string]string{"fill-results": "results", "fill-text": "show latest", "fill-files": "export latest --format csv-files"} {
			if status := s.run(t.Context(), strings.Fields(args)...); status != exitDone || s.stderr.Len() > 0 {
				t.Errorf("%s: status %d, standard error %q", args, status, s.stderr.String())
			}
			golden(t, name, strings.ReplaceAll(masked(s, s.stdout.String()), "\r\n", "\n")) // a table has the line ends of RFC 4180
		}
	})
}

// The options of a fill change its plan, each as its name says.
func TestFillOptions(t *testing.T) {
	for _, tt := range []struct {
		args string
		want func(p bench.Profile) bool
	}{
		{"", func(p bench.Profile) bool {
			return slices.Equal(p.Filling.Again, []int{50, 20}) && p.Filling.Write.Depth == 8
		}},
		{"--passes none", func(p bench.Profile) bool { return len(p.Filling.Again) == 0 }},
		{"--passes 90,80%,70", func(p bench.Profile) bool { return slices.Equal(p.Filling.Again, []int{90, 80, 70}) }},
		{"--stop-after 40GB", func(p bench.Profile) bool { return p.Filling.After == 40e9 }},
		{"--stop-after 1GiB --most 25", func(p bench.Profile) bool { return p.Filling.After == 1<<30 && p.Filling.Most == 25 }},
		{"--empty", func(p bench.Profile) bool { return p.Filling.Empty }},
		{"--write seq128k,q32", func(p bench.Profile) bool { return p.Filling.Write.Block == 128<<10 && p.Filling.Write.Depth == 32 }},
		{"--size 1GiB --loops 4 --pause 60m", func(p bench.Profile) bool {
			return p.FileSize == 1<<30 && p.Filling.Write.Limit == 1<<30 && p.Loops == 4 && p.Rest.Hours() == 1
		}},
	} {
		o := runOptions{pause: -1}
		var args []string
		for _, a := range strings.Fields("fill --target /fake " + tt.args) {
			args = append(args, strings.ReplaceAll(a, "seq128k,", "seq128k "))
		}
		rest, err := parseArgs(o.options(), args)
		if err != nil {
			t.Fatalf("%s: %v", tt.args, err)
		}
		p, err := o.profile(rest)
		if err != nil || !tt.want(p) {
			t.Errorf("%s: %+v, %v", tt.args, p.Filling, err)
		}
	}
}

// What a fill does not take is refused in a sentence, and so are its options elsewhere.
func TestFillOptionsRefused(t *testing.T) {
	for args, want := range map[string]string{
		"run fill --target /fake --time 5s":                          "takes neither --time nor --mix",
		"run fill --target /fake --mix 50":                           "takes neither --time nor --mix",
		"run cdm-demo --target /fake --empty":                        "are options of fill and fill-quick",
		"run fill --target /fake --passes 50,0":                      "numbers from 1 to 100",
		"run fill --target /fake --passes 1,1,1,1,1,1,1,1,1,1":       "Passes: 1 to 10.",
		"run fill --target /fake --stop-after much":                  "a size such as 40GB",
		"run fill --target /fake --most 101":                         "a number from 0 to 100",
		"run fill --target /fake --write RND4K":                      "sequential writes",
		"run fill --target /fake --write SEQ1M --write=SEQ1M,LIMIT=": "sequential writes",
		"run fil --target /fake":                                     "did you mean fill",
		"run fill --target /fake --empty":                            "There are files on the volume of /fake",
	} {
		s := fillStage(t)
		status := s.run(t.Context(), strings.Fields(args)...)
		if got := s.stderr.String(); status == exitDone || !strings.Contains(got, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, got, want)
		}
	}
}

// The line of progress tells the pass, how far it is, the rate and what is left.
func TestFillProgress(t *testing.T) {
	p, _ := bench.ByID("fill")
	v := new(app.View)
	target := platformtest.New(platformtest.Options{Model: platformtest.Typical()})
	where, err := target.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := bench.NewPlan(p, where, bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v.Apply(bench.Started{ID: "r", Plan: plan})
	var got []string
	for _, s := range plan.Steps()[:3] {
		v.Apply(bench.StepStarted{Step: s})
		if s.Kind == bench.StepFill {
			v.Apply(bench.Sampled{Step: s.Index, Sample: bench.Sample{At: 1e9, Took: 1e9, Write: bench.Tally{Ops: 2000, Bytes: 2e9}}})
		}
		got = append(got, plain(progressLine(v)))
		v.Apply(bench.StepDone{Measurement: bench.Measurement{Step: s}})
	}
	want := []string{
		"pass 1/3: 2.000 of 350.0 GB, 2 000 MB/s, 1 h 10 min left",
		"pass 2/3: deleting, 1 h 5 min left",
		"pass 2/3: pause, 1 h 5 min left",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Before a run it is told what share of a drive's life it may cost, where that is known.
func TestWear(t *testing.T) {
	p, _ := bench.ByID("fill")
	target := platform.Target{Path: "/x", Volume: platform.Volume{Size: 2000e9, Free: 2000e9},
		Drives: []platform.Drive{{Model: "CT2000P5SSD8", Capacity: 2000398934016}}}
	for name, want := range map[string]string{"CT2000P5SSD8": "at most 0.3 % of the 1.2 PB that the maker vouches for", "Fakedrive": ""} {
		target.Drives[0].Model = name
		plan, err := bench.NewPlan(p, target, bench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(wearWords(plan)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
