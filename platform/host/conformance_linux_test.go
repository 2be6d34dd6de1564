package host

import (
	"testing"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// conform runs the suite in a folder.
func conform(t *testing.T, dir string, o platformtest.ConformanceOptions) {
	t.Helper()
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.Engines = testEngines
	platformtest.Conformance(t, h, platform.Target{Path: dir}, o)
}

func TestConformance(t *testing.T) { conform(t, t.TempDir(), platformtest.ConformanceOptions{}) }

func TestConformanceLargeBlocks(t *testing.T) {
	conform(t, t.TempDir(), platformtest.ConformanceOptions{Block: 128 << 10})
}

func TestConformanceBuffered(t *testing.T) {
	conform(t, t.TempDir(), platformtest.ConformanceOptions{Buffered: true})
}

// TestConformanceFileSystems runs the suite on each file system that this machine can make.
func TestConformanceFileSystems(t *testing.T) {
	for _, fs := range []string{"tmpfs", "ext4", "xfs", "btrfs", "vfat"} {
		t.Run(fs, func(t *testing.T) {
			dir := mounted(t, fs, 256<<20)
			conform(t, dir, platformtest.ConformanceOptions{})
			empty(t, dir)
		})
	}
}

// TestConformanceStalled runs the suite on a drive that stops answering.
func TestConformanceStalled(t *testing.T) {
	dir, stall := throttled(t)
	conform(t, dir, platformtest.ConformanceOptions{Stall: stall})
}
