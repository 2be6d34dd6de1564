package host

import (
	"errors"
	"fmt"

	"cachecliff/platform"
)

// mute is the error of asking a drive that can be asked nothing.
func mute(op string, d platform.Drive) error {
	why := map[platform.Bus]error{
		platform.BusUSB:     platform.ErrBridge,
		platform.BusVirtual: errors.New("a virtual drive has no SMART"),
		platform.BusMMC:     errors.New("memory cards have no SMART"),
		platform.BusSAS:     errors.New("SMART is not read from SAS drives"),
	}[d.Bus]
	if why == nil {
		why = fmt.Errorf("SMART is only read from NVMe and SATA drives, this one is on %q", d.Bus)
	}
	return &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrUnsupported, Err: why}
}

// noTemp is why a drive tells no temperature.
func noTemp(d platform.Drive, err error) platform.Why {
	why := platform.WhyOf(err)
	switch {
	case why != platform.WhyBus || d.Bus == platform.BusVirtual:
		return why
	case d.Bus == platform.BusUSB:
		return platform.WhyBridge
	}
	return platform.WhyNotReported // by the drive, or by its driver
}
