package ptable

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

const testSize = 64 << 20

// boot makes a boot record with entries of kind, first sector and count.
func boot(entries ...[3]uint32) []byte {
	b := make([]byte, 512)
	b[510], b[511] = 0x55, 0xAA
	for i, e := range entries {
		at := b[446+16*i:]
		at[4] = byte(e[0])
		binary.LittleEndian.PutUint32(at[8:], e[1])
		binary.LittleEndian.PutUint32(at[12:], e[2])
	}
	return b
}

// gptImage makes a drive with two partitions, the second with a name, and both tables.
func gptImage(sector int) []byte {
	le := binary.LittleEndian
	img := make([]byte, testSize)
	copy(img, boot([3]uint32{0xEE, 1, 0xFFFFFFFF}))
	entries := make([]byte, 128*128)
	put := func(i int, first, last uint64, name string) {
		e := entries[i*128:]
		copy(e, []byte{0xAF, 0x3D, 0xC6, 0x0F, 0x83, 0x84, 0x72, 0x47, 0x8E, 0x79, 0x3D, 0x69, 0xD8, 0x47, 0x7D, 0xE4}) // Linux data
		le.PutUint64(e[32:], first)
		le.PutUint64(e[40:], last)
		for k, u := range utf16.Encode([]rune(name)) {
			le.PutUint16(e[56+2*k:], u)
		}
	}
	put(4, 256, 511, "")
	put(0, 1024, 2047, "Bücher")
	head := func(at, first int) {
		h := img[at*sector:][:sector]
		copy(h, gptSignature)
		le.PutUint32(h[8:], 0x10000)
		le.PutUint32(h[12:], headerSize)
		le.PutUint64(h[24:], uint64(at))
		le.PutUint64(h[72:], uint64(first))
		le.PutUint32(h[80:], 128)
		le.PutUint32(h[84:], 128)
		le.PutUint32(h[88:], crc32.ChecksumIEEE(entries))
		le.PutUint32(h[16:], crc32.ChecksumIEEE(h[:headerSize]))
		copy(img[first*sector:], entries)
	}
	last := testSize/sector - 1
	head(1, 2)
	head(last, last-len(entries)/sector)
	return img
}

func TestGPT(t *testing.T) {
	for _, sector := range []int{512, 4096} {
		img := gptImage(sector)
		s := int64(sector)
		want := []Part{
			{5, 256 * s, 256 * s, "0fc63daf-8483-4772-8e79-3d69d8477de4", ""},
			{1, 1024 * s, 1024 * s, "0fc63daf-8483-4772-8e79-3d69d8477de4", "Bücher"},
		}
		for _, asked := range []int{sector, 0} {
			got, err := Read(bytes.NewReader(img), testSize, asked)
			if err != nil || got.Kind != GPT || got.Backup || !slices.Equal(got.Parts, want) {
				t.Errorf("sectors of %d, asked for %d: %v, %+v", sector, asked, err, got)
			}
		}
		for name, spoil := range map[string]int{"signature": sector, "header": sector + 72, "entries": 2*sector + 33} {
			b := bytes.Clone(img)
			b[spoil] ^= 1
			if got, err := Read(bytes.NewReader(b), testSize, sector); err != nil || !got.Backup || !slices.Equal(got.Parts, want) {
				t.Errorf("sectors of %d, %s damaged: %v, %+v", sector, name, err, got)
			}
			b[testSize-sector] ^= 1
			if _, err := Read(bytes.NewReader(b), testSize, sector); !errors.Is(err, ErrDamaged) {
				t.Errorf("sectors of %d, %s and the copy damaged: %v", sector, name, err)
			}
		}
	}
}

func TestMBR(t *testing.T) {
	img := make([]byte, testSize)
	copy(img, boot([3]uint32{0x83, 2048, 2048}, [3]uint32{0x0F, 8192, 65536}, [3]uint32{}, [3]uint32{0x07, 100000, 1000}))
	copy(img[8192*512:], boot([3]uint32{0x82, 63, 1000}, [3]uint32{0x05, 16384, 2000}))
	copy(img[(8192+16384)*512:], boot([3]uint32{0x83, 63, 500}))
	want := []Part{
		{1, 2048 * 512, 2048 * 512, "83", ""}, {5, (8192 + 63) * 512, 1000 * 512, "82", ""},
		{6, (8192 + 16384 + 63) * 512, 500 * 512, "83", ""}, {4, 100000 * 512, 1000 * 512, "07", ""},
	}
	got, err := Read(bytes.NewReader(img), testSize, 0)
	if err != nil || got.Kind != MBR || !slices.Equal(got.Parts, want) {
		t.Errorf("%v, %+v", err, got)
	}
	loop := bytes.Clone(img)
	copy(loop[(8192+16384)*512:], boot([3]uint32{0x83, 63, 500}, [3]uint32{0x05, 16384, 9}))
	if _, err := Read(bytes.NewReader(loop), testSize, 512); !errors.Is(err, ErrDamaged) {
		t.Errorf("a chain without an end: %v", err)
	}
}

func TestNoTable(t *testing.T) {
	fault := errors.New("a fault")
	flag := boot([3]uint32{0x83, 2048, 2048})
	flag[446] = 0x33 // code of a file system's boot sector
	for _, c := range []struct {
		name string
		r    io.ReaderAt
		size int64
		want error
	}{
		{"nothing", bytes.NewReader(nil), 0, ErrNone},
		{"no signature", bytes.NewReader(make([]byte, 4096)), 4096, ErrNone},
		{"no entries", bytes.NewReader(append(boot(), make([]byte, 4096)...)), 4096, ErrNone},
		{"a boot sector", bytes.NewReader(append(flag, make([]byte, 4096)...)), testSize, ErrNone},
		{"beside the drive", bytes.NewReader(append(boot([3]uint32{0x83, 2048, 2048}), make([]byte, 4096)...)), 4608, ErrDamaged},
		{"over each other", bytes.NewReader(boot([3]uint32{0x83, 10, 20}, [3]uint32{0x83, 29, 20})), testSize, ErrDamaged},
		{"shorter than said", bytes.NewReader(boot([3]uint32{0x0F, 10, 20})), testSize, ErrDamaged},
		{"a fault", faulty{fault}, testSize, fault},
	} {
		if _, err := Read(c.r, c.size, 512); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

type faulty struct{ err error }

func (f faulty) ReadAt(p []byte, _ int64) (int, error) { return iotest.ErrReader(f.err).Read(p) }

// Whatever the bytes are, partitions lie on the drive, in order and beside each other.
func FuzzRead(f *testing.F) {
	f.Add(gptImage(512)[:64<<10], 512)
	f.Add(append(boot([3]uint32{0x0F, 8, 64}), boot([3]uint32{0x83, 1, 2})...), 0)
	f.Fuzz(func(t *testing.T, b []byte, sector int) {
		if sector != 0 && sector != 512 && sector != 4096 {
			sector = 512
		}
		got, err := Read(bytes.NewReader(b), int64(len(b)), sector)
		if err != nil {
			return
		}
		end := int64(0)
		for _, p := range got.Parts {
			if p.Start < end || p.Size <= 0 || p.Start+p.Size > int64(len(b)) {
				t.Fatalf("%+v in %d bytes", got.Parts, len(b))
			}
			end = p.Start + p.Size
		}
		if len(got.Parts) == 0 {
			t.Fatal("a table without partitions")
		}
	})
}
