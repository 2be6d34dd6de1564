package host

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"cachecliff/platform"
)

// slots is what every queue keeps of its I/Os: which slots are busy, since when, and with what. The
// engines add how an I/O gets to the kernel and back.
type slots struct {
	name    string // the file, for messages
	size    int64  // bytes in the file
	align   int64  // of offsets and lengths, a power of two
	block   int    // largest I/O
	stride  int    // distance between two buffers
	region  []byte // the memory to give back
	mem     []byte // all buffers, in it
	slot    []slot
	done    []platform.Done // what Wait returns; never grows
	pending int             // busy slots
	closed  bool
}

// slot is one I/O that may be in flight.
type slot struct {
	start time.Duration // stamped right before it goes to the kernel
	n     int
	op    platform.Op
	busy  bool
}

func newSlots(f fileInfo, o platform.QueueOptions, region, mem []byte) slots {
	return slots{
		name: f.name, size: f.size, align: int64(f.align),
		block: o.Block, stride: roundUp(o.Block), region: region, mem: mem,
		slot: make([]slot, o.Depth),
		done: make([]platform.Done, 0, o.Depth),
	}
}

// fileInfo is what a queue needs to know of its file.
type fileInfo struct {
	name  string
	size  int64
	align int
}

// roundUp is n rounded up to whole pages.
func roundUp(n int) int {
	page := os.Getpagesize()
	return (n + page - 1) / page * page
}

// Buf is the buffer of a slot, nil once the queue is closed.
func (s *slots) Buf(n int) []byte {
	if s.closed {
		return nil
	}
	return s.mem[n*s.stride : n*s.stride+s.block : n*s.stride+s.block]
}

// take marks a slot as busy, or says why the I/O cannot be. An I/O that is not aligned is refused
// here because some file systems would serve it through the page cache instead; one that reaches
// over the end because it would make the file grow.
func (s *slots) take(n int, op platform.Op, off int64, size int) error {
	if s.closed {
		return s.refuse("submit", platform.ErrClosed, "")
	}
	if uint(n) >= uint(len(s.slot)) {
		return s.refuse("submit", nil, fmt.Sprintf("there is no slot %d", n))
	}
	e := &s.slot[n]
	if e.busy {
		return s.refuse("submit", platform.ErrBusy, fmt.Sprintf("slot %d is in flight", n))
	}
	if op == platform.Flush {
		size = 0
	} else if err := s.fits(op, off, size); err != nil {
		return err
	}
	e.op, e.n, e.busy = op, size, true
	s.pending++
	return nil
}

func (s *slots) fits(op platform.Op, off int64, n int) error {
	switch {
	case op > platform.Flush:
		return s.refuse("submit", platform.ErrUnsupported, fmt.Sprintf("operation %d", op))
	case n <= 0 || n > s.block:
		return s.refuse("submit", nil, fmt.Sprintf("%d bytes do not fit a buffer of %d", n, s.block))
	case off < 0 || off > s.size-int64(n):
		return s.refuse("submit", platform.ErrShortIO, fmt.Sprintf("%d bytes at %d do not lie in a file of %d", n, off, s.size))
	case (off|int64(n))&(s.align-1) != 0:
		return s.refuse("submit", nil, fmt.Sprintf("%d bytes at %d are not aligned to %d", n, off, s.align))
	}
	return nil
}

// refuse makes an error about the use of the queue.
func (s *slots) refuse(op string, reason error, why string) error {
	e := &platform.OpError{Op: op, Object: s.name, Reason: reason}
	if why != "" {
		e.Err = fmt.Errorf("%s", why)
	}
	return e
}

// finish frees a slot whose I/O ended with res: bytes moved, or a negated error number.
func (s *slots) finish(n int, res int64, at, took time.Duration) {
	e := &s.slot[n]
	d := platform.Done{Slot: n, Op: e.op, At: at, Took: max(took, 1)}
	switch {
	case res < 0:
		d.Err = opError(opName(e.op), s.name, syscall.Errno(-res))
	case e.op != platform.Flush:
		d.Bytes = int(res)
		if d.Bytes < e.n {
			d.Err = s.refuse(opName(e.op), platform.ErrShortIO, "")
		}
	}
	e.busy = false
	s.pending--
	s.done = append(s.done, d)
}

// drop frees a slot whose I/O never got to the kernel.
func (s *slots) drop(n int) {
	s.slot[n].busy = false
	s.pending--
}

func opName(op platform.Op) string {
	switch op {
	case platform.Read:
		return "read"
	case platform.Write:
		return "write"
	default:
		return "flush"
	}
}

// safepoint is where the runtime may stop a goroutine that does nothing but raw system calls. In a
// process with asynchronous preemption switched off, stopping the world would otherwise wait for as
// long as the compiler chose to inline everything else in the loop. It must be neither inlined nor a
// leaf: only the prologue of a function with a frame looks whether it should stop.
//
//go:noinline
func safepoint() { leaf() }

//go:noinline
func leaf() {}
