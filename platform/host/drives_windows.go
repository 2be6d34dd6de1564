package host

import (
	"context"

	"cachecliff/platform"
)

// Drives fails with platform.ErrUnsupported.
func (h *Host) Drives(context.Context) ([]platform.Drive, error) {
	return nil, unsupported("list drives", "")
}
