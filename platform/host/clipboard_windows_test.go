package host

import (
	"bytes"
	"image"
	"image/png"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// TestCopyPicture looks whether both forms of a picture are in the clipboard.
func TestCopyPicture(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	if err := CopyPicture(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	name, err := windows.UTF16PtrFromString("PNG")
	if err != nil {
		t.Fatal(err)
	}
	format, err := call(procRegisterFormat, uintptr(unsafe.Pointer(name)))
	if err != nil {
		t.Fatal(err)
	}
	available := user32.NewProc("IsClipboardFormatAvailable")
	for _, f := range []uintptr{format, formatDIB} {
		if _, err := call(available, f); err != nil {
			t.Errorf("format %d is not in the clipboard: %v", f, err)
		}
	}
}
