package host

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
)

// smartPage makes a page of SMART READ DATA, with number and raw value of each attribute, or of thresholds.
func smartPage(attributes ...[2]uint64) []byte {
	b := make([]byte, 512)
	b[0] = 16
	for i, a := range attributes {
		at := b[2+12*i:]
		at[0], at[1], at[3], at[4] = uint8(a[0]), 1, 90, 80
		var raw [8]byte
		binary.LittleEndian.PutUint64(raw[:], a[1])
		copy(at[5:11], raw[:6])
	}
	return summed(b)
}

func summed(b []byte) []byte {
	var sum uint8
	for _, c := range b[:511] {
		sum += c
	}
	b[511] = -sum
	return b
}

func predictAnswer(failing uint32, page []byte) []byte {
	return append(le(4, 0, failing), page...)
}

// sataDrive answers as a SATA drive does to those without rights.
func sataDrive() *replayed {
	return &replayed{denied: accessRead, answers: map[string]reply{
		askDevice:   {bytes: deviceAnswer(11, "", "ST3500418AS", "CC38", "9VM1")},
		askGeometry: {bytes: geometryAnswer(500107862016)},
		askPredict:  {bytes: predictAnswer(0, smartPage([2]uint64{9, 44670}, [2]uint64{12, 26}, [2]uint64{194, 81604378656}))},
		askCounters: {bytes: performanceAnswer(3, 20)},
	}}
}

var (
	isNVMe  = platform.Drive{Name: "PhysicalDrive0", Bus: platform.BusNVMe}
	isSATA  = platform.Drive{Name: "PhysicalDrive0", Bus: platform.BusSATA, Model: "ST3500418AS"}
	isUSB   = platform.Drive{Name: "PhysicalDrive0", Bus: platform.BusUSB}
	isOther = platform.Drive{Name: "PhysicalDrive0"}
)

func one(d *replayed) storage { return replay(map[string]*replayed{"PhysicalDrive0": d}) }

func without(d *replayed, questions ...string) *replayed {
	for _, q := range questions {
		delete(d.answers, q)
	}
	return d
}

