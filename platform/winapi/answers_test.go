package winapi

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
)

// Answers are put together byte by byte from the tables of the Windows SDK, not with the types under test.

// answer is so many zero bytes with values at offsets.
type answer []byte

func (a answer) u8(off int, v uint8) answer   { a[off] = v; return a }
func (a answer) u16(off int, v uint16) answer { binary.LittleEndian.PutUint16(a[off:], v); return a }
func (a answer) u32(off int, v uint32) answer { binary.LittleEndian.PutUint32(a[off:], v); return a }
func (a answer) u64(off int, v uint64) answer { binary.LittleEndian.PutUint64(a[off:], v); return a }
func (a answer) text(off int, s string) answer {
	copy(a[off:], s)
	return a
}

func bytesOf(n int) answer { return make(answer, n) }

// device is a STORAGE_DEVICE_DESCRIPTOR as drivers make it: the strings after the head, each with a zero.
func device(bus uint32, vendor, product, revision, serial string) answer {
	b := bytesOf(40).u32(0, 40).u32(28, bus)
	for i, s := range []string{vendor, product, revision, serial} {
		if s != "" {
			b.u32(12+4*i, uint32(len(b)))
			b = append(append(b, s...), 0)
		}
	}
	return b.u32(4, uint32(len(b)))
}

// unhex reads bytes written as hexadecimal digits with spaces.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wineDevice is what Wine 8.0 answers for PhysicalDrive0.
const wineDevice = "28000000 28000000 07000000 00000000 00000000 00000000 00000000 01000000 00000000 00000000"

// wineGeometry is what Wine 8.0 answers for PhysicalDrive0.
const wineGeometry = "1027000000000000 0c000000 ff000000 3f000000 00020000 0020a62613000000 0000000000000000"
