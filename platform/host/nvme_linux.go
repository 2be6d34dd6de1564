package host

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/nvme"
)

// page implements nvmeDevice. It takes CAP_SYS_ADMIN for logs.
func (n driveNode) page(c nvme.AdminCommand) ([]byte, error) {
	data := make([]byte, c.DataLen)
	var pin runtime.Pinner // the kernel gets the address as a number
	defer pin.Unpin()
	pin.Pin(&data[0])
	c.Addr = uint64(uintptr(unsafe.Pointer(&data[0])))
	status, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), nvme.IoctlAdmin, uintptr(unsafe.Pointer(&c)))
	if errno == unix.ENOTTY {
		c64 := nvme.AdminCommand64{AdminCommand: c}
		status, _, errno = unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), nvme.IoctlAdmin64, uintptr(unsafe.Pointer(&c64)))
	}
	const op, object = "read", "a page of the drive"
	switch {
	case errno != 0:
		return nil, opError(op, object, errno)
	case nvme.Unknown(uint16(status)):
		return nil, &platform.OpError{Op: op, Object: object, Reason: platform.ErrUnsupported, Err: fmt.Errorf("the drive does not know the page, NVMe status %#x", status)}
	case status != 0:
		return nil, &platform.OpError{Op: op, Object: object, Reason: platform.ErrIO, Err: fmt.Errorf("the drive refused with NVMe status %#x", status)}
	}
	return data, nil
}
