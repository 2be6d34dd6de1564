package host

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// TestDeviceError takes the drive away below the file system.
func TestDeviceError(t *testing.T) {
	for _, e := range testEngines {
		t.Run(string(e), func(t *testing.T) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			dir := mounted(t, "ext4", 64<<20)
			f := made(t, dir)
			q, err := f.Queue(platform.QueueOptions{Depth: 2, Block: 1 << 20, Engine: e})
			if err != nil {
				t.Fatal(err)
			}
			if err := q.Submit(0, platform.Write, 0, 1<<20); err != nil {
				t.Fatal(err)
			}
			waitAll(t, q, 1)
			if err := f.Flush(); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(imageOf(t, dir), 4096); err != nil {
				t.Fatal(err)
			}
			if err := q.Submit(0, platform.Read, 0, 4096); err != nil {
				t.Fatal(err)
			}
			done, err := q.Wait(1 << 62)
			if err != nil || len(done) != 1 || !errors.Is(done[0].Err, platform.ErrIO) || done[0].Bytes != 0 {
				t.Errorf("%+v, error %v", done, err)
			}
			if err := q.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// imageOf is the file behind the loop device that a folder is mounted from.
func imageOf(t *testing.T, dir string) string {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if f := strings.Fields(line); len(f) > 1 && f[1] == dir {
			return command(t, "losetup", "-n", "-O", "BACK-FILE", f[0])
		}
	}
	t.Fatalf("%s is not mounted", dir)
	return ""
}

// TestAIOTriesAgain: what io_submit does not take is not lost.
func TestAIOTriesAgain(t *testing.T) {
	h, queue := testQueue(t, platform.EngineAIO, 3, 4096)
	q := queue.(*aioQueue)
	for slot := range 2 { // as send leaves a request that the kernel has no room for
		if err := q.take(slot, platform.Read, 0, 4096); err != nil {
			t.Fatal(err)
		}
		q.iocbs[slot] = aioIocb{data: uint64(slot), fildes: uint32(q.fd), opcode: aioCmdPread,
			buf: addressOf(q.Buf(slot)), nbytes: 4096}
		q.late = append(q.late, slot)
	}
	waitAll(t, q, 2)

	q.noSync = true
	start := h.Now()
	if err := q.Submit(2, platform.Flush, 0, 0); err != nil {
		t.Fatal(err)
	}
	done, err := q.Wait(start + time.Minute)
	if err != nil || len(done) != 1 || done[0].Err != nil || done[0].Op != platform.Flush || done[0].Took > h.Now()-start {
		t.Errorf("flush on a file system that does it in the foreground: %+v, error %v", done, err)
	}
}

// TestAIOWithoutRing takes the answers by system call alone.
func TestAIOWithoutRing(t *testing.T) {
	_, queue := testQueue(t, platform.EngineAIO, 2, 4096)
	q := queue.(*aioQueue)
	if q.ring == nil {
		t.Skip("the kernel's ring has another layout")
	}
	q.ring = nil
	for slot := range 2 {
		if err := q.Submit(slot, platform.Read, 0, 4096); err != nil {
			t.Fatal(err)
		}
	}
	waitAll(t, q, 2)
}

// TestURingManyTimers moves the deadline to and fro more often than the ring has room.
func TestURingManyTimers(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	h := thisHost(t)
	q, err := newQueue(pipe[0], fileInfo{name: "pipe", size: 4096, align: 1}, platform.QueueOptions{Depth: 1, Block: 512, Engine: platform.EngineURing}, h.clock)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Submit(0, platform.Read, 0, 512); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		until := h.Now() + time.Duration(200-2*i)*10*time.Microsecond
		if done, err := q.Wait(until); err != nil || len(done) != 0 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
		if late := h.Now() - until; late < 0 || late > time.Second {
			t.Fatalf("returned %v after the deadline", late)
		}
	}
	if _, err := unix.Write(pipe[1], make([]byte, 512)); err != nil {
		t.Fatal(err)
	}
	waitAll(t, q, 1)
	if err := errors.Join(q.Close(), unix.Close(pipe[0]), unix.Close(pipe[1])); err != nil {
		t.Error(err)
	}
}
