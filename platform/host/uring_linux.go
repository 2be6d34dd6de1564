package host

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// uring is a pair of io_uring rings: requests go in at the tail of one, answers come out at the head
// of the other. It belongs to the thread that made it.
type uring struct {
	fd             int
	handle         uint32 // what enter names the ring by: fd, or its number among the thread's registered rings
	flags          uint32 // of enter, which say which of both it is
	sqMem, sqeMem  []byte
	sqHead, sqTail *uint32 // the kernel moves the head, this side the tail
	cqHead, cqTail *uint32 // the other way round
	sqMask, cqMask uint32
	tail           uint32 // our copy of *sqTail
	sqes           unsafe.Pointer
	cqes           unsafe.Pointer
}

// uringSetups are the ways to set a ring up, best first. With DEFER_TASKRUN (6.1) completions are
// worked off when this thread asks for them, with COOP_TASKRUN (5.19) at its next system call, and
// without either by an interrupt to it.
var uringSetups = [...]uint32{
	uringSetupSingleIssuer | uringSetupDeferTaskrun,
	uringSetupCoopTaskrun,
	0,
}

// newURing makes a ring for n requests. Its errors are error numbers: ENOSYS and EPERM where io_uring
// is missing or forbidden.
func newURing(n int) (*uring, error) {
	var p uringParams
	var fd int
	var err error
	for _, flags := range uringSetups {
		p = uringParams{flags: flags}
		if fd, err = uringSetup(uint32(n), &p); !errors.Is(err, unix.EINVAL) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	const needed = uringFeatSingleMmap | uringFeatRWCurPos
	if p.features&needed != needed {
		return nil, errors.Join(unix.ENOSYS, unix.Close(fd))
	}
	r := &uring{fd: fd, handle: uint32(fd)}
	if err := r.mapRings(&p); err != nil {
		return nil, errors.Join(err, r.close(false))
	}
	r.registerSelf()
	return r, nil
}

// registerSelf makes the ring known to this thread by a number (5.18), so that enter need not look the
// file descriptor up in a table that all threads share. Where the kernel cannot, the descriptor serves.
func (r *uring) registerSelf() {
	u := uringRingFD{offset: ^uint32(0), data: uint64(r.fd)} // any number that is free
	if n, errno := r.ask(uringRegisterRingFDs, unsafe.Pointer(&u), 1); errno == 0 && n == 1 {
		r.handle, r.flags = u.offset, uringRegisteredRing
	}
}

func uringSetup(n uint32, p *uringParams) (int, error) {
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, uintptr(n), uintptr(unsafe.Pointer(p)), 0)
	if errno != 0 {
		return -1, errno
	}
	unix.CloseOnExec(int(fd))
	return int(fd), nil
}

func (r *uring) mapRings(p *uringParams) error {
	const prot, flags = unix.PROT_READ | unix.PROT_WRITE, unix.MAP_SHARED | unix.MAP_POPULATE
	size := max(p.sqOff.array+p.sqEntries*4, p.cqOff.cqes+p.cqEntries*uint32(unsafe.Sizeof(uringCQE{})))
	var err error
	if r.sqMem, err = unix.Mmap(r.fd, uringOffSQRing, int(size), prot, flags); err != nil {
		return err
	}
	size = p.sqEntries * uint32(unsafe.Sizeof(uringSQE{}))
	if r.sqeMem, err = unix.Mmap(r.fd, uringOffSQEs, int(size), prot, flags); err != nil {
		return err
	}
	at := func(off uint32) unsafe.Pointer { return unsafe.Pointer(&r.sqMem[off]) }
	word := func(off uint32) *uint32 { return (*uint32)(at(off)) }
	r.sqHead, r.sqTail = word(p.sqOff.head), word(p.sqOff.tail)
	r.cqHead, r.cqTail = word(p.cqOff.head), word(p.cqOff.tail)
	r.sqMask, r.cqMask = *word(p.sqOff.mask), *word(p.cqOff.mask)
	r.sqes, r.cqes = unsafe.Pointer(&r.sqeMem[0]), at(p.cqOff.cqes)
	for i := range p.sqEntries {
		*word(p.sqOff.array + i*4) = i
	}
	return nil
}

// next is the request behind the others, empty, to be filled in where it lies.
func (r *uring) next() *uringSQE {
	e := (*uringSQE)(unsafe.Add(r.sqes, uintptr(r.tail&r.sqMask)*unsafe.Sizeof(uringSQE{})))
	*e = uringSQE{}
	return e
}

// push adds the request that next gave; the next enter hands it over.
func (r *uring) push() {
	r.tail++
	atomic.StoreUint32(r.sqTail, r.tail)
}

// unsent is how many requests the kernel has not taken yet.
func (r *uring) unsent() uint32 { return r.tail - atomic.LoadUint32(r.sqHead) }

// room is how many requests can be pushed before the next enter.
func (r *uring) room() uint32 { return r.sqMask + 1 - r.unsent() }

// enter hands over up to submit requests. With uringGetEvents in how it also works off what the kernel
// completed and, if least is not zero, sleeps until so many answers are there; without, that waits for the
// next call, which costs less. A raw call keeps the scheduler out of it: told of a blocking call it would
// wake its monitor thread and give the processor away, which costs more than the I/O.
func (r *uring) enter(submit, least, how uint32) unix.Errno {
	_, _, errno := unix.RawSyscall6(unix.SYS_IO_URING_ENTER, uintptr(r.handle), uintptr(submit), uintptr(least), uintptr(r.flags|how), 0, 0)
	return errno
}

// ready is the range of answers that are there.
func (r *uring) ready() (head, tail uint32) {
	return *r.cqHead, atomic.LoadUint32(r.cqTail)
}

func (r *uring) answer(i uint32) *uringCQE {
	return (*uringCQE)(unsafe.Add(r.cqes, uintptr(i&r.cqMask)*unsafe.Sizeof(uringCQE{})))
}

// taken gives answers before head back to the kernel.
func (r *uring) taken(head uint32) { atomic.StoreUint32(r.cqHead, head) }

// register makes a table of n entries known to the kernel.
func (r *uring) register(what uintptr, table unsafe.Pointer, n int) error {
	if _, errno := r.ask(what, table, n); errno != 0 {
		return errno
	}
	return nil
}

// ask is io_uring_register with its answer, which for some requests is a count.
func (r *uring) ask(what uintptr, table unsafe.Pointer, n int) (uintptr, unix.Errno) {
	count, _, errno := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), what, uintptr(table), uintptr(n), 0, 0)
	return count, errno
}

// close gives the ring back. The kernel takes its time to let go of a closed ring, and of a file that
// is registered with it, which is why that is done first.
func (r *uring) close(registered bool) error {
	var errs []error
	if registered {
		errs = append(errs, r.register(uringUnregisterFiles, nil, 0))
	}
	if r.flags&uringRegisteredRing != 0 {
		errs = append(errs, r.register(uringUnregisterRingFDs, unsafe.Pointer(&uringRingFD{offset: r.handle}), 1))
	}
	for _, m := range [][]byte{r.sqMem, r.sqeMem} {
		if m != nil {
			errs = append(errs, unix.Munmap(m))
		}
	}
	return errors.Join(append(errs, unix.Close(r.fd))...)
}
