package host

import (
	"errors"
	"fmt"
	"math"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

// iocpQueue submits with ReadFile and WriteFile on a handle of its own and takes the answers from a
// completion port of its own, all that are there with one call. What the system writes to while an I/O is
// in flight lies in one block of memory that the garbage collector does not know: buffers, then requests,
// then answers. The calls are made by their addresses, which takes neither a look-up nor an allocation.
type iocpQueue struct {
	slots
	clock    clock
	file     windows.Handle
	port     windows.Handle
	requests []overlapped
	answers  []overlappedEntry
	late     []lateIO // what is to be told, or done, by the next Wait

	timer windows.Handle // 0 where the system has none finer than its clock
	armed time.Duration  // when it ends; 0 if it does not run
	calls ioCalls
}

// lateIO is an I/O that was not handed to the system: one that it refused, or a flush, which Windows does
// not do in the background.
type lateIO struct {
	slot  int
	errno syscall.Errno // why it was refused, 0 for a flush
	took  time.Duration
}

// ioCalls are the addresses of what is called for each I/O.
type ioCalls struct{ read, write, completions, setTimer, noop uintptr }

// cancelTime is how long Close waits once more, for what it took back.
const cancelTime = 200 * time.Millisecond

// newQueue makes a queue that owns the handle from then on, also if that fails.
func newQueue(own windows.Handle, f fileInfo, o platform.QueueOptions, c clock) (platform.Queue, error) {
	const op = "make queue"
	if o.Depth < 1 || o.Block < 1 {
		err := fmt.Errorf("depth %d, block %d", o.Depth, o.Block)
		return nil, &platform.OpError{Op: op, Object: f.name, Err: errors.Join(err, windows.CloseHandle(own))}
	}
	if o.Engine != platform.EngineAuto && o.Engine != platform.EngineIOCP {
		return nil, &platform.OpError{Op: op, Object: f.name, Reason: platform.ErrUnsupported, Err: windows.CloseHandle(own)}
	}
	size := o.Depth*roundUp(o.Block) + o.Depth*int(unsafe.Sizeof(overlapped{})+unsafe.Sizeof(overlappedEntry{}))
	mem, err := mapMemory(size, o.Huge)
	if err != nil && o.Huge {
		err = errors.Join(err, windows.CloseHandle(own))
		return nil, &platform.OpError{Op: "get huge pages for", Object: f.name, Reason: platform.ErrNoHugePages, Err: err}
	}
	if err != nil {
		return nil, opError(op, f.name, errors.Join(err, windows.CloseHandle(own)))
	}
	fullSpeed()
	q := &iocpQueue{slots: newSlots(f, o, mem, mem), clock: c, file: own, late: make([]lateIO, 0, o.Depth)}
	if err := q.setUp(); err != nil {
		return nil, opError(op, f.name, errors.Join(err, q.release()))
	}
	return q, nil
}

// fullSpeed keeps the calling thread, which waits for the queue alone from now on, from being slowed down to
// save power: Windows 11 takes a process that shows no window for one that may be. Older ones cannot be asked.
func fullSpeed() {
	const powerThrottling = 3 // ThreadPowerThrottling
	state := threadPowerThrottling{version: 1, control: 1 /* THREAD_POWER_THROTTLING_EXECUTION_SPEED */}
	_, _ = call(procSetThreadInformation, uintptr(windows.CurrentThread()), powerThrottling, uintptr(unsafe.Pointer(&state)), unsafe.Sizeof(state))
}

// setUp makes what the queue needs besides file and memory.
func (q *iocpQueue) setUp() error {
	depth := len(q.slot)
	tables := q.mem[depth*q.stride:]
	q.requests = unsafe.Slice((*overlapped)(unsafe.Pointer(&tables[0])), depth)
	q.answers = unsafe.Slice((*overlappedEntry)(unsafe.Pointer(&tables[depth*int(unsafe.Sizeof(overlapped{}))])), depth)
	for _, c := range []struct {
		at   *uintptr
		proc *windows.LazyProc
	}{
		{&q.calls.read, procReadFile}, {&q.calls.write, procWriteFile}, {&q.calls.completions, procGetQueuedCompletionsEx},
		{&q.calls.setTimer, procSetWaitableTimer}, {&q.calls.noop, procGetCurrentThreadID},
	} {
		if err := c.proc.Find(); err != nil {
			return err
		}
		*c.at = c.proc.Addr()
	}
	var err error
	if q.port, err = windows.CreateIoCompletionPort(q.file, 0, 0, 1); err != nil {
		return err
	}
	// Nobody waits for the handle itself, so the system need not signal it. Without, it only takes longer.
	_ = windows.SetFileCompletionNotificationModes(q.file, windows.FILE_SKIP_SET_EVENT_ON_HANDLE)
	// Before Windows 10 1803 there is no such timer, and waits end with the system's clock.
	const highResolution, allAccess = 2, 0x1F0003
	timer, err := call(procCreateWaitableTimerEx, 0, 0, highResolution, allAccess)
	if err == nil {
		q.timer = windows.Handle(timer)
	}
	return nil
}

func (q *iocpQueue) Engine() platform.Engine { return platform.EngineIOCP }
func (q *iocpQueue) Registered() bool        { return false }

func (q *iocpQueue) Submit(slot int, op platform.Op, off int64, n int) error {
	if err := q.take(slot, op, off, n); err != nil {
		return err
	}
	if op == platform.Flush {
		q.late = append(q.late, lateIO{slot: slot})
		return nil
	}
	r := &q.requests[slot]
	*r = overlapped{offset: uint32(off), offsetHigh: uint32(uint64(off) >> 32)}
	buf := addressOf(q.mem) + uintptr(slot*q.stride)
	call := q.calls.read
	if op == platform.Write {
		call = q.calls.write
	}
	start := q.clock.now()
	q.slot[slot].start = start
	ok, _, errno := syscall.SyscallN(call, uintptr(q.file), buf, uintptr(n), 0, uintptr(unsafe.Pointer(r)))
	if ok == 0 && errno != windows.ERROR_IO_PENDING { // else the port will tell, also of what is done already
		q.late = append(q.late, lateIO{slot: slot, errno: errno, took: q.clock.now() - start})
	}
	return nil
}

func (q *iocpQueue) Wait(until time.Duration) ([]platform.Done, error) {
	if q.closed {
		return nil, q.refuse("wait", platform.ErrClosed, "")
	}
	q.done = q.done[:0]
	q.catchUp()
	if len(q.done) > 0 {
		until = math.MinInt64 // what else is there, and no wait
	}
	for {
		left := time.Duration(0)
		if now := q.clock.now(); now < until {
			left = until - now
		}
		if err := q.dequeue(left, until); err != nil {
			return nil, opError("wait", q.name, err)
		}
		if len(q.done) > 0 || left == 0 {
			return q.done, nil
		}
	}
}

// catchUp does what Submit left to do.
func (q *iocpQueue) catchUp() {
	for _, l := range q.late {
		errno, took := l.errno, l.took
		if errno == 0 {
			start := q.clock.now()
			if err := windows.FlushFileBuffers(q.file); err != nil {
				errno = errnoOf(err)
			}
			took = q.clock.now() - start
		}
		q.finish(l.slot, -int64(errno), q.clock.now(), took)
	}
	q.late = q.late[:0]
}

// errnoOf is the number of an error that a call of x/sys made of one.
func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return windows.ERROR_GEN_FAILURE
	}
	return errno
}

