package host

import (
	"context"

	"cachecliff/platform"
)

// Drives lists the drives of /sys/block. A link speed may read low while a drive is idle.
func (h *Host) Drives(ctx context.Context) ([]platform.Drive, error) {
	drives, err := ask(ctx, h.asked, "list of drives", h.tree().Drives)
	return drives, opError("list drives", "/sys/block", err)
}
