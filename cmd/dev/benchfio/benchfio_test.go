package main

import (
	"context"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/bench/worker"
	"cachecliff/platform/host"
)

// TestMain makes this test the measuring process where it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != worker.Arg {
		os.Exit(m.Run())
	}
	h, err := host.New(host.Options{})
	if err != nil {
		panic(err)
	}
	os.Exit(worker.Main(h, os.Stdin, os.Stdout, os.Stderr))
}

func TestOptions(t *testing.T) {
	o, err := parse(strings.Fields("-dir /x -limit-rate 400MiB -limit-iops 8000"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, s := range o.rows {
		rows = append(rows, name(s))
	}
	want := []string{
		"SEQ1M Q8T1 read", "SEQ1M Q1T1 read", "RND4K Q32T1 read", "RND4K Q1T1 read", "SEQ128K Q32T1 read", "RND4K Q32T16 read",
		"SEQ1M Q8T1 write", "SEQ1M Q1T1 write", "RND4K Q32T1 write", "RND4K Q1T1 write", "SEQ128K Q32T1 write", "RND4K Q32T16 write",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	for block, want := range map[int]float64{4 << 10: 8000, 1 << 20: 400, 128 << 10: 3200} {
		if got := o.limit.of(block); got != want {
			t.Errorf("limit of blocks of %d is %v, want %v", block, got, want)
		}
	}
	for _, bad := range []string{"", "-dir x y", "-dir x -rounds 0", "-dir x -size 3", "-dir x -rows RND3K", "-dir x -limit-rate q", "-no"} {
		if _, err := parse(strings.Fields(bad), io.Discard); err == nil {
			t.Errorf("%q was taken", bad)
		}
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
 "lat_ns": {"percentile": {"50.000000": 12, "99.000000": 34}}}}]}`))
	if want := (figures{rate: 16384000, iops: 4000, ops: 2000, p50: 12, p99: 34}); err != nil || f != want {
		t.Errorf("read %+v, %v, want %+v", f, err, want)
	}
	for _, bad := range []string{"", "{}", `{"jobs": [{"error": 5, "mixed": {"runtime": 1, "total_ios": 1}}]}`, `{"jobs": [{"mixed": {}}]}`} {
		if _, err := parseFio([]byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// The values are those of fio's plat_val_to_idx and plat_idx_to_val.
func TestCoarse(t *testing.T) {
	for v, want := range map[time.Duration]float64{1: 1, 127: 127, 128: 129, 129: 129, 130: 131, 255: 255, 256: 258, 1000: 1004, 1_000_000: 1_003_520, 118272: 118272} {
		var h hist.H
		h.Record(v)
		if got := coarse(&h, 0.5); got != want {
			t.Errorf("%d becomes %v, want %v", v, got, want)
		}
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

func TestJudge(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name                      string
		ratio, noise, least, most float64
		want                      verdict
	}{
		{"as fast", 0.99, 0.01, 0.98, inf, pass},
		{"faster", 1.3, 0.01, 0.98, inf, pass},
		{"slower", 0.97, 0.01, 0.98, inf, fail},
		{"slower, noise as large", 0.97, 0.03, 0.98, inf, inconclusive},
		{"slower than noise explains", 0.8, 0.1, 0.98, inf, fail},
		{"faster than noise explains", 1.3, 0.1, 0.98, inf, pass},
		{"faster, noise as large", 1.05, 0.1, 0.98, inf, inconclusive},
		{"too fast for the limit", 1.03, 0, 0.98, 1.02, fail},
		{"at the limit", 1.01, 0.02, 0.98, 1.02, pass},
		{"at the limit, noise", 1.01, 0.03, 0.98, 1.02, inconclusive},
		{"cheaper", 0.8, 0.1, 0, 1, pass},
		{"dearer", 1.2, 0.1, 0, 1, fail},
		{"unknown", math.NaN(), 0, 0, 1, inconclusive},
	} {
		if got := judge(c.ratio, c.noise, c.least, c.most); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestNoise(t *testing.T) {
	r := result{}
	for _, again := range []float64{900, 1100, 900, 1100} {
		var round [sides]figures
		round[fioA].iops, round[fioB].iops = 1000, again
		r.rounds = append(r.rounds, round)
	}
	if got := r.noise(1); math.Abs(got-0.1) > 1e-9 {
		t.Errorf("the noise is %v, though the median is 1", got)
	}
	for i := range r.rounds {
		r.rounds[i][fioB].iops = 1500
	}
	if got := r.noise(1); math.Abs(got-0.5) > 1e-9 {
		t.Errorf("the noise is %v, though fio differs by half", got)
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

// scripted is a contender that shows what it is told.
type scripted struct {
	figures
	order *[]string
	name  string
}

func (s scripted) run(context.Context, bench.Spec) (figures, error) {
	*s.order = append(*s.order, s.name)
	return s.figures, nil
}

func (s scripted) start(context.Context, bench.Spec) (time.Duration, error) {
	return time.Millisecond, nil
}

// Ratios, verdicts and the order of the runs, on numbers that are known.
func TestContest(t *testing.T) {
	for _, c := range []struct {
		name  string
		iops  float64 // ours; fio has 1000
		cpu   time.Duration
		limit limit
		ok    bool
		says  string
	}{
		{"better", 1500, 6 * time.Millisecond, limit{}, true, "rate 1.500  IOPS 1.500  p50 1.000  p99 1.000  CPU/IO 0.556   rate pass, CPU pass"},
		{"dear", 1000, 11 * time.Millisecond, limit{}, false, "rate pass, CPU fail"},
		{"slow", 900, 9 * time.Millisecond, limit{}, false, "rate fail, CPU pass"},
		{"more than the device can", 1100, 9 * time.Millisecond, limit{iops: 1000}, false, "rate fail, CPU pass"},
		{"below the limit", 500, 9 * time.Millisecond, limit{iops: 9000}, true, "rate below the limit, CPU pass"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var order []string
			spec, err := bench.ParseSpec("RND4K Q1T1")
			if err != nil {
				t.Fatal(err)
			}
			k := contest{options: options{rounds: 2, rows: []bench.Spec{spec}, limit: c.limit}, progress: io.Discard}
			for i := range k.sides {
				f := figures{rate: 4096000, iops: 1000, p50: 5, p99: 6, ops: 1000, processor: 10 * time.Millisecond}
				if i == own {
					f.rate, f.iops, f.processor, f.registered = c.iops*4096, c.iops, c.cpu, true
				}
				k.sides[i] = scripted{f, &order, sideNames[i]}
			}
			var out strings.Builder
			ok, err := k.all(context.Background(), &out)
			if ok != c.ok || err != nil || !strings.Contains(out.String(), c.says) {
				t.Errorf("ok %v, %v; %s", ok, err, out.String())
			}
			want := "fio, ours, fio, registered, fio again, fio again, fio, registered, ours, fio"
			if got := strings.Join(order, ", "); got != want {
				t.Errorf("the order was %s", got)
			}
		})
	}
}
