package fill

import (
	"bytes"
	"compress/flate"
	"testing"
)

// No page that is written ever repeats, the data does not compress, and the stamp says where it belongs.
func TestStampedDataIsUniqueAndIncompressible(t *testing.T) {
	buf := make([]byte, 64<<10)
	Random(buf, 42)
	a, b := NewStamper(1), NewStamper(2)
	seen := map[string]bool{}
	var all bytes.Buffer
	for i := range 64 {
		s := &a
		if i%2 == 1 {
			s = &b
		}
		off := int64(i) * int64(len(buf))
		s.Stamp(buf, off)
		all.Write(buf)
		for k := 0; k < len(buf); k += Page {
			page := buf[k : k+Page]
			if seen[string(page)] {
				t.Fatalf("the page at %d repeats", off+int64(k))
			}
			seen[string(page)] = true
			if got := Offset(page); got != off+int64(k) {
				t.Fatalf("the stamp says %d, want %d", got, off+int64(k))
			}
		}
	}
	// A window of 32 KiB is smaller than the buffer, so flate sees no repetition.
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(all.Bytes())
	w.Close()
	if small.Len() < all.Len()*95/100 {
		t.Errorf("%d bytes compress to %d", all.Len(), small.Len())
	}
}

// A buffer shorter than a page, or not of whole pages, has a stamp in each of its parts.
func TestShortBuffersAreStamped(t *testing.T) {
	for _, c := range []struct{ n, stamps int }{{8, 0}, {512, 1}, {2048, 1}, {4096, 1}, {4608, 2}, {6144, 2}, {8192, 2}} {
		before := make([]byte, c.n)
		Random(before, 3)
		after := bytes.Clone(before)
		s := NewStamper(9)
		s.Stamp(after, 4096)
		got := 0
		for k := 0; k < c.n; k += Page {
			if !bytes.Equal(before[k:min(k+8, c.n)], after[k:min(k+8, c.n)]) {
				got++
			}
		}
		if got != c.stamps {
			t.Errorf("a buffer of %d bytes has %d stamps, want %d", c.n, got, c.stamps)
		}
	}
}

func TestRandomFillsOddLengths(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 4097} {
		buf := make([]byte, n)
		Random(buf, 7)
		if n > 8 && bytes.Count(buf, []byte{0}) > n/8 {
			t.Errorf("%d bytes have %d zeros", n, bytes.Count(buf, []byte{0}))
		}
	}
}

func BenchmarkStamp(b *testing.B) {
	for _, n := range []int{4 << 10, 1 << 20} {
		buf := make([]byte, n)
		s := NewStamper(1)
		b.SetBytes(int64(n))
		for range b.N {
			s.Stamp(buf, 0)
		}
	}
}

func BenchmarkRandom(b *testing.B) {
	buf := make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	for range b.N {
		Random(buf, 1)
	}
}
