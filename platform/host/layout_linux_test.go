package host

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// TestMarks looks at files of folders that are marked.
func TestMarks(t *testing.T) {
	dir := mounted(t, "btrfs", 128<<20)
	for _, c := range []struct {
		name             string
		flags            int
		inPlace, packing bool
	}{
		{"plain", 0, false, false},
		{"in place", fsNoCOW, true, false},
		{"packed", fsCompressed, false, true},
	} {
		folder := dir + "/" + c.name
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, c.flags); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		l, err := made(t, folder).Layout()
		if err != nil || l.InPlace != c.inPlace || l.Packing != c.packing {
			t.Errorf("%s: %+v, error %v", c.name, l, err)
		}
	}
}

// TestCachedOfWhatCannotBeMapped takes a file of the kernel's, which no file system can map.
func TestCachedOfWhatCannotBeMapped(t *testing.T) {
	fd, err := unix.Open("/sys/kernel/uevent_seqnum", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip(err)
	}
	f := &file{fd: fd, info: fileInfo{name: "it", size: 4096}}
	if n, err := f.Cached(); n != 0 || !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("%d bytes, error %v", n, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