func TestReplayedSensors(t *testing.T) {
	both := []platform.Reading{{Label: "Composite", MilliC: 50000}, {Label: "Sensor 1", MilliC: 47000}, {Label: "Sensor 2", MilliC: 57000}}
	log := []platform.Reading{{Label: "Composite", MilliC: 49850}, {Label: "Sensor 1", MilliC: 46850}, {Label: "Sensor 2", MilliC: 56850}}
	drive := []platform.Reading{{Label: "Drive", MilliC: 32000}}
	sleeping := nvmeDrive()
	sleeping.sleeps = true
	second := without(nvmeDrive(), askWarmth, askNVMeLog)
	second.answers[askNVMeLog2] = reply{bytes: healthPageAnswer()}
	unreported := nvmeDrive()
	unreported.answers[askWarmth] = reply{bytes: temperatureAnswer(-0x8000, -0x8000, -0x8000)}
	bridge := &replayed{answers: map[string]reply{askWarmth: {err: platform.ErrIO}, askCounters: {bytes: performanceAnswer(10, 1000)}}}
	raid := without(sataDrive(), askDevice)
	for _, c := range []struct {
		name   string
		drive  *replayed
		as     platform.Drive
		want   []platform.Reading
		source string
		reads  uint64 // 0 where nothing is counted
		asleep bool
	}{
		{"by the driver", nvmeDrive(), isNVMe, both, "storage driver", 10, false},
		{"by the health log", without(nvmeDrive(), askWarmth), isNVMe, log, "NVMe health log", 10, false},
		{"by the controller's", second, isNVMe, log, "NVMe health log", 10, false},
		{"the driver does not report it", unreported, isNVMe, log, "NVMe health log", 10, false},
		{"by SMART", sataDrive(), isSATA, drive, "SMART attributes", 3, false},
		{"by SMART behind RAID", raid, isOther, drive, "SMART attributes", 3, false},
		{"nothing is counted", without(nvmeDrive(), askCounters), isNVMe, both, "storage driver", 0, false},
		{"asleep", sleeping, isNVMe, nil, "", 10, true},
		{"a USB adapter that fails", bridge, isUSB, nil, "", 10, false},
		{"Wine", wineDrive(), isOther, nil, "", 0, false},
	} {
		got, err := one(c.drive).sensors(t.Context(), c.as)
		if err != nil || !slices.Equal(got.Temperatures, c.want) || got.Source != c.source || got.Asleep != c.asleep || got.At == 0 {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if (got.NoTemp == "") != (len(got.Temperatures) > 0) {
			t.Errorf("%s: no temperature because of %q, %v", c.name, got.NoTemp, got.Temperatures)
		}
		if (got.Counters != nil) != (c.reads > 0) || got.Counters != nil && got.Counters.ReadOps != c.reads {
			t.Errorf("%s: counters %+v", c.name, got.Counters)
		}
		c.drive.balanced(t)
	}
	for _, asked := range bridge.asked {
		if asked == askNVMeLog || asked == askNVMeLog2 || asked == askPredict {
			t.Errorf("a USB adapter was asked %q", asked)
		}
	}
	for name, d := range map[string]*replayed{"missing": {missing: true}, "pulled out": {answers: map[string]reply{askCounters: {err: platform.ErrGone}}}} {
		if got, err := one(d).sensors(t.Context(), isNVMe); !errors.Is(err, platform.ErrGone) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	short := nvmeDrive()
	short.answers[askCounters] = reply{bytes: make([]byte, 80)}
	if got, err := one(short).sensors(t.Context(), isNVMe); !errors.Is(err, platform.ErrIO) {
		t.Errorf("a short answer: %+v, %v", got, err)
	}
}

func TestReplayedTempLimits(t *testing.T) {
	silent := nvmeDrive()
	silent.answers[askWarmth] = reply{bytes: temperatureAnswer(-0x8000, -0x8000, 40)}
	sleeping := nvmeDrive()
	sleeping.sleeps = true
	for _, c := range []struct {
		name       string
		drive      *replayed
		as         platform.Drive
		warn, crit int32
		err        error
	}{
		{"the driver knows", nvmeDrive(), isNVMe, 82000, 85000, nil},
		{"the controller knows", silent, isNVMe, 81850, 84850, nil},
		{"nobody knows", without(nvmeDrive(), askWarmth, askController), isNVMe, 0, 0, platform.ErrUnsupported},
		{"SATA", sataDrive(), isSATA, 0, 0, platform.ErrUnsupported},
		{"asleep", sleeping, isNVMe, 0, 0, platform.ErrAsleep},
		{"Wine", wineDrive(), isOther, 0, 0, platform.ErrUnsupported},
	} {
		got, err := one(c.drive).tempLimits(t.Context(), c.as)
		if !errors.Is(err, c.err) || value(got.WarnMilliC) != c.warn || value(got.CritMilliC) != c.crit {
			t.Errorf("%s: %d, %d, %v", c.name, value(got.WarnMilliC), value(got.CritMilliC), err)
		}
		c.drive.balanced(t)
	}
}

func value(p *int32) int32 {
	if p == nil {
		return 0
	}
	return *p
}

func TestReplayedMeter(t *testing.T) {
	d := sataDrive()
	m, err := one(d).watch(isSATA)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.asked) != 0 || m.Source() != "" {
		t.Errorf("asked %v to begin with, source %q", d.asked, m.Source())
	}
	counts := func(reads uint64, busy uint64) {
		t.Helper()
		c, at, err := m.Counters()
		if err != nil || at == 0 || c.ReadOps != reads || c.BusyTicks&0xFFFF != busy&0xFFFF {
			t.Errorf("%+v at %v, %v, want %d reads, busy %d", c, at, err, reads, busy)
		}
	}
	base, _, err := m.Counters()
	if err != nil {
		t.Fatal(err)
	}
	answer := func(reads uint32, busy int64) {
		d.answers[askCounters] = reply{bytes: performanceAnswer(reads, uint64(20+busy))}
	}
	for _, step := range []struct{ busy, want int64 }{{5, 5}, {2, 5}, {-10, 5}, {6, 6}, {-500, -500}, {-499, -499}} {
		answer(7, step.busy)
		counts(7, base.BusyTicks+uint64(step.want))
	}
	warm := func(want error, milliC int32, source string) {
		t.Helper()
		got, err := m.Temperatures()
		if !errors.Is(err, want) || err == nil && (len(got) != 1 || got[0].MilliC != milliC) || m.Source() != source {
			t.Errorf("%v, %v, source %q", got, err, m.Source())
		}
	}
	smart := d.answers[askPredict]
	delete(d.answers, askPredict)
	warm(platform.ErrUnsupported, 0, "")
	d.answers[askPredict] = smart
	warm(nil, 32000, "SMART attributes")
	d.asked = nil
	warm(nil, 32000, "SMART attributes")
	if !slices.Equal(d.asked, []string{askPredict}) {
		t.Errorf("once it is known how, asked %v", d.asked)
	}
	d.answers[askPredict] = reply{err: platform.ErrIO}
	warm(platform.ErrIO, 0, "SMART attributes")
	if _, err := m.Temperatures(); errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("%v: it worked before", err)
	}
	d.answers[askPredict] = reply{err: platform.ErrGone}
	warm(platform.ErrGone, 0, "SMART attributes")
	d.answers[askPredict] = reply{bytes: predictAnswer(0, make([]byte, 512))}
	warm(platform.ErrIO, 0, "SMART attributes")
	d.sleeps = true
	warm(platform.ErrAsleep, 0, "SMART attributes")
	for _, reason := range []error{platform.ErrUnsupported, platform.ErrGone, platform.ErrIO} {
		d.answers[askCounters] = reply{err: reason}
		if c, _, err := m.Counters(); !errors.Is(err, reason) || c != (platform.Counters{}) {
			t.Errorf("%+v, %v, want %v", c, err, reason)
		}
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	d.balanced(t)
	for _, name := range []string{"PhysicalDrive7", "nvme0n1", "C:", ""} {
		if m, err := one(d).watch(platform.Drive{Name: name}); !errors.Is(err, platform.ErrGone) || m != nil {
			t.Errorf("%q: %v, %v", name, m, err)
		}
	}
}

// The busy time wraps at 32 bits.
func TestSteady(t *testing.T) {
	var m driveMeter
	for _, step := range [][2]uint32{{0xFFFFFFFE, 0xFFFFFFFE}, {0xFFFFFFF0, 0xFFFFFFFE}, {3, 3}, {0xFFFFFFFF, 3}, {4, 4}, {0xFFFFFF00, 0xFFFFFF00}} {
		if got := m.steady(step[0]); got != step[1] {
			t.Errorf("%#x became %#x, want %#x", step[0], got, step[1])
		}
	}
}

func TestMeterAllocatesNothing(t *testing.T) {
	m := &driveMeter{dev: fixed(performanceAnswer(1, 1)), now: func() time.Duration { return 1 }}
	if n := testing.AllocsPerRun(100, func() {
		if _, _, err := m.Counters(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// fixed answers every question alike.
type fixed []byte

func (f fixed) control(_ uint32, _, answer []byte) (int, error) { return copy(answer, f), nil }
func (f fixed) asleep() bool                                    { return false }
func (f fixed) close() error                                    { return nil }

// Whoever asks a drive that hangs gets an answer in time, each question by itself.
func TestSensorsThatHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		d := nvmeDrive()
		d.answers[askWarmth] = reply{hang: hang}
		d.answers[askNVMeLog] = reply{hang: hang}
		s := one(d)
		for name, ask := range map[string]func() error{
			"sensors": func() error { _, err := s.sensors(t.Context(), isNVMe); return err },
			"limits":  func() error { _, err := s.tempLimits(t.Context(), isNVMe); return err },
			"health":  func() error { _, err := s.health(t.Context(), isNVMe); return err },
		} {
			start := time.Now()
			if err := ask(); !errors.Is(err, platform.ErrStalled) || time.Since(start) != patience {
				t.Errorf("%s: %v after %v", name, err, time.Since(start))
			}
		}
		close(hang)
		synctest.Wait()
		d.balanced(t)
	})
}
