package host

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"cachecliff/platform"
)

// sourceHwmon is what temperatures are read from.
const sourceHwmon = "hwmon"

// Sensors reads the temperatures from hwmon, where that has none from the drive (which takes the rights that
// Health takes, and at most once a second), and the counters from the block device. Each temperature is a
// command to the drive, so it may take long on one that is busy or hangs: after two seconds it fails with
// platform.ErrStalled, and the next call waits for the same answer.
func (h *Host) Sensors(ctx context.Context, d platform.Drive) (platform.Sensors, error) {
	s, err := ask(ctx, h.asked, "sensors of "+d.Name, func() (platform.Sensors, error) {
		t := h.tree()
		var s platform.Sensors
		var tempErr error
		var at time.Duration
		switch s.Temperatures, s.Asleep = t.Temperatures(d.Name); {
		case len(s.Temperatures) > 0:
			s.Source, at = sourceHwmon, h.Now()
		case s.Asleep:
			s.NoTemp = platform.WhyAsleep
		case len(t.Sensors(d.Name)) > 0:
			s.NoTemp = platform.WhyNotReported
		default:
			s.Temperatures, s.Source, at, tempErr = h.warmth(d)
			s.Asleep, s.NoTemp = errors.Is(tempErr, platform.ErrAsleep), noTemp(d, tempErr)
		}
		var err error
		s.Counters, err = t.Counters(d.Name)
		if s.At = h.Now(); len(s.Temperatures) > 0 {
			s.TempAge = s.At - at
		}
		return s, err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return s, &platform.OpError{Op: "read the counters of", Object: d.Name, Reason: platform.ErrGone, Err: err}
	}
	return s, opError("read the counters of", d.Name, err)
}

// TempLimits implements platform.TempLimiter with hwmon, else with what an NVMe controller says of itself. Each
// drive is asked once.
func (h *Host) TempLimits(ctx context.Context, d platform.Drive) (platform.TempLimits, error) {
	l, err := ask(ctx, h.asked, "temperature limits of "+d.Name, func() (platform.TempLimits, error) { return h.limits(d) })
	if err == nil && !l.Known() {
		err = &platform.OpError{Op: opLimits, Object: d.Name, Reason: platform.ErrUnsupported}
	}
	return l, err
}
