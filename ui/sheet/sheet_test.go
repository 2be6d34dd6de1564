package sheet

import (
	"math"
	"strings"
	"testing"
	"time"

	"cachecliff/app/format"
	"cachecliff/bench"
	"cachecliff/platform"
)

func plain(s string) string { return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s) }

func outcome(w bench.Workload, loops int) bench.Outcome {
	e := func(best, median float64) bench.Estimate {
		return bench.Estimate{Best: best, Median: median, Lo: median * 0.99, Hi: median * 1.01, N: loops}
	}
	return bench.Outcome{Workload: w, Bytes: e(7_321_400_000, 7_298_000_000), IOPS: e(812_345, 810_000), Latency: e(88_120, 88_900)}
}

func TestCells(t *testing.T) {
	p, _ := bench.ByID("cdm-default")
	for _, c := range []struct {
		unit           bench.Unit
		loops          int
		number, median string
		spread         string
		lower          bool
	}{
		{bench.UnitMBs, 3, "7 321", "7 298", "2 %", false},
		{bench.UnitGBs, 3, "7.321", "7.298", "2 %", false},
		{bench.UnitIOPS, 3, "812 300", "810 000", "2 %", false},
		{bench.UnitUS, 3, "88.12", "88.90", "2 %", true},
		{bench.UnitMBs, 1, "7 321", "", "", false},
		{bench.UnitMBs, 0, "", "", "", false},
	} {
		s := Make(p, []bench.Outcome{outcome(p.Workloads[0], c.loops)}, c.unit, "", format.EN)
		cell := s.Rows[0].Cells[0]
		if plain(cell.Number) != c.number || plain(cell.Median) != c.median || plain(cell.Spread) != c.spread {
			t.Errorf("%s, %d loops: %q, %q, %q", c.unit, c.loops, cell.Number, cell.Median, cell.Spread)
		}
		if s.Rows[0].LowerIsBetter() != c.lower {
			t.Errorf("%s: lower is better: %v", c.unit, !c.lower)
		}
		if done := cell.State == Done; done != (c.loops > 0) {
			t.Errorf("%s, %d loops: done is %v", c.unit, c.loops, done)
		}
		if other := s.Rows[1].Cells[0]; other.Number != "" || other.State != Empty {
			t.Errorf("a workload without a number shows %q", other.Number)
		}
	}
}

// Every workload of every profile stands in exactly the rows of its shape, and each row's button runs
// one workload per column.
func TestEveryProfile(t *testing.T) {
	for _, p := range bench.Builtin() {
		s := Make(p, nil, bench.UnitMBs, "", format.EN)
		if len(s.Rows) != len(p.Rows) {
			t.Errorf("%s: %d rows", p.ID, len(s.Rows))
		}
		seen := map[string]bool{}
		for _, r := range s.Rows {
			if len(r.Cells) != len(s.Columns) || len(r.Workloads) != len(s.Columns) || r.Unit == bench.UnitUser || r.Name == "" || r.Load == "" {
				t.Errorf("%s: row %+v", p.ID, r)
			}
			for _, id := range r.Workloads {
				seen[id] = true
			}
		}
		for _, w := range p.Workloads {
			if !seen[w.ID] {
				t.Errorf("%s: %s is in no row", p.ID, w.ID)
			}
		}
	}
}

func TestRunningCellShowsWhatGoesOn(t *testing.T) {
	p, _ := bench.ByID("cdm-default")
	id := p.Workloads[2].ID
	for unit, want := range map[bench.Unit]string{bench.UnitMBs: "500.0", bench.UnitGBs: "0.5000", bench.UnitIOPS: "122 100", bench.UnitUS: "16.38"} {
		s := Make(p, nil, unit, id, format.EN)
		s.SetLive(id, 1e9, 244_140, 4*time.Second, 2*time.Second, format.EN)
		c := s.Rows[2].Cells[0]
		if c.State != Running || plain(c.Number) != want || c.Rate != 500e6 {
			t.Errorf("%s: %+v", unit, c)
		}
	}
	s := Make(p, []bench.Outcome{outcome(p.Workloads[2], 1)}, bench.UnitMBs, id, format.EN)
	s.SetLive(id, 1e9, 1, 1, time.Second, format.EN)
	if c := s.Rows[2].Cells[0]; plain(c.Number) != "7 321" {
		t.Errorf("a loop that is complete was overwritten: %q", c.Number)
	}
}

func TestRates(t *testing.T) {
	second := func(n int64) bench.Sample {
		return bench.Sample{At: time.Second, Took: time.Second, Read: bench.Tally{Bytes: n}, Write: bench.Tally{Bytes: n / 2}}
	}
	warm := second(10)
	warm.Drive = []bench.DriveReading{{Drive: "a", Sensors: platform.Sensors{Temperatures: []platform.Reading{{MilliC: 41_500}}}}}
	read, mix := bench.Spec{ReadPct: 100}, bench.Spec{ReadPct: 70}
	ms := []bench.Measurement{
		{Step: bench.Step{Workload: "a", Spec: read}, Began: 3 * time.Second, Series: []bench.Sample{warm}},
		{Step: bench.Step{Workload: "b", Spec: mix}, Series: []bench.Sample{second(20)}}, // goes on: began is not known
	}
	p := Rates(ms, 5*time.Second)
	nan := math.NaN()
	for name, c := range map[string]struct{ got, want []float64 }{
		"seconds":      {p.Seconds, []float64{1, 1, 7, 7}},
		"read":         {p.Read, []float64{10, nan, 20, nan}},
		"write":        {p.Write, []float64{nan, nan, 10, nan}},
		"temp seconds": {p.TempSeconds, []float64{1}},
		"temp":         {p.TempC, []float64{41.5}},
	} {
		same := len(c.got) == len(c.want)
		for i := range c.want {
			same = same && (c.got[i] == c.want[i] || math.IsNaN(c.got[i]) && math.IsNaN(c.want[i]))
		}
		if !same {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if e := Rates(nil, 0); len(e.Seconds) != 0 {
		t.Errorf("nothing gives %v", e)
	}
}

func TestStrike(t *testing.T) {
	p, _ := bench.ByID("cdm-default")
	first, second := p.Workloads[0], p.Workloads[1]
	for name, c := range map[string]struct {
		warning       bench.Warning
		first, second bool
	}{
		"whole run": {bench.Warning{Code: bench.WarnBuffered}, true, true},
		"one row":   {bench.Warning{Code: bench.WarnCached, Workload: second.ID}, false, true},
		"a doubt":   {bench.Warning{Code: bench.WarnNoisy, Workload: second.ID}, false, false},
		"a note":    {bench.Warning{Code: bench.WarnNamedFile}, false, false},
	} {
		s := Make(p, []bench.Outcome{outcome(first, 3), outcome(second, 3)}, bench.UnitMBs, "", format.EN)
		s.Strike(&bench.Result{Warnings: []bench.Warning{c.warning}})
		if a, b := s.Rows[0].Cells[0].Struck, s.Rows[1].Cells[0].Struck; a != c.first || b != c.second {
			t.Errorf("%s: struck %v, %v", name, a, b)
		}
		if s.Rows[2].Cells[0].Struck {
			t.Errorf("%s: a cell without a number is struck", name)
		}
	}
}
