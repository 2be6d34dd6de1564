package host

import (
	"os"
	"testing"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// conform runs the suite in a folder.
func conform(t *testing.T, dir string, o platformtest.ConformanceOptions) {
	t.Helper()
	o.Engines = testEngines
	platformtest.Conformance(t, thisHost(t), platform.Target{Path: dir}, o)
}

func TestConformance(t *testing.T) { conform(t, t.TempDir(), platformtest.ConformanceOptions{}) }

func TestConformanceLargeBlocks(t *testing.T) {
	conform(t, t.TempDir(), platformtest.ConformanceOptions{Block: 128 << 10})
}

// TestConformanceInMemory runs the suite on a file system in memory.
func TestConformanceInMemory(t *testing.T) {
	if !underWine() {
		t.Skip("no file system in memory")
	}
	dir, err := os.MkdirTemp(`Z:\dev\shm`, "cachecliff-test-")
	if err != nil {
		t.Skip(err)
	}
	conform(t, dir, platformtest.ConformanceOptions{})
	empty(t, dir)
	if err := os.Remove(dir); err != nil {
		t.Error(err)
	}
}

func TestConformanceBuffered(t *testing.T) {
	conform(t, t.TempDir(), platformtest.ConformanceOptions{Buffered: true})
}
