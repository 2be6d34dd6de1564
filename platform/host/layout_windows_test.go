package host

import (
	"errors"
	"math"
	"testing"

	"cachecliff/platform"
)

// A file that was written lies on the drive in full, and one that was only made does not.
func TestLayoutHere(t *testing.T) {
	const size = 4 << 20
	h := thisHost(t)
	f, err := h.Create(platform.Target{Path: t.TempDir()}, platform.CreateOptions{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, f)
	made, err := f.Layout()
	if errors.Is(err, platform.ErrUnsupported) {
		notUnderWine(t, "how files lie: "+err.Error())
	}
	if err != nil || made.Unwritten != size {
		t.Errorf("before it was written: %+v, %v", made, err)
	}
	q, err := f.Queue(platform.QueueOptions{Depth: 1, Block: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for off := int64(0); off < size; off += 1 << 20 {
		if err := q.Submit(0, platform.Write, off, 1<<20); err != nil {
			t.Fatal(err)
		}
		done, err := q.Wait(math.MaxInt64)
		if err != nil || len(done) != 1 || done[0].Err != nil {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	written, err := f.Layout()
	if err != nil || written.Unwritten != 0 || written.Extents < 1 || written.Shared != 0 || written.Encoded != 0 {
		t.Errorf("after: %+v, %v", written, err)
	}
}
