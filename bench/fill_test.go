package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// playFill runs a fill test on a fake drive in this bubble.
func playFill(t *testing.T, o platformtest.Options, p Profile, during func(*platformtest.Host, Event)) (Result, *platformtest.Host, error) {
	t.Helper()
	host := platformtest.New(o)
	target, err := host.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(p, target, Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	r := Runner{Host: host, Measurer: Local{Host: host}}
	result, err := r.Run(t.Context(), plan, func(e Event) {
		if during != nil {
			during(host, e)
		}
	})
	if left := host.Files(); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
	return result, host, err
}

func fillDrive(capacity, cache int64) platformtest.Model {
	m := platformtest.Typical()
	m.Capacity, m.CacheBytes = capacity, cache
	return m
}

// A filling finds the cache of a drive whose cache is known, in each of its passes, with all bytes counted.
func TestFill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := ByID("fill")
		result, host, err := playFill(t, platformtest.Options{Model: fillDrive(500e9, 40e9)}, p, nil)
		if err != nil || result.Reason != ReasonDone {
			t.Fatalf("%s, %v", result.Reason, err)
		}
		passes := result.FillPasses()
		if len(passes) != 3 {
			t.Fatalf("%d passes", len(passes))
		}
		border, ok := passes[0].Found.Cache()
		if !ok || math.Abs(float64(border.At)-40e9) > 1.2e9 {
			t.Errorf("cache %+v, want 40 GB", border)
		}
		// The fake's cache never recovers.
		for _, pass := range passes[1:] {
			if b, ok := pass.Found.Cache(); ok || pass.Freed == nil || !pass.Whole {
				t.Errorf("pass %d: %+v, border %+v", pass.Pass, pass, b)
			}
		}
		free := int64(500e9) * 37 / 100
		total := free - Reserve(result.Plan.Target.Volume)
		for i, want := range []float64{1, .5, .2} {
			if got := float64(passes[i].Found.Bytes) / float64(total); math.Abs(got-want) > 0.05 {
				t.Errorf("pass %d wrote %.2f of all, want %.2f", i+1, got, want)
			}
		}
		var bytes, moved int64
		for _, m := range result.Measurements {
			moved += m.Moved.WriteBytes
			for _, s := range m.Series {
				bytes += s.Write.Bytes
			}
			var files int64
			for _, f := range m.Files {
				files += f.Bytes
			}
			if m.Step.Kind == StepFill && (files != m.Write.Bytes || m.Write.Bytes != m.Moved.WriteBytes || m.Write.Ops*mib != m.Write.Bytes) {
				t.Errorf("pass %d: files %d, counted %d, moved %d", m.Step.Pass, files, m.Write.Bytes, m.Moved.WriteBytes)
			}
		}
		sensors, err := host.Sensors(t.Context(), host.Drive())
		if err != nil || bytes != moved || int64(sensors.Counters.WriteBytes) != moved {
			t.Errorf("samples %d, moved %d, the drive counted %d, %v", bytes, moved, sensors.Counters.WriteBytes, err)
		}
	})
}

// Between two files there is no pause: what the samples took is all the time there was.
func TestFillHasNoGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := ByID("fill-quick")
		p.FileSize = 1 << 30
		p.Filling = &Filling{Write: p.Filling.Write, Most: 10}
		result, _, err := playFill(t, platformtest.Options{Model: fillDrive(500e9, 1)}, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := result.Measurements[0]
		var took, files time.Duration
		for i, s := range m.Series {
			took += s.Took
			if s.At != took || s.Took <= 0 || i < len(m.Series)-1 && s.Took > 200*time.Millisecond {
				t.Fatalf("sample %d ends at %v, took %v, all before %v", i, s.At, s.Took, took)
			}
		}
		for _, f := range m.Files {
			files += f.Took
		}
		if took != m.Elapsed || files != took || len(m.Files) != 47 {
			t.Errorf("samples took %v, %d files %v, the pass %v", took, len(m.Files), files, m.Elapsed)
		}
		want := float64(m.Write.Bytes) / 800e6
		if off := m.Elapsed.Seconds() / want; off > 1.01 || off < 0.99 {
			t.Errorf("took %v, want %.1f s", m.Elapsed, want)
		}
	})
}

