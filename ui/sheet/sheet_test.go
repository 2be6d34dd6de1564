package sheet

import (
	"math"
	"slices"
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
	p := Rates(ms, nil, 5*time.Second)
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
	if e := Rates(nil, nil, 0); len(e.Seconds) != 0 {
		t.Errorf("nothing gives %v", e)
	}
}

// A temperature has its own time, stands there once however often it is repeated, and goes on in pauses.
func TestTemperaturePoints(t *testing.T) {
	read := func(drive string, since, age time.Duration, milli int32) bench.DriveReading {
		return bench.DriveReading{Drive: drive, Since: since, Sensors: platform.Sensors{TempAge: age, Temperatures: []platform.Reading{{MilliC: milli}}}}
	}
	const s = time.Second
	ms := []bench.Measurement{{Began: 10 * s, Series: []bench.Sample{
		{At: s, Took: s, Drive: []bench.DriveReading{read("a", 11*s, s/2, 40000), read("b", 11*s, 0, 99000), read("a", 11*s+s/2, s, 40000)}}}}}
	between := []bench.DriveReading{
		read("a", 9*s, 0, 30000), read("a", 13*s, 0, 42000), {Drive: "a", Since: 14 * s}, read("a", 15*s, 2*s, 42000), read("a", 16*s, s/4, 41000),
	}
	p := Rates(ms, between, 5*s)
	if seconds, degrees := []float64{0.5, 3, 5.75}, []float64{40, 42, 41}; !slices.Equal(p.TempSeconds, seconds) || !slices.Equal(p.TempC, degrees) {
		t.Errorf("%v at %v, want %v at %v", p.TempC, p.TempSeconds, degrees, seconds)
	}
}

// A number is struck through if a doubt of its own or about the whole run says that it does not hold, and
// valid if the run has ended and there is no doubt but notes.
func TestJudge(t *testing.T) {
	p, _ := bench.ByID("cdm-default")
	first, second := p.Workloads[0], p.Workloads[1]
	for name, c := range map[string]struct {
		warnings      []bench.Warning
		reason        bench.Reason
		first, second bench.Level
		struck, valid [2]bool
	}{
		"whole run": {[]bench.Warning{{Code: bench.WarnBuffered}}, bench.ReasonDone, "invalid", "invalid", [2]bool{true, true}, [2]bool{}},
		"one row":   {[]bench.Warning{{Code: bench.WarnCached, Workload: second.ID}}, bench.ReasonDone, "", "invalid", [2]bool{false, true}, [2]bool{true, false}},
		"a doubt":   {[]bench.Warning{{Code: bench.WarnNoisy, Workload: second.ID}}, bench.ReasonDone, "", "doubt", [2]bool{}, [2]bool{true, false}},
		"a note":    {[]bench.Warning{{Code: bench.WarnNamedFile}, {Code: bench.WarnNamedFile}}, bench.ReasonStopped, "note", "note", [2]bool{}, [2]bool{true, true}},
		"the worst": {[]bench.Warning{{Code: bench.WarnBattery}, {Code: bench.WarnNoisy, Workload: first.ID}, {Code: bench.WarnShort, Workload: first.ID}}, bench.ReasonDone,
			"invalid", "note", [2]bool{true, false}, [2]bool{false, true}},
		"goes on": {nil, bench.ReasonInterrupted, "", "", [2]bool{}, [2]bool{}},
	} {
		s := Make(p, []bench.Outcome{outcome(first, 3), outcome(second, 3)}, bench.UnitMBs, "", format.EN)
		s.Judge(&bench.Result{Warnings: c.warnings, Reason: c.reason})
		for i, want := range []bench.Level{c.first, c.second} {
			cell := s.Rows[i].Cells[0]
			if cell.Level() != want || cell.Struck() != c.struck[i] || cell.Valid() != c.valid[i] {
				t.Errorf("%s, row %d: %q, struck %v, valid %v", name, i, cell.Level(), cell.Struck(), cell.Valid())
			}
			if name == "a note" && len(cell.Doubts) != 1 {
				t.Errorf("%s: told %d times", name, len(cell.Doubts))
			}
		}
		if empty := s.Rows[2].Cells[0]; len(empty.Doubts) > 0 || empty.Valid() {
			t.Errorf("%s: a cell without a number is judged: %+v", name, empty)
		}
	}
}

// Every part of a cell that can be seen makes it another one.
func TestSame(t *testing.T) {
	base := Cell{Workload: "a", Number: "1", Doubts: []bench.Warning{{Code: bench.WarnNoisy, Value: 0.2}}}
	if other := base; !base.Same(other) {
		t.Error("a copy is another cell")
	}
	for name, change := range map[string]func(*Cell){
		"workload": func(c *Cell) { c.Workload = "b" }, "state": func(c *Cell) { c.State = Done },
		"number": func(c *Cell) { c.Number = "2" }, "median": func(c *Cell) { c.Median = "2" }, "spread": func(c *Cell) { c.Spread = "2" },
		"p99": func(c *Cell) { c.P99 = "2" }, "rate": func(c *Cell) { c.Rate = 2 }, "judged": func(c *Cell) { c.Judged = true },
		"doubts": func(c *Cell) { c.Doubts = []bench.Warning{{Code: bench.WarnNoisy, Value: 0.3}} }, "no doubts": func(c *Cell) { c.Doubts = nil },
	} {
		other := base
		if change(&other); base.Same(other) {
			t.Errorf("%s makes no difference", name)
		}
	}
}
