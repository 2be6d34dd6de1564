package platformtest

import (
	"errors"
	"math"
	"testing"
	"time"

	"cachecliff/platform"
)

func readsBack(t *testing.T, c *conformance) {
	f := c.file(t)
	c.write(t, f)
	c.verify(t, f)
	if err := f.Flush(); err != nil {
		t.Errorf("flush: %v", err)
	}
	// One at a time as well: the way through a queue that is always full differs.
	q := c.queue(t, f, 1)
	c.each(t, q, 1, platform.Read, confBlocks(), func(slot, block int) { confCheck(t, q.Buf(slot), block) })
}

func buffers(t *testing.T, c *conformance) {
	f := c.file(t)
	q := c.queue(t, f, 3)
	if a := f.Align(); a < 1 || a&(a-1) != 0 {
		t.Fatalf("alignment of %d", a)
	}
	for slot := range 3 {
		b := q.Buf(slot)
		if len(b) != c.options.Block || cap(b) != len(b) {
			t.Errorf("slot %d: %d bytes, capacity %d, want %d", slot, len(b), cap(b), c.options.Block)
		}
		if !c.options.InBubble && addressOf(b)%uintptr(f.Align()) != 0 {
			t.Errorf("slot %d is not aligned to %d", slot, f.Align())
		}
		for i := range b {
			b[i] = byte(slot)
		}
	}
	for slot := range 3 {
		for _, v := range q.Buf(slot) {
			if v != byte(slot) {
				t.Fatalf("slot %d shares memory with another", slot)
			}
		}
	}
}

func times(t *testing.T, c *conformance) {
	f := c.file(t)
	c.write(t, f)
	q := c.queue(t, f, confDepth)
	last := c.now()
	for round := range 8 {
		before := c.now()
		for slot := range confDepth {
			c.submit(t, q, slot, platform.Read, round*3+slot)
		}
		for left := confDepth; left > 0; {
			done, err := q.Wait(math.MaxInt64)
			if err != nil {
				t.Fatal(err)
			}
			after := c.now()
			for _, d := range done {
				switch {
				case d.Err != nil:
					t.Fatal(d.Err)
				case d.Took <= 0:
					t.Errorf("took %v", d.Took)
				case d.At < last:
					t.Errorf("completed at %v, after one at %v", d.At, last)
				case d.At > after:
					t.Errorf("completed at %v, but it is %v", d.At, after)
				case d.At-d.Took < before:
					t.Errorf("started at %v, but was submitted after %v", d.At-d.Took, before)
				}
				last = d.At
			}
			left -= len(done)
		}
	}
}

func fullQueue(t *testing.T, c *conformance) {
	q := c.queue(t, c.file(t), confDepth)
	for slot := range confDepth {
		c.submit(t, q, slot, platform.Write, slot)
	}
	if err := q.Submit(0, platform.Write, 0, c.options.Block); !errors.Is(err, platform.ErrBusy) {
		t.Errorf("submit on a busy slot: %v", err)
	}
	if err := q.Submit(confDepth, platform.Write, 0, c.options.Block); err == nil {
		t.Error("submit on a slot that is not there: no error")
	}
	seen := map[int]bool{}
	for _, d := range c.wait(t, q, confDepth) {
		if seen[d.Slot] {
			t.Errorf("slot %d was answered twice", d.Slot)
		}
		seen[d.Slot] = true
	}
	c.submit(t, q, 0, platform.Read, 0)
	c.wait(t, q, 1)
	confCheck(t, q.Buf(0), 0)
}

func waitWithoutWork(t *testing.T, c *conformance) {
	q := c.queue(t, c.file(t), 2)
	for _, d := range []time.Duration{-time.Second, 0, 100 * time.Microsecond, 5 * time.Millisecond} {
		start := c.now()
		done, err := q.Wait(start + d)
		took := c.now() - start
		if err != nil || len(done) != 0 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
		if took < d || took > max(d, 0)+500*time.Millisecond {
			t.Errorf("a wait of %v without work took %v", d, took)
		}
	}
}

