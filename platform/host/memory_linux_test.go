package host

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"cachecliff/platform"
)

// TestHugePages moves data through buffers in huge pages with each engine, and asks the kernel whether
// they are.
func TestHugePages(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := made(t, t.TempDir())
	for _, e := range testEngines {
		q, err := f.Queue(platform.QueueOptions{Depth: 3, Block: 1 << 20, Engine: e, Huge: true})
		if err != nil {
			t.Fatalf("%s: %v (huge pages need Linux 6.1)", e, err)
		}
		at := uintptr(unsafe.Pointer(&q.Buf(0)[0]))
		if at%hugePage != 0 {
			t.Errorf("%s: the buffers lie at %#x", e, at)
		}
		if got := hugeAt(t, at); got != 4<<20 {
			t.Errorf("%s: %d bytes of 3 buffers of 1 MiB lie in huge pages, want 4 MiB", e, got)
		}
		for slot := range 3 {
			q.Buf(slot)[0] = byte(slot + 1)
		}
		for _, op := range []platform.Op{platform.Write, platform.Read} {
			if err := q.Submit(2, op, 0, 1<<20); err != nil {
				t.Fatal(err)
			}
			waitAll(t, q, 1)
			if q.Buf(2)[0] != 3 {
				t.Errorf("%s: read back %d", e, q.Buf(2)[0])
			}
			clear(q.Buf(2))
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
		if got := hugeAt(t, at); got != 0 {
			t.Errorf("%s: %d bytes are left when the queue is closed", e, got)
		}
	}
}

// hugeAt is how many bytes of the mapping around an address lie in huge pages, 0 if nothing is mapped there.
func hugeAt(t *testing.T, at uintptr) int {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	within := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			within = from <= at && at < to
		}
		var kib int
		if n, _ := fmt.Sscanf(strings.TrimSpace(lines.Text()), "AnonHugePages: %d kB", &kib); n == 1 && within {
			return kib << 10
		}
	}
	return 0
}
