package bench

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// warmDrive reads 20 MB/s and is then 40 °C warmer than without a load, with a time constant of a minute.
func warmDrive() platformtest.Model {
	m := platformtest.Typical()
	m.ReadRate, m.CacheRate, m.FoldRate, m.CacheBytes, m.HeatPerGBps, m.ThrottleAt = 20e6, 20e6, 10e6, 1e12, 2000, 0
	m.ReadLatency, m.WriteLatency = time.Millisecond, time.Millisecond
	return m
}

func playThermal(t *testing.T, id string, o platformtest.Options, change func(*Profile), wrap func(*platformtest.Host) platform.Host) Result {
	t.Helper()
	fake := platformtest.New(o)
	p, ok := ByID(id)
	if !ok {
		t.Fatal("no test ", id)
	}
	p.FileSize = 64 << 20
	if change != nil {
		change(&p)
	}
	target, err := fake.Resolve(t.Context(), "/fake")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(p, target, Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	var host platform.Host = fake
	if wrap != nil {
		host = wrap(fake)
	}
	result, err := Runner{Host: host, Measurer: Local{Host: fake}}.Run(t.Context(), plan, func(Event) {})
	if err != nil || result.Reason != ReasonDone {
		t.Fatalf("%s, %v", result.Reason, err)
	}
	return result
}

// A drive whose warming is known is found to warm by that, from a steady temperature on.
func TestThermalRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := playThermal(t, "thermal-read", platformtest.Options{Model: warmDrive()}, nil, func(f *platformtest.Host) platform.Host { return limited{f, 73_000} })
		if len(r.Measurements) != 1 || r.Measurements[0].Elapsed != 10*time.Minute {
			t.Fatalf("%d measurements", len(r.Measurements))
		}
		p := r.ThermalPasses()[0]
		s := p.Sensors[0]
		if !p.Settled || !p.Steady || s.Still || math.Abs(float64(s.Idle-38_000)) > 1000 || math.Abs(float64(s.Rise-40_000)) > 1500 {
			t.Errorf("%+v, want a rise by 40 °C from 38 °C", p)
		}
		// 35 of 40 degrees are reached after ln(8) minutes, and 3 less than the limit counts as hot.
		if want := time.Duration(math.Log(40./(40-32)) * float64(time.Minute)); (p.Hot - want).Abs() > 6*time.Second {
			t.Errorf("hot after %v, want %v", p.Hot, want)
		}
		for _, rate := range []float64{p.First, p.Last} {
			if math.Abs(rate-20e6) > 2e5 {
				t.Errorf("rates %.0f, %.0f", p.First, p.Last)
			}
		}
	})
}

// With "until steady" the load ends soon after the temperature stays.
func TestThermalUntilSteady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := playThermal(t, "thermal-read", platformtest.Options{Model: warmDrive()}, func(p *Profile) {
			p.Thermal = &Thermal{Idle: p.Thermal.Idle, Steady: true}
			p.Workloads[0].Spec.Measure = time.Hour
			p.Rows[0].Shape = p.Workloads[0].Spec.Shape()
		}, nil)
		// It is within a degree of 40 after ln(40) minutes, and stays so for two more.
		if m := r.Measurements[0]; m.Stopped || m.Elapsed < 5*time.Minute || m.Elapsed > 7*time.Minute || !r.ThermalPasses()[0].Steady {
			t.Errorf("ended after %v", m.Elapsed)
		}
	})
}

// Writing ends after a quarter of the capacity, or after five minutes.
func TestThermalWrite(t *testing.T) {
	for _, tt := range []struct {
		capacity int64
		want     time.Duration
	}{{1600e6, 20 * time.Second}, {1000e9, 5 * time.Minute}} {
		synctest.Test(t, func(t *testing.T) {
			m := warmDrive()
			m.Capacity = tt.capacity
			r := playThermal(t, "thermal-write", platformtest.Options{Model: m}, nil, nil)
			if got := r.Measurements[0]; math.Abs(got.Elapsed.Seconds()-tt.want.Seconds()) > 1 || got.Moved.WriteBytes > max(tt.capacity/4, 6.2e9) {
				t.Errorf("wrote %d bytes in %v, want %v", got.Moved.WriteBytes, got.Elapsed, tt.want)
			}
		})
	}
}

// Without a sensor nothing is waited for, and nothing is said of temperatures.
func TestThermalWithoutSensor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := playThermal(t, "thermal-read", platformtest.Options{Model: warmDrive(), Sensor: func(temperature bool, _ time.Duration) error {
			if temperature {
				return platform.ErrUnsupported
			}
			return nil
		}}, nil, nil)
		p := r.ThermalPasses()[0]
		if len(p.Sensors) > 0 || p.Settled || p.Steady || p.Hot != -1 || math.Abs(p.Last-20e6) > 2e5 {
			t.Errorf("%+v", p)
		}
		if began := r.Measurements[0].Began; began > 30*time.Second {
			t.Errorf("the load began after %v", began)
		}
	})
}

// What is steady, and what is not yet.
func TestSteady(t *testing.T) {
	at := func(s int, milliC ...int32) DriveReading {
		d := DriveReading{Drive: "d", Since: time.Duration(s) * time.Second}
		for i, m := range milliC {
			d.Temperatures = append(d.Temperatures, platform.Reading{Label: string(rune('A' + i)), MilliC: m})
		}
		return d
	}
	var s steady
	var got []int
	for i := range 400 {
		first := int32(30_000)
		if i >= 100 {
			first = 32_000
		}
		if s.see([]DriveReading{at(i, first, 40_000+int32(i%2)*1000)}, time.Duration(i)*time.Second) {
			got = append(got, i)
		}
	}
	// Steady from two minutes after the step on: the readings before it are too old then.
	if len(got) == 0 || got[0] != 220 || got[len(got)-1] != 399 || len(got) != 180 || slices.Contains(got, 99) {
		t.Errorf("steady at %v", got)
	}
	if (&steady{}).see(nil, time.Hour) {
		t.Error("steady without a sensor")
	}
}
