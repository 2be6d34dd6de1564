package host

import (
	"context"

	"cachecliff/platform"
)

// volumes is how this system is asked about folders and what lies below them.
func (h *Host) volumes() volumes {
	return volumes{calls: volumeSystem{}, disks: h.storage(), asked: h.asked}
}

// Targets lists the volumes that a user may think of, the one of the home folder first, and the drives of
// servers that have a letter. All are asked at the same time, so that several dead ones take no longer than one.
// It needs no rights.
func (h *Host) Targets(ctx context.Context) ([]platform.Target, error) {
	return h.volumes().targets(ctx)
}
