package host

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// uringQueue submits on io_uring, one request a system call: handed over in larger batches the
// kernel would merge neighbours, and the drive would see other I/O than was asked for. The request
// that fills the queue waits for the call of Wait, which saves a call. A thread that goes to sleep in the call
// that submitted is woken on another processor more often, which costs more than the call where one I/O
// follows the other: whoever keeps a queue of one should settle its thread (platform.Settler).
type uringQueue struct {
	slots
	ring       *uring
	clock      clock
	fd         int
	page       []byte // what is handed to the kernel by address: the timeout, the tables
	sqeFD      int32
	sqeFlags   uint8
	registered bool
	held       int           // slot that waits for the call of Wait, or -1
	latest     time.Duration // the newest time that was read

	timespec *kernelTimespec // in memory that the kernel may read
	timer    uint32          // number of the newest timeout
	armed    time.Duration   // when it ends; 0 if none is in flight
}

// Two kinds of requests have no slot.
const (
	uringTimer  = 1 << 32 // with the number of the timeout
	uringRemove = 1 << 33
)

// uringSpare is the room in the ring for a timeout and the removal of another.
const uringSpare = 2

// newURingQueue makes a queue that owns fd and the memory of s from then on.
func newURingQueue(fd int, s slots, c clock) (platform.Queue, error) {
	ring, err := newURing(len(s.slot) + uringSpare)
	if err != nil {
		return nil, err
	}
	page, err := mapMemory(roundUp(64 + len(s.slot)*int(unsafe.Sizeof(kernelIovec{}))))
	if err != nil {
		return nil, errors.Join(err, ring.close(false))
	}
	q := &uringQueue{slots: s, ring: ring, clock: c, fd: fd, page: page, sqeFD: int32(fd), held: -1}
	q.timespec = (*kernelTimespec)(unsafe.Pointer(&page[0]))
	q.register()
	return q, nil
}

// register makes the file and the buffers known to the kernel, which then need not be looked up for
// each I/O. Without privilege the buffers may exceed the limit of locked memory; then each request
// names its buffer, and Registered says so.
func (q *uringQueue) register() {
	file := (*int32)(unsafe.Pointer(&q.page[32]))
	*file = int32(q.fd)
	if q.ring.register(uringRegisterFiles, unsafe.Pointer(file), 1) == nil {
		q.sqeFD, q.sqeFlags = 0, uringFixedFile
	}
	table := unsafe.Slice((*kernelIovec)(unsafe.Pointer(&q.page[64])), len(q.slot))
	for i := range table {
		buf := q.Buf(i)
		table[i] = kernelIovec{base: addressOf(buf), len: uint64(len(buf))}
	}
	q.registered = q.ring.register(uringRegisterBuffers, unsafe.Pointer(&table[0]), len(table)) == nil
}

// addressOf is where a buffer outside the Go heap lies.
func addressOf(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

func (q *uringQueue) Engine() platform.Engine { return platform.EngineURing }
func (q *uringQueue) Registered() bool        { return q.registered }

func (q *uringQueue) Submit(slot int, op platform.Op, off int64, n int) error {
	if err := q.take(slot, op, off, n); err != nil {
		return err
	}
	q.request(q.ring.next(), slot, op, off, n)
	q.ring.push()
	if q.pending == len(q.slot) {
		q.held = slot
		return nil
	}
	q.latest = q.clock.now()
	q.slot[slot].start = q.latest
	return q.send(0, 0)
}

// request fills in an I/O of a slot.
func (q *uringQueue) request(e *uringSQE, slot int, op platform.Op, off int64, n int) {
	e.flags, e.fd, e.userData = q.sqeFlags, q.sqeFD, uint64(slot)
	if op == platform.Flush {
		e.opcode, e.opFlags = uringOpFsync, uringFsyncDatasync
		return
	}
	e.off, e.len = uint64(off), uint32(n)
	e.addr = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(q.mem)))) + uint64(slot*q.stride)
	switch {
	case q.registered && op == platform.Read:
		e.opcode, e.bufIndex = uringOpReadFixed, uint16(slot)
	case q.registered:
		e.opcode, e.bufIndex = uringOpWriteFixed, uint16(slot)
	case op == platform.Read:
		e.opcode = uringOpRead
	default:
		e.opcode = uringOpWrite
	}
}

