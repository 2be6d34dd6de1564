package ata

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

// sum sets the last byte of a page so that all bytes add up to zero.
func sum(page []byte) []byte {
	page[511] = 0
	var s uint8
	for _, b := range page {
		s += b
	}
	page[511] = -s
	return page
}

// attribute is a line of a SMART table as the drive has it.
type attribute struct {
	id           uint8
	flags        uint16
	value, worst uint8
	threshold    uint8
	raw          uint64
}

// smart makes the pages of SMART READ DATA and SMART READ THRESHOLDS, byte by byte.
func smart(attributes ...attribute) (data, thresholds []byte) {
	data, thresholds = make([]byte, 512), make([]byte, 512)
	data[0], thresholds[0] = 16, 16
	for i, a := range attributes {
		at := 2 + 12*i
		data[at] = a.id
		binary.LittleEndian.PutUint16(data[at+1:], a.flags)
		data[at+3], data[at+4] = a.value, a.worst
		var raw [8]byte
		binary.LittleEndian.PutUint64(raw[:], a.raw)
		copy(data[at+5:at+11], raw[:6])
		thresholds[at], thresholds[at+1] = a.id, a.threshold
	}
	return sum(data), sum(thresholds)
}

// words makes a page of IDENTIFY DEVICE with some words set and a right checksum.
func words(set map[int]uint16, text map[int]string) []byte {
	page := make([]byte, 512)
	for n, w := range set {
		binary.LittleEndian.PutUint16(page[2*n:], w)
	}
	for n, s := range text {
		for i := range len(s) {
			page[2*n+i^1] = s[i] // the first letter of each pair is the upper byte
		}
	}
	page[510] = 0xA5
	return sum(page)
}

func TestCheck(t *testing.T) {
	good, _ := smart(attribute{id: 9})
	wrong := slices.Clone(good)
	wrong[100]++
	ones := make([]byte, 512)
	for i := range ones {
		ones[i] = 0xFF
	}
	for _, c := range []struct {
		name string
		page []byte
		want error
	}{
		{"good", good, nil}, {"wrong", wrong, ErrChecksum}, {"zeros", make([]byte, 512), ErrBlank}, {"ones", ones, ErrBlank},
		{"short", good[:511], ErrLength}, {"long", append(slices.Clone(good), 0), ErrLength}, {"none", nil, ErrLength},
	} {
		if err := checkSum(c.page); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}
