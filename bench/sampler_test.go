package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// sampledRun runs two quick rows with a pause of 5 s between them on a fake drive.
func sampledRun(t *testing.T, o platformtest.Options, every time.Duration, drives ...platform.Drive) ([]Event, Result) {
	t.Helper()
	o.Model = slow()
	h := platformtest.New(o)
	target, err := h.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	target.Drives = append(target.Drives, drives...)
	rest := 5 * time.Second
	p := short(t, "cdm-default").With(Overrides{FileSize: 128 << 20, Loops: 1, Measure: 2 * time.Second, Rest: &rest,
		Only: []string{"seq1m-q8t1-read", "seq1m-q8t1-write"}})
	plan, err := NewPlan(p, target, Options{Seed: 7, Sample: every})
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	res, err := Runner{Host: h, Measurer: Local{Host: h}}.Run(t.Context(), plan, func(e Event) { events = append(events, e) })
	if err != nil || res.Reason != ReasonDone {
		t.Fatalf("ended %s: %v", res.Reason, err)
	}
	return events, res
}

func losses(r Result) (out []string) {
	for _, w := range r.Warnings {
		if w.Code == WarnSensorsLost {
			out = append(out, w.Text)
		}
	}
	return out
}

// Readings come at each period from the start of the run to its end: while the file is written, while a step
// measures, and in the pause. A temperature is asked for once a second, however short the period is.
func TestSamplesAtTheRightTimes(t *testing.T) {
	for _, every := range []time.Duration{0, MinSample, 700 * time.Millisecond, 3 * time.Second} {
		t.Run(every.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var asked []time.Duration
				o := platformtest.Options{Sensor: func(temperature bool, now time.Duration) error {
					mu.Lock()
					defer mu.Unlock()
					if temperature {
						asked = append(asked, now)
					}
					return nil
				}}
				events, res := sampledRun(t, o, every)
				period := every
				if every == 0 {
					period = DefaultSample
				}
				all := res.Readings()
				if want := int(res.Took/period) + 1; len(all) != want {
					t.Fatalf("%d readings in %v, want %d", len(all), res.Took, want)
				}
				for i, d := range all {
					if d.Since != time.Duration(i)*period || d.Counters == nil || len(d.Temperatures) != 1 || d.TempAge < 0 || d.TempAge >= tempPeriod {
						t.Errorf("reading %d at %v, temperature %v of %v ago, counters %v", i, d.Since, d.Temperatures, d.TempAge, d.Counters)
					}
				}
				for i := 1; i < len(asked); i++ {
					if asked[i]-asked[i-1] < tempPeriod {
						t.Errorf("temperature asked for at %v and at %v", asked[i-1], asked[i])
					}
				}
				checkFold(t, events, res)
				checkPlaces(t, res, period)
			})
		})
	}
}

// checkPlaces wants readings in every sample of a step, if the period is that of samples, and some in the
// preparation and in the pause.
func checkPlaces(t *testing.T, res Result, period time.Duration) {
	t.Helper()
	first, rest := res.Measurements[0].Began, 0
	prepared := 0
	for _, d := range res.Between {
		if d.Since < first {
			prepared++
		}
		if end := res.Measurements[1]; d.Since > end.Began+end.Elapsed && d.Since < res.Measurements[2].Began {
			rest++
		}
	}
	if wantRest, wantPrepared := int(5*time.Second/period), int(first/period); rest < wantRest-1 || prepared < wantPrepared {
		t.Errorf("%d readings in the pause, %d while the file was written until %v", rest, prepared, first)
	}
	for _, m := range res.Measurements {
		for _, s := range m.Series {
			if period == tick && s.At < m.Elapsed && len(s.Drive) != 1 {
				t.Errorf("%d readings in the sample at %v", len(s.Drive), s.At)
			}
		}
	}
}

