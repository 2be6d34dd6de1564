package host

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"cachecliff/platform"
	"cachecliff/platform/nvme"
)

// nvmePages answers the two commands.
type nvmePages struct {
	health, controller       []byte
	healthErr, controllerErr error
}

func (p nvmePages) page(c nvme.AdminCommand) ([]byte, error) {
	if c == nvme.GetHealth(0) {
		return p.health, p.healthErr
	}
	return p.controller, p.controllerErr
}

func healthLog() []byte {
	return le(512, 1, uint16(323), 3, uint8(99), 4, uint8(10), 5, uint8(2), 32, uint64(1000), 48, uint64(2000), 176, uint64(9), 200, uint16(320), 202, uint16(330))
}

func controllerPage() []byte {
	return le(4096, 24, "Samsung SSD 980 PRO 1TB                 ", 266, uint16(355), 268, uint16(358), 322, uint16(1))
}

func TestReadNVMe(t *testing.T) {
	for _, c := range []struct {
		name string
		dev  nvmePages
		err  error
		why  string
		warn int32
	}{
		{"all", nvmePages{health: healthLog(), controller: controllerPage()}, nil, "", 81850},
		{"the controller may not be asked", nvmePages{health: healthLog(), controllerErr: platform.ErrPermission}, nil, "limits: needs-rights", 0},
		{"the controller answers nothing", nvmePages{health: healthLog(), controller: make([]byte, 4096)}, nil, "limits: failed", 0},
		{"no rights", nvmePages{healthErr: platform.ErrPermission}, platform.ErrPermission, "", 0},
		{"gone", nvmePages{healthErr: platform.ErrGone}, platform.ErrGone, "", 0},
		{"ones", nvmePages{health: bytes.Repeat([]byte{0xFF}, 512)}, platform.ErrIO, "", 0},
	} {
		h, err := readNVMe(c.dev, isNVMe)
		if !errors.Is(err, c.err) || reasonsOf(h) != c.why {
			t.Errorf("%s: %v, %s", c.name, err, reasonsOf(h))
		}
		if w := h.Limits.WarnMilliC; (w == nil) != (c.warn == 0) || w != nil && *w != c.warn {
			t.Errorf("%s: limit %v", c.name, w)
		}
		if c.err == nil && (h.Source != "NVMe health log" || len(h.Temperatures) != 3 || *h.ErrorLogEntries != 9) {
			t.Errorf("%s: %+v", c.name, h)
		}
	}
}

func TestNVMeLimits(t *testing.T) {
	if l, err := nvmeLimits(nvmePages{controller: controllerPage()}, isNVMe); err != nil || *l.WarnMilliC != 81850 || *l.CritMilliC != 84850 {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := nvmeLimits(nvmePages{controllerErr: platform.ErrGone}, isNVMe); !errors.Is(err, platform.ErrGone) || l.Known() {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestNVMeReadings(t *testing.T) {
	want := []platform.Reading{{Label: "Composite", MilliC: 49850}, {Label: "Sensor 1", MilliC: 46850}, {Label: "Sensor 2", MilliC: 56850}}
	if got, err := nvmeReadings(nvmePages{health: healthLog()}, isNVMe); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for name, c := range map[string]struct {
		dev  nvmePages
		want error
	}{
		"no thermometer": {nvmePages{health: le(512, 3, uint8(100))}, platform.ErrUnsupported},
		"ones":           {nvmePages{health: bytes.Repeat([]byte{0xFF}, 512)}, platform.ErrIO},
		"gone":           {nvmePages{healthErr: platform.ErrGone}, platform.ErrGone},
	} {
		if got, err := nvmeReadings(c.dev, isNVMe); !errors.Is(err, c.want) || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