func waitPastDeadline(t *testing.T, c *conformance) {
	q := c.queue(t, c.file(t), 2)
	for range 20 {
		c.submit(t, q, 0, platform.Write, 0)
		got := 0
		for got == 0 {
			done, err := q.Wait(c.now()) // never long, and in the end it returns the answer
			if err != nil {
				t.Fatal(err)
			}
			got += len(done)
			if c.options.InBubble && got == 0 {
				time.Sleep(time.Microsecond) // virtual time goes on only where someone waits
			}
		}
	}
}

func stalledDrive(t *testing.T, c *conformance) {
	if c.options.Stall == nil {
		if !c.options.InBubble {
			t.Skip("this drive cannot be made to stall")
		}
		return
	}
	f := c.file(t)
	c.write(t, f)
	q := c.queue(t, f, 2)
	release := c.options.Stall()
	defer release()
	c.submit(t, q, 0, platform.Read, 0)
	for range 3 {
		until := c.now() + 30*time.Millisecond
		done, err := q.Wait(until)
		late := c.now() - until
		if err != nil || len(done) != 0 {
			t.Fatalf("%d answers, error %v", len(done), err)
		}
		if late < 0 || late > time.Second {
			t.Errorf("wait returned %v after its deadline", late)
		}
	}
	before := c.now()
	if err := q.Close(); !errors.Is(err, platform.ErrStalled) {
		t.Errorf("close: %v", err)
	}
	if took := c.now() - before; took > 5*time.Second {
		t.Errorf("close took %v", took)
	}
	if err := q.Submit(1, platform.Read, 0, c.options.Block); !errors.Is(err, platform.ErrClosed) {
		t.Errorf("submit after close: %v", err)
	}
}

func flushes(t *testing.T, c *conformance) {
	q := c.queue(t, c.file(t), 2)
	c.submit(t, q, 0, platform.Write, 0)
	c.wait(t, q, 1)
	for range 3 {
		if err := q.Submit(1, platform.Flush, 0, 0); err != nil {
			t.Fatal(err)
		}
		d := c.wait(t, q, 1)[0]
		if d.Op != platform.Flush || d.Slot != 1 || d.Took <= 0 {
			t.Errorf("flush: %+v", d)
		}
	}
}

// fails expects an I/O to fail, at once or when it is done, and the queue to work afterwards.
func (c *conformance) fails(t *testing.T, q platform.Queue, op platform.Op, off int64, n int) {
	t.Helper()
	err := q.Submit(0, op, off, n)
	for err == nil {
		done, e := q.Wait(math.MaxInt64)
		if e != nil {
			t.Fatal(e)
		}
		if len(done) > 0 {
			if done[0].Err == nil {
				t.Errorf("%d bytes at %d: no error", n, off)
			}
			break
		}
	}
	c.submit(t, q, 0, platform.Write, 0)
	c.wait(t, q, 1)
}

func outsideTheFile(t *testing.T, c *conformance) {
	f := c.file(t)
	q := c.queue(t, f, 1)
	for _, off := range []int64{-int64(c.options.Block), f.Size(), f.Size() + int64(c.options.Block)} {
		c.fails(t, q, platform.Read, off, c.options.Block)
	}
	c.fails(t, q, platform.Write, -int64(c.options.Block), c.options.Block)
}

func notAligned(t *testing.T, c *conformance) {
	f := c.file(t)
	if f.Align() == 1 {
		return
	}
	q := c.queue(t, f, 1)
	c.fails(t, q, platform.Read, int64(f.Align()/2), c.options.Block)
	c.fails(t, q, platform.Read, 0, c.options.Block-f.Align()/2)
}

