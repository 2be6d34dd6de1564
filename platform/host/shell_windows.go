package host

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Calls of the shell that x/sys does not name.
var (
	procItemFromName    = windows.NewLazySystemDLL("shell32.dll").NewProc("SHCreateItemFromParsingName")
	procPropertyKeyFrom = windows.NewLazySystemDLL("propsys.dll").NewProc("PSGetPropertyKeyFromName")
)

// shellItemID is IID_IShellItem2.
var shellItemID = windows.GUID{Data1: 0x7E9FB0D3, Data2: 0x919F, Data3: 0x4307, Data4: [8]byte{0xAB, 0x2E, 0x9B, 0x18, 0x60, 0x31, 0x0C, 0x93}}

// shellItem is an IShellItem2, of which two methods are used.
type shellItem struct {
	methods *struct {
		_        [2]uintptr // QueryInterface, AddRef
		release  uintptr
		_        [13]uintptr // BindToHandler to GetFileTime
		getInt32 uintptr
	}
}

// propertyKey is a PROPERTYKEY.
type propertyKey struct {
	format windows.GUID
	number uint32
}

// protection implements volumeCalls. The shell is the only one who tells it to users without rights.
func (volumeSystem) protection(root string) (int32, error) {
	const op = "ask the shell about"
	name, err := windows.UTF16PtrFromString("System.Volume.BitLockerProtection")
	if err != nil {
		return 0, opError(op, root, err)
	}
	leave := enterShell()
	defer leave()
	var key propertyKey
	if err := shellCall(procPropertyKeyFrom, uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&key))); err != nil {
		return 0, opError(op, root, err)
	}
	value, err := shellNumber(root, key)
	return value, opError(op, root, err)
}

// enterShell prepares the thread for calls of the shell, and keeps the goroutine on it until leave is called.
func enterShell() (leave func()) {
	runtime.LockOSThread()
	err := windows.CoInitializeEx(0, windows.COINIT_APARTMENTTHREADED|windows.COINIT_DISABLE_OLE1DDE)
	const already = syscall.Errno(1) // S_FALSE: this thread has been prepared before, which counts
	if err != nil && err != already {
		return runtime.UnlockOSThread // prepared in another way, which will do
	}
	return func() {
		windows.CoUninitialize()
		runtime.UnlockOSThread()
	}
}

// shellNumber is a property of a file or folder that is a number.
func shellNumber(path string, key propertyKey) (int32, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	var item *shellItem
	err = shellCall(procItemFromName, uintptr(unsafe.Pointer(name)), 0, uintptr(unsafe.Pointer(&shellItemID)), uintptr(unsafe.Pointer(&item)))
	if err != nil {
		return 0, err
	}
	defer syscall.SyscallN(item.methods.release, uintptr(unsafe.Pointer(item)))
	var value int32
	r, _, _ := syscall.SyscallN(item.methods.getInt32, uintptr(unsafe.Pointer(item)), uintptr(unsafe.Pointer(&key)), uintptr(unsafe.Pointer(&value)))
	return value, resultError(r)
}

// shellCall makes a call that answers with an HRESULT.
//
//go:uintptrescapes
func shellCall(p *windows.LazyProc, args ...uintptr) error {
	if err := p.Find(); err != nil {
		return err
	}
	r, _, _ := syscall.SyscallN(p.Addr(), args...)
	return resultError(r)
}

// resultError is the error of an HRESULT, nil if it is none.
func resultError(r uintptr) error {
	if int32(r) < 0 {
		return syscall.Errno(uint32(r))
	}
	return nil
}
