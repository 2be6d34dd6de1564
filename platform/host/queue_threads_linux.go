package host

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// threadQueue has a thread for each slot, which does one pread or pwrite after the other. Requests
// and answers are handed over through words in memory and futexes. The threads tell the scheduler of
// their calls, so that one that is stuck in the kernel holds up nobody else; each has a processor of
// the scheduler to come back to, because without one it would wait for milliseconds.
type threadQueue struct {
	slots
	clock   clock
	fd      int
	threads []thread
	running sync.WaitGroup

	head     atomic.Uint32 // newest answer, as slot+1; the others hang on next. 0 is none
	sleeping atomic.Bool   // whether the owner sleeps until head changes
}

// thread is what a slot's thread shares with the queue.
type thread struct {
	state atomic.Uint32 // a futex
	next  uint32        // answer before this one, as slot+1
	off   int64
	res   int64 // bytes, or a negated error number
	took  time.Duration
	_     [64]byte // keeps neighbours out of this cache line
}

// What state of a thread says.
const (
	threadIdle uint32 = iota
	threadBusy        // there is a request
	threadQuit
)

const (
	futexWaitPrivate       = 0 | 128
	futexWakePrivate       = 1 | 128
	futexWaitBitsetPrivate = 9 | 128 // its timeout is absolute
)

// procs guards the number of processors that the scheduler has, which belongs to the whole process.
var procs sync.Mutex

func addProcs(n int) {
	procs.Lock()
	defer procs.Unlock()
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + n)
}

// newThreadQueue makes a queue that owns fd and the memory of s from then on.
func newThreadQueue(fd int, s slots, c clock) (platform.Queue, error) {
	q := &threadQueue{slots: s, clock: c, fd: fd, threads: make([]thread, len(s.slot))}
	addProcs(len(q.threads))
	for i := range q.threads {
		q.running.Go(func() { q.serve(i) })
	}
	return q, nil
}

func (q *threadQueue) Engine() platform.Engine { return platform.EngineThreads }
func (q *threadQueue) Registered() bool        { return false }

// serve does the I/O of one slot on a thread of its own, which ends with it.
func (q *threadQueue) serve(slot int) {
	runtime.LockOSThread()
	t := &q.threads[slot]
	for {
		safepoint()
		switch t.state.Load() {
		case threadIdle:
			futexWait(&t.state, threadIdle)
		case threadQuit:
			return
		default:
			q.perform(slot)
			if !t.state.CompareAndSwap(threadBusy, threadIdle) {
				return // told to quit meanwhile
			}
			q.deliver(slot)
		}
	}
}

func (q *threadQueue) perform(slot int) {
	t, s := &q.threads[slot], &q.slot[slot]
	buf := unsafe.Pointer(&q.mem[slot*q.stride])
	var n uintptr
	var errno unix.Errno
	start := q.clock.now()
	for {
		switch s.op {
		case platform.Read:
			n, _, errno = unix.Syscall6(unix.SYS_PREAD64, uintptr(q.fd), uintptr(buf), uintptr(s.n), uintptr(t.off), 0, 0)
		case platform.Write:
			n, _, errno = unix.Syscall6(unix.SYS_PWRITE64, uintptr(q.fd), uintptr(buf), uintptr(s.n), uintptr(t.off), 0, 0)
		default:
			n, errno = 0, fdatasync(q.fd)
		}
		if errno != unix.EINTR && errno != unix.EAGAIN {
			break
		}
	}
	t.took = q.clock.now() - start
	t.res = int64(n)
	if errno != 0 {
		t.res = -int64(errno)
	}
}

// deliver puts the answer before the others and wakes the owner if it sleeps.
func (q *threadQueue) deliver(slot int) {
	for {
		old := q.head.Load()
		q.threads[slot].next = old
		if q.head.CompareAndSwap(old, uint32(slot+1)) {
			break
		}
	}
	if q.sleeping.Load() {
		futexWake(&q.head)
	}
}

func (q *threadQueue) Submit(slot int, op platform.Op, off int64, n int) error {
	if err := q.take(slot, op, off, n); err != nil {
		return err
	}
	t := &q.threads[slot]
	t.off = off
	t.state.Store(threadBusy)
	futexWake(&t.state)
	return nil
}

func (q *threadQueue) Wait(until time.Duration) ([]platform.Done, error) {
	if q.closed {
		return nil, q.refuse("wait", platform.ErrClosed, "")
	}
	q.done = q.done[:0]
	for !q.reap() {
		if q.clock.now() >= until {
			break
		}
		q.sleeping.Store(true)
		futexWaitUntil(&q.head, 0, until)
		q.sleeping.Store(false)
	}
	return q.done, nil
}

// reap takes all answers and says whether there were any.
func (q *threadQueue) reap() bool {
	first := q.head.Swap(0)
	if first == 0 {
		return false
	}
	at := q.clock.now()
	for n := first; n != 0; {
		t := &q.threads[n-1]
		slot := int(n - 1)
		n = t.next
		q.finish(slot, t.res, at, t.took)
	}
	return true
}

func (q *threadQueue) Close() error {
	if q.closed {
		return q.refuse("close queue", platform.ErrClosed, "")
	}
	err := drain(q, &q.slots, q.clock.now()+drainTime)
	q.closed = true
	for i := range q.threads {
		q.threads[i].state.Store(threadQuit)
		futexWake(&q.threads[i].state)
	}
	if err != nil {
		return err // a thread is still in the kernel, with its buffer
	}
	q.running.Wait()
	addProcs(-len(q.threads))
	return opError("close queue", q.name, errors.Join(unix.Munmap(q.region), unix.Close(q.fd)))
}

// futexWait sleeps while the word has the value. It may return early; the callers look again.
func futexWait(word *atomic.Uint32, value uint32) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWaitPrivate, uintptr(value), 0, 0, 0)
}

// futexWaitUntil is futexWait that ends when CLOCK_MONOTONIC reaches until.
func futexWaitUntil(word *atomic.Uint32, value uint32, until time.Duration) {
	ts := unix.NsecToTimespec(int64(until))
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWaitBitsetPrivate, uintptr(value),
		uintptr(unsafe.Pointer(&ts)), 0, 0xffffffff)
}

// futexWake wakes the one thread that sleeps on the word. It does not block.
func futexWake(word *atomic.Uint32) {
	unix.RawSyscall(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWakePrivate, 1)
}
