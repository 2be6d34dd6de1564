package explain

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"cachecliff/app/compare"
	"cachecliff/app/reference"
	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
)

// measured is a table of three equal loops on a drive: I/Os a second of each workload.
func measured(model string, bus platform.Bus, gen int, iops map[string]int64, warnings ...bench.Warning) *bench.Result {
	p, _ := bench.ByID("cdm-nvme")
	var r bench.Result
	drive := platform.Drive{Model: model, Bus: bus, LinkMax: platform.Link{PCIeGen: gen, Lanes: 4}, Capacity: 2000398934016}
	r.Apply(bench.Started{ID: "a", App: bench.App{Version: "1", Method: 1}, Machine: platform.System{OS: "Debian GNU/Linux 13"},
		Plan: bench.Plan{Profile: p, Target: platform.Target{Volume: platform.Volume{FS: "ext4", Size: 2000e9, Free: 1000e9}, Drives: []platform.Drive{drive}}}})
	for _, s := range r.Plan.Steps() {
		n := iops[s.Workload]
		if s.Kind != bench.StepLoad || n == 0 {
			continue
		}
		h := new(hist.H)
		for range n {
			h.Record(time.Millisecond)
		}
		t := bench.Tally{Ops: n, Bytes: n * int64(s.Spec.Block), SumLat: h.Sum()}
		m := bench.Measurement{Step: s, Elapsed: time.Second}
		if s.Spec.ReadPct > 0 {
			m.Read, m.ReadHist = t, h
		} else {
			m.Write, m.WriteHist = t, h
		}
		r.Apply(bench.StepStarted{Step: s})
		r.Apply(bench.StepDone{Measurement: m})
	}
	for _, w := range warnings {
		r.Apply(bench.Warned{Warning: w})
	}
	r.Apply(bench.Finished{Reason: bench.ReasonDone})
	return &r
}

// filled is a fill of an empty drive: GB and MB/s of each stage.
func filled(model string, gbAndRate ...float64) *bench.Result {
	p, _ := bench.ByID("fill")
	f := *p.Filling
	f.Again = nil
	p.Filling = &f
	r := measured(model, platform.BusNVMe, 3, nil)
	r.Plan.Profile, r.Plan.Target.Volume = p, platform.Volume{FS: "ext4", Size: 2000e9, Used: 1e9, Free: 1999e9}
	m := bench.Measurement{Step: r.Plan.Steps()[0]}
	for i := 0; i < len(gbAndRate); i += 2 {
		for range int(gbAndRate[i]) {
			took := time.Duration(1e12 / (gbAndRate[i+1] * 1e6) * 1e6)
			m.Elapsed += took
			m.Series = append(m.Series, bench.Sample{At: m.Elapsed, Took: took, Write: bench.Tally{Ops: 1000, Bytes: 1e9}})
		}
	}
	r.Measurements = []bench.Measurement{m}
	return r
}

// The golden file is read by people: each case in both languages.
func TestVerdict(t *testing.T) {
	all, err := reference.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	fast := map[string]int64{"seq1m-q8t1-read": 3400, "seq1m-q8t1-write": 2300, "rnd4k-q32t16-read": 40000, "rnd4k-q1t1-read": 13000}
	noisy := bench.Warning{Code: bench.WarnNoisy, Workload: "rnd4k-q1t1-read", Value: 0.3}
	cached := bench.Warning{Code: bench.WarnCached, Workload: "seq1m-q8t1-write", Value: 0.1}
	stopped := measured("CT2000P5SSD8", platform.BusNVMe, 3, map[string]int64{"seq1m-q8t1-read": 3400})
	stopped.Reason = bench.ReasonStopped
	slow := map[string]int64{"seq1m-q8t1-read": 900, "seq1m-q8t1-write": 800}
	var b strings.Builder
	for _, c := range []struct {
		name string
		r    *bench.Result
	}{
		{"a model that is known", measured("CT2000P5SSD8", platform.BusNVMe, 3, fast)},
		{"doubts", measured("CT2000P5SSD8", platform.BusNVMe, 3, fast, noisy, noisy, cached)},
		{"a note is no doubt", measured("Nameless", platform.BusNVMe, 3, slow, bench.Warning{Code: bench.WarnBattery})},
		{"stopped", stopped},
		{"a class of which little is measured", measured("Nameless", platform.BusNVMe, 5, fast)},
		{"no class", measured("VirtIO disk", platform.BusVirtual, 0, fast, bench.Warning{Code: bench.WarnOtherIO, Value: 1e6})},
		{"a fill", filled("CT2000P5SSD8", 650, 2400, 150, 1000, 1180, 400)},
		{"a fill without a cliff", filled("Nameless", 1980, 1700)},
	} {
		fmt.Fprintf(&b, "%s\n", c.name)
		for _, w := range languages() {
			got := Verdict(w, c.r, all)
			if len(got) == 0 {
				t.Errorf("%s: nothing to say", c.name)
			}
			for _, sentence := range got {
				fmt.Fprintf(&b, "  %s\n", sentence)
			}
		}
	}
	got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(b.String())
	const golden = "testdata/verdict.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, w := range languages() {
		if got := Verdict(w, measured("x", platform.BusNVMe, 3, nil), all); got != nil {
			t.Errorf("no number, and yet %q", got)
		}
	}
}

