package host

import (
	"errors"
	"testing"
	"unsafe"

	"cachecliff/platform"
)

// The number of the call holds the size of its structure.
func TestFitrimLayout(t *testing.T) {
	if size := unsafe.Sizeof(fstrimRange{}); size != fitrim>>16&0x3FFF {
		t.Errorf("the structure has %d bytes, the call says %d", size, fitrim>>16&0x3FFF)
	}
}

// A file system in memory has no drive that could be told.
func TestTrimFreeRefused(t *testing.T) {
	h := thisHost(t)
	for path, want := range map[string]error{"/proc": platform.ErrUnsupported, "/nowhere": platform.ErrNotExist} {
		_, err := h.TrimFree(t.Context(), platform.Target{Path: path})
		if !errors.Is(err, want) && !errors.Is(err, platform.ErrPermission) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}
