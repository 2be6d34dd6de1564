package host

import (
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Calls of the clipboard that x/sys does not name.
var (
	user32               = windows.NewLazySystemDLL("user32.dll")
	procOpenClipboard    = user32.NewProc("OpenClipboard")
	procCloseClipboard   = user32.NewProc("CloseClipboard")
	procEmptyClipboard   = user32.NewProc("EmptyClipboard")
	procSetClipboardData = user32.NewProc("SetClipboardData")
	procRegisterFormat   = user32.NewProc("RegisterClipboardFormatW")
	procGlobalAlloc      = kernel32.NewProc("GlobalAlloc")
	procGlobalFree       = kernel32.NewProc("GlobalFree")
	procGlobalLock       = kernel32.NewProc("GlobalLock")
	procGlobalUnlock     = kernel32.NewProc("GlobalUnlock")
)

const (
	formatDIB     = 8 // CF_DIB (winuser.h)
	memoryMovable = 2 // GMEM_MOVEABLE (winbase.h): what the clipboard takes
)

// CopyPicture puts a PNG picture into the clipboard, once as it is, which keeps what else is in it, and once as the
// pixels that every program takes.
func CopyPicture(picture []byte) error {
	pixels, err := dib(picture)
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString("PNG")
	if err != nil {
		return opError(copyOp, "PNG", err)
	}
	runtime.LockOSThread() // the clipboard is open for a thread
	defer runtime.UnlockOSThread()
	if err := openClipboard(); err != nil {
		return opError(copyOp, "a picture", err)
	}
	defer func() { _, _ = call(procCloseClipboard) }() // it is filled by then
	if _, err := call(procEmptyClipboard); err != nil {
		return opError(copyOp, "a picture", err)
	}
	format, err := call(procRegisterFormat, uintptr(unsafe.Pointer(name)))
	if err == nil {
		err = setClipboard(format, picture)
	}
	if err == nil {
		err = setClipboard(formatDIB, pixels)
	}
	if err != nil {
		return opError(copyOp, "a picture", err)
	}
	return nil
}

// openClipboard waits for a moment while another program has it.
func openClipboard() (err error) {
	for range 20 {
		if _, err = call(procOpenClipboard, 0); err == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

// setClipboard gives the clipboard memory with data in a format. The clipboard owns it from then on.
func setClipboard(format uintptr, data []byte) error {
	memory, err := call(procGlobalAlloc, memoryMovable, uintptr(len(data)))
	if err != nil {
		return err
	}
	at, err := call(procGlobalLock, memory)
	if err == nil {
		// The address is of memory that the system gave, so it does not move.
		copy(unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), len(data)), data)
		_, _ = call(procGlobalUnlock, memory) // answers 0 when all is well, too
		_, err = call(procSetClipboardData, format, memory)
	}
	if err != nil {
		_, _ = call(procGlobalFree, memory) // it answers 0 when it worked
	}
	return err
}
