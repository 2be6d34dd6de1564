package bench

import (
	"strings"
	"testing"
)

// importedTable is a report of two tests, one of which has no numbers.
func importedTable() Result {
	p := Profile{ID: "imported", Title: "Default"}
	for _, text := range []string{"SEQ1M Q8T1", "RND4K Q1T1"} {
		s, _ := ParseSpec(text)
		s.Measure = 0 // not told
		p.Rows = append(p.Rows, Row{Shape: s.Shape()})
		p.Workloads = append(p.Workloads, Workload{ID: workloadID(s), Spec: s})
	}
	rate, latency := 500e6, 16e6
	return Result{Schema: Schema, ID: "a", Plan: Plan{Profile: p}, Reason: ReasonDone, Imported: &Imported{
		Program: "CrystalDiskMark", Version: "8.0.4",
		Figures: []Figure{{Workload: "seq1m-q8t1-read", Statistic: StatBest, Loops: 5, Bytes: &rate, Latency: &latency}},
	}}
}

// What a report tells is known once; what it does not tell is not 0 and not known.
func TestOutcomesOfAnImportedReport(t *testing.T) {
	r := importedTable()
	if err := r.Imported.Validate(r.Plan.Profile); err != nil {
		t.Fatal(err)
	}
	o := r.Outcomes()
	if got := o[0].Bytes; got != (Estimate{Best: 500e6, Median: 500e6, Lo: 500e6, Hi: 500e6, N: 1}) || got.Spread() != 0 {
		t.Errorf("rate %+v", got)
	}
	if o[0].IOPS.N != 0 || o[0].Latency.Best != 16e6 || o[0].Given.Loops != 5 || o[0].Hist != nil {
		t.Errorf("%+v", o[0])
	}
	if o[1].Bytes.N != 0 || o[1].Given != nil {
		t.Errorf("a test without numbers: %+v", o[1])
	}
	if r.Moved() != (Moved{}) || len(Judge(&r)) != 0 {
		t.Errorf("moved %+v, doubts %+v", r.Moved(), Judge(&r))
	}
}

func TestImportedRefusesNonsense(t *testing.T) {
	number := func(v float64) *float64 { return &v }
	for name, c := range map[string]struct {
		change func(*Result)
		want   string
	}{
		"no rate":        {func(r *Result) { r.Imported.Figures[0].Bytes = nil }, "no rate"},
		"zero":           {func(r *Result) { r.Imported.Figures[0].Bytes = number(0) }, "a rate of 0"},
		"negative":       {func(r *Result) { r.Imported.Figures[0].Latency = number(-1) }, "a latency of -1"},
		"too fast":       {func(r *Result) { r.Imported.Figures[0].Bytes = number(2e13) }, "a rate of"},
		"too many I/Os":  {func(r *Result) { r.Imported.Figures[0].IOPS = number(2e10) }, "IOPS of"},
		"statistic":      {func(r *Result) { r.Imported.Figures[0].Statistic = "mode" }, "unknown statistic"},
		"loops":          {func(r *Result) { r.Imported.Figures[0].Loops = -1 }, "-1 loops"},
		"not planned":    {func(r *Result) { r.Imported.Figures[0].Workload = "x" }, "not planned"},
		"twice":          {func(r *Result) { r.Imported.Figures = append(r.Imported.Figures, r.Imported.Figures[0]) }, "there twice"},
		"no program":     {func(r *Result) { r.Imported.Program = "" }, "no program"},
		"negative size":  {func(r *Result) { r.Plan.Profile.FileSize = -1 }, "size"},
		"negative loops": {func(r *Result) { r.Plan.Profile.Loops = -1 }, "loops"},
		"no depth":       {func(r *Result) { r.Plan.Profile.Workloads[0].Spec.Depth = 0 }, "queue depth"},
		"percentiles": {func(r *Result) {
			r.Imported.Figures[0].Quantiles = []Quantile{{Share: 0.5, Latency: 2}, {Share: 0.9, Latency: 1}}
		}, "out of range or order"},
	} {
		r := importedTable()
		c.change(&r)
		if err := r.Imported.Validate(r.Plan.Profile); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
