package ptable

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"unicode/utf16"
)

// drive is what a table is read from.
type drive struct {
	r      io.ReaderAt
	size   int64
	sector int64
}

// protective says whether a boot record only keeps old programs off a GPT.
func protective(boot []byte) bool {
	for i := range 4 {
		if boot[446+16*i+4] == 0xEE {
			return true
		}
	}
	return false
}

// The header of a GPT (UEFI 2.10, table 5.5) and its entries (table 5.6).
const (
	gptSignature = "EFI PART"
	headerSize   = 92
	entryLeast   = 128
	entryMost    = 4096
)

// gpt reads the table whose header lies in a sector, and checks its sums.
func (d drive) gpt(at int64) (Table, error) {
	head := make([]byte, d.sector)
	if at < 1 || at > d.size/d.sector-1 {
		return Table{}, ErrDamaged
	}
	if err := full(d.r, head, at*d.sector); err != nil {
		return Table{}, err
	}
	le := binary.LittleEndian
	length := le.Uint32(head[12:])
	if string(head[:8]) != gptSignature || length < headerSize || int64(length) > d.sector {
		return Table{}, ErrDamaged
	}
	sum := le.Uint32(head[16:])
	clear(head[16:20])
	if crc32.ChecksumIEEE(head[:length]) != sum {
		return Table{}, fmt.Errorf("%w: the sum of its header is wrong", ErrDamaged)
	}
	first, n, each := int64(le.Uint64(head[72:])), int(le.Uint32(head[80:])), int(le.Uint32(head[84:]))
	if n > mostEntries || each < entryLeast || each > entryMost || each%8 != 0 || first < 2 || first > d.size/d.sector {
		return Table{}, ErrDamaged
	}
	entries := make([]byte, n*each)
	if err := full(d.r, entries, first*d.sector); err != nil {
		return Table{}, err
	}
	if crc32.ChecksumIEEE(entries) != le.Uint32(head[88:]) {
		return Table{}, fmt.Errorf("%w: the sum of its entries is wrong", ErrDamaged)
	}
	t := Table{Kind: GPT}
	for i := range n {
		e := entries[i*each:][:entryLeast]
		if [16]byte(e) == [16]byte{} {
			continue
		}
		from, to := le.Uint64(e[32:]), le.Uint64(e[40:])
		sectors := uint64(d.size / d.sector)
		if from > to || to >= sectors {
			return Table{}, fmt.Errorf("%w: partition %d lies beside the drive", ErrDamaged, i+1)
		}
		t.Parts = append(t.Parts, Part{
			Number: i + 1, Start: int64(from) * d.sector, Size: int64(to-from+1) * d.sector, Type: guid(e[:16]), Name: label(e[56:128]),
		})
	}
	return t, nil
}

// guid writes 16 bytes as UEFI does: the first three groups are little-endian.
func guid(b []byte) string {
	le := binary.LittleEndian
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", le.Uint32(b), le.Uint16(b[4:]), le.Uint16(b[6:]), b[8:10], b[10:16])
}

// label is UTF-16 up to the first zero.
func label(b []byte) string {
	var units []uint16
	for ; len(b) > 1; b = b[2:] {
		u := binary.LittleEndian.Uint16(b)
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return strings.TrimSpace(string(utf16.Decode(units)))
}
