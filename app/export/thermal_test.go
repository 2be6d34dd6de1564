package export

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// thermalSample is a load of ten minutes on a drive with two sensors that slows down at its limit of 82 °C and rises
// with a time constant of a minute; with a heatsink it stays below. Without a sensor it has neither.
func thermalSample(t *testing.T, top float64, sensors bool) bench.Result {
	t.Helper()
	p, _ := bench.ByID("thermal-read")
	target := platform.Target{Path: "/mnt/disk", Volume: platform.Volume{FS: "ext4", Size: 2000e9, Used: 190e9, Free: 1800e9},
		Drives: []platform.Drive{{Key: "k", Name: "nvme0n1", Model: "Crucial P5", Capacity: 2000e9}}}
	plan, err := bench.NewPlan(p, target, bench.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := bench.Result{Schema: bench.Schema, ID: "20260620T085553Z-00000001", At: time.Date(2026, 6, 20, 8, 55, 53, 0, time.UTC),
		App: bench.App{Version: "1.2.3", Method: 1}, Plan: plan, Reason: bench.ReasonDone, Took: 13 * time.Minute, Comment: "without heatsink"}
	limit := int32(82_000)
	r.Before = &bench.Probe{Drives: []bench.DriveProbe{{Drive: "k", Limits: &platform.TempLimits{WarnMilliC: &limit}}}}
	began := 3 * time.Minute
	reading := func(since time.Duration, warm float64) []bench.DriveReading {
		if !sensors {
			return nil
		}
		d := bench.DriveReading{Drive: "k", Since: since}
		d.Temperatures = []platform.Reading{{Label: "Composite", MilliC: int32(math.Round(warm)) * 1000}, {Label: "Sensor 2", MilliC: int32(math.Round(warm+9)) * 1000}}
		return []bench.DriveReading{d}
	}
	for s := range 180 {
		r.Between = append(r.Between, reading(time.Duration(s)*time.Second, 38)...)
	}
	m := bench.Measurement{Step: plan.Steps()[1], Began: began, Elapsed: 10 * time.Minute, Engine: platform.EngineURing}
	for s := range 600 {
		at := time.Duration(s+1) * time.Second
		warm := 38 + (top-38)*(1-math.Exp(-at.Seconds()/60))
		rate := 3400e6
		if warm >= 80 {
			rate = 1500e6
		}
		m.Series = append(m.Series, bench.Sample{At: at, Took: time.Second, Read: bench.Tally{Ops: int64(rate / 131072), Bytes: int64(rate)}, Drive: reading(began+at, warm)})
		m.Read.Ops, m.Read.Bytes = m.Read.Ops+int64(rate/131072), m.Read.Bytes+int64(rate)
	}
	r.Measurements = []bench.Measurement{m}
	return r
}

// The text of a test of the temperature, to be read by people.
func TestThermalGolden(t *testing.T) {
	for name, r := range map[string]bench.Result{
		"thermal": thermalSample(t, 86, true), "thermal-cool": thermalSample(t, 64, true), "thermal-none": thermalSample(t, 64, false),
	} {
		got := write(t, "text", r, Options{})
		name := filepath.Join("testdata", name+".txt")
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
			t.Errorf("differs from %s (-update writes it anew):\n%s", name, got)
		}
	}
}

// The samples have all sensors, and none where there is none.
func TestThermalSamples(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(write(t, "csv", thermalSample(t, 86, true), Options{})), "\r\n")
	for i, want := range map[int]string{0: ",composite_millic,sensor_2_millic", 1: ",39000,48000", 600: ",86000,95000"} {
		if !strings.HasSuffix(lines[i], want) {
			t.Errorf("line %d: %s, want %s at the end", i, lines[i], want)
		}
	}
	if got := write(t, "csv", thermalSample(t, 86, false), Options{}); !strings.HasPrefix(got[strings.Index(got, "write_max_ns"):], "write_max_ns,temperature_millic\r\n") {
		t.Error("a column without a sensor")
	}
}

// One that ended before its load is told without a number.
func TestThermalWithout(t *testing.T) {
	r := thermalSample(t, 86, true)
	r.Measurements = nil
	if got := write(t, "text", r, Options{}); !strings.Contains(got, "[Temperature] not measured") {
		t.Errorf("without a load:\n%s", got)
	}
}

// A post, a report and a drawing have the sensors, the rates and the chart of both.
func TestThermalPosts(t *testing.T) {
	r := thermalSample(t, 86, true)
	for format, want := range map[string][]string{
		"md": {"| Sensor 2 | 47 °C | 95 °C | 48 K | 95 °C |", "3 400", "1 500", "became too hot"}, "bbcode": {"Composite", "48 K"},
		"html": {"Rate and temperature", "limit 82 °C", "Composite", "48 K", "became too hot"}, "svg": {"limit 82 °C", "Sensor 2", "Time under load"},
	} {
		got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(write(t, format, r, Options{}))
		for _, text := range want {
			if !strings.Contains(got, text) {
				t.Errorf("%s: nothing of %q", format, text)
			}
		}
	}
	if got := write(t, "md", thermalSample(t, 86, false), Options{}); strings.Contains(got, "Temperatures") || !strings.Contains(got, "No temperature sensor") {
		t.Errorf("without a sensor:\n%s", got)
	}
}
