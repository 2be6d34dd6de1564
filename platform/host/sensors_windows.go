package host

import (
	"context"

	"cachecliff/platform"
)

// Sensors reads the temperatures, which the storage driver, the health log of an NVMe drive or the SMART table
// of an ATA drive tells, and the counters. A temperature is a command to the drive, so it may take long on one
// that is busy or hangs: after two seconds it fails with platform.ErrStalled, and the next call waits for the
// same answer.
func (h *Host) Sensors(ctx context.Context, d platform.Drive) (platform.Sensors, error) {
	return h.storage().sensors(ctx, d)
}

// Watch opens a drive for its counters and temperatures. It asks the drive nothing.
func (h *Host) Watch(d platform.Drive) (platform.Meter, error) {
	m, err := h.storage().watch(d)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// TempLimits implements platform.TempLimiter.
func (h *Host) TempLimits(ctx context.Context, d platform.Drive) (platform.TempLimits, error) {
	return h.storage().tempLimits(ctx, d)
}

var _ platform.TempLimiter = (*Host)(nil)
