package safefile

import (
	"errors"
	"syscall"

	"cachecliff/platform"
)

// invented says whether Go has made its names of errors up, as it does on Windows: no call of the system
// fails with such a number, and its own numbers mean something else elsewhere.
const invented = syscall.ENOSPC >= 1<<29

// named are what keeps a file from being written, beside what package fs has names for.
var named = map[syscall.Errno]error{
	syscall.ENOSPC:       platform.ErrNoSpace,
	syscall.EDQUOT:       platform.ErrQuota,
	syscall.EROFS:        platform.ErrReadOnly,
	syscall.EFBIG:        platform.ErrTooLarge,
	syscall.EIO:          platform.ErrIO,
	syscall.EMFILE:       platform.ErrResources,
	syscall.ENFILE:       platform.ErrResources,
	syscall.ENOMEM:       platform.ErrResources,
	syscall.ENAMETOOLONG: platform.ErrNotExist, // no file can have such a name
}

// numbered are the same for Windows (winerror.h).
var numbered = map[syscall.Errno]error{
	4:          platform.ErrResources, // ERROR_TOO_MANY_OPEN_FILES
	8:          platform.ErrResources, // ERROR_NOT_ENOUGH_MEMORY
	14:         platform.ErrResources, // ERROR_OUTOFMEMORY
	19:         platform.ErrReadOnly,  // ERROR_WRITE_PROTECT
	21:         platform.ErrNoMedium,  // ERROR_NOT_READY
	23:         platform.ErrIO,        // ERROR_CRC
	errSharing: platform.ErrBusy,
	errLock:    platform.ErrBusy,
	39:         platform.ErrNoSpace,   // ERROR_HANDLE_DISK_FULL
	112:        platform.ErrNoSpace,   // ERROR_DISK_FULL
	123:        platform.ErrNotExist,  // ERROR_INVALID_NAME: no file can have such a name
	206:        platform.ErrNotExist,  // ERROR_FILENAME_EXCED_RANGE
	223:        platform.ErrTooLarge,  // ERROR_FILE_TOO_LARGE
	267:        platform.ErrNotExist,  // ERROR_DIRECTORY: a file where a folder should be
	1117:       platform.ErrIO,        // ERROR_IO_DEVICE
	1295:       platform.ErrQuota,     // ERROR_DISK_QUOTA_EXCEEDED
	1450:       platform.ErrResources, // ERROR_NO_SYSTEM_RESOURCES
}

const (
	errAccess  = syscall.Errno(5)  // ERROR_ACCESS_DENIED
	errSharing = syscall.Errno(32) // ERROR_SHARING_VIOLATION
	errLock    = syscall.Errno(33) // ERROR_LOCK_VIOLATION
)

// reasonOf is the reason that an error of the system stands for, or nil.
func reasonOf(err error) error {
	var no syscall.Errno
	switch {
	case !errors.As(err, &no):
		return nil
	case invented && numbered[no] != nil:
		return numbered[no]
	}
	return named[no]
}

// held says whether a file cannot be renamed because another program has it open.
func held(err error) bool {
	var no syscall.Errno
	return invented && errors.As(err, &no) && (no == errAccess || no == errSharing || no == errLock)
}
