package export

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a run of two loops of four workloads; the last broke off in its first measured loop.
func sample(t testing.TB) bench.Result {
	t.Helper()
	p, ok := bench.ByID("cdm-default+mix")
	if !ok {
		t.Fatal("no profile")
	}
	p = p.With(bench.Overrides{Loops: 2, Measure: 2 * time.Second,
		Only: []string{"seq1m-q8t1-read", "rnd4k-q1t1-read", "seq1m-q8t1-write", "rnd4k-q32t1-mix"}})
	target := platform.Target{
		Path:   "/mnt/disk",
		Volume: platform.Volume{Mount: "/mnt", FS: "ext4", Size: 1000 << 30, Free: 750 << 30},
		Layers: []platform.Layer{{Kind: platform.LayerLUKS, Name: "dm-0"}, {Kind: platform.LayerPartition, Name: "nvme0n1p2"}},
		Drives: []platform.Drive{{Key: "eui.S3CR3T", Name: "nvme0n1", Model: "Fast 1 TB", Serial: "S3CR3T", Firmware: "1.0"}},
	}
	plan := bench.Plan{Profile: p, Target: target, Seed: 1}
	at := time.Date(2026, 6, 19, 8, 55, 53, 0, time.UTC)
	var r bench.Result
	r.Apply(bench.Started{
		ID: "20260619T085553Z-0badcafe", At: at, App: bench.App{Version: "1.2.3", Method: 1}, Plan: plan,
		Machine: platform.System{OS: "Debian GNU/Linux 13 (trixie)", Kernel: "6.12.0", Arch: "amd64", CPU: "Quick 9000", CPUs: 8},
		Comment: "with a\n heatsink, \"black\"",
	})
	sensors := platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: 41000}}}
	r.Apply(bench.Probed{Probe: bench.Probe{At: at, Drives: []bench.DriveProbe{{Drive: "eui.S3CR3T", Sensors: &sensors}, {Drive: "other-S3CR3T"}}}})
	r.Apply(bench.Sensed{Drive: []bench.DriveReading{looked(0, 0), looked(500*time.Millisecond, 1)}})
	r.Apply(bench.Prepared{File: bench.FileFacts{Size: 1 << 30, Direct: true, Moved: bench.Moved{WriteOps: 1024, WriteBytes: 1 << 30}},
		Ceiling: &bench.EngineCeiling{IO: 1460, Clock: 26}})
	for _, s := range plan.Steps() {
		r.Apply(bench.StepStarted{Step: s})
		if s.Kind != bench.StepLoad {
			r.Apply(bench.Sampled{Step: s.Index, Sample: bench.Sample{At: time.Second, Took: time.Second,
				Drive: []bench.DriveReading{looked(time.Duration(s.Index)*3*time.Second+time.Second, 2)}}})
			continue
		}
		for _, e := range step(s, sensors) {
			r.Apply(e)
		}
	}
	r.Apply(bench.Warned{Warning: bench.Warning{Code: bench.WarnEngineFallback, Text: "libaio"}})
	gone := bench.NewFailure(&platform.OpError{Op: "read", Object: "nvme0n1", Reason: platform.ErrGone})
	r.Apply(bench.Finished{Reason: bench.ReasonFailed, Took: time.Minute, Failure: gone})
	return r
}

// looked is a reading between the steps: n s after a 32-bit count of sectors has wrapped it is n·100 I/Os on.
// The third is of a drive that was reset meanwhile, without a temperature.
func looked(since time.Duration, n uint64) bench.DriveReading {
	d := bench.DriveReading{Drive: "eui.S3CR3T", Since: since, Sensors: platform.Sensors{At: time.Hour + since, Source: "hwmon",
		Temperatures: []platform.Reading{{Label: "Composite", MilliC: 39000}}, TempAge: time.Duration(n) * 500 * time.Millisecond}}
	d.Counters = &platform.Counters{ReadOps: 1000 + 100*n, ReadBytes: 4096 * n, ReadTicks: 50 * n, WriteOps: 7, BusyTicks: 25 * n, QueueTicks: 100 * n}
	switch n {
	case 0:
		d.Counters.ReadBytes = 1<<41 - 4096
	case 2:
		d.Counters.ReadOps = 1
		d.Temperatures, d.TempAge, d.Asleep = nil, 0, true
	}
	return d
}

