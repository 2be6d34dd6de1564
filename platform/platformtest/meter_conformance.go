package platformtest

import (
	"errors"
	"testing"

	"cachecliff/platform"
)

// meters reads every drive of the target twice.
func meters(t *testing.T, c *conformance) {
	for _, d := range c.target.Drives {
		m, err := c.host.Watch(d)
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
			continue
		}
		first, at, err := m.Counters()
		if err != nil && !errors.Is(err, platform.ErrUnsupported) {
			t.Errorf("%s: %v", d.Name, err)
		}
		second, later, err := m.Counters()
		if _, forward := second.Since(first); err == nil && (!forward || later < at || later > c.host.Now()) {
			t.Errorf("%s: %+v at %v, then %+v at %v", d.Name, first, at, second, later)
		}
		temps, err := m.Temperatures()
		known := errors.Is(err, platform.ErrUnsupported) || errors.Is(err, platform.ErrAsleep)
		if err != nil && !known || err == nil && (len(temps) == 0 || m.Source() == "") {
			t.Errorf("%s: temperatures %v from %q, %v", d.Name, temps, m.Source(), err)
		}
		if err := m.Close(); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
	if m, err := c.host.Watch(platform.Drive{Key: "none", Name: "nonesuch9"}); !errors.Is(err, platform.ErrGone) && !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("a drive that is not there: %v, %v", m, err)
	}
}