// What a drive does not answer is missing and named; the run goes on as if there were no sensors.
func TestSensorsThatAreLost(t *testing.T) {
	between := func(now time.Duration) bool { return now > 7*time.Second && now < 27*time.Second }
	for name, c := range map[string]struct {
		sensor func(temperature bool, now time.Duration) error
		text   string // of the doubt; empty if there is none
		check  func(t *testing.T, at time.Duration, d DriveReading)
	}{
		"a temperature hangs": {
			sensor: func(temperature bool, now time.Duration) error {
				if temperature && between(now) {
					time.Sleep(20 * time.Second)
				}
				return nil
			},
			text: "read the temperature of fake0n1: the device did not answer in time",
			check: func(t *testing.T, at time.Duration, d DriveReading) {
				switch fresh := d.TempAge < tempPeriod; {
				case d.Counters == nil:
					t.Errorf("no counters at %v", at)
				case at > 9*time.Second && at < 20*time.Second && (fresh || d.TempAge > tempStale):
					t.Errorf("a temperature of %v ago at %v", d.TempAge, at)
				case at > 24*time.Second && at < 26*time.Second && d.Temperatures != nil:
					t.Errorf("a temperature at %v that is as old as %v", at, d.TempAge)
				}
			},
		},
		"the sensor goes away": {
			sensor: func(temperature bool, now time.Duration) error {
				if temperature && now > 7*time.Second {
					return &platform.OpError{Op: "read the temperature of", Object: "fake0n1", Reason: platform.ErrIO}
				}
				return nil
			},
			text: "read the temperature of fake0n1: the device reported an error",
			check: func(t *testing.T, at time.Duration, d DriveReading) {
				if d.Counters == nil || d.Temperatures != nil && d.TempAge >= tempStale {
					t.Errorf("at %v: %+v", at, d)
				}
			},
		},
		"the counters go away": {
			sensor: func(_ bool, now time.Duration) error {
				if now > 7*time.Second {
					return &platform.OpError{Op: "read the counters of", Object: "fake0n1", Reason: platform.ErrGone}
				}
				return nil
			},
			text: ": the device is gone",
			check: func(t *testing.T, at time.Duration, _ DriveReading) {
				if at > 7*time.Second {
					t.Errorf("a reading at %v", at)
				}
			},
		},
		"the counters hang": {
			sensor: func(temperature bool, now time.Duration) error {
				if !temperature && between(now) {
					time.Sleep(20 * time.Second)
				}
				return nil
			},
			text:  "read the counters of fake0n1: the device did not answer in time",
			check: func(*testing.T, time.Duration, DriveReading) {},
		},
		"the drive sleeps": {
			sensor: func(temperature bool, now time.Duration) error {
				if temperature && between(now) {
					return &platform.OpError{Op: "read the temperature of", Object: "fake0n1", Reason: platform.ErrAsleep}
				}
				return nil
			},
			check: func(t *testing.T, at time.Duration, d DriveReading) {
				if d.Counters == nil || d.Asleep != (at >= 8*time.Second && at < 27*time.Second) {
					t.Errorf("at %v: %+v", at, d)
				}
			},
		},
		"it has no sensor": {
			sensor: func(temperature bool, _ time.Duration) error {
				if temperature {
					return platform.ErrUnsupported
				}
				return nil
			},
			check: func(t *testing.T, at time.Duration, d DriveReading) {
				if d.Counters == nil || d.Temperatures != nil || d.Source != "" {
					t.Errorf("at %v: %+v", at, d)
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, plain := sampledRun(t, platformtest.Options{}, 0)
				_, res := sampledRun(t, platformtest.Options{Sensor: c.sensor}, 0)
				if got := losses(res); len(got) > 1 || (len(got) == 1) != (c.text != "") || len(got) == 1 && !strings.HasSuffix(got[0], c.text) {
					t.Errorf("warned of %q, want %q", got, c.text)
				}
				if len(res.Measurements) != len(plain.Measurements) || res.Took > plain.Took+15*time.Second {
					t.Errorf("%d measurements in %v, without trouble %d in %v", len(res.Measurements), res.Took, len(plain.Measurements), plain.Took)
				}
				for _, d := range res.Readings() {
					c.check(t, d.Since, d)
				}
				time.Sleep(time.Minute) // what hangs is left to end by itself
			})
		})
	}
}

// One drive of several that is not there does not keep the others from being read.
func TestOneOfTwoDrivesIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, res := sampledRun(t, platformtest.Options{}, 0, platform.Drive{Key: "fake-2", Name: "fake1n1"})
		if got := losses(res); len(got) != 1 || !strings.Contains(got[0], "fake1n1") {
			t.Errorf("warned of %q", got)
		}
		all := res.Readings()
		if len(all) < int(res.Took/DefaultSample) || slices.ContainsFunc(all, func(d DriveReading) bool { return d.Drive != "fake-1" }) {
			t.Errorf("%d readings in %v", len(all), res.Took)
		}
	})
}

// Counters that wrap within the run, at 64 bits and at 32, add up to what was moved.
func TestCountersThatWrap(t *testing.T) {
	for name, o := range map[string]platformtest.Options{
		"64 bits": {Counted: platform.Counters{ReadOps: math.MaxUint64 - 50, ReadBytes: math.MaxUint64 - 50<<20, WriteOps: math.MaxUint64 - 150, WriteBytes: math.MaxUint64 - 150<<20}},
		"32 bits": {Narrow: true, Counted: platform.Counters{ReadOps: math.MaxUint32 - 50, ReadBytes: 1<<41 - 50<<20, WriteOps: math.MaxUint32 - 150, WriteBytes: 1<<41 - 150<<20}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, res := sampledRun(t, o, MinSample)
				var wrapped bool
				for i, m := range res.Measurements {
					if moved, known := m.deviceMoved(); !known || moved != m.Moved {
						t.Errorf("step %d: the drive moved %+v (%v), the step %+v", i, moved, known, m.Moved)
					}
					d := m.Devices[0]
					wrapped = wrapped || d.After.ReadBytes < d.Before.ReadBytes || d.After.WriteBytes < d.Before.WriteBytes
				}
				all := res.Readings()
				var sum platform.Counters
				for i := 1; i < len(all); i++ {
					d, ok := all[i].Counters.Since(*all[i-1].Counters)
					if !ok {
						t.Fatalf("a difference is unknown between %+v and %+v", all[i-1], all[i])
					}
					sum.ReadBytes += d.ReadBytes
					sum.WriteBytes += d.WriteBytes
				}
				if want := res.Moved(); !wrapped || int64(sum.ReadBytes) != want.ReadBytes || int64(sum.WriteBytes) != want.WriteBytes {
					t.Errorf("samples add up to %d and %d bytes, want %+v; wrapped %v", sum.ReadBytes, sum.WriteBytes, want, wrapped)
				}
			})
		})
	}
}

