package host

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// Calls of the configuration manager that x/sys does not name.
var (
	cfgmgr32         = windows.NewLazySystemDLL("cfgmgr32.dll")
	procLocateNode   = cfgmgr32.NewProc("CM_Locate_DevNodeW")
	procParentNode   = cfgmgr32.NewProc("CM_Get_Parent")
	procNodeProperty = cfgmgr32.NewProc("CM_Get_DevNode_PropertyW")
)

// diskInterface is GUID_DEVINTERFACE_DISK.
var diskInterface = windows.GUID{Data1: 0x53F56307, Data2: 0xB6BF, Data3: 0x11D0, Data4: [8]byte{0x94, 0xF2, 0x00, 0xA0, 0xC9, 0x1E, 0xFB, 0x8B}}

// pciFormat and deviceFormat are what the keys of properties start with (pciprop.h, devpkey.h).
var (
	pciFormat    = windows.DEVPROPGUID{Data1: 0x3AB22E31, Data2: 0x8264, Data3: 0x4B4E, Data4: [8]byte{0x9A, 0xF5, 0xA8, 0xD2, 0xD8, 0xE3, 0x3E, 0x62}}
	deviceFormat = windows.DEVPROPGUID{Data1: 0xA45C254E, Data2: 0xDF1C, Data3: 0x4EFD, Data4: [8]byte{0x80, 0x20, 0x67, 0xD1, 0x46, 0xA8, 0x50, 0xE0}}
)

// The numbers of the properties.
const (
	propertyService      = 6  // DEVPKEY_Device_Service
	propertyCurrentSpeed = 9  // DEVPKEY_PciDevice_CurrentLinkSpeed
	propertyCurrentWidth = 10 //
	propertyMaxSpeed     = 11 //
	propertyMaxWidth     = 12 //
)

// attachment reads what the tree of devices tells of the controller that a drive hangs on.
func attachment(name string) (winapi.Attachment, error) {
	paths, err := windows.CM_Get_Device_Interface_List("", &diskInterface, windows.CM_GET_DEVICE_INTERFACE_LIST_PRESENT)
	if err != nil {
		return winapi.Attachment{}, treeError(name, err)
	}
	instance, err := instanceOf(name, paths, openInterface)
	if err != nil {
		return winapi.Attachment{}, err
	}
	id, err := windows.UTF16PtrFromString(instance)
	if err != nil {
		return winapi.Attachment{}, treeError(name, err)
	}
	var node, parent uint32
	if err := configure(procLocateNode, uintptr(unsafe.Pointer(&node)), uintptr(unsafe.Pointer(id)), 0); err != nil {
		return winapi.Attachment{}, treeError(name, err)
	}
	if err := configure(procParentNode, uintptr(unsafe.Pointer(&parent)), uintptr(node), 0); err != nil {
		return winapi.Attachment{}, treeError(name, err)
	}
	a := winapi.Attachment{Driver: winapi.DecodeText(nodeProperty(parent, deviceFormat, propertyService))}
	for number, value := range map[windows.DEVPROPID]*uint32{
		propertyCurrentSpeed: &a.Speed, propertyCurrentWidth: &a.Lanes, propertyMaxSpeed: &a.MaxSpeed, propertyMaxWidth: &a.MaxLanes,
	} {
		*value = winapi.DecodeNumber(nodeProperty(parent, pciFormat, number))
	}
	return a, nil
}

// treeError is an error of the configuration manager. Its own kind must not be wrapped: to unwrap it makes a
// call that is not there everywhere, which panics.
func treeError(name string, err error) error {
	if code, ok := err.(windows.CONFIGRET); ok {
		err = fmt.Errorf("the configuration manager answers %#x", uint32(code))
	}
	return &platform.OpError{Op: "find in the tree of devices", Object: name, Reason: platform.ErrUnsupported, Err: err}
}

// nodeProperty reads a property; nil if there is none.
func nodeProperty(node uint32, format windows.DEVPROPGUID, number windows.DEVPROPID) []byte {
	key := windows.DEVPROPKEY{FmtID: format, PID: number}
	var kind uint32
	value := make([]byte, 1024)
	size := uint32(len(value))
	err := configure(procNodeProperty, uintptr(node), uintptr(unsafe.Pointer(&key)), uintptr(unsafe.Pointer(&kind)),
		uintptr(unsafe.Pointer(&value[0])), uintptr(unsafe.Pointer(&size)), 0)
	if err != nil || size > uint32(len(value)) {
		return nil
	}
	return value[:size]
}

// configure makes a call of the configuration manager, which answers 0 when it succeeds.
//
//go:uintptrescapes
func configure(p *windows.LazyProc, args ...uintptr) error {
	if p.Find() != nil {
		return platform.ErrUnsupported
	}
	r, _, _ := syscall.SyscallN(p.Addr(), args...)
	if r != 0 {
		return windows.CONFIGRET(r)
	}
	return nil
}
