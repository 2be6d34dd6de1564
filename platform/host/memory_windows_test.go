package host

import (
	"errors"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

// TestHugePages: they take a right that users do not have as a rule. With it, data moves through them.
func TestHugePages(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := made(t, t.TempDir())
	q, err := f.Queue(platform.QueueOptions{Depth: 3, Block: 1 << 20, Huge: true})
	if errors.Is(err, platform.ErrNoHugePages) {
		t.Logf("refused: %v", err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	large, err := call(procGetLargePageMinimum)
	if err != nil {
		t.Fatal(err)
	}
	if at := addressOf(q.Buf(0)); at%large != 0 {
		t.Errorf("the buffers lie at %#x", at)
	}
	q.Buf(2)[0] = 3
	for _, op := range []platform.Op{platform.Write, platform.Read} {
		if err := q.Submit(2, op, 0, 1<<20); err != nil {
			t.Fatal(err)
		}
		waitAll(t, q, 1)
		if q.Buf(2)[0] != 3 {
			t.Errorf("read back %d", q.Buf(2)[0])
		}
		clear(q.Buf(2))
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// TestMemory: what is mapped is zeroed, aligned and given back.
func TestMemory(t *testing.T) {
	mem, err := mapMemory(3*4096+1, false)
	if err != nil || len(mem) != 3*4096+1 || addressOf(mem)%4096 != 0 {
		t.Fatalf("%d bytes at %#x, %v", len(mem), addressOf(mem), err)
	}
	for i, b := range mem {
		if b != 0 {
			t.Fatalf("byte %d is %d", i, b)
		}
	}
	at := addressOf(mem)
	if err := unmapMemory(mem); err != nil {
		t.Fatal(err)
	}
	var info windows.MemoryBasicInformation
	if err := windows.VirtualQuery(at, &info, unsafe.Sizeof(info)); err != nil || info.State != memFree {
		t.Errorf("the memory is in state %#x, %v", info.State, err)
	}
}

// memFree is MEM_FREE.
const memFree = 0x10000
