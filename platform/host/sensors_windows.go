package host

import (
	"context"

	"cachecliff/platform"
)

// Sensors fails with platform.ErrUnsupported.
func (h *Host) Sensors(_ context.Context, d platform.Drive) (platform.Sensors, error) {
	return platform.Sensors{}, unsupported("read sensors", d.Name)
}

// Watch fails with platform.ErrUnsupported.
func (h *Host) Watch(d platform.Drive) (platform.Meter, error) {
	return nil, unsupported("read sensors", d.Name)
}
