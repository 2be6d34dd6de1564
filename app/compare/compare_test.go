package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cachecliff/app/reference"
	"cachecliff/bench"
)

// drive is one with values of others: metric, value, kind.
func drive(id string, class reference.Class, gb float64, values ...any) reference.Drive {
	d := reference.Drive{ID: id, Model: id, Class: class, CapacityGB: gb,
		Sources: map[string]reference.Source{"a": {Title: "A", Address: "https://a.example/" + id, Quality: reference.QualityReview}}}
	for i := 0; i < len(values); i += 3 {
		m, ok := reference.MetricByID(values[i].(string))
		if !ok {
			panic(values[i])
		}
		d.Values = append(d.Values, reference.Value{Metric: m.ID, Unit: m.Unit, Value: values[i+1].(float64), Kind: values[i+2].(reference.Kind),
			Qualifier: reference.Exactly, Source: "a", Conditions: "empty"})
	}
	return d
}

// read4k is the load of the runs.
func read4k() *bench.Spec {
	return &bench.Spec{Access: bench.Random, ReadPct: 100, Block: 4096, Depth: 1, Threads: 1, Measure: 5e9}
}

const rate, latency = "rate.rnd4k-q1t1-read", "latency.rnd4k-q1t1-read"

// run is a run with one load: median and range of three loops.
func run(id string, mid, lo, hi float64) reference.Drive {
	d := reference.Drive{ID: id, Model: "Own", Class: reference.ClassPCIe4, CapacityGB: 1000,
		Setup:   &reference.Setup{Run: id, Test: "cdm-default", Method: 1, OS: "Linux"},
		Sources: map[string]reference.Source{"own": {Title: "Cachecliff", Address: id, Quality: reference.QualityOwn}}}
	for _, metric := range []string{rate, latency} {
		m, _ := reference.MetricByID(metric)
		d.Values = append(d.Values, reference.Value{Metric: metric, Unit: m.Unit, Value: mid, Kind: reference.Measured, Qualifier: reference.Exactly,
			Source: "own", Conditions: "c", Spec: read4k(), Span: 1 << 30, Loops: &reference.Loops{Lo: lo, Hi: hi, N: 3}})
	}
	return d
}

// shown is a chart in short: ranked | rated | not ranked: why nothing.
func shown(c Chart) string {
	list := func(bars []Bar) string {
		var out []string
		for _, b := range bars {
			s := fmt.Sprintf("%s=%g", b.ID, b.Amount)
			if b.Own {
				s = "*" + s
			}
			for _, r := range b.Reasons {
				s += "/" + string(r)
			}
			out = append(out, s)
		}
		return strings.Join(out, " ")
	}
	return strings.TrimSpace(fmt.Sprintf("%s | %s | %s: %s", list(c.Bars), list(c.Rated), list(c.Unlike), c.Nothing))
}

