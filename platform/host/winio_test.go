package host

import (
	"testing"
	"unsafe"
)

// TestWindowsABI pins sizes and offsets to minwinbase.h and processthreadsapi.h of the Windows SDK, for 64-bit programs.
func TestWindowsABI(t *testing.T) {
	var (
		o overlapped
		e overlappedEntry
		p threadPowerThrottling
	)
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"sizeof OVERLAPPED", unsafe.Sizeof(o), 32},
		{"OVERLAPPED.InternalHigh", unsafe.Offsetof(o.internalHigh), 8},
		{"OVERLAPPED.Offset", unsafe.Offsetof(o.offset), 16},
		{"OVERLAPPED.OffsetHigh", unsafe.Offsetof(o.offsetHigh), 20},
		{"OVERLAPPED.hEvent", unsafe.Offsetof(o.event), 24},
		{"sizeof OVERLAPPED_ENTRY", unsafe.Sizeof(e), 32},
		{"sizeof THREAD_POWER_THROTTLING_STATE", unsafe.Sizeof(p), 12},
		{"THREAD_POWER_THROTTLING_STATE.StateMask", unsafe.Offsetof(p.state), 8},
		{"OVERLAPPED_ENTRY.lpOverlapped", unsafe.Offsetof(e.overlapped), 8},
		{"OVERLAPPED_ENTRY.Internal", unsafe.Offsetof(e.status), 16},
		{"OVERLAPPED_ENTRY.dwNumberOfBytesTransferred", unsafe.Offsetof(e.bytes), 24},
	} {
		if f.got != f.want {
			t.Errorf("%s is %d, want %d", f.name, f.got, f.want)
		}
	}
}

func TestFailed(t *testing.T) {
	for status, want := range map[uintptr]bool{
		0:                  false, // STATUS_SUCCESS
		0x103:              false, // STATUS_PENDING
		0x80000005:         true,  // STATUS_BUFFER_OVERFLOW
		0xC000007F:         true,  // STATUS_DISK_FULL
		0xFFFFFFFFC0000185: true,  // STATUS_IO_DEVICE_ERROR, with its sign in the upper half
	} {
		if e := (overlappedEntry{status: status}); e.failed() != want {
			t.Errorf("%#x: failed %t", status, !want)
		}
	}
}
