package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
)

// Tables are as RFC 4180 has them: commas, a head, lines that end in CR LF. Numbers are in base units
// (bytes, nanoseconds, counts, thousandths of a degree) and never rounded; what is not known is empty.

// table is rows under heads.
type table struct {
	rows [][]string
}

func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case nil:
		case time.Duration:
			row[i] = strconv.FormatInt(int64(c), 10)
		case float64:
			row[i] = strconv.FormatFloat(c, 'f', -1, 64)
		default:
			row[i] = fmt.Sprint(c)
		}
	}
	t.rows = append(t.rows, row)
}

func (t *table) write(b *bytes.Buffer) error {
	w := csv.NewWriter(b)
	w.UseCRLF = true
	return w.WriteAll(t.rows)
}

// writeSamples writes one row a sample.
func writeSamples(b *bytes.Buffer, r bench.Result, _ Options) error {
	t := &table{}
	t.add("run", "step", "workload", "loop", "discarded", "warm", "at_ns", "took_ns",
		"read_ops", "read_bytes", "read_latency_sum_ns", "read_p50_ns", "read_p99_ns", "read_p999_ns", "read_max_ns",
		"write_ops", "write_bytes", "write_latency_sum_ns", "write_p50_ns", "write_p99_ns", "write_p999_ns", "write_max_ns",
		"temperature_millic")
	for _, m := range r.Measurements {
		for _, s := range m.Series {
			cells := []any{r.ID, m.Step.Index, m.Step.Workload, m.Step.Loop, m.Step.Discarded(), s.Warm, s.At, s.Took}
			cells = append(append(cells, tally(s.Read)...), tally(s.Write)...)
			t.add(append(cells, temperature(s))...)
		}
	}
	addWritten(t, r)
	addSensors(t, r)
	return t.write(b)
}

// tally has no latencies where there was no I/O. A sample of a filling in which one file ended and the next began has
// no percentiles.
func tally(t bench.Tally) []any {
	if t.Ops == 0 {
		return []any{t.Ops, t.Bytes, nil, nil, nil, nil, nil}
	}
	if t.P50 == 0 && t.Max > 0 {
		return []any{t.Ops, t.Bytes, t.SumLat, nil, nil, nil, t.Max}
	}
	return []any{t.Ops, t.Bytes, t.SumLat, t.P50, t.P99, t.P999, t.Max}
}

// temperature is the highest first reading of the drives, in a sample that has one.
func temperature(s bench.Sample) any {
	var hottest any
	for _, d := range s.Drive {
		if len(d.Temperatures) == 0 {
			continue
		}
		v := d.Temperatures[0].MilliC
		if old, ok := hottest.(int32); !ok || v > old {
			hottest = v
		}
	}
	return hottest
}

// quantiles are the columns of a loop's latencies.
var quantiles = []struct {
	name string
	p    float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}, {"p9999", 0.9999}}

// writeLoops writes one row a measured loop, the discarded pass included.
func writeLoops(b *bytes.Buffer, r bench.Result, _ Options) error {
	t := &table{}
	head := []any{"run", "step", "workload", "spec", "loop", "discarded", "stopped", "failure", "engine", "began_ns", "elapsed_ns"}
	for _, d := range []string{"read", "write"} {
		head = append(head, d+"_ops", d+"_bytes", d+"_latency_sum_ns")
		for _, q := range quantiles {
			head = append(head, d+"_"+q.name+"_ns")
		}
		head = append(head, d+"_max_ns")
	}
	t.add(append(head, "moved_read_ops", "moved_read_bytes", "moved_write_ops", "moved_write_bytes",
		"drain_ns", "flush_ns", "cpu_user_ns", "cpu_system_ns", "cpu_busiest_ns", "cpu_waited_ns", "doubts")...)
	for _, m := range r.Measurements {
		t.add(append(loop(r.ID, m), doubts(r, m.Step.Workload))...)
	}
	addIssued(t, r)
	return t.write(b)
}

// addIssued adds columns to the rows of loops in a result with a rated load: latencies from the issue, where
// the others count from when I/Os were due, and how many were not issued.
func addIssued(t *table, r bench.Result) {
	if !slices.ContainsFunc(r.Measurements, func(m bench.Measurement) bool { return m.Rated != nil }) {
		return
	}
	columns := &table{}
	var head []any
	for _, d := range []string{"read", "write"} {
		head = append(head, d+"_issued_latency_sum_ns")
		for _, q := range quantiles {
			head = append(head, d+"_issued_"+q.name+"_ns")
		}
		head = append(head, d+"_issued_max_ns")
	}
	columns.add(append(head, "missed_ops")...)
	for _, m := range r.Measurements {
		cells := make([]any, len(head)+1)
		if x := m.Rated; x != nil {
			cells = append(latencies(x.Read, x.ReadHist)[2:], latencies(x.Write, x.WriteHist)[2:]...)
			if x.Missed == nil {
				cells = append(cells, nil)
			} else {
				cells = append(cells, *x.Missed)
			}
		}
		columns.add(cells...)
	}
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], columns.rows[i]...)
	}
}

// doubts are those about a workload and about the whole run, "cached=0.25 battery".
func doubts(r bench.Result, workload string) string {
	var out []string
	for _, x := range r.Warnings {
		if x.Workload != "" && x.Workload != workload {
			continue
		}
		one := string(x.Code)
		if x.Value != 0 {
			one += "=" + strconv.FormatFloat(x.Value, 'g', -1, 64)
		}
		out = append(out, one)
	}
	return strings.Join(out, " ")
}

func loop(run string, m bench.Measurement) []any {
	s := m.Step
	var failure any
	if m.Failure != nil {
		failure = m.Failure.Reason
	}
	row := []any{run, s.Index, s.Workload, s.Spec, s.Loop, s.Discarded(), m.Stopped, failure, m.Engine, m.Began, m.Elapsed}
	row = append(append(row, latencies(m.Read, m.ReadHist)...), latencies(m.Write, m.WriteHist)...)
	row = append(row, m.Moved.ReadOps, m.Moved.ReadBytes, m.Moved.WriteOps, m.Moved.WriteBytes, m.Drain, m.FlushTook)
	if m.CPU == nil {
		return append(row, nil, nil, nil, nil)
	}
	return append(row, m.CPU.User, m.CPU.System, m.CPU.Busiest, m.CPU.Waited)
}

func latencies(t bench.Tally, h *hist.H) []any {
	row := []any{t.Ops, t.Bytes, nil}
	if t.Ops > 0 {
		row[2] = t.SumLat
	}
	for _, q := range quantiles {
		if h == nil || h.N() == 0 {
			row = append(row, nil)
		} else {
			row = append(row, h.Quantile(q.p))
		}
	}
	if t.Ops == 0 {
		return append(row, nil)
	}
	return append(row, t.Max)
}
