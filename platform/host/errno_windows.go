package host

import (
	"syscall"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

// reasons sorts the system's error numbers into the reasons that a caller can act on. Many of them are what
// Windows makes of a driver's status (RtlNtStatusToDosError); that is in brackets where the name misleads.
var reasons = map[syscall.Errno]error{
	windows.ERROR_ACCESS_DENIED:             platform.ErrPermission,
	windows.ERROR_PRIVILEGE_NOT_HELD:        platform.ErrPermission,
	windows.ERROR_NETWORK_ACCESS_DENIED:     platform.ErrPermission,
	windows.ERROR_ELEVATION_REQUIRED:        platform.ErrPermission,
	windows.ERROR_ACCESS_DISABLED_BY_POLICY: platform.ErrPermission,
	windows.ERROR_LOGON_FAILURE:             platform.ErrPermission,

	windows.ERROR_FILE_NOT_FOUND:        platform.ErrNotExist,
	windows.ERROR_PATH_NOT_FOUND:        platform.ErrNotExist,
	windows.ERROR_INVALID_DRIVE:         platform.ErrNotExist,
	windows.ERROR_BAD_NETPATH:           platform.ErrNotExist,
	windows.ERROR_BAD_NET_NAME:          platform.ErrNotExist,
	windows.ERROR_BAD_PATHNAME:          platform.ErrNotExist,
	windows.ERROR_DIRECTORY:             platform.ErrNotExist, // a file where a folder should be
	windows.ERROR_INVALID_NAME:          platform.ErrNotExist, // nothing can have such a name
	windows.ERROR_FILENAME_EXCED_RANGE:  platform.ErrNotExist,
	windows.ERROR_CANT_RESOLVE_FILENAME: platform.ErrNotExist, // links that lead to each other

	windows.ERROR_NOT_ENOUGH_MEMORY:         platform.ErrResources,
	windows.ERROR_OUTOFMEMORY:               platform.ErrResources,
	windows.ERROR_TOO_MANY_OPEN_FILES:       platform.ErrResources,
	windows.ERROR_NO_SYSTEM_RESOURCES:       platform.ErrResources,
	windows.ERROR_NONPAGED_SYSTEM_RESOURCES: platform.ErrResources,
	windows.ERROR_PAGED_SYSTEM_RESOURCES:    platform.ErrResources,
	windows.ERROR_WORKING_SET_QUOTA:         platform.ErrResources,
	windows.ERROR_PAGEFILE_QUOTA:            platform.ErrResources,
	windows.ERROR_COMMITMENT_LIMIT:          platform.ErrResources,
	windows.ERROR_NOT_ENOUGH_QUOTA:          platform.ErrResources, // of memory that stays in place
	windows.ERROR_INVALID_USER_BUFFER:       platform.ErrResources, // too many requests in flight

	windows.ERROR_WRITE_PROTECT:       platform.ErrReadOnly,
	windows.ERROR_DISK_FULL:           platform.ErrNoSpace,
	windows.ERROR_HANDLE_DISK_FULL:    platform.ErrNoSpace,
	windows.ERROR_DISK_QUOTA_EXCEEDED: platform.ErrQuota,
	windows.ERROR_FILE_TOO_LARGE:      platform.ErrTooLarge,
	windows.ERROR_HANDLE_EOF:          platform.ErrShortIO,

	windows.ERROR_SHARING_VIOLATION: platform.ErrBusy,
	windows.ERROR_LOCK_VIOLATION:    platform.ErrBusy,
	windows.ERROR_BUSY:              platform.ErrBusy,
	windows.ERROR_BUSY_DRIVE:        platform.ErrBusy,
	windows.ERROR_DRIVE_LOCKED:      platform.ErrBusy,
	windows.ERROR_DEVICE_IN_USE:     platform.ErrBusy,
	windows.ERROR_USER_MAPPED_FILE:  platform.ErrBusy,

	windows.ERROR_NOT_READY:          platform.ErrNoMedium,
	windows.ERROR_NO_MEDIA_IN_DRIVE:  platform.ErrNoMedium,
	windows.ERROR_UNRECOGNIZED_MEDIA: platform.ErrNoMedium,

	windows.ERROR_IO_DEVICE:             platform.ErrIO,
	windows.ERROR_CRC:                   platform.ErrIO, // data error
	windows.ERROR_SEEK:                  platform.ErrIO,
	windows.ERROR_SECTOR_NOT_FOUND:      platform.ErrIO,
	windows.ERROR_WRITE_FAULT:           platform.ErrIO,
	windows.ERROR_READ_FAULT:            platform.ErrIO,
	windows.ERROR_GEN_FAILURE:           platform.ErrIO, // unsuccessful, the device does not work
	windows.ERROR_DISK_OPERATION_FAILED: platform.ErrIO,
	windows.ERROR_DATA_CHECKSUM_ERROR:   platform.ErrIO,
	windows.ERROR_DEVICE_HARDWARE_ERROR: platform.ErrIO,
	windows.ERROR_FILE_CORRUPT:          platform.ErrIO, // the file system is damaged
	windows.ERROR_DISK_CORRUPT:          platform.ErrIO,

	windows.ERROR_DEV_NOT_EXIST:                  platform.ErrGone,
	windows.ERROR_BAD_UNIT:                       platform.ErrGone,
	windows.ERROR_NO_SUCH_DEVICE:                 platform.ErrGone,
	windows.ERROR_DEVICE_NOT_CONNECTED:           platform.ErrGone,
	windows.ERROR_DEVICE_REMOVED:                 platform.ErrGone,
	windows.ERROR_DEVICE_NOT_AVAILABLE:           platform.ErrGone,
	windows.ERROR_DEVICE_UNREACHABLE:             platform.ErrGone,
	windows.ERROR_DEVICE_REINITIALIZATION_NEEDED: platform.ErrGone,
	windows.ERROR_FILE_INVALID:                   platform.ErrGone, // the volume was changed from outside
	windows.ERROR_MEDIA_CHANGED:                  platform.ErrGone,
	windows.ERROR_WRONG_DISK:                     platform.ErrGone,
	windows.ERROR_NETNAME_DELETED:                platform.ErrGone,
	windows.ERROR_UNEXP_NET_ERR:                  platform.ErrGone,

	windows.ERROR_SEM_TIMEOUT: platform.ErrStalled, // the device did not answer the driver
	windows.ERROR_TIMEOUT:     platform.ErrStalled,

	windows.ERROR_INVALID_FUNCTION:     platform.ErrUnsupported,
	windows.ERROR_NOT_SUPPORTED:        platform.ErrUnsupported,
	windows.ERROR_CALL_NOT_IMPLEMENTED: platform.ErrUnsupported,
	windows.ERROR_INVALID_LEVEL:        platform.ErrUnsupported, // no such information
	windows.ERROR_PROC_NOT_FOUND:       platform.ErrUnsupported, // an older Windows
}
