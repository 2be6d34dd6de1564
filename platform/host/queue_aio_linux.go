package host

import (
	"errors"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// aioQueue submits with io_submit, one request a call, and takes the answers from the ring that the
// kernel maps into the process, so that io_getevents is called only to sleep.
type aioQueue struct {
	slots
	ctx    uintptr
	ring   *aioRing // nil if its layout is not the known one
	clock  clock
	fd     int
	page   []byte // the three tables below
	iocbs  []aioIocb
	ptrs   []uint64 // addresses of iocbs
	events []aioEvent
	late   []int // slots that the kernel did not take; Wait tries again
	noSync bool  // the file system has no asynchronous fdatasync (before 4.18)
}

// newAIOQueue makes a queue that owns fd and the memory of s from then on.
func newAIOQueue(fd int, s slots, c clock) (platform.Queue, error) {
	depth := len(s.slot)
	sizes := [...]int{depth * int(unsafe.Sizeof(aioIocb{})), depth * 8, depth * int(unsafe.Sizeof(aioEvent{}))}
	page, err := mapMemory(roundUp(sizes[0] + sizes[1] + sizes[2]))
	if err != nil {
		return nil, err
	}
	q := &aioQueue{slots: s, clock: c, fd: fd, page: page, late: make([]int, 0, depth)}
	if _, _, errno := unix.Syscall(unix.SYS_IO_SETUP, uintptr(depth), uintptr(unsafe.Pointer(&q.ctx)), 0); errno != 0 {
		return nil, errors.Join(errno, unix.Munmap(page))
	}
	q.iocbs = unsafe.Slice((*aioIocb)(unsafe.Pointer(&page[0])), depth)
	q.ptrs = unsafe.Slice((*uint64)(unsafe.Pointer(&page[sizes[0]])), depth)
	q.events = unsafe.Slice((*aioEvent)(unsafe.Pointer(&page[sizes[0]+sizes[1]])), depth)
	for i := range q.ptrs {
		q.ptrs[i] = uint64(uintptr(unsafe.Pointer(&q.iocbs[i])))
	}
	// The context is the address of the ring.
	ring := *(**aioRing)(unsafe.Pointer(&q.ctx))
	if ring.magic == aioRingMagic && ring.incompat == 0 && ring.headerLen == uint32(unsafe.Sizeof(aioRing{})) {
		q.ring = ring
	}
	return q, nil
}

func (q *aioQueue) Engine() platform.Engine { return platform.EngineAIO }
func (q *aioQueue) Registered() bool        { return false }

func (q *aioQueue) Submit(slot int, op platform.Op, off int64, n int) error {
	if err := q.take(slot, op, off, n); err != nil {
		return err
	}
	e := aioIocb{data: uint64(slot), fildes: uint32(q.fd)}
	switch op {
	case platform.Flush:
		e.opcode = aioCmdFdsync
	case platform.Write:
		e.opcode = aioCmdPwrite
	default:
		e.opcode = aioCmdPread
	}
	if op != platform.Flush {
		e.buf = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(q.mem)))) + uint64(slot*q.stride)
		e.nbytes, e.offset = uint64(n), off
	}
	q.iocbs[slot] = e
	if errno := q.send(slot); errno != 0 {
		q.drop(slot)
		return opError("submit", q.name, errno)
	}
	return nil
}

// send hands one request over. What the kernel cannot take now is left to Wait.
func (q *aioQueue) send(slot int) unix.Errno {
	flush := q.slot[slot].op == platform.Flush
	if flush && q.noSync {
		q.late = append(q.late, slot)
		return 0
	}
	for {
		safepoint()
		q.slot[slot].start = q.clock.now()
		_, _, errno := unix.RawSyscall(unix.SYS_IO_SUBMIT, q.ctx, 1, uintptr(unsafe.Pointer(&q.ptrs[slot])))
		switch {
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			q.late = append(q.late, slot)
			return 0
		case errno == unix.EINVAL && flush:
			q.noSync = true
			q.late = append(q.late, slot)
			return 0
		default:
			return errno
		}
	}
}

// again deals with what the kernel did not take: it is offered once more, and a flush that the
// file system does not do in the background is done here.
func (q *aioQueue) again() {
	late := q.late
	q.late = q.late[:0]
	for _, slot := range late { // send writes to the part of late that was read already
		var errno unix.Errno
		start := q.clock.now()
		done := q.slot[slot].op == platform.Flush && q.noSync
		if done {
			errno = fdatasync(q.fd)
		} else {
			errno = q.send(slot)
		}
		if done || errno != 0 {
			at := q.clock.now()
			q.finish(slot, -int64(errno), at, at-start)
		}
	}
}

// fdatasync is the system call, repeated if a signal ends it.
func fdatasync(fd int) unix.Errno {
	for {
		if _, _, errno := unix.Syscall(unix.SYS_FDATASYNC, uintptr(fd), 0, 0); errno != unix.EINTR {
			return errno
		}
	}
}

func (q *aioQueue) Wait(until time.Duration) ([]platform.Done, error) {
	if q.closed {
		return nil, q.refuse("wait", platform.ErrClosed, "")
	}
	q.done = q.done[:0]
	for {
		q.again()
		if q.reap() || len(q.done) > 0 {
			break
		}
		left := until - q.clock.now()
		if err := q.sleep(max(left, 0)); err != nil {
			return nil, err
		}
		if len(q.done) > 0 || left <= 0 {
			break
		}
	}
	return q.done, nil
}

// reap takes the answers that lie in the ring and says whether there were any.
func (q *aioQueue) reap() bool {
	if q.ring == nil {
		return false
	}
	head, tail := q.ring.head, atomic.LoadUint32(&q.ring.tail)
	if head == tail {
		return false
	}
	events := unsafe.Slice((*aioEvent)(unsafe.Add(unsafe.Pointer(q.ring), unsafe.Sizeof(aioRing{}))), q.ring.nr)
	at := q.clock.now()
	for head != tail {
		q.answer(&events[head], at)
		if head++; head >= q.ring.nr {
			head = 0
		}
	}
	atomic.StoreUint32(&q.ring.head, head)
	return true
}

// sleep waits until there is an answer, at most for left.
func (q *aioQueue) sleep(left time.Duration) error {
	if len(q.late) > 0 {
		left = min(left, time.Millisecond)
	}
	safepoint()
	ts := unix.NsecToTimespec(int64(left))
	n, _, errno := unix.RawSyscall6(unix.SYS_IO_GETEVENTS, q.ctx, 1, uintptr(len(q.events)),
		uintptr(unsafe.Pointer(&q.events[0])), uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		if errno == unix.EINTR {
			return nil
		}
		return opError("wait", q.name, errno)
	}
	at := q.clock.now()
	for i := range int(n) {
		q.answer(&q.events[i], at)
	}
	return nil
}

func (q *aioQueue) answer(e *aioEvent, at time.Duration) {
	slot := int(e.data)
	q.finish(slot, e.res, at, at-q.slot[slot].start)
}

func (q *aioQueue) Close() error {
	if q.closed {
		return q.refuse("close queue", platform.ErrClosed, "")
	}
	err := drain(q, &q.slots, q.clock.now()+drainTime)
	q.closed = true
	if err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_IO_DESTROY, q.ctx, 0, 0); errno != 0 {
		err = errno
	}
	return opError("close queue", q.name, errors.Join(err, unix.Munmap(q.page), unix.Munmap(q.region), unix.Close(q.fd)))
}
