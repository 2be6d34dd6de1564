package host

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

// lockedByte is the offset of the byte that stands for a file that is locked. It lies behind all that a file
// can hold, since others may not read a byte that is locked.
const lockedByte = 1 << 62

// Lock takes a file for this process with LockFileEx, which the system gives up when the handle is closed,
// however the process ends. Children do not inherit the handle.
func (h *Host) Lock(path string) (io.Closer, error) {
	const access, share = windows.GENERIC_READ | windows.GENERIC_WRITE, shareAll
	handle, err := openPath(path, access, share, windows.OPEN_ALWAYS, windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err != nil {
		return nil, opError("lock", path, err)
	}
	var at windows.Overlapped
	at.OffsetHigh = lockedByte >> 32
	err = windows.LockFileEx(handle, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if err != nil {
		return nil, opError("lock", path, errors.Join(err, windows.CloseHandle(handle)))
	}
	return os.NewFile(uintptr(handle), path), nil
}

var _ platform.Locker = (*Host)(nil)
