package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// fillSample is a fill of two passes and two runs: caches of 60 and 50 GB, and passes of which one was trimmed before
// and one not.
func fillSample(t *testing.T) bench.Result {
	t.Helper()
	p, _ := bench.ByID("fill")
	f := *p.Filling
	f.Again = []int{50}
	p.Filling, p.Loops = &f, 2
	target := platform.Target{Path: "/mnt/disk", Volume: platform.Volume{FS: "ext4", Size: 400e9, Used: 190e9, Free: 210e9},
		Drives: []platform.Drive{{Key: "k", Model: "Crucial P5", Capacity: 400e9}}}
	plan, err := bench.NewPlan(p, target, bench.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := bench.Result{Schema: bench.Schema, ID: "20260619T085553Z-00000001", At: time.Date(2026, 6, 19, 8, 55, 53, 0, time.UTC),
		App: bench.App{Version: "1.2.3", Method: 1}, Plan: plan, Reason: bench.ReasonStopped, Took: time.Hour}
	cache := map[[2]int]int{{1, 1}: 60, {1, 2}: 10, {2, 1}: 50, {2, 2}: 20}
	for _, s := range plan.Steps() {
		m := bench.Measurement{Step: s, Engine: platform.EngineURing, Elapsed: 12 * time.Second}
		switch s.Kind {
		case bench.StepRest:
			continue
		case bench.StepDelete:
			m.Freed = &bench.Freed{Files: 10, Bytes: s.Bytes, NotTrimmed: "permission denied"}
			if s.Loop == 1 || s.Pass == 1 {
				m.Freed.Discarded, m.Freed.NotTrimmed = &m.Freed.Bytes, ""
			}
		case bench.StepFill:
			filled(&m, 200/s.Pass, cache[[2]int{s.Loop, s.Pass}])
			m.Stopped = s.Loop == 2 && s.Pass == 2
		}
		r.Measurements = append(r.Measurements, m)
	}
	return r
}

// filled writes so many GB: the first of them at 2 GB/s, the rest at 500 MB/s.
func filled(m *bench.Measurement, all, fast int) {
	m.Elapsed = 0
	for i := range all {
		took := 2 * time.Second
		if i < fast {
			took = time.Second / 2
		}
		m.Elapsed += took
		m.Series = append(m.Series, bench.Sample{At: m.Elapsed, Took: took, Write: bench.Tally{Ops: 954, Bytes: 1e9}})
		if i%10 == 0 {
			m.Files = append(m.Files, bench.FileMean{})
		}
		file := &m.Files[len(m.Files)-1]
		file.Bytes, file.Took = file.Bytes+1e9, file.Took+took
	}
	m.Write = bench.Tally{Ops: 954 * int64(all), Bytes: 1e9 * int64(all)}
	m.Moved = bench.Moved{WriteOps: m.Write.Ops, WriteBytes: m.Write.Bytes}
}

// The text and the tables of a fill, to be read by people.
func TestFillGolden(t *testing.T) {
	for _, id := range []string{"text", "csv-files"} {
		f, _ := ByID(id)
		got := write(t, id, fillSample(t), Options{})
		name := filepath.Join("testdata", "fill"+f.Ext)
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: differs from %s (-update writes it anew):\n%s", id, name, got)
		}
	}
}

// Samples of a fill have the bytes that were written by then, of each pass from nothing.
func TestFillSamples(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(write(t, "csv", fillSample(t), Options{})), "\r\n")
	for i, want := range map[int]string{0: ",pass,written_bytes", 1: ",1,1000000000", 200: ",1,200000000000", 201: ",2,1000000000", 300: ",2,100000000000", 301: ",1,1000000000"} {
		if !strings.HasSuffix(lines[i], want) {
			t.Errorf("line %d: %s, want %s at the end", i, lines[i], want)
		}
	}
	if len(lines) != 601 {
		t.Errorf("%d lines", len(lines))
	}
}

// A fill that wrote nothing, and one of nothing but drops, are told without a number that there is not.
func TestFillWithout(t *testing.T) {
	r := fillSample(t)
	r.Measurements = nil
	if got := write(t, "text", r, Options{}); !strings.Contains(got, "[Cache] not measured") {
		t.Errorf("without a pass:\n%s", got)
	}
	r.Measurements = []bench.Measurement{{Step: r.Plan.Steps()[0], Stopped: true}}
	if got := write(t, "text", r, Options{}); !strings.Contains(got, "Pass 1: nothing written") || !strings.Contains(got, "  nothing was written") {
		t.Errorf("without a byte:\n%s", got)
	}
	if got := write(t, "csv-files", r, Options{}); strings.Count(got, "\n") != 1 {
		t.Errorf("without a file:\n%s", got)
	}
}
