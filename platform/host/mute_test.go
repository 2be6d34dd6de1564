package host

import (
	"errors"
	"strings"
	"testing"

	"cachecliff/platform"
)

func TestMute(t *testing.T) {
	for bus, c := range map[platform.Bus]struct {
		says string
		why  platform.Why
	}{
		platform.BusUSB: {"this USB adapter does not pass SMART", platform.WhyBridge}, platform.BusVirtual: {"a virtual drive", platform.WhyBus},
		platform.BusMMC: {"memory cards", platform.WhyBus}, platform.BusSAS: {"SAS", platform.WhyBus}, platform.BusUnknown: {`""`, platform.WhyBus},
	} {
		err := mute("ask", platform.Drive{Name: "sdx", Bus: bus})
		if !errors.Is(err, platform.ErrUnsupported) || platform.WhyOf(err) != c.why || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "sdx") {
			t.Errorf("%s: %v (%s)", bus, err, platform.WhyOf(err))
		}
	}
}

func TestNoTemp(t *testing.T) {
	for _, c := range []struct {
		bus  platform.Bus
		err  error
		want platform.Why
	}{
		{platform.BusNVMe, nil, ""}, {platform.BusSATA, platform.ErrPermission, platform.WhyRights}, {platform.BusSATA, platform.ErrAsleep, platform.WhyAsleep},
		{platform.BusSATA, platform.ErrUnsupported, platform.WhyNotReported}, {platform.BusVirtual, platform.ErrUnsupported, platform.WhyBus},
		{platform.BusUSB, platform.ErrUnsupported, platform.WhyBridge}, {platform.BusUSB, platform.ErrIO, platform.WhyFailed},
	} {
		if got := noTemp(platform.Drive{Bus: c.bus}, c.err); got != c.want {
			t.Errorf("%s, %v: %q, want %q", c.bus, c.err, got, c.want)
		}
	}
}
