// Package ptable reads partition tables: GPT (UEFI specification 2.10, chapter 5) and the older one of the master
// boot record with its chain of logical partitions. It takes bytes from wherever, and writes nothing.
package ptable

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Kind is how a table is laid out.
type Kind string

// The kinds.
const (
	GPT Kind = "gpt"
	MBR Kind = "mbr"
)

// Part is a partition.
type Part struct {
	Number int    `json:"number"` // as the system counts it: logical ones from 5 on
	Start  int64  `json:"start"`  // bytes from the start of the drive
	Size   int64  `json:"size"`   // bytes
	Type   string `json:"type"`   // GUID, or two hexadecimal digits
	Name   string `json:"name,omitempty"`
}

// Table is a partition table.
type Table struct {
	Kind   Kind
	Backup bool // the first table of a GPT is damaged, and this is its copy at the end
	Parts  []Part
}

// ErrNone says that there is no partition table, and ErrDamaged that there is nonsense in it.
var (
	ErrNone    = errors.New("no partition table")
	ErrDamaged = errors.New("the partition table is damaged")
)

// The bounds of what is taken for a table.
const (
	mostEntries = 1024
	mostLogical = 128
	sectorLeast = 512
)

// Read reads the table of a drive, or of an image of one, of size bytes with sectors of sector bytes; 0 tries 512 and
// 4096, for an image does not tell. Partitions are in the order in which they lie. It fails with ErrNone, ErrDamaged, or as r does.
func Read(r io.ReaderAt, size int64, sector int) (Table, error) {
	sectors := []int{sector}
	if sector == 0 {
		sectors = []int{512, 4096}
	}
	boot := make([]byte, sectorLeast)
	if size < 3*sectorLeast {
		return Table{}, ErrNone
	}
	if err := full(r, boot, 0); err != nil {
		return Table{}, err
	}
	if boot[510] != 0x55 || boot[511] != 0xAA {
		return Table{}, ErrNone
	}
	if !protective(boot) {
		return readMBR(r, boot, size, sectors[0])
	}
	fault := error(ErrDamaged)
	for _, n := range sectors {
		d := drive{r, size, int64(n)}
		t, err := d.gpt(1)
		if err == nil {
			return t.check(size)
		}
		if t, err2 := d.gpt(size/d.sector - 1); err2 == nil {
			t.Backup = true
			return t.check(size)
		}
		if !errors.Is(err, ErrDamaged) {
			fault = err
		}
	}
	return Table{}, fault
}

// check refuses partitions that lie beside the drive, over each other, or that no system would show.
func (t Table) check(size int64) (Table, error) {
	slices.SortFunc(t.Parts, func(a, b Part) int {
		switch {
		case a.Start < b.Start:
			return -1
		case a.Start > b.Start:
			return 1
		}
		return 0
	})
	end := int64(0)
	for _, p := range t.Parts {
		if p.Start < end || p.Start <= 0 || p.Size <= 0 || p.Size > size-p.Start {
			return Table{}, fmt.Errorf("%w: partition %d lies where it cannot", ErrDamaged, p.Number)
		}
		end = p.Start + p.Size
	}
	if len(t.Parts) == 0 {
		return Table{}, ErrNone
	}
	return t, nil
}

// full reads all of p.
func full(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return ErrDamaged
	}
	return err
}
