package host

import (
	"path/filepath"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/ata"
)

// driveNode is a block device that is open for questions.
type driveNode struct{ fd int }

// openNode opens a drive for reading only: closing one that was opened for writing makes udev look at the
// whole drive again. A drive without a medium, or one that is busy, does not hold it up.
func openNode(name string) (driveNode, error) {
	path := filepath.Join("/dev", name)
	fd, err := again(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0) })
	if err != nil {
		return driveNode{-1}, gone(path, err)
	}
	return driveNode{fd}, nil
}

func (n driveNode) close() error { return opError("close", "a drive", unix.Close(n.fd)) }

// gone takes a device without a node for one that was pulled out.
func gone(path string, err error) error {
	reason := reasonOf(err)
	if reason == platform.ErrNotExist {
		reason = platform.ErrGone
	}
	return &platform.OpError{Op: "open", Object: path, Reason: reason, Err: err}
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
