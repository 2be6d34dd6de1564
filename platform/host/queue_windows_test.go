package host

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

// pipe is a pipe whose reading end answers in its own time, and its writing end.
func pipe(t *testing.T) (reader, writer windows.Handle) {
	t.Helper()
	name, err := windows.UTF16PtrFromString(`\\.\pipe\cachecliff-` + filepath.Base(t.TempDir()) + "-" + strings.ReplaceAll(t.Name(), "/", "-"))
	if err != nil {
		t.Fatal(err)
	}
	const overlapped = windows.FILE_FLAG_OVERLAPPED | windows.FILE_FLAG_FIRST_PIPE_INSTANCE
	reader, err = windows.CreateNamedPipe(name, windows.PIPE_ACCESS_INBOUND|overlapped, windows.PIPE_TYPE_BYTE, 1, 4096, 4096, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	writer, err = windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(errors.Join(err, windows.CloseHandle(reader)))
	}
	return reader, writer
}

// pipeQueue is a queue on the reading end of a pipe; the test stays on its thread.
func pipeQueue(t *testing.T, depth int) (h *Host, q *iocpQueue, writer windows.Handle) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	h = thisHost(t)
	reader, writer := pipe(t)
	made, err := newQueue(reader, fileInfo{name: "pipe", size: 4096, align: 1}, platform.QueueOptions{Depth: depth, Block: 512}, h.clock)
	if err != nil {
		t.Fatal(err)
	}
	return h, made.(*iocpQueue), writer
}

func write(t *testing.T, pipe windows.Handle, n int) {
	t.Helper()
	var written uint32
	if err := windows.WriteFile(pipe, make([]byte, n), &written, nil); err != nil || int(written) != n {
		t.Fatalf("%d bytes written, %v", written, err)
	}
}

// oneDone takes the only answer there is.
func oneDone(t *testing.T, q platform.Queue) platform.Done {
	t.Helper()
	done, err := q.Wait(math.MaxInt64)
	if err != nil || len(done) != 1 {
		t.Fatalf("%d answers, error %v", len(done), err)
	}
	return done[0]
}

