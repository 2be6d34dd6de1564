package store

import (
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// The line of a test of the temperature tells the warmest load, and nothing of temperatures where there is no sensor.
func TestThermalSummary(t *testing.T) {
	p, _ := bench.ByID("thermal-read")
	r := bench.Result{Plan: bench.Plan{Profile: p}}
	if s := Summarize(r); s.Thermal != nil {
		t.Errorf("without a load: %+v", s.Thermal)
	}
	load := func(loop int, began time.Duration, idle, top int32) {
		read := func(since time.Duration, milliC int32) bench.DriveReading {
			return bench.DriveReading{Drive: "d", Since: since, Sensors: platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: milliC}}}}
		}
		r.Between = append(r.Between, read(began-time.Second, idle))
		m := bench.Measurement{Step: bench.Step{Kind: bench.StepLoad, Loop: loop}, Began: began, Elapsed: time.Minute}
		m.Series = []bench.Sample{{At: time.Minute, Took: time.Minute, Read: bench.Tally{Ops: 1, Bytes: 1e9}, Drive: []bench.DriveReading{read(began+time.Minute, top)}}}
		r.Measurements = append(r.Measurements, m)
	}
	load(1, time.Minute, 38_000, 71_000)
	load(2, 5*time.Minute, 40_000, 73_000)
	if s := Summarize(r).Thermal; s == nil || *s.Top != 73_000 || *s.Idle != 40_000 || s.Throttled {
		t.Errorf("%+v", s)
	}
	r.Between, r.Measurements = nil, r.Measurements[:1]
	r.Measurements[0].Series[0].Drive = nil
	if s := Summarize(r).Thermal; s == nil || s.Top != nil || s.Idle != nil {
		t.Errorf("without a sensor: %+v", s)
	}
}