// step is two samples and the end of a step. A loop has 1000 I/Os in 2 s, 10 % more in the second.
func step(s bench.Step, sensors platform.Sensors) []bench.Event {
	ops := int64(1000)
	if s.Loop == 2 {
		ops = 1100
	}
	h := new(hist.H)
	half := bench.Tally{Ops: ops / 2, Bytes: ops / 2 * int64(s.Spec.Block), P50: 16 * time.Millisecond, P99: 20 * time.Millisecond, Max: 21 * time.Millisecond}
	half.SumLat = time.Duration(half.Ops) * 16 * time.Millisecond
	for range ops {
		h.Record(16 * time.Millisecond)
	}
	full := half
	full.Ops, full.Bytes, full.SumLat = 2*half.Ops, 2*half.Bytes, 2*half.SumLat
	m := bench.Measurement{
		Step: s, Began: time.Duration(s.Index) * 3 * time.Second, Elapsed: 2 * time.Second, Engine: platform.EngineAIO,
		Drain: time.Millisecond, CPU: &bench.CPU{User: 100 * time.Millisecond, System: 300 * time.Millisecond, Busiest: 400 * time.Millisecond},
	}
	one := bench.Sample{At: time.Second, Took: time.Second, Drive: []bench.DriveReading{{Drive: "eui.S3CR3T", Sensors: sensors}}}
	two := bench.Sample{At: 2 * time.Second, Took: time.Second}
	switch s.Spec.Direction() {
	case bench.DirWrite:
		m.Write, m.WriteHist, one.Write, two.Write = full, h, half, half
		m.Moved = bench.Moved{WriteOps: full.Ops + 8, WriteBytes: full.Bytes + 8<<20}
	default:
		m.Read, m.ReadHist, one.Read, two.Read = full, h, half, half
		m.Moved = bench.Moved{ReadOps: full.Ops, ReadBytes: full.Bytes}
	}
	if s.Workload == "rnd4k-q32t1-mix" && s.Loop > 0 {
		m.Stopped, m.CPU = true, nil
	}
	return []bench.Event{
		bench.Sampled{Step: s.Index, Sample: one}, bench.Sampled{Step: s.Index, Sample: two}, bench.StepDone{Measurement: m},
	}
}

func write(t *testing.T, id string, r bench.Result, o Options) string {
	t.Helper()
	f, ok := ByID(id)
	if !ok {
		t.Fatalf("no format %s", id)
	}
	var b bytes.Buffer
	if err := Write(&b, f, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, f := range Formats() {
		got := write(t, f.ID, sample(t), Options{})
		name := filepath.Join("testdata", "run"+f.Ext)
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
			t.Errorf("%s: differs from %s (-update writes it anew):\n%s", f.ID, name, got)
		}
	}
}

// The numbers of the text by hand: 1000 and 1100 I/Os of 1 MiB in 2 s, each in 16 ms.
func TestArithmetic(t *testing.T) {
	r := sample(t)
	text := write(t, "text", r, Options{})
	for _, want := range []string{
		"  SEQ    1MiB (Q=  8, T= 1):   576.717 MB/s [    550.0 IOPS] < 16000.00 us>\n", // best
		"  Read  SEQ1M Q8T1:   550.502 MB/s [    525.0 IOPS] < 16000.00 us>  524.288 to 576.717 MB/s in 2\n",
		"  RND    4KiB (Q=  1, T= 1):     2.253 MB/s [    550.0 IOPS] < 16000.00 us>\n",
		"[Mix] Read 70%/Write 30%\n  RND    4KiB (Q= 32, T= 1): not measured\n",
		"   Test: 1 GiB (x2) [/mnt/disk 25% (250/1000GiB)]\n",
		"   Time: Measure 2 sec / Interval 5 sec\n",
		"Comment: with a heatsink, \"black\"\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing: %q in\n%s", want, text)
		}
	}
	one := sample(t)
	one.Measurements = one.Measurements[:2] // the discarded pass and one loop
	if text := write(t, "text", one, Options{}); !strings.Contains(text, "(Q=  8, T= 1):   524.288 MB/s [    500.0 IOPS] < 16000.00 us>\n") {
		t.Errorf("1000 I/Os of 1 MiB in 2 s:\n%s", text)
	}
}

