package ata

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// PageSize is how many bytes each page of this package has: one sector.
const PageSize = 512

// The ways in which a page is none.
var (
	ErrLength   = errors.New("the page is not 512 bytes long")
	ErrBlank    = errors.New("the page holds nothing")
	ErrChecksum = errors.New("the checksum of the page is wrong")
	ErrStrange  = errors.New("the page does not make sense")
)

// check says whether a page has the right length and is more than zeros or ones.
func check(page []byte) error {
	if len(page) != PageSize {
		return ErrLength
	}
	for _, b := range page {
		if b != page[0] || b != 0 && b != 0xFF {
			return nil
		}
	}
	return ErrBlank
}

// checkSum says whether the bytes of a page add up to zero, as those of SMART pages do.
func checkSum(page []byte) error {
	if err := check(page); err != nil {
		return err
	}
	var sum uint8
	for _, b := range page {
		sum += b
	}
	if sum != 0 {
		return fmt.Errorf("%w: the bytes add up to %#x", ErrChecksum, sum)
	}
	return nil
}

// word reads one 16-bit word of a page.
func word(page []byte, n int) uint16 { return binary.LittleEndian.Uint16(page[2*n:]) }
