package ptable

import (
	"encoding/binary"
	"fmt"
	"io"
)

// entry is a line of a boot record, in sectors from where the record counts.
type entry struct {
	kind        byte
	first, many int64
}

func entriesOf(boot []byte) (out [4]entry) {
	for i := range out {
		e := boot[446+16*i:]
		out[i] = entry{e[4], int64(binary.LittleEndian.Uint32(e[8:])), int64(binary.LittleEndian.Uint32(e[12:]))}
	}
	return out
}

// extended says whether an entry is the container of logical partitions.
func (e entry) extended() bool { return e.kind == 0x05 || e.kind == 0x0F || e.kind == 0x85 }

// readMBR reads the four entries of a boot record and the chain of the extended one. Sectors are those of the drive.
func readMBR(r io.ReaderAt, boot []byte, size int64, sector int) (Table, error) {
	d := drive{r, size, int64(sector)}
	t := Table{Kind: MBR}
	for i, e := range entriesOf(boot) {
		// A file system without a table, such as FAT, has a boot sector as well: its code is not a flag.
		if flag := boot[446+16*i]; flag&0x7F != 0 {
			return Table{}, ErrNone
		}
		switch {
		case e.kind == 0 || e.many == 0:
		case e.extended():
			logical, err := d.logical(e.first)
			if err != nil {
				return Table{}, err
			}
			t.Parts = append(t.Parts, logical...)
		default:
			t.Parts = append(t.Parts, d.part(i+1, e, 0))
		}
	}
	return t.check(size)
}

func (d drive) part(number int, e entry, from int64) Part {
	return Part{Number: number, Start: (from + e.first) * d.sector, Size: e.many * d.sector, Type: fmt.Sprintf("%02x", e.kind)}
}

// logical follows the chain of an extended partition: each record has a partition, counted from itself, and the next
// record, counted from the first.
func (d drive) logical(first int64) ([]Part, error) {
	var out []Part
	boot := make([]byte, sectorLeast)
	at := first
	for number := 5; ; number++ {
		if number-5 >= mostLogical || at <= 0 || at >= d.size/d.sector {
			return nil, fmt.Errorf("%w: its logical partitions have no end", ErrDamaged)
		}
		if err := full(d.r, boot, at*d.sector); err != nil {
			return nil, err
		}
		if boot[510] != 0x55 || boot[511] != 0xAA {
			return nil, fmt.Errorf("%w: logical partition %d has no record", ErrDamaged, number)
		}
		e := entriesOf(boot)
		if e[0].kind != 0 && e[0].many > 0 {
			out = append(out, d.part(number, e[0], at))
		}
		if !e[1].extended() || e[1].many == 0 {
			return out, nil
		}
		at = first + e[1].first
	}
}
