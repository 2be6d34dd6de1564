package host

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

var testEngines = []platform.Engine{platform.EngineURing, platform.EngineAIO, platform.EngineThreads}

// TestURingHoldsTheLast: the I/O that fills the queue goes with the system call of Wait.
func TestURingHoldsTheLast(t *testing.T) {
	_, queue := testQueue(t, platform.EngineURing, 2, 4096)
	q := queue.(*uringQueue)
	for slot, want := range []uint32{0, 1} {
		if err := q.Submit(slot, platform.Read, 0, 4096); err != nil {
			t.Fatal(err)
		}
		if got := q.ring.unsent(); got != want {
			t.Errorf("%d requests wait after the submission on slot %d, want %d", got, slot, want)
		}
	}
	waitAll(t, q, 2)
}

// TestURingArmsOnce: a wait to the same end must not cost a timer each time, and an earlier end counts.
func TestURingArmsOnce(t *testing.T) {
	h, queue := testQueue(t, platform.EngineURing, 1, 4096)
	q := queue.(*uringQueue)
	read := func(until time.Duration) {
		t.Helper()
		if err := q.Submit(0, platform.Read, 0, 4096); err != nil {
			t.Fatal(err)
		}
		if done, err := q.Wait(until); err != nil || len(done) != 1 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
	}
	before := q.timer
	until := h.Now() + time.Minute
	for range 50 {
		read(until)
	}
	if n := q.timer - before; n > 1 {
		t.Errorf("%d timers for one end", n)
	}
	read(until + time.Minute)
	if n := q.timer - before; n > 1 {
		t.Error("a later end armed a timer although the earlier one is in flight")
	}
	read(until - time.Second)
	if q.armed != until-time.Second {
		t.Errorf("the timer ends at %v, want %v", q.armed, until-time.Second)
	}
}

// TestURingDeadline waits for a pipe that stays empty: nothing is ever completed.
func TestURingDeadline(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := fileInfo{name: "pipe", size: 4096, align: 1}
	q, err := newQueue(pipe[0], f, platform.QueueOptions{Depth: 2, Block: 512, Engine: platform.EngineURing}, h.clock)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Submit(0, platform.Read, 0, 512); err != nil {
		t.Fatal(err)
	}
	for _, d := range []time.Duration{20 * time.Millisecond, time.Millisecond, 40 * time.Millisecond, 0, -time.Hour} {
		start := h.Now()
		done, err := q.Wait(start + d)
		took := h.Now() - start
		if err != nil || len(done) != 0 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
		if took < d || took > max(d, 0)+500*time.Millisecond {
			t.Errorf("a wait of %v took %v", d, took)
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

// TestClosedFileIsNotMixedUp closes the file below a queue and lets another take its number.
func TestClosedFileIsNotMixedUp(t *testing.T) {
	for _, e := range testEngines {
		t.Run(string(e), func(t *testing.T) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			dir := t.TempDir()
			f := made(t, dir)
			q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096, Engine: e})
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			other, err := os.Create(dir + "/other")
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			if err := q.Submit(0, platform.Write, 0, 4096); err != nil {
				t.Fatal(err)
			}
			waitAll(t, q, 1)
			if st, err := other.Stat(); err != nil || st.Size() != 0 {
				t.Errorf("another file got the data: %v, error %v", st.Size(), err)
			}
			if err := q.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestUnprivileged runs the suite as a user who may lock only little memory.
func TestUnprivileged(t *testing.T) {
	if dir := os.Getenv(helperTask); dir != "" {
		helpUnprivileged(t, dir)
		return
	}
	needRoot(t)
	dir := t.TempDir()
	for _, d := range []string{dir, dir + "/.."} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const nobody = 65534
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestUnprivileged$", "-test.v")
	cmd.Env = append(os.Environ(), helperTask+"="+dir, "TMPDIR="+dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestUnprivileged") {
		t.Errorf("%v\n%s", err, out)
	}
	empty(t, dir)
}

func helpUnprivileged(t *testing.T, dir string) {
	limit := unix.Rlimit{Cur: 8 << 20, Max: 8 << 20}
	if err := unix.Setrlimit(unix.RLIMIT_MEMLOCK, &limit); err != nil {
		t.Fatal(err)
	}
	f := made(t, dir)
	for _, c := range []struct {
		block      int
		registered bool
	}{{4096, true}, {1 << 20, false}} {
		runtime.LockOSThread()
		q, err := f.Queue(platform.QueueOptions{Depth: 16, Block: c.block, Engine: platform.EngineURing})
		if err != nil {
			t.Fatal(err)
		}
		if q.Registered() != c.registered {
			t.Errorf("16 buffers of %d bytes: registered %v", c.block, q.Registered())
		}
		for _, op := range []platform.Op{platform.Write, platform.Read, platform.Flush} {
			if err := q.Submit(15, op, 0, 4096); err != nil {
				t.Fatal(err)
			}
			waitAll(t, q, 1)
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := thisHost(t).Create(platform.Target{Path: "/root"}, platform.CreateOptions{Size: 1}); !errors.Is(err, platform.ErrPermission) {
		t.Errorf("in another user's folder: %v", err)
	}
}

// TestForbidden forbids engines as a container does and looks what is used in their place.
func TestForbidden(t *testing.T) {
	if task := os.Getenv(helperTask); task != "" {
		helpForbidden(t, task)
		return
	}
	for task, want := range map[string]string{
		"io_uring": "auto=libaio io_uring=not supported here libaio=libaio threads=threads",
		"both":     "auto=threads io_uring=not supported here libaio=not supported here threads=threads",
	} {
		line, kill := helper(t, "TestForbidden", task)
		kill()
		if line != want {
			t.Errorf("%s forbidden: %s\nwant %s", task, line, want)
		}
	}
}

func helpForbidden(t *testing.T, task string) {
	calls := []uint32{unix.SYS_IO_URING_SETUP}
	if task == "both" {
		calls = append(calls, unix.SYS_IO_SETUP)
	}
	forbid(t, calls)
	f := made(t, t.TempDir())
	var said []string
	for _, e := range append([]platform.Engine{platform.EngineAuto}, testEngines...) {
		q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096, Engine: e})
		answer := "not supported here"
		if err == nil {
			answer = string(q.Engine())
		} else if !errors.Is(err, platform.ErrUnsupported) || !errors.Is(err, unix.EPERM) {
			t.Errorf("%s: %v", e, err)
		}
		if e == platform.EngineAuto {
			e = "auto"
		}
		said = append(said, fmt.Sprintf("%s=%s", e, answer))
	}
	fmt.Println(strings.Join(said, " "))
	hang()
}

// forbid makes system calls fail with EPERM in this process, by a seccomp filter on all its threads.
func forbid(t *testing.T, calls []uint32) {
	t.Helper()
	const ret = unix.BPF_RET | unix.BPF_K
	code := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number of the call
	for _, c := range calls {
		code = append(code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: c},
			unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)})
	}
	code = append(code, unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW})
	filter := &unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(filter)))
	if errno != 0 {
		t.Skipf("no seccomp: %v", errno)
	}
}