func closeDrains(t *testing.T, c *conformance) {
	f := c.file(t)
	c.write(t, f)
	q := c.queue(t, f, confDepth)
	for slot := range confDepth {
		confFill(q.Buf(slot), 100+slot)
		if err := q.Submit(slot, platform.Write, int64(slot*c.options.Block), c.options.Block); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	q = c.queue(t, f, confDepth)
	for slot := range confDepth {
		c.submit(t, q, slot, platform.Read, slot)
	}
	c.wait(t, q, confDepth)
	for slot := range confDepth {
		confCheck(t, q.Buf(slot), 100+slot)
	}
}

func closed(t *testing.T, c *conformance) {
	f := c.file(t)
	q := c.queue(t, f, 1)
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	_, waited := q.Wait(0)
	for op, err := range map[string]error{
		"submit": q.Submit(0, platform.Read, 0, c.options.Block), "wait": waited, "close": q.Close(),
	} {
		if !errors.Is(err, platform.ErrClosed) {
			t.Errorf("%s on a closed queue: %v", op, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, queued := f.Queue(platform.QueueOptions{Depth: 1, Block: c.options.Block, Engine: c.engine})
	for op, err := range map[string]error{"queue": queued, "flush": f.Flush(), "close": f.Close()} {
		if !errors.Is(err, platform.ErrClosed) {
			t.Errorf("%s on a closed file: %v", op, err)
		}
	}
}

func openAgain(t *testing.T, c *conformance) {
	f := c.file(t)
	c.write(t, f)
	again, err := c.host.Open(f.Name(), platform.OpenOptions{Buffered: c.options.Buffered})
	if err != nil {
		t.Fatal(err)
	}
	if again.Size() != f.Size() || again.Align() != f.Align() || again.Direct() != f.Direct() {
		t.Errorf("size %d, alignment %d, direct %v; the first has %d, %d, %v",
			again.Size(), again.Align(), again.Direct(), f.Size(), f.Align(), f.Direct())
	}
	c.verify(t, again)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	c.verify(t, f)
	if left, err := c.host.Leftovers(c.target); err != nil || len(left) != 0 {
		t.Errorf("leftovers while the file is open: %q, error %v", left, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.host.Open(f.Name(), platform.OpenOptions{}); err == nil {
		t.Error("the file is there after it was closed")
	}
	if left, err := c.host.Leftovers(c.target); err != nil || len(left) != 0 {
		t.Errorf("leftovers: %q, error %v", left, err)
	}
}

// twoQueues has two goroutines read at the same time, as two threads of a test do.
func twoQueues(t *testing.T, c *conformance) {
	f := c.file(t)
	c.write(t, f)
	failed := make(chan error)
	for range 2 {
		go func() { failed <- c.readAll(f) }()
	}
	for range 2 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
}

func unknownEngine(t *testing.T, c *conformance) {
	f := c.file(t)
	if _, err := f.Queue(platform.QueueOptions{Depth: 1, Block: c.options.Block, Engine: "steam"}); !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("queue on an unknown engine: %v", err)
	}
}

func layout(t *testing.T, c *conformance) {
	f := c.file(t)
	c.write(t, f)
	l, err := f.Layout()
	if errors.Is(err, platform.ErrUnsupported) {
		return
	}
	if err != nil || l.Unwritten != 0 || l.Shared != 0 {
		t.Errorf("layout of a written file: %+v, error %v", l, err)
	}
}

// cached checks that the page cache holds what went through it and nothing else.
func cached(t *testing.T, c *conformance) {
	f := c.file(t)
	c.write(t, f)
	n, err := f.Cached()
	if errors.Is(err, platform.ErrUnsupported) {
		return
	}
	if err != nil || n < 0 || n > f.Size() {
		t.Fatalf("cached %d of %d bytes, error %v", n, f.Size(), err)
	}
	if f.Direct() && n > f.Size()/2 {
		t.Errorf("after direct I/O %d of %d bytes are cached", n, f.Size())
	}
	if !f.Direct() && n < f.Size()/2 {
		t.Errorf("after buffered I/O only %d of %d bytes are cached", n, f.Size())
	}
	if err := f.Uncache(); err != nil && !errors.Is(err, platform.ErrUnsupported) {
		t.Fatal(err)
	}
	if left, err := f.Cached(); err != nil || left > n { // all of it where the page cache is all there is
		t.Errorf("%d bytes were cached; once they were taken out, %d are, error %v", n, left, err)
	}
}
