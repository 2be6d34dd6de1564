package host

import (
	"errors"
	"testing"
	"time"

	"cachecliff/platform"
)

func testSlots() slots {
	return newSlots(fileInfo{name: "f", size: 1 << 20, align: 512}, platform.QueueOptions{Depth: 2, Block: 5000}, nil, make([]byte, 2*8192))
}

func TestSlotsTake(t *testing.T) {
	for _, c := range []struct {
		name string
		slot int
		op   platform.Op
		off  int64
		n    int
		ok   bool
	}{
		{"first", 0, platform.Read, 0, 512, true},
		{"last", 1, platform.Write, 1<<20 - 512, 512, true},
		{"flush has no place", 0, platform.Flush, -1, -1, true},
		{"no such slot", 2, platform.Read, 0, 512, false},
		{"negative slot", -1, platform.Read, 0, 512, false},
		{"nothing", 0, platform.Read, 0, 0, false},
		{"more than the buffer", 0, platform.Read, 0, 5120, false},
		{"negative offset", 0, platform.Read, -512, 512, false},
		{"over the end", 0, platform.Write, 1<<20 - 512, 1024, false},
		{"an offset that overflows", 0, platform.Write, 1<<63 - 512, 512, false},
		{"odd offset", 0, platform.Read, 100, 512, false},
		{"odd length", 0, platform.Read, 0, 100, false},
		{"no such operation", 0, platform.Flush + 1, 0, 512, false},
	} {
		s := testSlots()
		err := s.take(c.slot, c.op, c.off, c.n)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if want := map[bool]int{true: 1}[c.ok]; s.pending != want {
			t.Errorf("%s: %d in flight", c.name, s.pending)
		}
	}
}

// number is an error number of this system that has a reason.
func number(t *testing.T, reason error) int64 {
	t.Helper()
	for no, r := range reasons {
		if r == reason {
			return int64(no)
		}
	}
	t.Fatalf("no number is told as %v", reason)
	return 0
}

func TestSlotsFinish(t *testing.T) {
	for _, c := range []struct {
		name string
		op   platform.Op
		res  int64
		err  error
		n    int
	}{
		{"whole", platform.Read, 4096, nil, 4096},
		{"short", platform.Write, 512, platform.ErrShortIO, 512},
		{"end of file", platform.Read, 0, platform.ErrShortIO, 0},
		{"disk full", platform.Write, -number(t, platform.ErrNoSpace), platform.ErrNoSpace, 0},
		{"device error", platform.Read, -number(t, platform.ErrIO), platform.ErrIO, 0},
		{"pulled", platform.Flush, -number(t, platform.ErrGone), platform.ErrGone, 0},
		{"flushed", platform.Flush, 0, nil, 0},
	} {
		s := testSlots()
		if err := s.take(1, c.op, 0, 4096); err != nil {
			t.Fatal(err)
		}
		s.finish(1, c.res, 7*time.Second, 0)
		d := s.done[0]
		if !errors.Is(d.Err, c.err) || d.Bytes != c.n || d.Slot != 1 || d.Op != c.op || d.At != 7*time.Second || d.Took <= 0 {
			t.Errorf("%s: %+v", c.name, d)
		}
		if s.pending != 0 || s.take(1, c.op, 0, 4096) != nil {
			t.Errorf("%s: the slot is not free again", c.name)
		}
	}
}

func TestSlotsBuf(t *testing.T) {
	s := testSlots()
	if b := s.Buf(1); len(b) != 5000 || cap(b) != 5000 || &b[0] != &s.mem[8192] {
		t.Errorf("%d bytes, capacity %d", len(b), cap(b))
	}
	s.closed = true
	if s.Buf(0) != nil {
		t.Error("a closed queue gives its memory away")
	}
}
