package host

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform/winapi"
)

var procDevicePower = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetDevicePowerState")

// openedDevice is a device that DeviceIoControl asks.
type openedDevice struct {
	name   string
	handle windows.Handle
}

// openDevice opens \\.\NAME.
func openDevice(name string, a access) (device, error) { return openRaw(`\\.\`+name, name, a) }

// openInterface opens a device by the name of its interface, without rights.
func openInterface(path string) (device, error) { return openRaw(path, path, accessNone) }

// openRaw opens a device with which others may do what they like meanwhile.
func openRaw(path, name string, a access) (device, error) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, opError("open", name, err)
	}
	rights := [...]uint32{accessNone: 0, accessRead: windows.GENERIC_READ, accessWrite: windows.GENERIC_READ | windows.GENERIC_WRITE}[a]
	handle, err := windows.CreateFile(p, rights, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return nil, opError("open", name, err)
	}
	return &openedDevice{name: name, handle: handle}, nil
}

// control implements device.
func (d *openedDevice) control(code uint32, request, answer []byte) (int, error) {
	var filled uint32
	err := windows.DeviceIoControl(d.handle, code, unsafe.SliceData(request), uint32(len(request)),
		unsafe.SliceData(answer), uint32(len(answer)), &filled, nil)
	if err != nil {
		return 0, opError(fmt.Sprintf("send control code %#x to", code), d.name, err)
	}
	return int(filled), nil
}

// asleep implements device. A state that the system does not tell counts as awake.
func (d *openedDevice) asleep() bool {
	on := int32(1)
	if procDevicePower.Find() != nil {
		return false
	}
	told, _, _ := syscall.SyscallN(procDevicePower.Addr(), uintptr(d.handle), uintptr(unsafe.Pointer(&on)))
	return told != 0 && on == 0
}

func (d *openedDevice) close() error {
	return opError("close", d.name, windows.CloseHandle(d.handle))
}

// deviceNames lists everything that can be opened as \\.\NAME. No rights are needed.
func deviceNames() ([]string, error) {
	for room := 1 << 15; ; room *= 2 {
		list := make([]uint16, room)
		n, err := windows.QueryDosDevice(nil, &list[0], uint32(len(list)))
		if err == windows.ERROR_INSUFFICIENT_BUFFER && room < 1<<24 {
			continue
		}
		if err != nil {
			return nil, opError("list devices", "", err)
		}
		return winapi.SplitList(list[:n]), nil
	}
}
