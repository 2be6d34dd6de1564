package bench

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// memoryHost is a fake with files in memory: files of its own drive.
type memoryHost struct {
	*platformtest.Host
	deny error
}

func (h memoryHost) Memory(size int64) (platform.File, error) {
	if h.deny != nil {
		return nil, &platform.OpError{Op: "make a file in", Object: "memory", Reason: h.deny}
	}
	t, err := h.Resolve(nil, "/fake")
	if err != nil {
		return nil, err
	}
	return h.Create(t, platform.CreateOptions{Size: size})
}

func TestEngineCeiling(t *testing.T) {
	for name, c := range map[string]struct {
		host  func(*platformtest.Host) platform.Host
		known bool
		fails error
	}{
		"measured":       {host: func(h *platformtest.Host) platform.Host { return memoryHost{h, nil} }, known: true},
		"no such files":  {host: func(h *platformtest.Host) platform.Host { return h }},
		"not allowed":    {host: func(h *platformtest.Host) platform.Host { return memoryHost{h, platform.ErrPermission} }},
		"out of memory":  {host: func(h *platformtest.Host) platform.Host { return memoryHost{h, platform.ErrResources} }},
		"broken machine": {host: func(h *platformtest.Host) platform.Host { return memoryHost{h, platform.ErrIO} }, fails: platform.ErrIO},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := platformtest.New(platformtest.Options{Model: slow()})
				h := c.host(fake)
				target, err := h.Resolve(t.Context(), "/fake")
				if err != nil {
					t.Fatal(err)
				}
				plan, err := NewPlan(short(t, "cdm-demo"), target, Options{})
				if err != nil {
					t.Fatal(err)
				}
				var began time.Duration
				res, err := Runner{Host: h, Measurer: Local{Host: h}}.Run(t.Context(), plan, func(e Event) {
					if _, ok := e.(StepStarted); ok && began == 0 {
						began = h.Now()
					}
				})
				if !errors.Is(err, c.fails) {
					t.Fatalf("error %v, want %v", err, c.fails)
				}
				if known := res.Ceiling != nil; known != c.known {
					t.Fatalf("ceiling %+v", res.Ceiling)
				}
				if c.known && (res.Ceiling.IO < time.Microsecond || res.Ceiling.IO > time.Millisecond || res.Ceiling.Clock != 0) {
					t.Errorf("ceiling %+v on the clock of a fake, which stands still while nobody waits", res.Ceiling)
				}
				if n := len(fake.Files()); n != 0 {
					t.Errorf("%d files are left", n)
				}
			})
		})
	}
}

// Other programs slow a thread down without making an I/O dearer.
func TestCostOfIO(t *testing.T) {
	loop := func(ops int64, cpu *CPU) Measurement {
		return Measurement{Elapsed: 100 * time.Millisecond, CPU: cpu, Read: Tally{Ops: ops}, Moved: Moved{ReadOps: 2 * ops}}
	}
	for name, c := range map[string]struct {
		m    Measurement
		want time.Duration
	}{
		"alone":          {loop(50_000, &CPU{Busiest: 200 * time.Millisecond}), 2 * time.Microsecond},
		"others work":    {loop(5_000, &CPU{Busiest: 20 * time.Millisecond}), 2 * time.Microsecond},
		"no clock":       {loop(50_000, nil), 2 * time.Microsecond},
		"clock is blind": {loop(50_000, &CPU{}), 2 * time.Microsecond},
		"coarse clock":   {loop(50_000, &CPU{Busiest: time.Second}), 2 * time.Microsecond},
		"nothing done":   {loop(0, &CPU{Busiest: time.Second}), 0},
	} {
		if got := c.m.costOfIO(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
