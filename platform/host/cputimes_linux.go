package host

import (
	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/sysfs"
)

var _ platform.CPUTimer = (*Host)(nil)

// CPUTimes implements platform.CPUTimer. The line that is wanted comes first in /proc/stat, which is long on
// computers with many processors: its rest is not read.
func (h *Host) CPUTimes() (platform.CPUTimes, error) {
	const op = "read the times of"
	path, err := rootFS{sys: h.sysDir, proc: h.procDir}.path("open", "proc/stat")
	if err != nil {
		return platform.CPUTimes{}, opError(op, "the processors", err)
	}
	fd, err := again(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return platform.CPUTimes{}, opError(op, "the processors", err)
	}
	var buf [512]byte
	n, err := again(func() (int, error) { return unix.Read(fd, buf[:]) })
	if closing := unix.Close(fd); err == nil {
		err = closing
	}
	if err != nil {
		return platform.CPUTimes{}, opError(op, "the processors", err)
	}
	t, err := sysfs.ParseCPUTimes(buf[:n])
	if err != nil {
		return platform.CPUTimes{}, &platform.OpError{Op: op, Object: "the processors", Err: err}
	}
	return t, nil
}
