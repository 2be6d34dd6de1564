package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name                      string
		ratio, noise, least, most float64
		want                      verdict
	}{
		{"as fast", 0.99, 0.01, 0.98, unbounded, pass},
		{"faster", 1.3, 0.01, 0.98, unbounded, pass},
		{"slower", 0.97, 0.01, 0.98, unbounded, fail},
		{"slower, noise as large", 0.97, 0.03, 0.98, unbounded, inconclusive},
		{"slower than noise explains", 0.8, 0.1, 0.98, unbounded, fail},
		{"faster than noise explains", 1.3, 0.1, 0.98, unbounded, pass},
		{"faster, noise as large", 1.05, 0.1, 0.98, unbounded, inconclusive},
		{"too fast for the limit", 1.03, 0, 0.98, 1.02, fail},
		{"at the limit", 1.01, 0.02, 0.98, 1.02, pass},
		{"at the limit, noise", 1.01, 0.03, 0.98, 1.02, inconclusive},
		{"cheaper", 0.7, 0.1, 0, 0.85, pass},
		{"cheaper, noise as large", 0.8, 0.1, 0, 0.85, inconclusive},
		{"dearer", 1.2, 0.1, 0, 1, fail},
		{"unknown", math.NaN(), 0, 0, 1, inconclusive},
	} {
		if got := judge(c.ratio, c.noise, 0.02, c.least, c.most); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestJudgeSteps(t *testing.T) {
	for _, c := range []struct {
		steps, noise float64
		want         verdict
	}{
		{0, 0, pass}, {1, 1, pass}, {-1, 0.5, pass}, {1.5, 1, fail}, {-2, 0, fail},
		{0, 1.5, inconclusive}, {2, 1.5, inconclusive}, {-3, 1.5, fail},
	} {
		if got := judgeSteps(c.steps, c.noise, 1, 1); got != c.want {
			t.Errorf("%v buckets away, fio %v: %s, want %s", c.steps, c.noise, got, c.want)
		}
	}
}

func TestWorse(t *testing.T) {
	order := []verdict{none, pass, inconclusive, fail}
	for i, a := range order {
		for j, b := range order {
			if got := worse(a, b); got != order[max(i, j)] {
				t.Errorf("the worse of %q and %q is %q", a, b, got)
			}
		}
	}
}

func TestNoise(t *testing.T) {
	r := result{}
	for _, again := range []float64{900, 1100, 900, 1100} {
		var round [sides]figures
		round[fioA].IOPS, round[fioB].IOPS = 1000, again
		r.rounds = append(r.rounds, round)
	}
	if got := r.noise(byRatio, iops); math.Abs(got-0.1) > 1e-9 {
		t.Errorf("the noise is %v, though the median is 1", got)
	}
	for i := range r.rounds {
		r.rounds[i][fioB].IOPS = 1500
	}
	if got := r.noise(byRatio, iops); math.Abs(got-0.5) > 1e-9 {
		t.Errorf("the noise is %v, though fio differs by half", got)
	}
	if got := r.noise(byBuckets, iops); got != 32 { // from bucket 3·64+125 to 4·64+93
		t.Errorf("the noise is %v buckets", got)
	}
}

// made is a row with the same figures in every round, ours and fio's.
func made(t *testing.T, device, row string, us, them figures) result {
	d, err := deviceByName(device)
	if err != nil {
		t.Fatal(err)
	}
	r := result{device: &d, spec: specOf(t, row)}
	for range 7 {
		r.rounds = append(r.rounds, [sides]figures{fioA: them, own: us, fioLike: them, fioB: them})
	}
	return r
}

// A row of each device, with what decides it.
func TestVerdict(t *testing.T) {
	fio := figures{Rate: 32768000, IOPS: 8000, P50: 2.1e6, P99: 6.3e6, P999: 12.5e6, Ops: 1000, Processor: 10_000_000, Registered: true, Request: 4096}
	for _, c := range []struct {
		device, row string
		change      func(*figures)
		want        verdict
		says        string
	}{
		{"loop", "RND4K Q1T1 R100", func(f *figures) { f.Processor = 8_000_000 }, pass, ""},
		{"loop", "RND4K Q1T1 R100", func(f *figures) { f.Processor = 9_000_000 }, fail, "0.900 (1.000) FAIL  0.900 (1.000) ok"},
		{"loop", "RND4K Q1T1 R100", func(f *figures) { f.Processor, f.IOPS = 8_000_000, 7000 }, fail, "0.875 (1.000) FAIL"},
		{"loop", "RND4K Q1T1 R100", func(f *figures) { f.Processor, f.Request = 8_000_000, 43008 }, fail, "10.500 (1.000) FAIL"},
		{"loop", "SEQ1M Q1T1 R100", func(f *figures) { f.Processor = 5_000_000 }, fail, "0.500 (1.000) FAIL  0.500 (1.000) ok"},
		{"loop", "SEQ1M Q1T1 R100", func(f *figures) { f.Processor, f.IOPS = 3_900_000, 7000 }, pass, "0.875 (1.000)"},
		{"loop", "SEQ1M Q1T1 R100", func(f *figures) { f.Processor, f.Registered = 3_900_000, false }, pass, ""},
		{"throttled", "RND4K Q32T1 R100", func(f *figures) { f.Rate *= 1.02 }, fail, ""},
		{"throttled", "RND4K Q32T1 R100", func(f *figures) { f.Rate *= 0.995 }, pass, ""},
		{"throttled", "RND4K Q32T1 R30", func(f *figures) { f.Rate *= 2 }, none, "2.000 (1.000)"},
		{"delayfs", "RND4K Q1T1 R70", func(f *figures) {}, pass, ""},
		{"delayfs", "RND4K Q1T1 R70", func(f *figures) { f.P99 = middle(bucket(f.P99) - 1) }, pass, ""},
		{"delayfs", "RND4K Q1T1 R70", func(f *figures) { f.P99 = middle(bucket(f.P99) - 2) }, fail, ""},
		{"delayfs", "RND4K Q1T1 R70", func(f *figures) { f.P99 = 6.02e6 }, pass, "0.956 (1.000) ok"}, // as programmed
		{"delayfs", "RND4K Q1T1 R70", func(f *figures) { f.P99 = 5.8e6 }, fail, ""},                  // less than that
		{"delayfs", "RND4K Q1T1 R70", func(f *figures) { f.IOPS *= 0.98 }, fail, ""},
	} {
		us := fio
		c.change(&us)
		r := made(t, c.device, c.row, us, fio)
		if got := r.verdict(); got != c.want || !strings.Contains(r.line(), c.says) {
			t.Errorf("%s: %q, want %q\n%s", c.device, got, c.want, r.line())
		}
	}
	r := made(t, "delayfs", "RND4K Q1T1 R70", fio, fio)
	for i := range r.rounds {
		r.rounds[i][fioB].IOPS *= 1.02
	}
	if got := r.verdict(); got != inconclusive {
		t.Errorf("fio differs from fio, and the row is %q", got)
	}
	for i := range r.rounds {
		r.rounds[i][own].P99 *= 2
	}
	if got := r.verdict(); got != inconclusive {
		t.Errorf("fio differs from fio, a percentile from both, and the row is %q", got)
	}
	if s := fmt.Sprint(count{pass: 2, fail: 1, none: 3}); s != "2 pass, 1 fail, 0 inconclusive or not measured, 3 without a criterion" {
		t.Error(s)
	}
}
