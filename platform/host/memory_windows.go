package host

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"
)

// memLargePages is MEM_LARGE_PAGES.
const memLargePages = 0x20000000

// mapMemory is n zeroed bytes, page aligned and present, outside the Go heap: the kernel keeps addresses of
// it while the runtime may do as it likes. In huge pages n is rounded up to whole ones.
func mapMemory(n int, huge bool) ([]byte, error) {
	kind := uint32(windows.MEM_RESERVE | windows.MEM_COMMIT)
	if huge {
		page, err := call(procGetLargePageMinimum)
		if err != nil { // 0 is the answer of a processor without
			return nil, errors.Join(windows.ERROR_NOT_SUPPORTED, err)
		}
		if err := enablePrivilege("SeLockMemoryPrivilege"); err != nil {
			return nil, err
		}
		n = (n + int(page) - 1) / int(page) * int(page)
		kind |= memLargePages
	}
	at, err := windows.VirtualAlloc(0, uintptr(n), kind, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	mem := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), n)
	clear(mem) // brings the pages in
	return mem, nil
}

// unmapMemory gives back what mapMemory made.
func unmapMemory(mem []byte) error {
	return windows.VirtualFree(addressOf(mem), 0, windows.MEM_RELEASE)
}

// addressOf is where a buffer outside the Go heap lies.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// enablePrivilege switches on a right of this process. One that the user does not have stays off without
// an error, which is left to the call that needs it.
func enablePrivilege(name string) error {
	var token windows.Token
	if err := windows.OpenProcessToken(windows.CurrentProcess(), windows.TOKEN_ADJUST_PRIVILEGES|windows.TOKEN_QUERY, &token); err != nil {
		return err
	}
	defer token.Close()
	wide, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return err
	}
	set := windows.Tokenprivileges{PrivilegeCount: 1}
	set.Privileges[0].Attributes = windows.SE_PRIVILEGE_ENABLED
	if err := windows.LookupPrivilegeValue(nil, wide, &set.Privileges[0].Luid); err != nil {
		return err
	}
	return windows.AdjustTokenPrivileges(token, false, &set, 0, nil, nil)
}