// send hands over what the kernel has not taken yet, and as enter does waits for least answers. What the
// kernel cannot take now stays in the ring for the next call.
func (q *uringQueue) send(least, how uint32) error {
	for {
		safepoint()
		switch errno := q.ring.enter(q.ring.unsent(), least, how); errno {
		case 0, unix.EAGAIN, unix.EBUSY:
			return nil
		case unix.EINTR:
			if least > 0 {
				return nil // a signal ended the wait
			}
		default:
			return opError("submit", q.name, errno)
		}
	}
}

func (q *uringQueue) Wait(until time.Duration) ([]platform.Done, error) {
	if q.closed {
		return nil, q.refuse("wait", platform.ErrClosed, "")
	}
	q.done = q.done[:0]
	if q.held < 0 && q.reap() {
		return q.done, nil
	}
	if q.held >= 0 {
		q.latest = q.clock.now()
		q.slot[q.held].start = q.latest
		q.held = -1
	}
	for ; ; q.latest = q.clock.now() {
		// Here the time may be a little old: where it is not until yet, the timeout ends the wait.
		least := uint32(1)
		if q.latest >= until {
			least = 0
		} else if q.armed == 0 || q.armed > until {
			q.arm(until)
		}
		if err := q.send(least, uringGetEvents); err != nil {
			return nil, err
		}
		if q.reap() || least == 0 {
			return q.done, nil
		}
		if q.ring.unsent() > 0 { // the kernel is short of memory
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// arm asks the kernel to end the wait at until; the request goes with the next call. Callers name the
// same end thousands of times, and a timeout in flight costs nothing, so it is only changed for an
// earlier one; one that ends too early is followed by another.
func (q *uringQueue) arm(until time.Duration) {
	if q.ring.room() < uringSpare {
		return
	}
	if q.armed != 0 {
		e := q.ring.next()
		e.opcode, e.fd, e.addr, e.userData = uringOpTimeoutRemove, -1, uringTimer|uint64(q.timer), uringRemove
		q.ring.push()
	}
	q.timer++
	q.armed = until
	*q.timespec = kernelTimespec{sec: int64(until / time.Second), nsec: int64(until % time.Second)}
	e := q.ring.next()
	e.opcode, e.fd, e.addr, e.len = uringOpTimeout, -1, addressOf(q.page), 1
	e.opFlags, e.userData = uringTimeoutAbs, uringTimer|uint64(q.timer)
	q.ring.push()
}

// reap takes the answers that are there and says whether one was of an I/O. One time is taken for
// all of them.
func (q *uringQueue) reap() bool {
	head, tail := q.ring.ready()
	if head == tail {
		return false
	}
	q.latest = q.clock.now()
	at := q.latest
	for ; head != tail; head++ {
		a := q.ring.answer(head)
		switch {
		case a.userData < uringTimer:
			n := int(a.userData)
			q.finish(n, int64(a.res), at, at-q.slot[n].start)
		case a.userData == uringTimer|uint64(q.timer):
			q.armed = 0
		}
	}
	q.ring.taken(head)
	return len(q.done) > 0
}

func (q *uringQueue) Close() error {
	if q.closed {
		return q.refuse("close queue", platform.ErrClosed, "")
	}
	err := drain(q, &q.slots, q.clock.now()+drainTime)
	q.closed = true
	if err != nil {
		return err
	}
	return opError("close queue", q.name, errors.Join(q.ring.close(q.sqeFlags != 0), unix.Munmap(q.page), unix.Munmap(q.region), unix.Close(q.fd)))
}
