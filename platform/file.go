package platform

import "time"

// File is an open test file.
type File interface {
	// Name is what Open takes to open the same file again, also from a child process.
	Name() string
	// Size is the length in bytes.
	Size() int64
	// Align is what offsets, lengths and buffer addresses must be multiples of, in bytes.
	Align() int
	// Direct says whether the file was opened past the page cache.
	Direct() bool
	// Named says whether the file stays in its folder if the process is killed; Leftovers finds it then.
	// Where the system removes the file in that case as well, it is no matter whether it has a name.
	Named() bool
	// Queue makes a queue of its own for the calling goroutine.
	Queue(o QueueOptions) (Queue, error)
	// Flush makes everything written durable (fdatasync, FlushFileBuffers).
	Flush() error
	// Layout says how the file lies on the volume: ErrUnsupported where the file system cannot tell.
	Layout() (Layout, error)
	// Cached is how many bytes of the file lie in the system's page cache: after direct I/O hardly any.
	// Some file systems take the flag for direct I/O and go through the cache all the same.
	// ErrUnsupported where the system does not tell.
	Cached() (int64, error)
	// Uncache takes what is durable of this file, and of no other, out of the system's page cache.
	// ErrUnsupported where the system has no such call.
	Uncache() error
	// Close closes the file; the one who created it also removes it.
	Close() error
}

// Layout is how the data of a file lies on its volume.
type Layout struct {
	Extents   int   `json:"extents"`            // pieces the file is stored in
	Unwritten int64 `json:"unwritten"`          // bytes in holes or in extents that were allocated but never written
	Shared    int64 `json:"shared"`             // bytes shared with another file (reflink, snapshot)
	Encoded   int64 `json:"encoded,omitempty"`  // bytes that the file system stores compressed
	InPlace   bool  `json:"in_place,omitempty"` // marked to be overwritten where it is, on a file system that else writes elsewhere
	Packing   bool  `json:"packing,omitempty"`  // marked to be stored compressed where that makes it smaller
}

// QueueOptions says what a queue is for.
type QueueOptions struct {
	Depth  int    // slots: I/Os that may be in flight
	Block  int    // largest I/O in bytes
	Engine Engine // which way to submit; empty means the best that works here
	// Huge puts the buffers into huge pages (2 MiB), or fails with ErrNoHugePages. Without, a controller
	// that takes fewer pieces than a request has pages gets the request in parts.
	Huge bool
	// WriteThrough has each write be on the medium before it is answered, past the drive's own cache
	// (O_DSYNC, FILE_FLAG_WRITE_THROUGH).
	WriteThrough bool
}

// Engine names the way I/O is submitted. It decides CPU cost and sometimes the rate, so it is
// recorded in every result.
type Engine string

// The engines, best first for each system.
const (
	EngineAuto    Engine = ""
	EngineURing   Engine = "io_uring"
	EngineAIO     Engine = "libaio"
	EngineThreads Engine = "threads"
	EngineIOCP    Engine = "iocp"
	EngineFake    Engine = "fake"
)

// Queue is one stream of I/O. It belongs to one goroutine, which must stay on its OS thread from the
// call of File.Queue to Close. All errors of single I/Os arrive in Done.Err.
type Queue interface {
	// Engine is what the queue runs on.
	Engine() Engine
	// Registered says whether the buffers are registered with the kernel.
	Registered() bool
	// Buf is the buffer of a slot: aligned memory of Block bytes that the queue owns.
	Buf(slot int) []byte
	// Submit starts an I/O on a free slot. It does not block. The start is stamped right before the
	// I/O is handed to the system. The queue may hold the last free slot's I/O back until Wait.
	Submit(slot int, op Op, off int64, n int) error
	// Wait returns what was completed: at least one, or none once the host's clock has reached
	// until. The slice is valid until the next call. With nothing in flight it sleeps until then. How
	// exactly it wakes decides how punctual a load of a given rate is: no later than the system must.
	Wait(until time.Duration) ([]Done, error)
	// Close waits a short time for what is in flight and releases the queue. A queue whose device does
	// not answer is abandoned with its memory, and ErrStalled is returned.
	Close() error
}

// Op is a kind of I/O.
type Op uint8

// The kinds of I/O.
const (
	Read Op = iota
	Write
	Flush
)

// Done is one completed I/O.
type Done struct {
	Slot  int
	Op    Op
	Bytes int           // bytes moved; a short I/O has an error as well
	At    time.Duration // completion, on the host's clock; one stamp per batch
	Took  time.Duration // from right before submission to completion
	Err   error
}
