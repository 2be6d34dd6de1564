package host

import (
	"context"

	"cachecliff/platform"
)

// System fails with platform.ErrUnsupported.
func (h *Host) System(context.Context) (platform.System, error) {
	return platform.System{}, unsupported("describe the computer", "")
}