func TestLinesLookLikeCrystalDiskMarks(t *testing.T) {
	text := write(t, "text", sample(t), Options{})
	if strings.Contains(text, "\t") || strings.Contains(text, "\r") {
		t.Error("tabs or carriage returns")
	}
	line := "  SEQ    1MiB (Q=  8, T= 1):   508.897 MB/s [    497.0 IOPS] < 13840.05 us>"
	for l := range strings.SplitSeq(text, "\n") {
		if strings.Contains(l, "(Q=") && !strings.HasSuffix(l, "not measured") && len(l) != len(line) {
			t.Errorf("%d characters, not %d: %q", len(l), len(line), l)
		}
	}
}

func TestZone(t *testing.T) {
	text := write(t, "text", sample(t), Options{Zone: time.FixedZone("CEST", 2*3600)})
	if !strings.Contains(text, "   Date: 2026/06/19 10:55:53 CEST\n") {
		t.Errorf("date in another zone:\n%s", text)
	}
}

func TestOtherTestsAreMarked(t *testing.T) {
	spec, err := bench.ParseSpec("RND512 Q1T1 R0 FLUSH=each SPAN=1G TIME=3s")
	if err != nil {
		t.Fatal(err)
	}
	plan := bench.Plan{Profile: bench.AdHoc(spec)}
	r := bench.Result{ID: "a", Plan: plan, Reason: bench.ReasonStopped}
	text := write(t, "text", r, Options{})
	for _, want := range []string{
		"  RND  512B   (Q=  1, T= 1): not measured SPAN=1G FLUSH=each\n", " Result: not complete: stopped by the user\n", "Measure 3 sec / Interval 5 sec",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
}

func TestNoSerials(t *testing.T) {
	r := sample(t)
	r.Measurements[0].Devices = []bench.DeviceCount{{Drive: r.Plan.Target.Drives[0].Key}}
	before := mustEncode(t, r)
	for _, f := range Formats() {
		if got := write(t, f.ID, r, Options{}); strings.Contains(got, "S3CR3T") {
			t.Errorf("%s tells the serial number", f.ID)
		}
	}
	if mustEncode(t, r) != before {
		t.Error("the export changed the result")
	}
	full, err := store.Decode(strings.NewReader(write(t, "json", r, Options{Serials: true})))
	if err != nil || !reflect.DeepEqual(full, r) {
		t.Errorf("with serials the result does not come back: %v", err)
	}
	bare, err := store.Decode(strings.NewReader(write(t, "json", r, Options{})))
	if err != nil {
		t.Fatal(err)
	}
	if got := bare.Measurements[0].Series[0].Drive[0].Drive; got != "drive-1" || got != bare.Plan.Target.Drives[0].Key || got != bare.Before.Drives[0].Drive {
		t.Errorf("the readings are not of the drive any more: %q", got)
	}
	if len(bare.Between) == 0 || bare.Between[0].Drive != "drive-1" {
		t.Errorf("what was read between the steps is of %+v", bare.Between)
	}
	if got := bare.Measurements[0].Devices[0].Drive; got != "drive-1" {
		t.Errorf("the counters are of %q", got)
	}
}

func mustEncode(t *testing.T, r bench.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := store.Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTables(t *testing.T) {
	r := sample(t)
	for id, rows := range map[string]int{"csv": 2 * len(r.Measurements), "csv-loops": len(r.Measurements)} {
		text := write(t, id, r, Options{})
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Errorf("%s: lines do not end in CR LF", id)
		}
		all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(all) != rows+1 {
			t.Errorf("%s: %d rows, want %d: %v", id, len(all), rows+1, err)
		}
		heads := map[string]bool{}
		for _, h := range all[0] {
			heads[h] = true
		}
		if len(heads) != len(all[0]) {
			t.Errorf("%s: a head is there twice: %v", id, all[0])
		}
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriterThatFails(t *testing.T) {
	full := errors.New("no space")
	for _, f := range Formats() {
		if err := Write(brokenWriter{full}, f, sample(t), Options{}); !errors.Is(err, full) {
			t.Errorf("%s: %v", f.ID, err)
		}
	}
}

// Every format copes with a result that holds next to nothing.
func TestEmptyResult(t *testing.T) {
	for _, f := range Formats() {
		if got := write(t, f.ID, bench.Result{}, Options{}); got == "" {
			t.Errorf("%s: nothing", f.ID)
		}
		if name := f.FileName(bench.Result{ID: "x"}); name != "cachecliff-x"+f.Ext {
			t.Errorf("file name %s", name)
		}
	}
	if _, ok := ByID("pdf"); ok {
		t.Error("there is no pdf")
	}
}

// A load of a given rate has two latencies: both are in the text and in the table of loops.
func TestRatedLoad(t *testing.T) {
	spec, err := bench.ParseSpec("RND4K Q32 R70 RATE=500 TIME=2s")
	if err != nil {
		t.Fatal(err)
	}
	plan := bench.Plan{Profile: bench.AdHoc(spec)}
	due, issued, missed := new(hist.H), new(hist.H), int64(3)
	for range 997 {
		due.Record(90 * time.Microsecond)
		issued.Record(60 * time.Microsecond)
	}
	due.Record(2 * time.Millisecond)
	issued.Record(time.Millisecond)
	m := bench.Measurement{Step: bench.Step{Kind: bench.StepLoad, Workload: plan.Profile.Workloads[0].ID, Spec: spec, Loop: 1}, Elapsed: 2 * time.Second,
		Read: bench.Tally{Ops: 998, Bytes: 998 * 4096, SumLat: due.Sum(), Max: due.Max()}, ReadHist: due,
		Rated: &bench.Rated{Read: bench.Tally{Ops: 998, Bytes: 998 * 4096, SumLat: issued.Sum(), Max: issued.Max()}, ReadHist: issued, Missed: &missed}}
	stopped := m
	stopped.Stopped, stopped.Rated = true, &bench.Rated{}
	r := bench.Result{ID: "a", Plan: plan, Reason: bench.ReasonDone, Measurements: []bench.Measurement{m, stopped}}
	text := write(t, "text", r, Options{})
	for _, want := range []string{
		"  Mix   RND4K Q32T1 RATE=500:     2.044 MB/s [    499.0 IOPS]",
		"        from when due: mean 91.9, p50 89.9, p99 89.9, p99.9 2000.0, max 2000.0 us\n",
		"        from issue:    mean 60.9, p50 60.0, p99 60.0, p99.9 1000.0, max 1000.0 us\n",
		"        not issued:    3 of those due\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
	all, err := csv.NewReader(strings.NewReader(write(t, "csv-loops", r, Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for head, want := range map[string][2]string{
		"spec": {"RND4K Q32T1 R70 RATE=500 TIME=2s", "RND4K Q32T1 R70 RATE=500 TIME=2s"}, "read_max_ns": {"2000000", "2000000"}, "read_issued_max_ns": {"1000000", ""},
		"read_issued_latency_sum_ns": {"60820000", ""}, "write_issued_p50_ns": {"", ""}, "missed_ops": {"3", ""},
	} {
		i := slices.Index(all[0], head)
		if i < 0 || all[1][i] != want[0] || all[2][i] != want[1] {
			t.Errorf("%s is in column %d of %q, %q, want %q", head, i, all[1], all[2], want)
		}
	}
}
