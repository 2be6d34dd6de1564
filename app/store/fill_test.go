package store

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
)

// fillResult is a fill of two passes, of which the first has a cache of so many seconds at 1 GiB/s.
func fillResult(t testing.TB, id string, cache int) bench.Result {
	t.Helper()
	p, _ := bench.ByID("fill")
	f := *p.Filling
	f.Again = []int{50}
	p.Filling = &f
	target := platform.Target{Path: "/x", Volume: platform.Volume{Size: 200e9, Free: 80e9},
		Drives: []platform.Drive{{Key: "k", Model: "Crucial P5", Capacity: 200e9}}}
	plan, err := bench.NewPlan(p, target, bench.Options{Seed: 1})
	must(t, err)
	r := bench.Result{Schema: bench.Schema, ID: id, At: t0, Took: time.Hour, Plan: plan, Reason: bench.ReasonDone}
	steps := plan.Steps()
	first, deleted, second := filledFor(steps[0], 60, cache), bench.Measurement{Step: steps[1]}, filledFor(steps[3], 20, 0)
	deleted.Elapsed, deleted.Freed = 12*time.Second, &bench.Freed{Files: 3, Bytes: 30e9, NotTrimmed: "no permission"}
	r.Measurements = []bench.Measurement{first, deleted, second}
	return r
}

// filledFor is a pass of so many seconds: at 1 GiB/s for the first of them, then at a quarter of it.
func filledFor(s bench.Step, seconds, cache int) bench.Measurement {
	m := bench.Measurement{Step: s, Elapsed: time.Duration(seconds) * time.Second, WriteHist: new(hist.H)}
	for i := range seconds {
		ops := int64(1024)
		if i >= cache {
			ops /= 4
		}
		one := bench.Tally{Ops: ops, Bytes: ops << 20, SumLat: time.Duration(ops) * time.Millisecond}
		for range ops {
			m.WriteHist.Record(time.Millisecond)
		}
		m.Write.Ops, m.Write.Bytes, m.Write.SumLat = m.Write.Ops+one.Ops, m.Write.Bytes+one.Bytes, m.Write.SumLat+one.SumLat
		m.Series = append(m.Series, bench.Sample{At: time.Duration(i+1) * time.Second, Took: time.Second, Write: one})
	}
	m.Moved = bench.Moved{WriteOps: m.Write.Ops, WriteBytes: m.Write.Bytes}
	m.Files = []bench.FileMean{{Bytes: m.Write.Bytes, Took: m.Elapsed}}
	return m
}

// A fill is kept and read back, and what no run can have made of one is refused.
func TestFillIsKept(t *testing.T) {
	want := fillResult(t, "a", 20)
	var b bytes.Buffer
	must(t, Encode(&b, want))
	whole := b.String()
	got, err := Decode(strings.NewReader(whole))
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	for name, c := range map[string][2]string{
		"fill of a table":    {`"filling":{`, `"other":{`},
		"no pass":            {`"kind":"fill","spec"`, `"kind":"full","spec"`},
		"negative file":      {`"files":[{"bytes":`, `"files":[{"bytes":-`},
		"negative deletion":  {`"freed":{"files":3,"bytes":`, `"freed":{"files":3,"bytes":-`},
		"more than the I/Os": {`"write":{"ops":30720`, `"write":{"ops":307`},
	} {
		data := strings.Replace(whole, c[0], c[1], 1)
		if data == whole {
			t.Fatalf("%s: %q is not in the file", name, c[0])
		}
		if _, err := Decode(strings.NewReader(data)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The list shows the cache of a fill; of repeats that disagree the range, and nothing of what wrote nothing.
func TestFillSummary(t *testing.T) {
	near := func(got, want int64) bool { return got > want-2<<30 && got < want+2<<30 }
	r := fillResult(t, "a", 20)
	if f := Summarize(r).Fill; f == nil || !near(f.Cache, 20<<30) || f.Most != 0 || f.Written != 30<<30 || f.Mean != float64(30<<30)/60 || f.Invalid {
		t.Errorf("a cache: %+v", f)
	}
	again := filledFor(r.Measurements[0].Step, 60, 40)
	again.Step.Loop = 2
	r.Measurements = append(r.Measurements, again)
	r.Warnings = []bench.Warning{{Code: bench.WarnCached, Value: 0.5}}
	if f := Summarize(r).Fill; f == nil || !near(f.Least, 20<<30) || !near(f.Most, 40<<30) || !f.Invalid {
		t.Errorf("two runs: %+v", f)
	}
	if f := Summarize(fillResult(t, "a", 60)).Fill; f == nil || f.Cache != 0 || f.Written != 60<<30 {
		t.Errorf("no cliff: %+v", f)
	}
	r.Measurements = nil
	for name, other := range map[string]bench.Result{"nothing": r, "a table": result(t, "a", t0)} {
		if f := Summarize(other).Fill; f != nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
