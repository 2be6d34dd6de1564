package host

import (
	"time"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

var _ platform.CPUClock = (*Host)(nil)

// ProcessCPU implements platform.CPUClock.
func (h *Host) ProcessCPU() (user, system time.Duration, err error) {
	return usage(unix.RUSAGE_SELF)
}

// ThreadCPU implements platform.CPUClock.
func (h *Host) ThreadCPU() (user, system time.Duration, err error) {
	return usage(unix.RUSAGE_THREAD)
}

func usage(who int) (user, system time.Duration, err error) {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return 0, 0, &platform.OpError{Op: "read the processor time of", Object: "this process", Err: err}
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), nil
}