func TestBars(t *testing.T) {
	m, r := reference.Measured, reference.Rated
	all := []reference.Drive{
		drive("a", reference.ClassPCIe4, 1000, "seq_read_max", 5000., m, "seq_read_max", 7000., r, "slc_cache_gb_fill0", 100., m, "temp_max_read", 70., m),
		drive("b", reference.ClassPCIe3, 2000, "seq_read_max", 3400., m, "slc_cache_gb_fill0", 300., m, "temp_max_read", 60., m),
		drive("c", reference.ClassPCIe4, 500, "seq_read_max", 6500., r),
		drive("d", reference.ClassPCIe4, 0, "slc_cache_gb_fill0", 50., m),
	}
	pcie4 := Filter{Classes: []reference.Class{reference.ClassPCIe4}}
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"rated has no rank", Options{Metric: "seq_read_max"}, "a=5000 b=3400 | a=7000 c=6500 | :"},
		{"lower is better", Options{Metric: "temp_max_read"}, "b=60 a=70 |  | :"},
		{"in GB", Options{Metric: "slc_cache_gb_fill0"}, "b=300 a=100 d=50 |  | :"},
		{"in percent", Options{Metric: "slc_cache_gb_fill0", Share: true}, "b=15 a=10 |  | :"},
		{"no share of a rate", Options{Metric: "temp_max_read", Share: true}, "b=60 a=70 |  | :"},
		{"class, one left", Options{Metric: "seq_read_max", Filter: pcie4}, "a=5000 | a=7000 c=6500 | : one"},
		{"own one passes", Options{Metric: "seq_read_max", Filter: pcie4, Own: "b"}, "a=5000 *b=3400 | a=7000 c=6500 | :"},
		{"capacity", Options{Metric: "seq_read_max", Filter: Filter{MinGB: 1500}}, "b=3400 |  | : one"},
		{"capacity not known", Options{Metric: "slc_cache_gb_fill0", Filter: Filter{MaxGB: 1000}}, "a=100 |  | : one"},
		{"measured only", Options{Metric: "seq_read_max", Filter: Filter{Kind: m}}, "a=5000 b=3400 |  | :"},
		{"rated only", Options{Metric: "seq_read_max", Filter: Filter{Kind: r}}, "| a=7000 c=6500 | : rated"},
		{"filter leaves none", Options{Metric: "seq_read_max", Filter: Filter{MinGB: 9000}}, "|  | : filtered"},
		{"nobody has it", Options{Metric: "sql_latency_ms"}, "|  | : none"},
		{"no metric", Options{Metric: "speed"}, "|  | : unknown"},
	} {
		if got := shown(Bars(all, c.o)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if c := Bars(all, Options{Metric: "slc_cache_gb_fill0", Share: true}); c.NoCapacity != 1 || c.Unit != "%" || c.Sources != 2 {
		t.Errorf("%d without capacity, %s, %d sources", c.NoCapacity, c.Unit, c.Sources)
	}
}

// changed is a run after a change.
func changed(id string, change func(d *reference.Drive)) reference.Drive {
	d := run(id, 60, 59, 61)
	change(&d)
	return d
}

// each changes all values.
func each(change func(v *reference.Value)) func(d *reference.Drive) {
	return func(d *reference.Drive) {
		for i := range d.Values {
			change(&d.Values[i])
		}
	}
}

func TestUnlikeRunsAreNeverMixed(t *testing.T) {
	own := run("own", 50, 49, 51)
	for _, c := range []struct {
		name   string
		change func(d *reference.Drive)
		want   Reason
	}{
		{"alike", func(*reference.Drive) {}, ""},
		{"firmware", func(d *reference.Drive) { d.Setup.Firmware = "2" }, ""},
		{"load", each(func(v *reference.Value) { v.Spec = read4k(); v.Spec.Measure = 1e9 }), ReasonSpec},
		{"span", each(func(v *reference.Value) { v.Span = 4 << 30 }), ReasonSpan},
		{"invalid", each(func(v *reference.Value) { v.Invalid = true }), ReasonInvalid},
		{"method", func(d *reference.Drive) { d.Setup.Method = 2 }, ReasonMethod},
		{"another program", func(d *reference.Drive) { d.Setup.Program, d.Setup.Method = "CrystalDiskMark 8", 0 }, ReasonProgram},
		{"system", func(d *reference.Drive) { d.Setup.OS = "Windows" }, ReasonOS},
		{"buffered", func(d *reference.Drive) { d.Setup.Buffered = true }, ReasonBuffered},
		{"write-through", func(d *reference.Drive) { d.Setup.Through = true }, ReasonThrough},
	} {
		other := changed("other", c.change)
		got := shown(Bars([]reference.Drive{other, own}, Options{Metric: rate, Own: "own"}))
		want := "other=60 *own=50 |  | :"
		if c.want != "" {
			want = fmt.Sprintf("*own=50 |  | other=60/%s: unlike", c.want)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
		row := Differences(own, other).Rows[0]
		if (row.Significance == Unfit) != (c.want != "") || c.want != "" && !slices.Equal(row.Reasons, []Reason{c.want}) {
			t.Errorf("%s: %s %v", c.name, row.Significance, row.Reasons)
		}
	}
}

// A fill that began at another level, or a shortened test, is told as well.
func TestUnlikeFills(t *testing.T) {
	fill := func(id, test string, start float64) reference.Drive {
		d := run(id, 60, 59, 61)
		d.Setup.Test = test
		d.Values = []reference.Value{{Metric: "slc_cache_gb_fill0", Unit: "GB", Value: 60, Kind: reference.Measured, Qualifier: reference.Exactly,
			Source: "own", Conditions: "c", Spec: read4k(), Start: &start}}
		return d
	}
	a := fill("a", "fill", 0.01)
	for _, c := range []struct {
		b    reference.Drive
		want []Reason
	}{
		{fill("b", "fill", 0.03), nil},
		{fill("b", "fill-quick", 0.01), []Reason{ReasonTest}},
		{fill("b", "fill", 0.4), []Reason{ReasonLevel}},
	} {
		if got := Unlike(a, c.b, a.Values[0], c.b.Values[0]); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.b.Setup.Test, got, c.want)
		}
	}
}

