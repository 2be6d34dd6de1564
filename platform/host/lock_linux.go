package host

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// Lock takes a file for this process with flock(2), which the kernel gives up when the last descriptor
// is closed, however the process ends. Go marks descriptors close-on-exec, so a child does not keep it.
func (h *Host) Lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, opError("lock", path, err)
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = &platform.OpError{Op: "lock", Object: path, Reason: platform.ErrBusy, Err: err}
	} else {
		err = opError("lock", path, err)
	}
	return nil, errors.Join(err, f.Close())
}

var _ platform.Locker = (*Host)(nil)
