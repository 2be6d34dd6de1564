package host

import (
	"cachecliff/platform"
	"cachecliff/platform/nvme"
)

// nvmeDevice is an open NVMe drive.
type nvmeDevice interface {
	// page has the drive write a page, whose address the command need not have yet.
	page(c nvme.AdminCommand) ([]byte, error)
}

// readNVMe asks a drive for its health log and its controller for what it says of itself.
func readNVMe(dev nvmeDevice, d platform.Drive) (platform.Health, error) {
	page, err := dev.page(nvme.GetHealth(0))
	if err != nil {
		return platform.Health{}, err
	}
	h, err := nvme.DecodeHealth(page)
	if err != nil {
		return platform.Health{}, &platform.OpError{Op: opSMART, Object: d.Name, Reason: platform.ErrIO, Err: err}
	}
	h.Source = sourceNVMe
	c, err := nvmeController(dev, d)
	nvme.Complete(&h, c, platform.WhyOf(err))
	return h, nil
}

// nvmeController is what a controller says of itself; nil beside an error.
func nvmeController(dev nvmeDevice, d platform.Drive) (*nvme.Controller, error) {
	page, err := dev.page(nvme.GetController(0))
	if err != nil {
		return nil, err
	}
	c, err := nvme.DecodeController(page)
	if err != nil {
		return nil, &platform.OpError{Op: "identify the controller of", Object: d.Name, Reason: platform.ErrIO, Err: err}
	}
	return &c, nil
}

// nvmeLimits are the limits that an NVMe controller states.
func nvmeLimits(dev nvmeDevice, d platform.Drive) (platform.TempLimits, error) {
	c, err := nvmeController(dev, d)
	if err != nil {
		return platform.TempLimits{}, err
	}
	return c.Limits, nil
}

// nvmeReadings asks an NVMe drive for the temperatures of its sensors.
func nvmeReadings(dev nvmeDevice, d platform.Drive) ([]platform.Reading, error) {
	const op = "read the temperature of"
	page, err := dev.page(nvme.GetHealth(0))
	if err != nil {
		return nil, err
	}
	out, err := nvme.DecodeTemperatures(page)
	switch {
	case err != nil:
		return nil, &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrIO, Err: err}
	case len(out) == 0:
		return nil, &platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrUnsupported}
	}
	return out, nil
}
