package winapi

import (
	"errors"
	"testing"
	"unsafe"
)

func TestFileStorageLayout(t *testing.T) {
	var f fileStorageInfo
	if SizeFileStorage != 28 || unsafe.Offsetof(f.PhysicalBytesPerSectorForPerformance) != 8 || unsafe.Offsetof(f.Flags) != 16 {
		t.Errorf("%d bytes, performance at %d, flags at %d", SizeFileStorage, unsafe.Offsetof(f.PhysicalBytesPerSectorForPerformance), unsafe.Offsetof(f.Flags))
	}
}

func TestDecodeFileStorage(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer []byte
		want   Sectors
	}{
		{"sectors of 512 made of 4096", bytesOf(28).u32(0, 512).u32(4, 4096).u32(8, 4096).u32(12, 4096).u32(16, 3), Sectors{512, 4096}},
		{"sectors of 4096", bytesOf(28).u32(0, 4096).u32(4, 4096).u32(8, 4096), Sectors{4096, 4096}},
		{"the physical one is not known", bytesOf(28).u32(0, 512).u32(8, 0), Sectors{512, 0}},
		{"nothing is known", bytesOf(28), Sectors{}},
		{"no power of two", bytesOf(28).u32(0, 520).u32(8, 4160), Sectors{}},
	} {
		if got, err := DecodeFileStorage(c.answer); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := DecodeFileStorage(make([]byte, 27)); !errors.Is(err, ErrShort) {
		t.Errorf("27 bytes: %v", err)
	}
}

func FuzzDecodeFileStorage(f *testing.F) {
	f.Add(make([]byte, 28))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, n := range []func(Sectors) int{func(s Sectors) int { return s.Logical }, func(s Sectors) int { return s.Physical }} {
			if s, err := DecodeFileStorage(b); n(s) != 0 && (err != nil || n(s) < 512 || n(s)&(n(s)-1) != 0) {
				t.Errorf("%+v, %v", s, err)
			}
		}
	})
}
