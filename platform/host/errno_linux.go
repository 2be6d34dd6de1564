package host

import (
	"syscall"

	"cachecliff/platform"
)

// reasons sorts the system's error numbers into the reasons that a caller can act on. Several of
// them are what Linux turns a block device's status into (blk_status_to_errno).
var reasons = map[syscall.Errno]error{
	syscall.EACCES: platform.ErrPermission,
	syscall.EPERM:  platform.ErrPermission,

	syscall.ENOENT:  platform.ErrNotExist,
	syscall.ENOTDIR: platform.ErrNotExist,

	syscall.ENAMETOOLONG: platform.ErrNotExist, // nothing can have such a name

	syscall.EMFILE: platform.ErrResources,
	syscall.ENFILE: platform.ErrResources,
	syscall.ENOMEM: platform.ErrResources,

	syscall.EROFS:   platform.ErrReadOnly,
	syscall.ENOSPC:  platform.ErrNoSpace,
	syscall.EDQUOT:  platform.ErrQuota,
	syscall.EFBIG:   platform.ErrTooLarge,
	syscall.ELOOP:   platform.ErrNotOurs, // a symbolic link where the file should be
	syscall.EBUSY:   platform.ErrBusy,
	syscall.ETXTBSY: platform.ErrBusy,

	syscall.ENOMEDIUM: platform.ErrNoMedium,

	syscall.EIO:       platform.ErrIO,
	syscall.ENODATA:   platform.ErrIO, // medium error
	syscall.EREMOTEIO: platform.ErrIO, // target error
	syscall.EILSEQ:    platform.ErrIO, // protection information did not match
	syscall.EBADMSG:   platform.ErrIO, // a checksum did not match
	syscall.EUCLEAN:   platform.ErrIO, // the file system is damaged

	syscall.ENODEV:    platform.ErrGone,
	syscall.ENXIO:     platform.ErrGone,
	syscall.ESTALE:    platform.ErrGone,
	syscall.ENOLINK:   platform.ErrGone,
	syscall.ENOTCONN:  platform.ErrGone,
	syscall.ESHUTDOWN: platform.ErrGone,

	syscall.ETIMEDOUT: platform.ErrStalled,

	syscall.EOPNOTSUPP: platform.ErrUnsupported,
	syscall.ENOSYS:     platform.ErrUnsupported,
	syscall.ENOTTY:     platform.ErrUnsupported,
}