// dequeue takes all answers that are there, or waits for the first. It may return early.
func (q *iocpQueue) dequeue(left, until time.Duration) error {
	limit, alertable := waitMillis(left, windows.INFINITE), uintptr(0)
	if limit > 0 && limit < windows.INFINITE && q.arm(left, until) {
		limit, alertable = windows.INFINITE, 1
	}
	var n uint32
	ok, _, errno := syscall.SyscallN(q.calls.completions, uintptr(q.port), uintptr(unsafe.Pointer(&q.answers[0])), uintptr(len(q.answers)),
		uintptr(unsafe.Pointer(&n)), uintptr(limit), alertable)
	switch {
	case ok != 0:
	case errno == windows.WAIT_IO_COMPLETION: // the timer has ended
		q.armed = 0
		return nil
	case errno == syscall.Errno(windows.WAIT_TIMEOUT):
		return nil
	default:
		return errno
	}
	at, base := q.clock.now(), uintptr(unsafe.Pointer(&q.requests[0]))
	for i := range q.answers[:n] {
		a := &q.answers[i]
		slot := int((a.overlapped - base) / unsafe.Sizeof(overlapped{}))
		res := int64(a.bytes)
		if a.failed() {
			res = -int64(windows.NTStatus(a.status).Errno())
		}
		q.finish(slot, res, at, at-q.slot[slot].start)
	}
	return nil
}

// arm has a timer end the wait at until, and says whether there is one. The time limit of the wait itself is
// counted in ticks of the system's clock, up to 15.6 ms. The timer ends the wait because the system then
// calls a function on this thread; which one does not matter. Callers name the same end thousands of times,
// and a timer that runs costs nothing, so it is only changed for an earlier one; one that ends too early
// is followed by another.
func (q *iocpQueue) arm(left, until time.Duration) bool {
	if q.timer == 0 {
		return false
	}
	if q.armed != 0 && q.armed <= until {
		return true
	}
	due := dueIn(left)
	ok, _, _ := syscall.SyscallN(q.calls.setTimer, uintptr(q.timer), uintptr(unsafe.Pointer(&due)), 0, q.calls.noop, 0, 0)
	q.armed = 0
	if ok != 0 {
		q.armed = until
	}
	return ok != 0
}

// Close takes back what the device does not answer in time. What does not come back even then keeps its
// memory, since the system may still write to it.
func (q *iocpQueue) Close() error {
	if q.closed {
		return q.refuse("close queue", platform.ErrClosed, "")
	}
	err := drain(q, &q.slots, q.clock.now()+drainTime)
	if err != nil {
		_ = windows.CancelIoEx(q.file, nil) // that there is nothing to take back shows in what follows
		if drain(q, &q.slots, q.clock.now()+cancelTime) != nil {
			q.closed = true
			return err
		}
	}
	q.closed = true
	return errors.Join(err, opError("close queue", q.name, q.release()))
}

// release gives everything back.
func (q *iocpQueue) release() error {
	var errs []error
	for _, h := range []windows.Handle{q.timer, q.port, q.file} {
		if h != 0 {
			errs = append(errs, windows.CloseHandle(h))
		}
	}
	return errors.Join(append(errs, unmapMemory(q.region))...)
}
