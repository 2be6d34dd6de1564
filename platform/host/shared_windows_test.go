package host

import (
	"os/exec"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

var testEngines = []platform.Engine{platform.EngineIOCP}

// dieWithParent needs nothing here: Tie does it.
func dieWithParent(*exec.Cmd) {}

// underWine says whether this is Wine in the place of Windows.
func underWine() bool {
	return windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
}

// notUnderWine skips what Wine cannot do.
func notUnderWine(t *testing.T, why string) {
	t.Helper()
	if underWine() {
		t.Skip("not under Wine: " + why)
	}
}

func ptr[T any](v *T) unsafe.Pointer { return unsafe.Pointer(v) }

func getHandleInformation(handle windows.Handle, flags *uint32) error {
	_, err := call(kernel32.NewProc("GetHandleInformation"), uintptr(handle), uintptr(unsafe.Pointer(flags)))
	return err
}
