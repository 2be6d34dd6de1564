package platformtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"cachecliff/platform"
)

// ConformanceOptions say what the suite can do with a host.
type ConformanceOptions struct {
	// Engines are tried one after the other; none means EngineAuto.
	Engines []platform.Engine
	// Block is the I/O size in bytes, 4096 if it is 0.
	Block int
	// Buffered opens test files through the page cache.
	Buffered bool
	// InBubble says that the caller is in a testing/synctest bubble, where there are no subtests.
	InBubble bool
	// Stall, if set, makes the drive stop answering until release is called.
	Stall func() (release func())
}

// Conformance checks what platform.File and platform.Queue promise, on test files that it makes in
// the target. A host that does not keep what is written fails it.
func Conformance(t *testing.T, h platform.Host, target platform.Target, o ConformanceOptions) {
	if o.Block == 0 {
		o.Block = 4096
	}
	if len(o.Engines) == 0 {
		o.Engines = []platform.Engine{platform.EngineAuto}
	}
	for _, engine := range o.Engines {
		c := &conformance{host: h, target: target, options: o, engine: engine}
		for _, check := range checks {
			if o.InBubble {
				check.run(t, c)
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", engine, check.name), func(t *testing.T) { check.run(t, c) })
		}
	}
}

// conformance is the suite on one engine.
type conformance struct {
	host    platform.Host
	target  platform.Target
	options ConformanceOptions
	engine  platform.Engine
}

var checks = []struct {
	name string
	run  func(*testing.T, *conformance)
}{
	{"reads back what it wrote", readsBack},
	{"buffers", buffers},
	{"times", times},
	{"full queue", fullQueue},
	{"wait without work", waitWithoutWork},
	{"wait past the deadline", waitPastDeadline},
	{"stalled drive", stalledDrive},
	{"flush", flushes},
	{"outside the file", outsideTheFile},
	{"not aligned", notAligned},
	{"close drains", closeDrains},
	{"closed", closed},
	{"open again", openAgain},
	{"two queues", twoQueues},
	{"unknown engine", unknownEngine},
	{"layout", layout},
	{"cached", cached},
	{"meter", meters},
}

const confDepth = 8

// file makes a test file of four times confDepth blocks, which is closed with the test.
func (c *conformance) file(t *testing.T) platform.File {
	t.Helper()
	f, err := c.host.Create(c.target, platform.CreateOptions{Size: int64(4 * confDepth * c.options.Block), Buffered: c.options.Buffered})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil && !errors.Is(err, platform.ErrClosed) {
			t.Errorf("close file: %v", err)
		}
	})
	return f
}

// queue makes a queue on f, which is closed with the test; the test stays on its thread until then.
func (c *conformance) queue(t *testing.T, f platform.File, depth int) platform.Queue {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	q, err := f.Queue(platform.QueueOptions{Depth: depth, Block: c.options.Block, Engine: c.engine})
	if err != nil {
		t.Fatal(err)
	}
	if q.Engine() == platform.EngineAuto || c.engine != platform.EngineAuto && q.Engine() != c.engine {
		t.Errorf("queue runs on %q, asked for %q", q.Engine(), c.engine)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil && !errors.Is(err, platform.ErrClosed) {
			t.Errorf("close queue: %v", err)
		}
	})
	return q
}

func (c *conformance) submit(t *testing.T, q platform.Queue, slot int, op platform.Op, block int) {
	t.Helper()
	if op == platform.Write {
		confFill(q.Buf(slot), block)
	}
	if err := q.Submit(slot, op, int64(block*c.options.Block), c.options.Block); err != nil {
		t.Fatalf("submit: %v", err)
	}
}

