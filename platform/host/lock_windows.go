package host

import (
	"io"

	"cachecliff/platform"
)

// Lock fails with platform.ErrUnsupported.
func (h *Host) Lock(path string) (io.Closer, error) { return nil, unsupported("lock", path) }

var _ platform.Locker = (*Host)(nil)
