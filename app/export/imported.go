package export

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"cachecliff/app/format"
	"cachecliff/bench"
)

// A result from another program's report has what that program told: unknown sizes, times and columns are left
// out, and no median is made of one number.

// origin is what made a result, for the head of the text.
func origin(r bench.Result) string {
	if r.Imported != nil {
		return "import of " + format.PlainLine(r.Imported.String())
	}
	return format.PlainLine(r.App.Version)
}

// writeImportedTest writes how the other program measured, as far as it told.
func writeImportedTest(b *bytes.Buffer, p bench.Profile, where string) {
	var parts []string
	if p.FileSize > 0 {
		parts = append(parts, binary(p.FileSize))
	}
	if p.Loops > 0 {
		parts = append(parts, fmt.Sprintf("(x%d)", p.Loops))
	}
	if where != "" {
		parts = append(parts, "["+where+"]")
	}
	if len(parts) > 0 {
		line(b, "Test", strings.Join(parts, " "))
	}
	if len(p.Workloads) > 0 && p.Workloads[0].Spec.Measure > 0 {
		line(b, "Time", "Measure "+measureTime(p))
	}
}

// writeGiven writes what the numbers are, and the percentiles that the report has.
func writeGiven(b *bytes.Buffer, r bench.Result, outcomes []bench.Outcome) {
	told := map[string]bool{}
	for _, o := range outcomes {
		if o.Given == nil {
			continue
		}
		what := map[bench.Statistic]string{
			bench.StatBest: "best of the loops", bench.StatMean: "mean of the loops", bench.StatWhole: "whole time",
		}[o.Given.Statistic]
		if o.Given.Loops > 0 {
			what = strings.Replace(what, "the loops", fmt.Sprint(o.Given.Loops), 1)
		}
		if what += ", as " + r.Imported.String() + " tells"; !told[what] {
			line(b, "Above", what)
		}
		told[what] = true
	}
	b.WriteString("\n")
	for _, o := range outcomes {
		if o.Given == nil || o.Given.Quantiles == nil && o.Hist == nil {
			continue
		}
		fmt.Fprintf(b, "  %-5s %s: %s\n", heads[o.Workload.Spec.Direction()], o.Workload.Spec.Label(), givenLatencies(o))
	}
}

// givenLatencies is "p50 80.0, p99 99.0, p99.9 120.0 us", of those percentiles that are known.
func givenLatencies(o bench.Outcome) string {
	var parts []string
	for _, q := range []struct {
		name  string
		share float64
	}{{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}} {
		if ns, ok := givenLatency(o, q.share); ok {
			parts = append(parts, fmt.Sprintf("%s %.1f", q.name, ns/1e3))
		}
	}
	return strings.Join(parts, ", ") + " us"
}

func givenLatency(o bench.Outcome, share float64) (ns float64, ok bool) {
	for _, q := range o.Given.Quantiles {
		if q.Share == share {
			return q.Latency, true
		}
	}
	if o.Hist != nil {
		return float64(o.Hist.Quantile(share) / time.Nanosecond), true
	}
	return 0, false
}

// givenGrids are the numbers of a report, without medians, which it does not have.
func (t *teller) givenGrids(outcomes []bench.Outcome) []grid {
	best := t.best(outcomes)
	best.Caption = t.r.Imported.String()
	all := grid{Caption: t.r.Imported.String(), Head: []string{
		t.w.T("report.test"), "MB/s", "IOPS", t.w.T("report.latency"), t.w.T("report.p99"),
	}}
	for _, o := range outcomes {
		if o.Given == nil {
			continue
		}
		level := t.level(o.Workload.ID)
		value := func(e bench.Estimate, u format.Unit) cell {
			if e.N == 0 {
				return cell{format.Unknown, level, true}
			}
			return cell{u.Value(e.Best, t.l), level, true}
		}
		p99 := format.Unknown
		if ns, ok := givenLatency(o, 0.99); ok {
			p99 = format.Microseconds.Value(ns, t.l)
		}
		all.Rows = append(all.Rows, []cell{
			{Text: o.Workload.Spec.Label() + " " + t.head(o.Workload.Spec.Direction())},
			{format.MBPerSecond.Value(o.Bytes.Best, t.l), level, false}, value(o.IOPS, format.IOPS), value(o.Latency, format.Microseconds),
			{p99, level, true},
		})
	}
	return []grid{best, all}
}

// givenMethod is what was run, as far as the report tells.
func (t *teller) givenMethod() string {
	size := ""
	if n := t.r.Plan.Profile.FileSize; n > 0 {
		size = format.FileSize(n, t.l)
	}
	return join(between, t.profile(), size, t.r.Imported.String())
}

// givenFacts are the facts of the report, those that are not told left out.
func (t *teller) givenFacts() []fact {
	p := t.r.Plan.Profile
	size, loops, pause := "", "", ""
	if p.FileSize > 0 {
		size = format.FileSize(p.FileSize, t.l)
	}
	if p.Loops > 0 {
		loops = format.Integer(int64(p.Loops), t.l)
	}
	if p.Rest > 0 {
		pause = format.Duration(p.Rest, t.l)
	}
	return t.facts("report.test", t.profile(), "report.file", size, "report.loops", loops, "report.measured", t.measured(),
		"report.pause", pause, "report.date", t.date(), "report.version", join(between, t.r.Imported.String(), t.r.Imported.Engine))
}