// TestDeadline waits for a pipe that stays empty, with the timer and without.
func TestDeadline(t *testing.T) {
	for name, timer := range map[string]bool{"timer": true, "clock of the system": false} {
		t.Run(name, func(t *testing.T) {
			h, q, writer := pipeQueue(t, 2)
			if q.timer == 0 {
				t.Fatal("no timer of high resolution, which Windows has had since 2018")
			}
			if timer := q.timer; name != "timer" {
				q.timer = 0
				defer windows.CloseHandle(timer)
			}
			if err := q.Submit(0, platform.Read, 0, 512); err != nil {
				t.Fatal(err)
			}
			for _, d := range []time.Duration{20 * time.Millisecond, time.Millisecond, 40 * time.Millisecond, 300 * time.Microsecond, 0, -time.Hour} {
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
			if armed := q.armed != 0; armed {
				t.Errorf("timer %t: it runs although it has ended", timer)
			}
			write(t, writer, 512)
			waitAll(t, q, 1)
			if err := errors.Join(q.Close(), windows.CloseHandle(writer)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestArmsOnce: a wait to the same end must not set a timer each time, and an earlier end counts.
func TestArmsOnce(t *testing.T) {
	h, q, writer := pipeQueue(t, 1)
	read := func(until time.Duration) {
		t.Helper()
		if err := q.Submit(0, platform.Read, 0, 512); err != nil {
			t.Fatal(err)
		}
		write(t, writer, 512)
		if done, err := q.Wait(until); err != nil || len(done) != 1 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
	}
	end := h.Now() + time.Minute
	for _, step := range []struct{ until, armed time.Duration }{
		{math.MaxInt64, 0}, // a wait without an end
		{end, end},
		{end, end},
		{end + time.Minute, end},
		{end - time.Second, end - time.Second},
		{end, end - time.Second},
		{math.MaxInt64, end - time.Second},
	} {
		read(step.until)
		if q.armed != step.armed {
			t.Errorf("waiting until %v: the timer ends at %v, want %v", step.until, q.armed, step.armed)
		}
	}
	if err := errors.Join(q.Close(), windows.CloseHandle(writer)); err != nil {
		t.Error(err)
	}
}

// TestManyDeadlines moves the deadline to and fro.
func TestManyDeadlines(t *testing.T) {
	h, q, writer := pipeQueue(t, 1)
	if err := q.Submit(0, platform.Read, 0, 512); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		until := h.Now() + time.Duration(i*37%100)*30*time.Microsecond
		if done, err := q.Wait(until); err != nil || len(done) != 0 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
		if late := h.Now() - until; late < 0 || late > time.Second {
			t.Fatalf("returned %v after the deadline", late)
		}
	}
	write(t, writer, 512)
	waitAll(t, q, 1)
	if err := errors.Join(q.Close(), windows.CloseHandle(writer)); err != nil {
		t.Error(err)
	}
}

// TestBatch: what is done together is told together, with one time.
func TestBatch(t *testing.T) {
	h, q, writer := pipeQueue(t, 4)
	for slot := range 4 {
		if err := q.Submit(slot, platform.Read, 0, 512); err != nil {
			t.Fatal(err)
		}
	}
	write(t, writer, 4*512)
	seen := map[int]bool{}
	for len(seen) < 4 {
		done, err := q.Wait(math.MaxInt64)
		if err != nil || len(done) == 0 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
		for _, d := range done {
			if seen[d.Slot] || d.Err != nil || d.Bytes != 512 || d.At != done[0].At || d.At > h.Now() {
				t.Errorf("%+v", d)
			}
			seen[d.Slot] = true
		}
	}
	if err := errors.Join(q.Close(), windows.CloseHandle(writer)); err != nil {
		t.Error(err)
	}
}

// TestShortIO: fewer bytes than asked for are an error, and are counted.
func TestShortIO(t *testing.T) {
	_, q, writer := pipeQueue(t, 1)
	if err := q.Submit(0, platform.Read, 0, 512); err != nil {
		t.Fatal(err)
	}
	write(t, writer, 100)
	if d := oneDone(t, q); !errors.Is(d.Err, platform.ErrShortIO) || d.Bytes != 100 {
		t.Errorf("%+v", d)
	}
	if err := errors.Join(q.Close(), windows.CloseHandle(writer)); err != nil {
		t.Error(err)
	}
}

// TestFailsInFlight: an I/O that the system took and could not do.
func TestFailsInFlight(t *testing.T) {
	_, q, writer := pipeQueue(t, 1)
	if err := q.Submit(0, platform.Read, 0, 512); err != nil {
		t.Fatal(err)
	}
	if err := windows.CloseHandle(writer); err != nil {
		t.Fatal(err)
	}
	if d := oneDone(t, q); !errors.Is(d.Err, windows.ERROR_BROKEN_PIPE) || d.Bytes != 0 {
		t.Errorf("%+v", d)
	}
	// Now the system refuses at once. That must not be lost, nor told twice, nor block the slot.
	for range 2 {
		if err := q.Submit(0, platform.Read, 0, 512); err != nil {
			t.Fatal(err)
		}
		if d := oneDone(t, q); !errors.Is(d.Err, windows.ERROR_BROKEN_PIPE) || d.Took <= 0 {
			t.Errorf("%+v", d)
		}
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// TestRefusedWithOthers: while one I/O is in flight another is refused.
func TestRefusedWithOthers(t *testing.T) {
	_, q, writer := pipeQueue(t, 2)
	for slot, op := range []platform.Op{platform.Read, platform.Write} { // the end is for reading only
		if err := q.Submit(slot, op, 0, 512); err != nil {
			t.Fatal(err)
		}
	}
	if d := oneDone(t, q); d.Slot != 1 || d.Op != platform.Write || !errors.Is(d.Err, platform.ErrPermission) {
		t.Errorf("%+v", d)
	}
	write(t, writer, 512)
	if d := oneDone(t, q); d.Slot != 0 || d.Err != nil || d.Bytes != 512 {
		t.Errorf("%+v", d)
	}
	if err := errors.Join(q.Close(), windows.CloseHandle(writer)); err != nil {
		t.Error(err)
	}
}

// TestCloseTakesBack: a device that does not answer, but lets go of the request.
func TestCloseTakesBack(t *testing.T) {
	h, q, writer := pipeQueue(t, 2)
	if err := q.Submit(1, platform.Read, 0, 512); err != nil {
		t.Fatal(err)
	}
	start := h.Now()
	if err := q.Close(); !errors.Is(err, platform.ErrStalled) {
		t.Errorf("close: %v", err)
	}
	if took := h.Now() - start; took < drainTime || took > drainTime+time.Second {
		t.Errorf("close took %v", took)
	}
	if q.pending != 0 {
		t.Errorf("%d requests were not taken back", q.pending)
	}
	if err := windows.CloseHandle(q.file); err == nil {
		t.Error("the handle is still open")
	}
	if err := q.Submit(0, platform.Read, 0, 512); !errors.Is(err, platform.ErrClosed) {
		t.Errorf("submit after close: %v", err)
	}
	if err := windows.CloseHandle(writer); err != nil {
		t.Error(err)
	}
}

// TestCloseAbandons: a request that never comes back keeps its memory.
func TestCloseAbandons(t *testing.T) {
	_, q, writer := pipeQueue(t, 2)
	if err := q.take(0, platform.Read, 0, 512); err != nil { // in flight, as far as the queue knows
		t.Fatal(err)
	}
	mem := q.Buf(0)
	if err := q.Close(); !errors.Is(err, platform.ErrStalled) {
		t.Errorf("close: %v", err)
	}
	mem[511] = 1 // as the device may do
	if q.Buf(0) != nil {
		t.Error("a closed queue lends buffers")
	}
	if err := q.Close(); !errors.Is(err, platform.ErrClosed) {
		t.Errorf("close again: %v", err)
	}
	if err := errors.Join(windows.CloseHandle(writer), windows.CloseHandle(q.port), windows.CloseHandle(q.timer), windows.CloseHandle(q.file), unmapMemory(q.region)); err != nil {
		t.Error(err)
	}
}

// TestShrunkFile: the file ends before what is read.
func TestShrunkFile(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := made(t, t.TempDir())
	q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 8192})
	if err != nil {
		t.Fatal(err)
	}
	if err := reserve(f.handle, 4096); err != nil {
		t.Fatal(err)
	}
	for off, bytes := range map[int64]int{0: 4096, 65536: 0} {
		if err := q.Submit(0, platform.Read, off, 8192); err != nil {
			t.Fatal(err)
		}
		if d := oneDone(t, q); !errors.Is(d.Err, platform.ErrShortIO) || d.Bytes != bytes {
			t.Errorf("at %d: %+v", off, d)
		}
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// TestClosedFileIsNotMixedUp closes the file below a queue and lets another take its handle.
func TestClosedFileIsNotMixedUp(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dir := t.TempDir()
	f := made(t, dir)
	q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 4096})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := os.Create(filepath.Join(dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, op := range []platform.Op{platform.Write, platform.Flush, platform.Read} {
		if err := q.Submit(0, op, 0, 4096); err != nil {
			t.Fatal(err)
		}
		waitAll(t, q, 1)
	}
	if st, err := other.Stat(); err != nil || st.Size() != 0 {
		t.Errorf("another file got the data: %v, error %v", st.Size(), err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.Name()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file stays when its last handle is closed: %v", err)
	}
}

// TestFullDisk writes to a device of Linux that is always full, which Wine has.
func TestFullDisk(t *testing.T) {
	if !underWine() {
		t.Skip("no device that is always full")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	handle, err := openPath(`Z:\dev\full`, windows.GENERIC_READ|windows.GENERIC_WRITE, shareAll, windows.OPEN_EXISTING, windows.FILE_FLAG_OVERLAPPED)
	if err != nil {
		t.Fatal(err)
	}
	h := thisHost(t)
	q, err := newQueue(handle, fileInfo{name: "full", size: 1 << 20, align: 1}, platform.QueueOptions{Depth: 2, Block: 4096}, h.clock)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := q.Submit(0, platform.Write, 0, 4096); err != nil {
			t.Fatal(err)
		}
		if d := oneDone(t, q); !errors.Is(d.Err, platform.ErrNoSpace) || d.Bytes != 0 {
			t.Errorf("%+v", d)
		}
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}

// TestWrongQueues: what is asked for cannot be.
func TestWrongQueues(t *testing.T) {
	f := made(t, t.TempDir())
	for _, o := range []platform.QueueOptions{
		{Depth: 0, Block: 4096}, {Depth: 1, Block: 0}, {Depth: 1, Block: 4096, Engine: platform.EngineURing},
	} {
		q, err := f.Queue(o)
		if err == nil {
			t.Errorf("%+v: %v", o, q.Close())
		}
		if o.Engine != platform.EngineAuto && !errors.Is(err, platform.ErrUnsupported) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
