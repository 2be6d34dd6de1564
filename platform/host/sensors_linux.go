package host

import (
	"context"
	"errors"
	"io/fs"

	"cachecliff/platform"
)

// sourceHwmon is what temperatures are read from.
const sourceHwmon = "hwmon"

// Sensors reads the temperatures from hwmon and the counters from the block device. Each temperature is a
// command to the drive, so it may take long on one that is busy or hangs: after two seconds it fails with
// platform.ErrStalled, and the next call waits for the same answer.
func (h *Host) Sensors(ctx context.Context, d platform.Drive) (platform.Sensors, error) {
	s, err := ask(ctx, h.asked, "sensors of "+d.Name, func() (platform.Sensors, error) {
		t := h.tree()
		var s platform.Sensors
		if s.Temperatures, s.Asleep = t.Temperatures(d.Name); len(s.Temperatures) > 0 {
			s.Source = sourceHwmon
		}
		var err error
		s.Counters, err = t.Counters(d.Name)
		s.At = h.Now()
		return s, err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return s, &platform.OpError{Op: "read the counters of", Object: d.Name, Reason: platform.ErrGone, Err: err}
	}
	return s, opError("read the counters of", d.Name, err)
}

// TempLimits implements platform.TempLimiter with hwmon.
func (h *Host) TempLimits(ctx context.Context, d platform.Drive) (platform.TempLimits, error) {
	l, err := ask(ctx, h.asked, "temperature limits of "+d.Name, func() (platform.TempLimits, error) {
		return h.tree().TempLimits(d.Name), nil
	})
	if err == nil && !l.Known() {
		err = &platform.OpError{Op: "read the temperature limits of", Object: d.Name, Reason: platform.ErrUnsupported}
	}
	return l, err
}
