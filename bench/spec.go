package bench

import (
	"errors"
	"fmt"
	"time"
)

// Access is where the next I/O goes.
type Access string

// The access patterns.
const (
	Sequential Access = "seq" // one after the other; several threads share the span without overlap
	Random     Access = "rnd" // uniform over the span, with replacement, aligned to the block
)

// Fill is what is written.
type Fill string

// The kinds of data.
const (
	FillRandom Fill = ""     // incompressible and nowhere repeated
	FillZero   Fill = "zero" // zeros, to show what a compressing controller does
)

// FlushMode is when written data is made durable inside the measurement.
type FlushMode string

// The flush modes.
const (
	FlushNone FlushMode = ""     // never, as CrystalDiskMark does: the drive's own cache counts
	FlushEnd  FlushMode = "end"  // once at the end, inside the measured time
	FlushEach FlushMode = "each" // after each write, inside its latency
)

// Spec is everything that decides a number. Two results may be compared only if their Specs are
// equal with ==, so it holds no slice, map or pointer.
type Spec struct {
	Access  Access        `json:"access"`
	ReadPct int           `json:"read_pct"`         // share of reads in percent of I/Os: 100 reads only, 0 writes only
	Block   int           `json:"block"`            // bytes of one I/O
	Depth   int           `json:"depth"`            // I/Os in flight per thread
	Threads int           `json:"threads"`          // each with a queue of its own
	Span    int64         `json:"span,omitempty"`   // bytes of the file touched, from its start; 0 is the whole file
	Fill    Fill          `json:"fill,omitempty"`   //
	Flush   FlushMode     `json:"flush,omitempty"`  //
	Warmup  time.Duration `json:"warmup,omitempty"` // runs before the measured time and is not counted
	Measure time.Duration `json:"measure"`          // measured time; 0 ends by Limit alone
	Limit   int64         `json:"limit,omitempty"`  // ends when this many bytes were moved; 0 is no limit
	Rate    int           `json:"rate,omitempty"`   // I/Os per second that are due over all threads, at random times; 0 is as fast as it goes
}

// The bounds of what a Spec may ask for, CrystalDiskMark's widened to what drives and systems take.
const (
	MinBlock    = 512
	MaxBlock    = 64 << 20
	MaxDepth    = 1024
	MaxThreads  = 64
	MaxInFlight = 4096    // Depth × Threads
	MaxBuffers  = 1 << 30 // Depth × Threads × Block, bytes of memory
	MaxTime     = 24 * time.Hour
	MinMeasure  = 10 * time.Millisecond
	MaxRate     = 100e6 // I/Os per second
)

// Validate reports all that is wrong with a Spec, joined. Each fault names the field and what is allowed.
func (s Spec) Validate() error {
	var faults []error
	bad := func(field, format string, args ...any) {
		faults = append(faults, &SpecError{Field: field, Want: fmt.Sprintf(format, args...)})
	}
	if s.Access != Sequential && s.Access != Random {
		bad("access", "SEQ or RND")
	}
	if s.ReadPct < 0 || s.ReadPct > 100 {
		bad("read share", "R0 to R100, not R%d", s.ReadPct)
	}
	if !validBlock(s.Block) {
		bad("block size", "512, 1K, 2K or a multiple of 4K up to 64M, not %s", shortSize(int64(s.Block)))
	}
	if s.Depth < 1 || s.Depth > MaxDepth {
		bad("queue depth", "Q1 to Q%d, not Q%d", MaxDepth, s.Depth)
	}
	if s.Threads < 1 || s.Threads > MaxThreads {
		bad("threads", "T1 to T%d, not T%d", MaxThreads, s.Threads)
	}
	if len(faults) == 0 {
		s.validateTogether(bad)
	}
	if s.Span < 0 || (s.Span > 0 && s.Span < int64(s.Block)) {
		bad("span", "0 or at least one block")
	}
	if s.Fill != FillRandom && s.Fill != FillZero {
		bad("fill", "random or zero")
	}
	if s.Flush != FlushNone && s.Flush != FlushEnd && s.Flush != FlushEach {
		bad("flush", "none, end or each")
	}
	if s.Warmup < 0 || s.Warmup > MaxTime {
		bad("warm-up", "0 s to 24 h")
	}
	if s.Warmup > 0 && s.Measure == 0 {
		bad("warm-up", "none without a measuring time: the byte limit would be used up in it")
	}
	if s.Measure < 0 || s.Measure > MaxTime || (s.Measure > 0 && s.Measure < MinMeasure) {
		bad("measuring time", "10 ms to 24 h")
	}
	if s.Limit < 0 || (s.Limit > 0 && s.Limit < int64(s.Block)) {
		bad("byte limit", "0 or at least one block")
	}
	if s.Measure == 0 && s.Limit == 0 {
		bad("measuring time", "a time or a byte limit, else the test would never end")
	}
	if s.Rate < 0 || s.Rate > MaxRate {
		bad("rate", "RATE=1 to RATE=%d I/Os per second, not %d", int(MaxRate), s.Rate)
	} else if s.Rate > 0 && s.Measure > 0 && float64(s.Rate)*s.Measure.Seconds() < float64(s.Threads) {
		bad("rate", "at least one I/O per thread in the measuring time")
	}
	return errors.Join(faults...)
}

