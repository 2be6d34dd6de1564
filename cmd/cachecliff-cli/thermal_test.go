package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// thermalStage has a drive that reads 20 MB/s and gets 40 °C warmer by that.
func thermalStage(t *testing.T, sensor bool) *stage {
	m := platformtest.Typical()
	m.ReadRate, m.CacheRate, m.FoldRate, m.CacheBytes, m.HeatPerGBps, m.ThrottleAt = 20e6, 20e6, 10e6, 1e12, 2000, 0
	m.ReadLatency, m.WriteLatency = time.Millisecond, time.Millisecond
	o := platformtest.Options{Model: m}
	if !sensor {
		o.Sensor = func(temperature bool, _ time.Duration) error {
			if temperature {
				return platform.ErrUnsupported
			}
			return nil
		}
	}
	return stageOn(t, o)
}

// A test of the temperature is run from the command line, told before and after, kept, listed, shown and exported.
func TestRunThermal(t *testing.T) {
	for name, sensor := range map[string]bool{"thermal": true, "thermal-none": false} {
		synctest.Test(t, func(t *testing.T) {
			s := thermalStage(t, sensor)
			if status := s.run(t.Context(), line("run thermal-read --target /fake --size 64MiB --until-steady --comment heatsink")...); status != exitDone {
				t.Fatalf("status %d: %s", status, s.stderr.String())
			}
			golden(t, name+"-text", masked(s, s.stdout.String()))
			if sensor { // the fake tells one when it is asked before a run
				golden(t, name+"-notes", masked(s, s.stderr.String()))
			}
			s.nothingLeft(t)
			for file, args := range map[string]string{name + "-results": "results", name + "-text": "show latest"} {
				if status := s.run(t.Context(), strings.Fields(args)...); status != exitDone || s.stderr.Len() > 0 {
					t.Errorf("%s: status %d, standard error %q", args, status, s.stderr.String())
				}
				golden(t, file, masked(s, s.stdout.String()))
			}
		})
	}
}

// The options of a test of the temperature change its plan, each as its name says.
func TestThermalOptions(t *testing.T) {
	for args, want := range map[string]struct {
		thermal bench.Thermal
		measure time.Duration
	}{
		"thermal-read":                          {bench.Thermal{Idle: 15 * time.Minute}, 10 * time.Minute},
		"thermal-write --most 10%":              {bench.Thermal{Idle: 15 * time.Minute, Most: 10}, 5 * time.Minute},
		"thermal-write --most 0 --idle 0s":      {bench.Thermal{}, 5 * time.Minute},
		"thermal-read --time 90s --idle 1m":     {bench.Thermal{Idle: time.Minute}, 90 * time.Second},
		"thermal-read --until-steady":           {bench.Thermal{Idle: 15 * time.Minute, Steady: true}, 30 * time.Minute},
		"thermal-read --until-steady --time 1h": {bench.Thermal{Idle: 15 * time.Minute, Steady: true}, time.Hour},
	} {
		o := runOptions{pause: -1}
		rest, err := parseArgs(o.options(), strings.Fields(args+" --target /fake"))
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		p, err := o.profile(rest)
		if err != nil || *p.Thermal != want.thermal || p.Workloads[0].Spec.Measure != want.measure {
			t.Errorf("%s: %+v, %v", args, p.Thermal, err)
		}
	}
	for args, want := range map[string]string{
		"run thermal-read --target /fake --pause 5s":     "--idle is how long it waits",
		"run thermal-read --target /fake --idle 2h":      "--idle takes a time from 0",
		"run thermal-read --target /fake --passes 50":    "are options of fill and fill-quick",
		"run thermal-read --target /fake --mix 50":       "has no mix",
		"run cdm-demo --target /fake --until-steady":     "are options of thermal-read and thermal-write",
		"run fill-quick --target /fake --until-steady":   "are options of thermal-read and thermal-write",
		"run cdm-demo --target /fake --most 5":           "are options of",
		"run thermal-reed --target /fake --until-steady": "did you mean thermal-read",
	} {
		s := thermalStage(t, true)
		status := s.run(t.Context(), strings.Fields(args)...)
		if got := s.stderr.String(); status == exitDone || !strings.Contains(got, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, got, want)
		}
	}
}

// The line of progress tells that it waits, what it does, the rate, what is left and how warm it is.
func TestThermalProgress(t *testing.T) {
	p, _ := bench.ByID("thermal-read")
	where, err := platformtest.New(platformtest.Options{Model: platformtest.Typical()}).Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := bench.NewPlan(p, where, bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := new(app.View)
	v.Apply(bench.Started{ID: "r", Plan: plan})
	var got []string
	for _, s := range plan.Steps() {
		v.Apply(bench.StepStarted{Step: s})
		warm := bench.DriveReading{Drive: "d", Sensors: platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: 41_000}}}}
		v.Apply(bench.Sampled{Step: s.Index, Sample: bench.Sample{At: 1e9, Took: 1e9, Read: bench.Tally{Ops: 2000, Bytes: 2e9}, Drive: []bench.DriveReading{warm}}})
		got = append(got, plain(progressLine(v)))
		v.Apply(bench.StepDone{Measurement: bench.Measurement{Step: s}})
	}
	want := []string{
		"waiting for a steady temperature, at most 25 min left, 41 °C",
		"SEQ128K Q32T1 read, 2 000 MB/s, 2 000 IOPS, 10 min left, 41 °C",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// What a list says of a test of the temperature.
func TestWarmWords(t *testing.T) {
	top, idle := int32(84_000), int32(38_000)
	for want, s := range map[string]store.ThermalSummary{
		"no sensor":                {},
		"84 °C (+46 K)":            {Top: &top, Idle: &idle},
		"84 °C (+46 K), throttled": {Top: &top, Idle: &idle, Throttled: true},
	} {
		if got := plain(warmWords(s)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Two runs are laid over each other by their comments; others cannot be.
func TestLayOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := thermalStage(t, true)
		for _, comment := range []string{"bare", "heatsink"} {
			if status := s.run(t.Context(), line("run thermal-read --target /fake --size 64MiB --time 1m --comment "+comment)...); status != exitDone {
				t.Fatalf("status %d: %s", status, s.stderr.String())
			}
		}
		var ids []string
		s.run(t.Context(), "results")
		for _, l := range strings.Split(s.stdout.String(), "\n")[1:3] {
			ids = append(ids, strings.Fields(l)[0])
		}
		for file, want := range map[string]string{"two.svg": "<svg", "two.png": "\x89PNG"} {
			file = filepath.Join(t.TempDir(), file)
			status := s.run(t.Context(), "compare", ids[0], ids[1], "--chart", file)
			data, err := os.ReadFile(file)
			if status != exitDone || err != nil || !strings.HasPrefix(string(data), want) || !strings.Contains(s.stderr.String(), "both get as warm") && !strings.Contains(s.stderr.String(), "cooler") {
				t.Errorf("%s: status %d, %q, %v", file, status, s.stderr.String(), err)
			}
		}
		if status := s.run(t.Context(), "compare", ids[0], "--chart", "two.txt"); status != exitUsage {
			t.Errorf("a text: status %d", status)
		}
		if status := s.run(t.Context(), line("run cdm-demo --target /fake --size 64MiB --loops 1")...); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		if status := s.run(t.Context(), "compare", "latest", ids[0], "--chart", "two.svg"); status != exitUsage || !strings.Contains(s.stderr.String(), "name results of thermal-read") {
			t.Errorf("a table: status %d, %q", status, s.stderr.String())
		}
	})
}
