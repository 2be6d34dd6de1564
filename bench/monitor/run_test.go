package monitor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// seen watches the fake drive in virtual time; each stops it, and may take time itself.
func seen(t *testing.T, o platformtest.Options, period time.Duration, each func(n int, s Sample) (more bool)) ([]Sample, error) {
	t.Helper()
	var out []Sample
	var err error
	synctest.Test(t, func(t *testing.T) {
		host := platformtest.New(o)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err = Run(ctx, host, Config{Drives: []platform.Drive{host.Drive()}, Period: period}, func(s Sample) {
			out = append(out, s)
			if !each(len(out), s) {
				cancel()
			}
		})
	})
	return out, err
}

func TestRunOnTime(t *testing.T) {
	asked := 0
	o := platformtest.Options{Sensor: func(temperature bool, _ time.Duration) error {
		if temperature {
			asked++
		}
		return nil
	}}
	out, err := seen(t, o, MinPeriod, func(n int, _ Sample) bool { return n < 250 })
	if err != nil || len(out) != 250 {
		t.Fatalf("%d samples, %v", len(out), err)
	}
	for i, s := range out {
		if want := time.Duration(i) * MinPeriod; s.At != want || s.Late != 0 || s.Missed != 0 {
			t.Fatalf("sample %d at %v: %+v", i, want, s)
		}
		if s.Drives[0].Counters == nil || s.Drives[0].NoCounters != "" {
			t.Fatalf("sample %d: %+v", i, s.Drives[0])
		}
	}
	last := out[249].Drives[0]
	if asked != 3 || len(last.Temperatures) == 0 || last.TempAge < 400*time.Millisecond || last.TempAge > time.Second {
		t.Errorf("2.5 s asked %d times for temperatures; the last are %v, %v old", asked, last.Temperatures, last.TempAge)
	}
}

func TestRunLate(t *testing.T) {
	out, err := seen(t, platformtest.Options{}, 100*time.Millisecond, func(n int, _ Sample) bool {
		if n == 2 {
			time.Sleep(370 * time.Millisecond) // until 470 ms: 200, 300 and 400 are due meanwhile
		}
		return n < 4
	})
	if err != nil || len(out) != 4 {
		t.Fatalf("%d samples, %v", len(out), err)
	}
	for i, want := range []Sample{
		{}, {At: 100 * time.Millisecond},
		{At: 470 * time.Millisecond, Late: 270 * time.Millisecond, Missed: 2},
		{At: 500 * time.Millisecond},
	} {
		if s := out[i]; s.At != want.At || s.Late != want.Late || s.Missed != want.Missed {
			t.Errorf("sample %d: at %v, late %v, missed %d, not %+v", i, s.At, s.Late, s.Missed, want)
		}
	}
}

// A drive that does not answer for a second leaves holes with their reason, and the samples go on.
func TestRunStalled(t *testing.T) {
	o := platformtest.Options{Sensor: func(temperature bool, now time.Duration) error {
		if !temperature && now > 250*time.Millisecond && now < time.Second {
			time.Sleep(time.Second)
		}
		return nil
	}}
	out, err := seen(t, o, 100*time.Millisecond, func(n int, _ Sample) bool { return n < 20 })
	if err != nil {
		t.Fatal(err)
	}
	holes := 0
	for _, s := range out {
		if r := s.Drives[0]; r.Counters == nil {
			holes++
			if r.NoCounters != platform.WhyFailed || r.Gone {
				t.Errorf("at %v: %+v", s.At, r)
			}
		}
		if s.Late != 0 {
			t.Errorf("at %v: late by %v, for the drive of all", s.At, s.Late)
		}
	}
	if holes < 8 || holes > 11 {
		t.Errorf("%d samples without counts in a second of silence", holes)
	}
}

func TestRunFails(t *testing.T) {
	gone := errors.Join(platform.ErrGone)
	o := platformtest.Options{Sensor: func(_ bool, now time.Duration) error {
		if now > 2*time.Second {
			return gone
		}
		return nil
	}}
	out, err := seen(t, o, time.Second, func(n int, _ Sample) bool { return n < 50 })
	if !errors.Is(err, platform.ErrGone) || len(out) < 2 || len(out) > 4 {
		t.Errorf("pulled out after 2 s: %d samples, %v", len(out), err)
	}
	if last := out[len(out)-1].Drives[0]; !last.Gone || last.Counters != nil {
		t.Errorf("the last sample does not say so: %+v", last)
	}
	for _, period := range []time.Duration{0, MinPeriod - 1, MaxPeriod + 1} {
		if _, err := seen(t, platformtest.Options{}, period, func(int, Sample) bool { return false }); !errors.Is(err, ErrPeriod) {
			t.Errorf("period %v: %v", period, err)
		}
	}
}
