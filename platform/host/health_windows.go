package host

import (
	"context"

	"cachecliff/platform"
)

// Health fails with platform.ErrUnsupported.
func (h *Host) Health(_ context.Context, d platform.Drive) (platform.Health, error) {
	return platform.Health{}, unsupported("read SMART", d.Name)
}