// fits says why a Spec cannot run on a file of size bytes.
func (s Spec) fits(size int64) error {
	if s.Span > size {
		return &SpecError{"span", fmt.Sprintf("at most the file, %s, not %s", shortSize(size), shortSize(s.Span))}
	}
	field, span := "size", size
	if s.Span > 0 {
		field, span = "span", s.Span
	}
	if int64(s.Block)*int64(s.Threads) > span {
		return &SpecError{field, fmt.Sprintf("at least %d threads of %s, not %s", s.Threads, shortSize(int64(s.Block)), shortSize(span))}
	}
	return nil
}

// validBlock says whether a block lies on the boundaries that drives have: whole sectors of 512 bytes
// or of 4 KiB. Others would measure how the drive puts halves together.
func validBlock(n int) bool {
	return n == MinBlock || n == 1*kib || n == 2*kib || (n > 0 && n <= MaxBlock && n%(4*kib) == 0)
}

// validateTogether checks what depends on several fields that are each in range.
func (s Spec) validateTogether(bad func(field, format string, args ...any)) {
	if n := s.Depth * s.Threads; n > MaxInFlight {
		bad("queue depth", "at most %d I/Os in flight, Q%d T%d are %d", MaxInFlight, s.Depth, s.Threads, n)
	}
	if n := s.Buffers(); n > MaxBuffers {
		bad("block size", "buffers of at most 1G in all, Q%d T%d of %s need %s",
			s.Depth, s.Threads, shortSize(int64(s.Block)), shortSize(n))
	}
}

// Buffers is the memory in bytes that the I/Os in flight need.
func (s Spec) Buffers() int64 { return int64(s.Depth) * int64(s.Threads) * int64(s.Block) }

// Shape is the Spec without its direction: what one row of a table has in common.
func (s Spec) Shape() Spec {
	s.ReadPct = 0
	return s
}

// Direction is what a Spec does: the column of a table it stands in.
func (s Spec) Direction() Direction {
	switch s.ReadPct {
	case 100:
		return DirRead
	case 0:
		return DirWrite
	}
	return DirMix
}

// Direction is reading, writing, or both.
type Direction string

// The directions, in the order of a table's columns and of a run.
const (
	DirRead  Direction = "read"
	DirWrite Direction = "write"
	DirMix   Direction = "mix"
)

// Directions lists them in order.
func Directions() []Direction { return []Direction{DirRead, DirWrite, DirMix} }

// SpecError is one fault of a Spec or of its text.
type SpecError struct {
	Field string // the field's name in the notation's words
	Want  string // what is allowed
}

func (e *SpecError) Error() string { return e.Field + ": " + e.Want }