// Everything that comparisons speak of has words in both languages.
func TestWordsOfComparisons(t *testing.T) {
	all, err := reference.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range languages() {
		var got []string
		for _, m := range reference.Metrics() {
			name := MetricName(w, m.ID)
			if name == m.ID {
				t.Errorf("%s: no name of %s", w.Lang(), m.ID)
			}
		}
		for _, c := range append(reference.Classes(), reference.ClassUnknown) {
			got = append(got, Class(w, c))
		}
		for _, d := range all {
			for _, s := range d.Sources {
				got = append(got, Quality(w, s.Quality))
			}
			for _, v := range d.Values {
				got = append(got, Value(w, v), Kind(w, v.Kind))
			}
		}
		got = append(got, Quality(w, reference.QualityOwn), FromSteps(w))
		for _, c := range codes(t, "app/compare", "Reason") {
			got = append(got, Unlike(w, compare.Reason(c)))
		}
		for _, c := range codes(t, "app/compare", "Nothing") {
			got = append(got, Nothing(w, compare.Nothing(c)))
		}
		for _, c := range codes(t, "app/compare", "Significance") {
			got = append(got, Significance(w, compare.Significance(c)))
		}
		for _, what := range []string{"label", "firmware", "driver", "link", "fs", "layers", "fill", "power", "cpu", "kernel", "app"} {
			got = append(got, Changed(w, what))
		}
		spec := bench.Spec{Access: bench.Random, ReadPct: 100, Block: 4096, Depth: 1, Threads: 1}
		for _, kind := range []string{"rate", "iops", "latency", "p99"} {
			got = append(got, Metric(w, reference.Value{Metric: kind + ".rnd4k-q1t1-read", Spec: &spec}))
		}
		for _, s := range got {
			for _, prefix := range []string{"metric.", "class.", "kind.", "quality.", "unlike.", "nothing.", "significance.", "changed.", "measure.", "qualifier.", "compare."} {
				if s == "" || strings.HasPrefix(s, prefix) || strings.Contains(s, "<no value>") {
					t.Errorf("%s: %q", w.Lang(), s)
				}
			}
		}
	}
	if Nothing(languages()[0], "") != "" {
		t.Error("a reason where there is something to compare")
	}
}

// What a fill showed is followed by where the drive stands, if that is known.
func TestFound(t *testing.T) {
	all, err := reference.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	known := filled("CT2000P5SSD8", 650, 2400, 150, 1000, 1180, 400)
	unknown := filled("VirtIO disk", 650, 2400, 150, 1000, 1180, 400)
	unknown.Plan.Target.Drives[0].Bus = platform.BusVirtual
	for _, w := range languages() {
		fill := Fill(w, known)
		if got := Found(w, known, all); !strings.HasPrefix(got, fill+" ") || !strings.Contains(got, Class(w, reference.ClassPCIe3)) {
			t.Errorf("got %q", got)
		}
		if got := Found(w, unknown, all); got != Fill(w, unknown) || got == "" {
			t.Errorf("without a class: %q", got)
		}
		if got := Found(w, known, nil); got != fill {
			t.Errorf("without other drives: %q", got)
		}
	}
}