// The quick one ends 40 GB after the end of the cache, or at 40 % of the capacity.
func TestFillQuick(t *testing.T) {
	for _, tt := range []struct {
		capacity, cache, want int64
		border                bool
	}{{2000e9, 100e9, 140e9, true}, {500e9, 900e9, 175e9, false}, {1000e9, 5e9, 45e9, true}} {
		synctest.Test(t, func(t *testing.T) {
			p, _ := ByID("fill-quick")
			result, _, err := playFill(t, platformtest.Options{Model: fillDrive(tt.capacity, tt.cache)}, p, nil)
			if err != nil || result.Reason != ReasonDone {
				t.Fatalf("%s, %v", result.Reason, err)
			}
			pass := result.FillPasses()[0]
			b, ok := pass.Found.Cache()
			if ok != tt.border || !pass.Whole || math.Abs(float64(pass.Found.Bytes-tt.want)) > 4e9 {
				t.Errorf("cache of %d: border %+v, wrote %d, want %d", tt.cache, b, pass.Found.Bytes, tt.want)
			}
		})
	}
}

// A full volume, a failing drive and a stop each end a filling with what was measured.
func TestFillEnds(t *testing.T) {
	fault := func(err error) platformtest.Options {
		var n int
		return platformtest.Options{Model: fillDrive(500e9, 10e9), Fault: func(op platform.Op, _ int64, _ time.Duration) error {
			if n++; n > 20000 {
				return &platform.OpError{Op: "access", Object: "/fake/fake-1", Reason: err}
			}
			return nil
		}}
	}
	for _, tt := range []struct {
		name   string
		o      platformtest.Options
		stop   bool
		reason Reason
		err    error
		warns  WarningCode
	}{
		{"full", fault(platform.ErrNoSpace), false, ReasonDone, nil, WarnFull},
		{"quota", fault(platform.ErrQuota), false, ReasonDone, nil, WarnFull},
		{"failing", fault(platform.ErrIO), false, ReasonFailed, platform.ErrIO, ""},
		{"stopped", platformtest.Options{Model: fillDrive(500e9, 10e9)}, true, ReasonStopped, nil, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			p, _ := ByID("fill-quick")
			host := platformtest.New(tt.o)
			target, _ := host.Resolve(t.Context(), "/fake")
			plan, err := NewPlan(p, target, Options{Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			samples := 0
			result, err := Runner{Host: host, Measurer: Local{Host: host}}.Run(ctx, plan, func(e Event) {
				if _, ok := e.(Sampled); ok {
					if samples++; tt.stop && samples == 30 {
						cancel()
					}
				}
			})
			if f := result.Failure; f != nil && f.Object != "/fake" {
				t.Errorf("%s: the failure is that of %q", tt.name, f.Object)
			}
			if !errors.Is(err, tt.err) || result.Reason != tt.reason || len(host.Files()) > 0 {
				t.Fatalf("%s: %s, %v, files %v", tt.name, result.Reason, err, host.Files())
			}
			passes := result.FillPasses()
			if len(passes) != 1 || passes[0].Found.Bytes < 5e9 || passes[0].Whole != (tt.reason == ReasonDone) {
				t.Errorf("%s: %+v", tt.name, passes)
			}
			warned := slices.ContainsFunc(result.Warnings, func(w Warning) bool { return w.Code == tt.warns })
			if tt.warns != "" && !warned {
				t.Errorf("%s: warnings %v", tt.name, result.Warnings)
			}
		})
	}
}

// What cannot be filled is refused before a byte is written.
func TestFillRefused(t *testing.T) {
	p, _ := ByID("fill")
	room := platform.Target{Path: "/x", Volume: platform.Volume{Size: 100e9, Used: 50e9, Free: 50e9}}
	for name, tt := range map[string]struct {
		change func(*Profile, *platform.Target)
		want   string
	}{
		"fits":      {func(*Profile, *platform.Target) {}, ""},
		"no space":  {func(_ *Profile, t *platform.Target) { t.Volume.Free = 4 << 30 }, "no-space"},
		"not empty": {func(p *Profile, _ *platform.Target) { p.Filling = &Filling{Write: p.Filling.Write, Empty: true} }, "not-empty"},
	} {
		profile, target := p, room
		tt.change(&profile, &target)
		_, err := NewPlan(profile, target, Options{})
		var refused *PlanError
		if got := errors.As(err, &refused); got != (tt.want != "") || got && string(refused.Code) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, spoil := range []func(*Filling){
		func(f *Filling) { f.Again = []int{0} }, func(f *Filling) { f.Again = []int{101} }, func(f *Filling) { f.Most = 101 },
		func(f *Filling) { f.After = -1 }, func(f *Filling) { f.Write.ReadPct = 50 }, func(f *Filling) { f.Write.Threads = 2 },
		func(f *Filling) { f.Again = make([]int, 10) },
	} {
		f := *p.Filling
		spoil(&f)
		bad := p
		bad.Filling = &f
		if err := bad.Validate(); err == nil {
			t.Errorf("%+v is taken", f)
		}
	}
}

// The steps of a filling, as they are shown before a run.
func TestFillSteps(t *testing.T) {
	p, _ := ByID("fill")
	p.Loops = 2
	plan, err := NewPlan(p, platform.Target{Path: "/x", Volume: platform.Volume{Size: 240e9, Free: 104.8e9}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range plan.Steps() {
		got = append(got, fmt.Sprintf("%s %d/%d %.0f %d", s.Kind, s.Loop, s.Pass, float64(s.Bytes)/1e9, s.Share))
	}
	want := []string{
		"fill 1/1 100 0", "delete 1/2 50 50", "rest 1/2 0 0", "fill 1/2 50 0", "delete 1/3 20 20", "rest 1/3 0 0", "fill 1/3 20 0",
		"delete 2/1 100 100", "rest 2/1 0 0", "fill 2/1 100 0", "delete 2/2 50 50", "rest 2/2 0 0", "fill 2/2 50 0", "delete 2/3 20 20", "rest 2/3 0 0", "fill 2/3 20 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("steps %q", got)
	}
}

// A filling that is held stops before its next file and goes on as if nothing had been; the time is told.
func TestFillIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := ByID("fill-quick")
		p.FileSize = 1 << 30
		p.Filling = &Filling{Write: p.Filling.Write, Most: 4}
		host := platformtest.New(platformtest.Options{Model: fillDrive(500e9, 1)})
		target, _ := host.Resolve(t.Context(), "/fake")
		plan, err := NewPlan(p, target, Options{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		gate := new(Gate)
		samples := 0
		result, err := Runner{Host: host, Measurer: Local{Host: host}, Gate: gate}.Run(t.Context(), plan, func(e Event) {
			if _, ok := e.(Sampled); ok {
				if samples++; samples == 30 {
					gate.Hold(true)
					time.AfterFunc(time.Minute, func() { gate.Hold(false) })
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		m := result.Measurements[0]
		var took time.Duration
		for _, s := range m.Series {
			if took += s.Took; s.At != took || s.Took > 200*time.Millisecond {
				t.Fatalf("a sample of %v ends at %v, all before took %v", s.Took, s.At, took)
			}
		}
		if len(m.Held) != 1 || m.Held[0].Took < 55*time.Second || m.Held[0].After%(1<<30) != 0 || m.Held[0].After < 2e9 || took != m.Elapsed {
			t.Errorf("held %+v, samples took %v of %v", m.Held, took, m.Elapsed)
		}
		if rate := float64(m.Write.Bytes) / m.Elapsed.Seconds(); math.Abs(rate-800e6) > 8e6 {
			t.Errorf("rate %.0f, want 800 MB/s", rate)
		}
		if !slices.ContainsFunc(result.Warnings, func(w Warning) bool { return w.Code == WarnHeld && w.Value > 55 }) {
			t.Errorf("warnings %+v", result.Warnings)
		}
	})
}

// A stop ends a filling that is held.
func TestHeldFillIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := ByID("fill-quick")
		p.FileSize = 1 << 30
		host := platformtest.New(platformtest.Options{Model: fillDrive(500e9, 1)})
		target, _ := host.Resolve(t.Context(), "/fake")
		plan, err := NewPlan(p, target, Options{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gate := new(Gate)
		gate.Hold(true)
		time.AfterFunc(time.Minute, cancel)
		result, err := Runner{Host: host, Measurer: Local{Host: host}, Gate: gate}.Run(ctx, plan, func(Event) {})
		if err != nil || result.Reason != ReasonStopped || result.Took > 62*time.Second || len(host.Files()) > 0 {
			t.Errorf("%s after %v, %v", result.Reason, result.Took, err)
		}
	})
}
