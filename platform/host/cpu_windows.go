package host

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

var _ platform.CPUClock = (*Host)(nil)

// ProcessCPU implements platform.CPUClock. Windows counts in ticks of its clock, up to 15.6 ms.
func (h *Host) ProcessCPU() (user, system time.Duration, err error) {
	var created, exited, kernel, own windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &own); err != nil {
		return 0, 0, opError("read the processor time of", "this process", err)
	}
	return unitsAsTime(own.HighDateTime, own.LowDateTime), unitsAsTime(kernel.HighDateTime, kernel.LowDateTime), nil
}

// ThreadCPU implements platform.CPUClock.
func (h *Host) ThreadCPU() (user, system time.Duration, err error) {
	var created, exited, kernel, own windows.Filetime
	r, _, errno := syscall.SyscallN(procGetThreadTimes.Addr(), uintptr(windows.CurrentThread()), uintptr(unsafe.Pointer(&created)),
		uintptr(unsafe.Pointer(&exited)), uintptr(unsafe.Pointer(&kernel)), uintptr(unsafe.Pointer(&own)))
	if r == 0 {
		return 0, 0, opError("read the processor time of", "this thread", errno)
	}
	return unitsAsTime(own.HighDateTime, own.LowDateTime), unitsAsTime(kernel.HighDateTime, kernel.LowDateTime), nil
}
