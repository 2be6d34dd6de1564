package host

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// Calls that x/sys does not name.
var (
	kernel32                    = windows.NewLazySystemDLL("kernel32.dll")
	procCounter                 = kernel32.NewProc("QueryPerformanceCounter")
	procCounterFrequency        = kernel32.NewProc("QueryPerformanceFrequency")
	procCreateWaitableTimerEx   = kernel32.NewProc("CreateWaitableTimerExW")
	procSetWaitableTimer        = kernel32.NewProc("SetWaitableTimer")
	procGetCurrentThreadID      = kernel32.NewProc("GetCurrentThreadId")
	procGetDiskFreeSpace        = kernel32.NewProc("GetDiskFreeSpaceW")
	procGetLargePageMinimum     = kernel32.NewProc("GetLargePageMinimum")
	procGetQueuedCompletionsEx  = kernel32.NewProc("GetQueuedCompletionStatusEx")
	procGetSystemTimes          = kernel32.NewProc("GetSystemTimes")
	procGetThreadTimes          = kernel32.NewProc("GetThreadTimes")
	procSetThreadInformation    = kernel32.NewProc("SetThreadInformation")
	procReadFile, procWriteFile = kernel32.NewProc("ReadFile"), kernel32.NewProc("WriteFile")
)

// call makes a system call that answers 0 when it fails.
//
//go:uintptrescapes
func call(p *windows.LazyProc, args ...uintptr) (uintptr, error) {
	if err := p.Find(); err != nil {
		return 0, err
	}
	r, _, errno := syscall.SyscallN(p.Addr(), args...)
	if r == 0 {
		return 0, errno
	}
	return r, nil
}