func TestSignificance(t *testing.T) {
	for _, c := range []struct {
		name   string
		b      reference.Drive
		want   Significance
		better [2]int // rate, latency
		change float64
	}{
		{"apart", run("b", 110, 108, 112), Clear, [2]int{1, -1}, 0.1},
		{"apart, down", run("b", 90, 88, 92), Clear, [2]int{-1, 1}, -0.1},
		{"overlap", run("b", 102, 99, 104), Within, [2]int{}, 0.02},
		{"touch", run("b", 104, 102, 106), Within, [2]int{}, 0.04},
		{"two loops", changed("b", each(func(v *reference.Value) { v.Loops = &reference.Loops{Lo: 60, Hi: 60, N: 2} })), Unsure, [2]int{}, -0.4},
		{"apart, but noisy", changed("b", func(d *reference.Drive) {
			*d = run("b", 110, 108, 112)
			each(func(v *reference.Value) { v.Doubts = []bench.WarningCode{bench.WarnNoisy} })(d)
		}), Doubtful, [2]int{}, 0.1},
		{"no loops", changed("b", each(func(v *reference.Value) { v.Loops = nil })), Unsure, [2]int{}, -0.4},
	} {
		rows := Differences(run("a", 100, 98, 102), c.b).Rows
		if len(rows) != 2 {
			t.Fatalf("%s: %d rows", c.name, len(rows))
		}
		for i, r := range rows {
			if r.Significance != c.want || r.Better != c.better[i] || r.Change == nil || *r.Change-c.change > 1e-9 || c.change-*r.Change > 1e-9 {
				t.Errorf("%s, %s: %s, better %d", c.name, r.Metric.ID, r.Significance, r.Better)
			}
		}
	}
}

func TestDifferences(t *testing.T) {
	m, r := reference.Measured, reference.Rated
	a := drive("a", reference.ClassPCIe4, 1000, "seq_read_max", 5000., m, "seq_read_max", 7000., r, "temp_idle", 0., m, "temp_idle", 40., m)
	b := drive("b", reference.ClassPCIe4, 1000, "seq_read_max", 6000., m, "temp_idle", 30., m)
	a.Values[3].Conditions = "later"
	got := Differences(a, b)
	if len(got.Rows) != 2 || got.Rows[0].Significance != Unfit || got.Rows[1].Change != nil || !slices.Equal(got.Rows[0].Reasons, []Reason{ReasonSource}) {
		t.Errorf("%+v", got.Rows)
	}
	b.Values = append(b.Values, a.Values[1])
	if got := Differences(a, b).Rows; len(got) != 3 || got[1].Significance != Promised || len(got[1].Reasons) > 0 {
		t.Errorf("ratings: %+v", got)
	}
	if got := Differences(a, run("x", 1, 1, 1)); got.Nothing != NothingCommon {
		t.Errorf("nothing in common: %q", got.Nothing)
	}
	half := 0.5
	x := changed("x", func(d *reference.Drive) { d.Label, d.Setup.Firmware, d.Setup.Fill = "old", "1", &half })
	y := changed("y", func(d *reference.Drive) { d.Setup.Firmware = "2" })
	want := []Change{{"label", "old", ""}, {"firmware", "1", "2"}, {"fill", "50 %", ""}}
	if got := Differences(x, y).Changes; !slices.Equal(got, want) {
		t.Errorf("changes %v", got)
	}
	// What a table has twice is told once.
	x.Values = append(x.Values, x.Values[0])
	x.Values[2].Metric = "seq_read_max"
	if got := Differences(x, x).Rows; len(got) != 2 {
		t.Errorf("%d rows", len(got))
	}
}

