package main

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
)

func specOf(t *testing.T, text string) bench.Spec {
	t.Helper()
	s, err := bench.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func names(specs []bench.Spec) []string {
	var out []string
	for _, s := range specs {
		out = append(out, name(s))
	}
	return out
}

func TestOptions(t *testing.T) {
	o, err := parse(strings.Fields("-dir /x -limit-rate 400MiB -limit-iops 8000 -time 3s -size 32MiB"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	d := o.devices[0]
	if d.measure != 3*time.Second || d.size != 32<<20 || d.limit != (limit{8000, 400 << 20}) || o.rounds != 7 {
		t.Errorf("options are %+v", o)
	}
	specs, err := d.specs(o.filter)
	want := []string{
		"SEQ1M Q8T1 read", "SEQ1M Q1T1 read", "RND4K Q32T1 read", "RND4K Q1T1 read", "SEQ128K Q32T1 read", "RND4K Q32T16 read",
		"SEQ1M Q8T1 write", "SEQ1M Q1T1 write", "RND4K Q32T1 write", "RND4K Q1T1 write", "SEQ128K Q32T1 write", "RND4K Q32T16 write",
	}
	if err != nil || !slices.Equal(names(specs), want) {
		t.Errorf("rows %q, %v, want %q", names(specs), err, want)
	}
	for _, bad := range []string{
		"", "-dir x y", "-dir x -rounds 0", "-dir x -size 3", "-dir x -rows RND3K", "-dir x -limit-rate q", "-no", "-dir x -device tape",
		"-dir x -device loop,delayfs", "-dir x -tries 0",
	} {
		if _, err := parse(strings.Fields(bad), io.Discard); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestFilter(t *testing.T) {
	for text, want := range map[string][]string{
		"RND4K Q1T1":                   {"RND4K Q1T1 read", "RND4K Q1T1 write", "RND4K Q1T1 mix"},
		"rnd4k q1 r70":                 {"RND4K Q1T1 mix"},
		"SEQ1M Q8T1 R0, RND4K Q1T1 R0": {"RND4K Q1T1 write", "SEQ1M Q8T1 write"},
		"SEQ2M":                        nil,
	} {
		f, err := parseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		d, err := deviceByName("delayfs")
		if err != nil {
			t.Fatal(err)
		}
		specs, err := d.specs(f)
		if err != nil || !slices.Equal(names(specs), want) {
			t.Errorf("%q takes %q, %v, want %q", text, names(specs), err, want)
		}
	}
}

// Each device is whole: its rows can be read, are there once, and fit its file; each has something to pass.
func TestDevices(t *testing.T) {
	for _, d := range devices() {
		specs, err := d.specs(nil)
		if err != nil || len(specs) == 0 {
			t.Fatalf("%s: %v", d.name, err)
		}
		if len(d.columns) > 4 {
			t.Errorf("%s: %d columns do not fit", d.name, len(d.columns))
		}
		for i, s := range specs {
			if slices.Contains(specs[:i], s) {
				t.Errorf("%s has %s twice", d.name, s)
			}
			if int64(s.Block)*int64(s.Threads*s.Depth) > d.size {
				t.Errorf("%s: %s does not fit its file", d.name, s)
			}
			if !slices.ContainsFunc(d.columns, func(c column) bool { _, ok := c.judged(s, true); return ok }) {
				t.Errorf("%s asks nothing of %s", d.name, s)
			}
		}
	}
}

// The targets themselves.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		device, row, column string
		limited             bool
		want                bounds
		ok                  bool
	}{
		{"loop", "RND4K Q32T16 R70", "CPU ÷ fio", false, bounds{block: 4096, most: 0.85}, true},
		{"loop", "SEQ1M Q1T1 R0", "CPU ÷ fio", false, bounds{block: 1 << 20, most: 0.40}, true},
		{"loop", "SEQ128K Q32T1 R0", "CPU ÷ fio", false, bounds{}, false},
		{"loop", "SEQ128K Q32T1 R0", "CPU ÷ registered", false, bounds{most: 0.95}, true},
		{"loop", "SEQ1M Q1T1 R0", "IOPS ÷ fio", false, bounds{}, false},
		{"loop", "RND4K Q1T1 R0", "IOPS ÷ fio", false, bounds{block: 4096, least: 0.98, most: unbounded}, true},
		{"throttled", "RND4K Q32T1 R0", "rate ÷ fio", true, bounds{limited: true, least: 0.99, most: 1.01}, true},
		{"throttled", "RND4K Q1T1 R0", "rate ÷ fio", false, bounds{}, false},
		{"delayfs", "SEQ1M Q1T1 R70", "IOPS ÷ fio", false, bounds{least: 0.99, most: 1.01}, true},
		{"delayfs", "SEQ1M Q1T1 R70", "p99.9 ÷ fio", false, bounds{most: 1}, true},
	} {
		d, err := deviceByName(c.device)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(d.columns, func(x column) bool { return x.title == c.column })
		if i < 0 {
			t.Fatalf("%s has no column %s", c.device, c.column)
		}
		if got, ok := d.columns[i].judged(specOf(t, c.row), c.limited); got != c.want || ok != c.ok {
			t.Errorf("%s, %s, %s: %+v, %v", c.device, c.row, c.column, got, ok)
		}
	}
}

func TestLimit(t *testing.T) {
	l := limit{iops: 8000, rate: 400 << 20}
	for row, want := range map[string]float64{
		"RND4K Q1T1 R100": 8000, "SEQ1M Q1T1 R0": 400, "SEQ128K Q1T1 R0": 3200, "RND4K Q1T1 R80": 10000, "RND4K Q1T1 R50": 16000,
	} {
		if got := l.of(specOf(t, row)); got != want {
			t.Errorf("limit of %s is %v, want %v", row, got, want)
		}
	}
	if got := (limit{}).of(specOf(t, "RND4K")); got != 0 {
		t.Errorf("no limit is %v", got)
	}
}

func TestFioArguments(t *testing.T) {
	for text, want := range map[string]string{
		"RND4K Q32T16 R100": "--bs=4096 --iodepth=32 --numjobs=16 --rw=randread",
		"SEQ1M Q8T1 R0":     "--bs=1048576 --iodepth=8 --numjobs=1 --rw=write",
		"RND4K Q1T1 R70":    "--bs=4096 --iodepth=1 --numjobs=1 --rw=randrw --rwmixread=70",
	} {
		s, err := bench.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		args := fio{file: "/a:b", size: 5, engine: "libaio", registered: true}.args(s)
		for _, w := range append(strings.Fields(want), `--filename=/a\:b`, "--size=5", "--ioengine=libaio", "--fixedbufs=1") {
			if !slices.Contains(args, w) {
				t.Errorf("%s: %q lacks %s", text, args, w)
			}
		}
	}
}

func TestFioAnswer(t *testing.T) {
	f, err := parseFio([]byte(`fio: a warning
{"jobs": [{"error": 0, "mixed": {"io_bytes": 8192000, "runtime": 500, "total_ios": 2000,
 "lat_ns": {"N": 2100, "percentile": {"50.000000": 12, "99.000000": 34, "99.900000": 56}}}}]}`))
	if want := (figures{Rate: 17203200, IOPS: 4200, Ops: 2100, P50: 12, P99: 34, P999: 56}); err != nil || f != want {
		t.Errorf("read %+v, %v, want %+v", f, err, want)
	}
	for _, bad := range []string{"", "{}", `{"jobs": [{"error": 5, "mixed": {"runtime": 1, "total_ios": 1}}]}`, `{"jobs": [{"mixed": {}}]}`} {
		if _, err := parseFio([]byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func TestOwnArguments(t *testing.T) {
	s := specOf(t, "RND4K Q32T16 R70")
	s.Measure, s.Warmup = 2*time.Second, time.Second
	got := strings.Join(ours{dir: "/d", size: 1 << 30, engine: "libaio"}.args(s), " ")
	want := "run RND4K Q32T16 R70 WARM=1s TIME=2s --target /d --size 1024MiB --engine libaio --loops 1 --pause 0s --json --no-save --yes"
	if got != want {
		t.Errorf("ours is called with %s", got)
	}
}

func TestOwnAnswer(t *testing.T) {
	r, err := lastResult(strings.NewReader(`{"type":"started","id":"x"}
{"type":"result","result":{"measurements":[{"step":{"loop":0},"cpu":{"user":1}},{"step":{"loop":1},"elapsed":1900000000,"read":{"ops":280,"bytes":2800},"write":{"ops":81,"bytes":810},"drain":100000000,"registered":true,"cpu":{"user":3,"system":4},  "moved":{"read_ops":300,"read_bytes":3000,"write_ops":120,"write_bytes":1200},  "devices":[{"before":{"read_ops":5,"read_bytes":50},"after":{"read_ops":105,"read_bytes":1050,"write_ops":100,"write_bytes":1000}}],  "series":[{"warm":true,"read":{"ops":15,"bytes":150},"write":{"ops":5,"bytes":50}},{"read":{"ops":285,"bytes":2850}}]}]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for drain, want := range map[bool]figures{
		true:  {Rate: 2000, IOPS: 200, Ops: 420, Processor: 7, Registered: true, Request: 10},
		false: {Rate: 1900, IOPS: 190, Ops: 420, Processor: 7, Registered: true, Request: 10},
	} {
		if got, err := ownFigures(r, drain); err != nil || got != want {
			t.Errorf("with drain %v: read %+v, %v, want %+v", drain, got, err, want)
		}
	}
	for _, bad := range []string{
		"", "x", `{"type":"finished"}`, `{"type":"result","result":{"measurements":[{"step":{"loop":1},"stopped":true}]}}`,
		`{"type":"result","result":{}}`,
	} {
		r, err := lastResult(strings.NewReader(bad))
		if err == nil {
			_, err = ownFigures(r, false)
		}
		if err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// The values are those of fio's plat_val_to_idx and plat_idx_to_val.
func TestBuckets(t *testing.T) {
	for v, want := range map[float64]float64{
		0: 0, 1: 1, 127: 127, 128: 129, 129: 129, 130: 131, 255: 255, 256: 258, 1000: 1004, 1_000_000: 1_003_520, 118272: 118272,
	} {
		var h hist.H
		h.Record(time.Duration(v))
		if got := coarse(&h, 0.5); got != want {
			t.Errorf("%v becomes %v, want %v", v, got, want)
		}
	}
	last := -1
	for v := range 100_000 {
		b := bucket(float64(v))
		if b != last && b != last+1 {
			t.Fatalf("bucket %d of %d follows bucket %d", b, v, last)
		}
		if again := bucket(middle(b)); again != b {
			t.Fatalf("the middle of bucket %d lies in bucket %d", b, again)
		}
		last = b
	}
	var h hist.H
	for v := range time.Duration(1000) {
		h.Record(v * 1000)
	}
	if got := coarse(&h, 0.99); math.Abs(got/989_000-1) > 1.0/64 {
		t.Errorf("p99 is %v", got)
	}
	if coarse(new(hist.H), 0.5) != 0 {
		t.Error("nothing has a percentile")
	}
}

func TestStat(t *testing.T) {
	s, err := parseStat("  10 1 80 5  30 2 240 7 0 0 0\n")
	if want := (deviceStat{40, 320 * 512}); err != nil || s != want {
		t.Errorf("read %+v, %v, want %+v", s, err, want)
	}
	if _, err := parseStat("10 1"); err == nil {
		t.Error("half a line was taken")
	}
}

func TestLoads(t *testing.T) {
	shares, err := parseShares("20, 50,80")
	if err != nil || !slices.Equal(shares, []float64{0.2, 0.5, 0.8}) {
		t.Errorf("got %v, %v", shares, err)
	}
	for _, bad := range []string{"", "0", "101", "x", "20,,50"} {
		if _, err := parseShares(bad); err == nil {
			t.Errorf("%q is taken for percentages", bad)
		}
	}
	for _, c := range []struct {
		achieved []float64
		worst    float64
		want     verdict
	}{
		{[]float64{1000, 1002, 999}, 1.002, pass},
		{[]float64{1000, 1000, 500}, 0.5, pass}, // by the median
		{[]float64{989, 989, 1000}, 0.989, fail},
		{[]float64{1011, 1011, 1000}, 1.011, fail},
	} {
		l := load{offered: 1000, achieved: c.achieved}
		if l.verdict() != c.want || math.Abs(l.worst()-c.worst) > 1e-9 {
			t.Errorf("%v: %v, worst %v", c.achieved, l.verdict(), l.worst())
		}
	}
}
