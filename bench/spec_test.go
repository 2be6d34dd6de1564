package bench

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestSpecText(t *testing.T) {
	base := Spec{Access: Random, ReadPct: 70, Block: 4096, Depth: 32, Threads: 4, Measure: DefaultMeasure}
	with := func(f func(*Spec)) Spec {
		s := base
		f(&s)
		return s
	}
	for _, c := range []struct {
		in, out string
		spec    Spec
	}{
		{"RND4K Q32T4 R70", "RND4K Q32T4 R70", base},
		{"rnd4kib q32 t4 r70", "RND4K Q32T4 R70", base},
		{"RND4096 T4Q32R70", "RND4K Q32T4 R70", base},
		{"RND4K Q32T4", "RND4K Q32T4 R100", with(func(s *Spec) { s.ReadPct = 100 })},
		{"RND4K Q32T4 R70 FILL=random FLUSH=none", "RND4K Q32T4 R70", base},
		{"SEQ1M", "SEQ1M Q1T1 R100", Spec{Access: Sequential, ReadPct: 100, Block: 1 << 20, Depth: 1, Threads: 1, Measure: DefaultMeasure}},
		{"RND4K Q32T4 rate=5000 R70 TIME=1s", "RND4K Q32T4 R70 RATE=5000 TIME=1s", with(func(s *Spec) { s.Rate, s.Measure = 5000, time.Second })},
		{"RND4K Q32T4 R70 SPAN=1.5G TIME=90s WARM=250ms FILL=zero FLUSH=each LIMIT=10G",
			"RND4K Q32T4 R70 SPAN=1536M FILL=zero FLUSH=each WARM=250ms TIME=1m30s LIMIT=10G",
			with(func(s *Spec) {
				s.Span, s.Measure, s.Warmup, s.Fill, s.Flush, s.Limit = 3<<29, 90*time.Second, 250*time.Millisecond, FillZero, FlushEach, 10<<30
			})},
	} {
		got, err := ParseSpec(c.in)
		if err != nil || got != c.spec || got.String() != c.out {
			t.Errorf("%q: got %v (%q), error %v, want %q", c.in, got, got.String(), err, c.out)
		}
		again, err := ParseSpec(got.String())
		if err != nil || again != got {
			t.Errorf("%q does not come back: %v, %v", got.String(), again, err)
		}
	}
}

func TestSpecFaults(t *testing.T) {
	for _, c := range []struct {
		in     string
		fields []string // every fault must be named
	}{
		{"", []string{"test"}},
		{"RND3K Q0T0", []string{"block size", "queue depth", "threads"}},
		{"RND5 Q1", []string{"block size"}},
		{"FOO4K Q1", []string{"test"}},
		{"RND128M", []string{"block size"}},
		{"SEQ1M Q2000", []string{"queue depth"}},
		{"SEQ1M T65", []string{"threads"}},
		{"SEQ64M Q512", []string{"block size"}},
		{"RND4K Q512T64", []string{"queue depth"}},
		{"RND4K R101", []string{"read share"}},
		{"RND4K X1", []string{"test"}},
		{"RND4K Q1Q2", []string{"test"}},
		{"RND4K Q1 T1 Q1", []string{"test"}},
		{"RND4K TIME=1s time=2s", []string{"test"}},
		{"RND4K Q", []string{"test"}},
		{"RND4K Q99999999999999999999", []string{"test"}},
		{"RND4K TIME=0", []string{"measuring time"}},
		{"RND4K TIME=1", []string{"time"}},
		{"RND4K SPAN=x LIMIT=-1", []string{"span", "limit"}},
		{"RND4K RATE=0", []string{"rate"}},
		{"RND4K RATE=-1", []string{"rate"}},
		{"RND4K RATE=1e3", []string{"rate"}},
		{"RND4K RATE=100000001", []string{"rate"}},
		{"RND4K RATE=1 T2 TIME=1s", []string{"rate"}},
		{"RND4K FILL=cheese", []string{"fill"}},
		{"RND4K COLOUR=red", []string{"test"}},
	} {
		_, err := ParseSpec(c.in)
		if err == nil {
			t.Errorf("%q was taken", c.in)
			continue
		}
		var fault *SpecError
		if !errors.As(err, &fault) {
			t.Errorf("%q: %v is no SpecError", c.in, err)
		}
		for _, f := range c.fields {
			if !strings.Contains(err.Error(), f+":") {
				t.Errorf("%q: %q does not name %q", c.in, err, f)
			}
		}
	}
}

func FuzzParseSpec(f *testing.F) {
	for _, s := range []string{"RND4K Q32T4 R70", "SEQ1M Q8T1 R0 TIME=60s FLUSH=end", "RND3K Q0T0", "SEQ1.5M", "RND4K Q8 R0 RATE=5000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpec(text)
		if err != nil {
			return
		}
		if again, err := ParseSpec(s.String()); err != nil || again != s {
			t.Errorf("%q gives %q, which gives %v, %v", text, s, again, err)
		}
	})
}

func TestParseSize(t *testing.T) {
	for in, want := range map[string]int64{
		"512": 512, "4K": 4096, "4KiB": 4096, "4kb": 4096, "1M": 1 << 20, "1GiB": 1 << 30, "1.5G": 3 << 29, " 64 MiB ": 64 << 20, "2T": 2 << 40, "0": 0,
	} {
		if got, err := ParseSize(in); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "G", "-1", "1.00001K", "1e30", "NaN", "Inf", "9999999999T", "4X", "1,5G"} {
		if got, err := ParseSize(in); err == nil {
			t.Errorf("%q was read as %d", in, got)
		}
	}
}
