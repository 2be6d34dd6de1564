package host

import (
	"errors"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/ata"
)

// driveNode is a block device that is open for questions.
type driveNode struct{ fd int }

// openNode opens a device for reading only: closing one that was opened for writing makes udev look at the
// whole drive again. A drive without a medium, or one that is busy, does not hold it up.
func openNode(path string) (driveNode, error) {
	fd, err := again(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0) })
	if err != nil {
		return driveNode{-1}, gone(opError("open", path, err))
	}
	return driveNode{fd}, nil
}

func (n driveNode) close() error { return opError("close", "a drive", unix.Close(n.fd)) }

// gone takes a device without a node for one that was pulled out.
func gone(err error) error {
	if errors.Is(err, platform.ErrNotExist) {
		return &platform.OpError{Op: "ask", Object: "the drive", Reason: platform.ErrGone, Err: err}
	}
	return err
}

// command implements ataDevice with SG_IO, which takes CAP_SYS_RAWIO.
func (n driveNode) command(c ata.Command, data []byte) (ata.Registers, error) {
	cdb, sense := c.CDB(), make([]byte, ata.SenseRoom)
	var pin runtime.Pinner // the kernel gets the addresses as numbers
	defer pin.Unpin()
	pin.Pin(&cdb)
	pin.Pin(&sense[0])
	var to uintptr
	if len(data) > 0 {
		pin.Pin(&data[0])
		to = uintptr(unsafe.Pointer(&data[0]))
	}
	h := c.Header(uintptr(unsafe.Pointer(&cdb)), uintptr(unsafe.Pointer(&sense[0])), to)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), ata.IoctlSG, uintptr(unsafe.Pointer(&h))); errno != 0 {
		return ata.Registers{}, opError("send", c.String(), errno)
	}
	return c.Judge(h.Result(sense))
}