func TestSamplePeriodLimits(t *testing.T) {
	h := platformtest.New(platformtest.Options{})
	target, err := h.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := ByID("cdm-default")
	for every, ok := range map[time.Duration]bool{
		0: true, MinSample: true, MaxSample: true, 250 * time.Millisecond: true, MinSample - 1: false, MaxSample + 1: false, -time.Second: false, 1: false,
	} {
		plan, err := NewPlan(p, target, Options{Sample: every})
		var fault *SpecError
		if ok != (err == nil) || !ok && (!errors.As(err, &fault) || fault.Field != "sampling period") || ok && plan.Sample != every {
			t.Errorf("%v: %v", every, err)
		}
	}
}

// A run that is stopped does not wait for a sensor that hangs.
func TestStopWhileASensorHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := platformtest.New(platformtest.Options{Model: slow(), Sensor: func(_ bool, now time.Duration) error {
			if now > 6*time.Second {
				time.Sleep(time.Minute)
			}
			return nil
		}})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(8*time.Second, cancel)
		_, res, err := play(t, ctx, h, short(t, "cdm-default"), nil)
		if err != nil || res.Reason != ReasonStopped || h.Now() > 9*time.Second {
			t.Errorf("ended %s after %v: %v", res.Reason, h.Now(), err)
		}
		time.Sleep(2 * time.Minute) // what hangs is left to end by itself
	})
}

// What is stored is what was read, with names that stay.
func TestStoredReadings(t *testing.T) {
	reading := func(since, age time.Duration, ops uint64) DriveReading {
		return DriveReading{Drive: "a", Since: since, Sensors: platform.Sensors{At: time.Hour + since, TempAge: age, Source: "hwmon",
			Temperatures: []platform.Reading{{Label: "Composite", MilliC: 41850}}, Counters: &platform.Counters{ReadOps: ops, ReadBytes: ops * 4096}}}
	}
	load, rest := Step{Kind: StepLoad, Workload: "w"}, Step{Index: 1, Kind: StepRest, Workload: "x"}
	var r Result
	for _, e := range []Event{
		Started{ID: "x", Plan: Plan{Sample: MinSample}}, Sensed{[]DriveReading{reading(0, 0, 1)}},
		StepStarted{load, 2 * time.Second}, Sampled{0, Sample{At: tick, Took: tick, Drive: []DriveReading{reading(2*time.Second+tick, tick, 2)}}},
		StepDone{Measurement{Step: load, Began: 2 * time.Second}}, StepStarted{rest, 3 * time.Second},
		Sampled{1, Sample{At: time.Second, Took: time.Second, Drive: []DriveReading{{Drive: "a", Since: 4 * time.Second, Sensors: platform.Sensors{At: time.Hour, Asleep: true}}}}},
		StepDone{Measurement{Step: rest}}, Finished{Reason: ReasonDone},
	} {
		line, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		r.Apply(back)
	}
	got, err := json.MarshalIndent(struct {
		Sample  time.Duration
		Series  []Sample
		Between []DriveReading
	}{r.Plan.Sample, r.Measurements[0].Series, r.Between}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "readings.golden", append(got, '\n'))
}

// Results of before have no time of their own in a reading.
func TestOldReadings(t *testing.T) {
	const old = `{"schema":1,"measurements":[{"step":{"index":0,"kind":"load"},"began":3000000000,"series":[
		{"at":1000000000,"took":1000000000,"drive":[{"drive":"a","at":77,"temperatures":[{"label":"Composite","millic":41000}]}]}]}]}`
	var r Result
	if err := json.Unmarshal([]byte(old), &r); err != nil {
		t.Fatal(err)
	}
	if all := r.Readings(); len(all) != 1 || all[0].Since != 4*time.Second || all[0].TempAge != 0 || all[0].Temperatures[0].MilliC != 41000 {
		t.Errorf("%+v", all)
	}
	if r.Measurements[0].Series[0].Drive[0].Since != 0 {
		t.Error("the result was changed")
	}
}

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s (-update writes it anew):\n%s", name, got)
	}
}
