package host

import (
	"context"

	"cachecliff/platform"
)

// Health reads the health log of an NVMe drive, which needs no rights, and the SMART table of a SATA drive, of
// which administrators get the thresholds and the device statistics as well. Drives on other buses fail with
// platform.ErrUnsupported.
func (h *Host) Health(ctx context.Context, d platform.Drive) (platform.Health, error) {
	return h.storage().health(ctx, d)
}
