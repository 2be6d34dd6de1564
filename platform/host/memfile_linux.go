package host

import (
	"errors"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// Memory makes a file in memory (memfd_create), all of it there already.
func (h *Host) Memory(size int64) (platform.File, error) {
	const name = "memory"
	fd, err := unix.MemfdCreate("cachecliff", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, opError("make a file in", name, err)
	}
	f := &file{fd: fd, engine: h.engine, clock: h.clock, info: fileInfo{name: name, size: size, align: 1}}
	if err := unix.Fallocate(fd, 0, 0, size); err != nil {
		return nil, opError("make a file in", name, errors.Join(err, unix.Close(fd)))
	}
	return f, nil
}
