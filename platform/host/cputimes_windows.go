package host

import (
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

var _ platform.CPUTimer = (*Host)(nil)

// CPUTimes implements platform.CPUTimer. It counts in ticks of the clock of Windows, up to 15.6 ms.
func (h *Host) CPUTimes() (platform.CPUTimes, error) {
	var idle, kernel, user windows.Filetime
	if _, err := call(procGetSystemTimes, uintptr(unsafe.Pointer(&idle)), uintptr(unsafe.Pointer(&kernel)),
		uintptr(unsafe.Pointer(&user))); err != nil {
		return platform.CPUTimes{}, opError("read the times of", "the processors", err)
	}
	return systemTimes(unitsAsTime(idle.HighDateTime, idle.LowDateTime), unitsAsTime(kernel.HighDateTime, kernel.LowDateTime),
		unitsAsTime(user.HighDateTime, user.LowDateTime)), nil
}