// some takes the next answers, at least one, none of which may be an error.
func (c *conformance) some(t *testing.T, q platform.Queue) []platform.Done {
	t.Helper()
	done, err := q.Wait(math.MaxInt64)
	if err != nil {
		t.Fatalf("wait: %v", err)
	}
	if len(done) == 0 {
		t.Fatal("wait returned nothing, with I/Os in flight and without a deadline")
	}
	for _, d := range done {
		if d.Err != nil {
			t.Fatalf("I/O: %v", d.Err)
		}
		if d.Op != platform.Flush && d.Bytes != c.options.Block {
			t.Fatalf("%d bytes moved of %d, without an error", d.Bytes, c.options.Block)
		}
	}
	return done
}

// wait takes the answers to all n I/Os in flight.
func (c *conformance) wait(t *testing.T, q platform.Queue, n int) []platform.Done {
	t.Helper()
	var all []platform.Done
	for len(all) < n {
		all = append(all, c.some(t, q)...)
	}
	if len(all) > n {
		t.Fatalf("%d answers to %d I/Os", len(all), n)
	}
	return all
}

// each does one I/O on each block, keeping the queue full, and calls got after each.
func (c *conformance) each(t *testing.T, q platform.Queue, depth int, op platform.Op, blocks []int, got func(slot, block int)) {
	t.Helper()
	holds := make([]int, depth)
	next := 0
	for slot := 0; slot < depth && next < len(blocks); slot++ {
		holds[slot] = blocks[next]
		c.submit(t, q, slot, op, blocks[next])
		next++
	}
	for answers := 0; answers < len(blocks); {
		for _, d := range c.some(t, q) {
			answers++
			got(d.Slot, holds[d.Slot])
			if next < len(blocks) {
				holds[d.Slot] = blocks[next]
				c.submit(t, q, d.Slot, op, blocks[next])
				next++
			}
		}
	}
}

// confFill fills a buffer with what belongs into a block of the file, different in each word.
func confFill(buf []byte, block int) {
	for i := 0; i+8 <= len(buf); i += 8 {
		binary.LittleEndian.PutUint64(buf[i:], (uint64(block)<<32|uint64(i))*0x9e3779b97f4a7c15+1)
	}
}

func confCheck(t *testing.T, buf []byte, block int) {
	t.Helper()
	for i := 0; i+8 <= len(buf); i += 8 {
		want := (uint64(block)<<32|uint64(i))*0x9e3779b97f4a7c15 + 1
		if got := binary.LittleEndian.Uint64(buf[i:]); got != want {
			t.Fatalf("block %d, byte %d: read %#x, wrote %#x", block, i, got, want)
		}
	}
}

// confBlocks are all blocks of the file, none beside its neighbour.
func confBlocks() []int {
	var b []int
	for i := range 4 * confDepth {
		b = append(b, i*13%(4*confDepth))
	}
	return b
}

// write writes the whole file through a queue of its own.
func (c *conformance) write(t *testing.T, f platform.File) {
	t.Helper()
	q := c.queue(t, f, confDepth)
	c.each(t, q, confDepth, platform.Write, confBlocks(), func(int, int) {})
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
}

func (c *conformance) verify(t *testing.T, f platform.File) {
	t.Helper()
	q := c.queue(t, f, confDepth)
	c.each(t, q, confDepth, platform.Read, confBlocks(), func(slot, block int) { confCheck(t, q.Buf(slot), block) })
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
}

// readAll reads the whole file on the calling goroutine, without a testing.T.
func (c *conformance) readAll(f platform.File) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: c.options.Block, Engine: c.engine})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	for block := range 4 * confDepth {
		if err := q.Submit(0, platform.Read, int64(block*c.options.Block), c.options.Block); err != nil {
			return err
		}
		done, err := q.Wait(math.MaxInt64)
		if err != nil {
			return err
		}
		if len(done) != 1 || done[0].Err != nil {
			return fmt.Errorf("block %d: %+v", block, done)
		}
	}
	return nil
}

func (c *conformance) now() time.Duration { return c.host.Now() }

// addressOf is where a buffer lies, to check its alignment.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
