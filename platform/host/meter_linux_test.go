package host

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cachecliff/platform"
)

// rewrite puts a text into a file that may be open elsewhere.
func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMeter(t *testing.T) {
	sys := fakeSys(t)
	block, chip := filepath.Join(sys, "devices/pci/nvme/nvme0/nvme0n1"), filepath.Join(sys, "devices/pci/nvme/nvme0/hwmon/hwmon3")
	power := filepath.Join(sys, "devices/pci/nvme/nvme0/power")
	if err := errors.Join(os.Mkdir(power, 0o755), os.Mkdir(filepath.Join(block, "queue"), 0o755)); err != nil {
		t.Fatal(err)
	}
	rewrite(t, power+"/runtime_status", "active\n")
	rewrite(t, block+"/queue/iostats", "1\n")
	rewrite(t, chip+"/temp2_input", "-273150\n")
	h := testHost(t, Options{SysRoot: sys})
	m, err := h.Watch(platform.Drive{Name: "nvme0n1"})
	if err != nil {
		t.Fatal(err)
	}
	counts := func(want uint64) {
		t.Helper()
		before := h.Now()
		c, at, err := m.Counters()
		if err != nil || c.ReadBytes != want || at < before || at > h.Now() {
			t.Errorf("%+v at %v, %v, want %d bytes read", c, at, err, want)
		}
	}
	counts(4096)
	rewrite(t, block+"/stat", "9 0 16 0 0 0 0 0 0 0 0\n")
	counts(8192)
	temps := func(milliC int32) {
		t.Helper()
		got, err := m.Temperatures()
		if want := []platform.Reading{{Label: "Composite", MilliC: milliC}}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	temps(35850)
	rewrite(t, chip+"/temp1_input", "42000\n")
	temps(42000)
	for _, c := range []struct {
		file, text string
		want       error
	}{
		{power + "/runtime_status", "suspended\n", platform.ErrAsleep},
		{power + "/runtime_status", "active\n", nil},
		{chip + "/temp1_input", "65261850\n", platform.ErrUnsupported},
	} {
		rewrite(t, c.file, c.text)
		if _, err := m.Temperatures(); !errors.Is(err, c.want) {
			t.Errorf("%s %q: %v, want %v", c.file, c.text, err, c.want)
		}
	}
	rewrite(t, block+"/queue/iostats", "0\n")
	if _, _, err := m.Counters(); !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("the system does not count: %v", err)
	}
	if err := m.Close(); err != nil || m.Source() != "hwmon" {
		t.Errorf("%v, %q", err, m.Source())
	}
}

func TestMeterOfNothing(t *testing.T) {
	h := testHost(t, Options{SysRoot: fakeSys(t)})
	for _, name := range []string{"nvme7n1", "../nvme0n1x"} {
		if m, err := h.Watch(platform.Drive{Name: name}); !errors.Is(err, platform.ErrGone) || m != nil {
			t.Errorf("%q: %v, %v", name, m, err)
		}
	}
}

// An open descriptor is left behind by no meter.
func TestMeterCloses(t *testing.T) {
	h := testHost(t, Options{SysRoot: fakeSys(t)})
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	before := open()
	for range 3 {
		m, err := h.Watch(platform.Drive{Name: "nvme0n1"})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := open(); after != before {
		t.Errorf("%d open files before, %d after", before, after)
	}
}

// BenchmarkSamplerMeter reads the drives of this computer: what one sample costs, and what it does through
// Sensors, which opens everything anew.
func BenchmarkSamplerMeter(b *testing.B) {
	h, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	drives, err := h.Drives(b.Context())
	if err != nil || len(drives) == 0 {
		b.Skip("no drives")
	}
	m, err := h.Watch(drives[0])
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	b.Run("counters", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := m.Counters(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("temperatures", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := m.Temperatures(); err != nil && !errors.Is(err, platform.ErrUnsupported) {
				b.Fatal(err)
			}
		}
	})
	b.Run("anew", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := h.Sensors(b.Context(), drives[0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
