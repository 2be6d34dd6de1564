package host

import (
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

func TestConformanceBuffered(t *testing.T) {
	conform(t, t.TempDir(), platformtest.ConformanceOptions{Buffered: true})
}
