package host

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cachecliff/platform"
)

// withoutSensors is a /sys whose NVMe drive hwmon does not know, under a name that has no node in /dev.
func withoutSensors(t *testing.T) *Host {
	t.Helper()
	sys := fakeSys(t)
	for _, name := range []string{"class/hwmon/hwmon3", "devices/pci/nvme/nvme0/hwmon"} {
		if err := os.RemoveAll(filepath.Join(sys, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"block", "class/block"} {
		if err := os.Rename(filepath.Join(sys, dir, "nvme0n1"), filepath.Join(sys, dir, "nvme999n1")); err != nil {
			t.Fatal(err)
		}
	}
	return testHost(t, Options{SysRoot: sys})
}

var orphan = platform.Drive{Name: "nvme999n1", Key: "eui.1", Bus: platform.BusNVMe}

// A drive that cannot be asked is without a temperature, and says why.
func TestNoWayToATemperature(t *testing.T) {
	h := withoutSensors(t)
	for _, c := range []struct {
		d    platform.Drive
		want platform.Why
	}{
		{orphan, platform.WhyFailed},
		{platform.Drive{Name: orphan.Name, Key: "usb", Bus: platform.BusUSB}, platform.WhyBridge},
		{platform.Drive{Name: orphan.Name, Key: "virtual", Bus: platform.BusVirtual}, platform.WhyBus},
	} {
		s, err := h.Sensors(t.Context(), c.d)
		if err != nil || s.NoTemp != c.want || s.Temperatures != nil || s.Source != "" || s.Counters == nil {
			t.Errorf("%s: %+v, %v", c.d.Bus, s, err)
		}
		if l, err := h.TempLimits(t.Context(), c.d); !errors.Is(err, platform.ErrUnsupported) || platform.WhyOf(err) != c.want && c.want != platform.WhyFailed || l.Known() {
			t.Errorf("%s: limits %+v, %v", c.d.Bus, l, err)
		}
	}
}

// A drive is asked at most once a second, and another of the same name anew.
func TestWarmthIsRemembered(t *testing.T) {
	h := withoutSensors(t)
	said := warm{at: h.Now(), readings: []platform.Reading{{Label: "Composite", MilliC: 40_000}}}
	h.told.warm[answerKey(orphan)] = said
	if got, source, at, err := h.warmth(orphan); err != nil || !slices.Equal(got, said.readings) || source != "nvme" || at != said.at {
		t.Errorf("%v, %q, %v, %v", got, source, at, err)
	}
	other := orphan
	other.Key = "eui.2"
	if got, _, _, err := h.warmth(other); err == nil || got != nil {
		t.Errorf("another drive: %v, %v", got, err)
	}
	said.at -= time.Second
	h.told.warm[answerKey(orphan)] = said
	if got, _, at, err := h.warmth(orphan); !errors.Is(err, platform.ErrGone) || got != nil || at <= said.at {
		t.Errorf("a second later: %v, %v, %v", got, at, err)
	}
}

func TestThermo(t *testing.T) {
	h := withoutSensors(t)
	m, err := h.Watch(platform.Drive{Name: orphan.Name, Bus: platform.BusUSB})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Temperatures(); got != nil || !errors.Is(err, platform.ErrUnsupported) || platform.WhyOf(err) != platform.WhyBridge || m.Source() != "" {
		t.Errorf("%v, %v, %q", got, err, m.Source())
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	m, err = h.Watch(orphan)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Temperatures(); got != nil || !errors.Is(err, platform.ErrGone) || m.Source() != "nvme" {
		t.Errorf("%v, %v, %q", got, err, m.Source())
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
