package host

import (
	"context"

	"cachecliff/platform"
)

// storage is how this system is asked about drives.
func (h *Host) storage() storage {
	return storage{names: deviceNames, open: openDevice, attach: attachment, now: h.Now, asked: h.asked}
}

// Drives lists the drives that are called PhysicalDriveN. It needs no rights. A link speed may read low while
// a drive is idle.
func (h *Host) Drives(ctx context.Context) ([]platform.Drive, error) { return h.storage().drives(ctx) }