func TestSteps(t *testing.T) {
	m := reference.Measured
	for _, c := range []struct {
		name string
		d    reference.Drive
		want string // x, y of each point; open; number of rates without a place
	}{
		{"three stages", drive("a", "", 2000, "slc_cache_gb_fill0", 650., m, "write_stage1", 2400., m, "write_stage2", 1000., m, "write_stage2_ends_gb", 800., m, "write_stage3", 400., m),
			"[0 650 650 800 800 2000] [2400 2400 1000 1000 400 400] false 0"},
		{"two stages", drive("a", "", 1000, "slc_cache_gb_fill0", 100., m, "write_stage1", 2000., m, "write_stage2", 1000., m), "[0 100 100 1000] [2000 2000 1000 1000] true 0"},
		{"last one without a place", drive("a", "", 1000, "slc_cache_gb_fill0", 150., m, "write_stage1", 2000., m, "write_stage2", 500., m, "write_stage3", 400., m),
			"[0 150 150 1000] [2000 2000 500 500] true 1"},
		{"capacity not known", drive("a", "", 0, "slc_cache_gb_fill0", 150., m, "write_stage1", 2000., m, "write_stage2", 500., m), "[0 150] [2000 2000] false 0"},
		{"no rate", drive("a", "", 1000, "slc_cache_gb_fill0", 150., m), ""},
		{"no size", drive("a", "", 1000, "write_stage1", 150., m), ""},
	} {
		got := ""
		for _, l := range Lines([]reference.Drive{c.d}, "", reference.CurveFill) {
			got = fmt.Sprint(l.X, l.Y, l.Open, len(l.Unplaced))
			if !l.Steps {
				t.Errorf("%s: shown as if it were recorded", c.name)
			}
		}
		if strings.ReplaceAll(got, "] ", "]") != strings.ReplaceAll(c.want, "] ", "]") {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	d := run("a", 1, 1, 1)
	d.Curves = []reference.Curve{{Kind: reference.CurveFill, Pass: 2, Loop: 1, Start: 0.5, X: []float64{1}, Y: []float64{2}}, {Kind: reference.CurveTemperature}}
	if l := Lines([]reference.Drive{d}, "a", reference.CurveFill); len(l) != 1 || l[0].Steps || !l[0].Own || l[0].Pass != 2 {
		t.Errorf("%+v", l)
	}
}

// All that is shipped can be compared, and says so where it cannot.
func TestShipped(t *testing.T) {
	all, err := reference.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	counts := Counts(all)
	sum := 0
	for _, c := range counts {
		sum += c.Measured + c.Rated
		chart := Bars(all, Options{Metric: c.Metric.ID})
		if len(chart.Bars) != c.Measured || len(chart.Rated) != c.Rated || len(chart.Unlike) > 0 || (chart.Nothing == "") != (c.Measured > 1) {
			t.Errorf("%s: %d of %d measured, %d of %d rated: %q", c.Metric.ID, len(chart.Bars), c.Measured, len(chart.Rated), c.Rated, chart.Nothing)
		}
		better := func(a, b Bar) int {
			if d := b.Amount - a.Amount; (d > 0) != c.Metric.Lower && d != 0 {
				return 1
			}
			return -1
		}
		for i := 1; i < len(chart.Bars); i++ {
			if a, b := chart.Bars[i-1], chart.Bars[i]; a.Amount != b.Amount && better(a, b) > 0 {
				t.Errorf("%s: %v before %v", c.Metric.ID, a.Amount, b.Amount)
			}
		}
	}
	if sum != 545 {
		t.Errorf("%d values", sum)
	}
	if n := len(Lines(all, "", reference.CurveFill)); n < 20 {
		t.Errorf("%d drives with steps", n)
	}
}

func TestStandings(t *testing.T) {
	m, r := reference.Measured, reference.Rated
	all := []reference.Drive{
		drive("a", reference.ClassPCIe4, 1000, "seq_read_max", 5000., m, "slc_cache_gb_fill0", 100., m, "temp_max_read", 70., m),
		drive("b", reference.ClassPCIe4, 1000, "seq_read_max", 6000., m, "slc_cache_gb_fill0", 200., m, "temp_max_read", 60., m),
		drive("c", reference.ClassPCIe4, 2000, "seq_read_max", 7000., m, "slc_cache_gb_fill0", 600., m, "temp_max_read", 80., m),
		drive("d", reference.ClassPCIe3, 2000, "seq_read_max", 3000., m),
		drive("Speed 9", reference.ClassPCIe4, 1000, "seq_read_max", 7400., r, "seq_write_max", 6000., r),
		drive("Speed 9 ", reference.ClassPCIe4, 0, "seq_read_max", 7300., r),
	}
	own := drive("own", reference.ClassPCIe4, 1000, "seq_read_max", 7400., m, "seq_write_max", 5000., m, "slc_cache_gb_fill0", 150., m, "temp_max_read", 71., m)
	own.Model = "SPEED 9 1TB"
	got := map[string]Standing{}
	for _, s := range Standings(own, all) {
		got[s.Metric.ID] = s
	}
	if s := got["seq_read_max"]; s.Others != 3 || s.Median != 6000 || s.Side != 1 || s.Rated == nil || s.Rated.Value != 7400 {
		t.Errorf("reading: %+v", s)
	}
	if s := got["seq_write_max"]; s.Known() || s.Side != 0 || s.Rated == nil || s.Rated.Value != 6000 || s.Amount != 5000 {
		t.Errorf("writing, which nobody measured: %+v", s)
	}
	if s := got["slc_cache_gb_fill0"]; s.Unit != "%" || s.Amount != 15 || s.Median != 20 || s.Side != -1 {
		t.Errorf("cache: %+v", s)
	}
	if s := got["temp_max_read"]; s.Median != 70 || s.Side != 0 {
		t.Errorf("temperature: %+v", s)
	}
	own.Values[2].Qualifier, own.Values[0].Invalid = reference.MoreThan, true
	for _, s := range Standings(own, all) {
		if s.Metric.ID == "seq_read_max" || s.Side == -1 {
			t.Errorf("%+v", s)
		}
	}
	own.Class = reference.ClassUnknown
	for _, s := range Standings(own, all) {
		if s.Known() {
			t.Errorf("no class, and yet %+v", s)
		}
	}
}
