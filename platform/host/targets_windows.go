package host

import (
	"context"

	"cachecliff/platform"
)

// Targets fails with platform.ErrUnsupported.
func (h *Host) Targets(context.Context) ([]platform.Target, error) {
	return nil, unsupported("list volumes", "")
}

// Resolve fails with platform.ErrUnsupported.
func (h *Host) Resolve(_ context.Context, path string) (platform.Target, error) {
	return platform.Target{}, unsupported("look at", path)
}
