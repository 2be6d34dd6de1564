package host

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/sysfs"
)

var (
	_ platform.CPUClock = (*Host)(nil)
	_ platform.CPUQueue = (*Host)(nil)
	_ platform.Settler  = (*Host)(nil)
)

// ProcessCPU implements platform.CPUClock.
func (h *Host) ProcessCPU() (user, system time.Duration, err error) {
	return usage(unix.RUSAGE_SELF)
}

// ThreadCPU implements platform.CPUClock.
func (h *Host) ThreadCPU() (user, system time.Duration, err error) {
	return usage(unix.RUSAGE_THREAD)
}

// ThreadWaited implements platform.CPUQueue.
func (h *Host) ThreadWaited() (time.Duration, error) {
	const name = "/proc/thread-self/schedstat"
	b, err := os.ReadFile(name)
	if err != nil {
		return 0, opError("read", name, err)
	}
	return sysfs.ParseSchedstat(b)
}

// Settle implements platform.Settler.
func (h *Host) Settle() error {
	var cpu uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 {
		return opError("look up the processor of", "this thread", errno)
	}
	var set unix.CPUSet
	set.Set(int(cpu))
	return opError("keep on its processor", "this thread", unix.SchedSetaffinity(0, &set))
}

func usage(who int) (user, system time.Duration, err error) {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return 0, 0, &platform.OpError{Op: "read the processor time of", Object: "this process", Err: err}
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), nil
}
