package host

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/nvme"
)

const opHealth = "read SMART data of"

// Health reads the health log of an NVMe drive, which needs the right to open its node and CAP_SYS_ADMIN;
// without them it fails with platform.ErrPermission. Drives on other buses fail with
// platform.ErrUnsupported: NVMe commands make some USB adapters hang, so no other node is ever tried.
func (h *Host) Health(ctx context.Context, d platform.Drive) (platform.Health, error) {
	if d.Bus != platform.BusNVMe || !h.tree().NVMe(d.Name) {
		return platform.Health{}, &platform.OpError{Op: opHealth, Object: d.Name, Reason: platform.ErrUnsupported,
			Err: fmt.Errorf("SMART is only read from NVMe drives, this one is on %q", d.Bus)}
	}
	page, err := ask(ctx, h.asked, "health of "+d.Name, func() ([]byte, error) { return healthPage("/dev/" + d.Name) })
	if err != nil {
		return platform.Health{}, opError(opHealth, d.Name, err)
	}
	health, err := nvme.DecodeHealth(page)
	if err != nil {
		return platform.Health{}, &platform.OpError{Op: opHealth, Object: d.Name, Reason: platform.ErrIO, Err: err}
	}
	health.Source = "NVMe health log"
	return health, nil
}

// healthPage opens the device for reading only: closing one that was opened for writing makes udev look at
// the whole drive again.
func healthPage(node string) ([]byte, error) {
	fd, err := again(func() (int, error) { return unix.Open(node, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0) })
	if err != nil {
		return nil, err
	}
	page := make([]byte, nvme.HealthSize)
	var pin runtime.Pinner // the kernel gets the address as a number
	pin.Pin(&page[0])
	defer pin.Unpin()
	cmd := nvme.GetHealth(uint64(uintptr(unsafe.Pointer(&page[0]))))
	status, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), nvme.IoctlAdmin, uintptr(unsafe.Pointer(&cmd)))
	err = unix.Close(fd)
	switch {
	case errno != 0:
		return nil, errors.Join(errno, err)
	case status != 0:
		return nil, errors.Join(fmt.Errorf("the drive refused with NVMe status %#x", status), err)
	}
	return page, err
}
