package ata

import (
	"encoding/binary"
	"fmt"
	"math"
)

// StatisticsLog is the general purpose log of the device statistics (ATA Command Set, "Device Statistics").
// The pages that are read are StatisticsPages.
const StatisticsLog = 0x04

// The pages of the log that are of use here.
const (
	pageGeneral     = 1
	pageErrors      = 4
	pageTemperature = 5
	pageSSD         = 7
)

// StatisticsPages are the pages of StatisticsLog that Statistics.Add understands.
func StatisticsPages() []uint8 { return []uint8{pageGeneral, pageErrors, pageTemperature, pageSSD} }

// Statistics is what a drive counts, in units that are the same on all drives. Nil is not reported.
type Statistics struct {
	PowerCycles   *uint64
	PowerOnHours  *uint64
	BytesWritten  *uint64
	BytesRead     *uint64
	Uncorrectable *uint64
	TempMilliC    *int32
	PercentUsed   *int
	ReadCommands  *uint64
	WriteCommands *uint64
	HotMinutes    *uint32 // above WarnMilliC
	WarnMilliC    *int32  // the highest temperature that the drive is made for
}

// Add takes over what a page of the log says. sector is the size of a logical sector in bytes. It fails for
// what is not that page.
func (s *Statistics) Add(page []byte, number uint8, sector int) error {
	if err := check(page); err != nil {
		return err
	}
	head := binary.LittleEndian.Uint64(page)
	const version = 1
	if got := uint8(head >> 16); got != number || head&0xFFFF != version {
		return fmt.Errorf("%w: page %d, version %d of the device statistics, want page %d", ErrStrange, got, head&0xFFFF, number)
	}
	switch number {
	case pageGeneral:
		s.PowerCycles = statistic(page, 8, 4)
		s.PowerOnHours = statistic(page, 16, 4)
		s.BytesWritten = scaled(statistic(page, 24, 6), sector)
		s.WriteCommands = statistic(page, 32, 6)
		s.BytesRead = scaled(statistic(page, 40, 6), sector)
		s.ReadCommands = statistic(page, 48, 6)
	case pageErrors:
		s.Uncorrectable = statistic(page, 8, 4)
	case pageTemperature:
		if v := statistic(page, 8, 1); v != nil {
			s.TempMilliC = celsius(int8(*v))
		}
		if v := statistic(page, 80, 4); v != nil {
			minutes := uint32(*v)
			s.HotMinutes = &minutes
		}
		if v := statistic(page, 88, 1); v != nil {
			if c := celsius(int8(*v)); c != nil && *c > 0 {
				s.WarnMilliC = c
			}
		}
	case pageSSD:
		if v := statistic(page, 8, 1); v != nil {
			used := int(*v)
			s.PercentUsed = &used
		}
	}
	return nil
}

// statistic reads one statistic of so many bytes: nil unless its flags say that the drive has it and that it
// is valid now.
func statistic(page []byte, offset, bytes int) *uint64 {
	const supported, valid = 1 << 7, 1 << 6
	if flags := page[offset+7]; flags&supported == 0 || flags&valid == 0 {
		return nil
	}
	v := number(page[offset : offset+bytes])
	return &v
}

func scaled(v *uint64, unit int) *uint64 {
	if v == nil || unit <= 0 || *v > math.MaxUint64/uint64(unit) {
		return nil
	}
	n := *v * uint64(unit)
	return &n
}

// celsius is a temperature of a drive; −128 stands for none, and so does what no drive survives.
func celsius(c int8) *int32 {
	const coldest = -60
	if c <= coldest {
		return nil
	}
	milli := int32(c) * 1000
	return &milli
}

// DirectoryLog is the general purpose log that says which logs there are: page 0 has a word for each with the
// number of its pages.
const DirectoryLog = 0x00

// HasLog says whether the directory of logs lists one.
func HasLog(directory []byte, log uint8) bool {
	const version = 1
	return check(directory) == nil && word(directory, 0) == version && word(directory, int(log)) > 0
}

// ListedPages are the pages that a drive has of its device statistics, from page 0 of their log: nil for what
// is not that page.
func ListedPages(page []byte) []uint8 {
	const (
		version = 1
		count   = 8
		first   = 9
	)
	if check(page) != nil || word(page, 0) != version || page[2] != 0 {
		return nil
	}
	return page[first : first+min(int(page[count]), PageSize-first)]
}
