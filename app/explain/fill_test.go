package explain

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/stages"
)

var update = flag.Bool("update", false, "write golden files anew")

// series makes stages of pairs of GB and MB/s; a cause for each border between.
func series(gbAndRate []float64, causes ...stages.Cause) stages.Stages {
	var s stages.Stages
	for i := 0; i < len(gbAndRate); i += 2 {
		bytes, rate := gbAndRate[i]*1e9, gbAndRate[i+1]*1e6
		took := time.Duration(bytes / rate * 1e9)
		s.Stages = append(s.Stages, stages.Stage{From: s.Bytes, To: s.Bytes + int64(bytes), Took: took, Rate: rate, Lo: rate, Hi: rate})
		if i > 0 {
			s.Borders = append(s.Borders, stages.Border{At: s.Bytes, Lo: s.Bytes, Hi: s.Bytes, Cause: causes[i/2-1]})
		}
		s.Bytes, s.Took, s.Last = s.Bytes+int64(bytes), s.Took+took, rate
	}
	return s
}

// fillVerdicts are what a pass may show.
func fillVerdicts() []struct {
	name string
	pass bench.FillPass
} {
	cache, heat, unknown, rises := stages.CauseCache, stages.CauseHeat, stages.CauseUnknown, stages.CauseNone
	whole := func(s stages.Stages) bench.FillPass { return bench.FillPass{Found: s, Whole: true} }
	return []struct {
		name string
		pass bench.FillPass
	}{
		{"two stages", whole(series([]float64{650, 2400, 1150, 400}, cache))},
		{"two stages, small cache", whole(series([]float64{12, 1800, 400, 90}, cache))},
		{"three stages", whole(series([]float64{650, 2400, 150, 1000, 1200, 400}, cache, cache))},
		{"three stages, small cache", whole(series([]float64{30, 2350, 400, 1200, 500, 600}, cache, cache))},
		{"a slow stage and a less slow one", whole(series([]float64{40, 2000, 100, 300, 300, 500}, cache, rises))},
		{"no cliff", whole(series([]float64{800, 2380}))},
		{"no cliff in little", whole(series([]float64{40, 2380}))},
		{"heat", whole(series([]float64{120, 3000, 300, 1200}, heat))},
		{"heat and cache", whole(series([]float64{100, 3000, 200, 2000, 300, 500}, heat, cache))},
		{"unknown", whole(series([]float64{200, 2000, 50, 900, 300, 2000}, unknown, rises))},
		{"dirty", bench.FillPass{Found: series([]float64{20, 2000, 200, 500}, cache), Whole: true, Dirty: true}},
		{"stopped early", bench.FillPass{Found: series([]float64{60, 2400})}},
		{"stopped behind the cache", bench.FillPass{Found: series([]float64{150, 2400, 20, 400}, cache)}},
		{"nothing", bench.FillPass{}},
	}
}

// The golden file is read by people: each case in both languages.
func TestFillVerdicts(t *testing.T) {
	var b strings.Builder
	for _, c := range fillVerdicts() {
		fmt.Fprintf(&b, "%s\n", c.name)
		for _, w := range languages() {
			fmt.Fprintf(&b, "  %s\n", FillPass(w, c.pass, 2000e9))
		}
	}
	b.WriteString("on a stick of 64 GB\n")
	for _, w := range languages() {
		fmt.Fprintf(&b, "  %s\n", FillPass(w, fillVerdicts()[1].pass, 64e9))
	}
	got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(b.String())
	const golden = "testdata/fill.golden"
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
		t.Errorf("sentences changed; if that is meant, run with -update:\n%s", got)
	}
}

// Further passes get a short sentence each, and so do repeats that disagree.
func TestFillOfSeveralPasses(t *testing.T) {
	p, _ := bench.ByID("fill")
	write := p.Filling.Write
	pass := func(loop, pass int, fast int, freed *bench.Freed) []bench.Measurement {
		m := bench.Measurement{Step: bench.Step{Kind: bench.StepFill, Spec: write, Loop: loop, Pass: pass}}
		for i := range 100 {
			rate := int64(400e6)
			if i < fast {
				rate = 2e9
			}
			m.Series = append(m.Series, bench.Sample{At: time.Duration(i+1) * time.Second, Took: time.Second, Write: bench.Tally{Bytes: rate}})
			m.Moved.WriteBytes += rate
		}
		if freed == nil {
			return []bench.Measurement{m}
		}
		return []bench.Measurement{{Step: bench.Step{Kind: bench.StepDelete, Loop: loop, Pass: pass}, Freed: freed}, m}
	}
	told, untold := &bench.Freed{Bytes: 60e9, Trimmed: new(int64(60e9))}, &bench.Freed{Bytes: 60e9}
	r := &bench.Result{Plan: bench.Plan{Profile: p}}
	r.Plan.Target.Volume.Size, r.Plan.Target.Volume.Free = 200e9, 200e9
	for _, ms := range [][]bench.Measurement{pass(1, 1, 40, nil), pass(1, 2, 10, told), pass(1, 3, 10, untold), pass(2, 1, 30, told)} {
		r.Measurements = append(r.Measurements, ms...)
	}
	for lang, want := range map[int]string{
		0: "The 2 runs disagree: the cache held 60 GB to 80 GB. With the drive 22 % full the cache holds 20 GB. With the drive 20 % full the cache is not known, since the drive was not told what had been deleted.",
		1: "Die 2 Läufe sind uneins: Der Cache fasste 60 GB bis 80 GB. Ist das Laufwerk zu 22 % voll, fasst der Cache 20 GB. Wie groß der Cache ist, wenn das Laufwerk zu 20 % voll ist, ist nicht bekannt, denn es hat nicht erfahren, was gelöscht worden war.",
	} {
		got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(Fill(languages()[lang], r))
		if !strings.HasSuffix(got, want) {
			t.Errorf("got %q, want at the end %q", got, want)
		}
	}
	r.Measurements = append(pass(1, 1, 40, nil), pass(2, 1, 100, told)...)
	got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(Fill(languages()[0], r))
	if want := "The runs disagree: no end of the write cache was seen in 1 of 2, up to 200 GB."; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want at the end %q", got, want)
	}
	if got := Fill(languages()[0], &bench.Result{}); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
