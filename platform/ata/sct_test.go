package ata

import (
	"errors"
	"slices"
	"testing"

	"cachecliff/platform"
)

// sctStatus is an SCT status with a temperature.
func sctStatus(version uint8, temperature int8) []byte {
	page := make([]byte, 512)
	page[0], page[2], page[4] = version, 1, 2
	page[200], page[201], page[202] = uint8(temperature), 20, 60
	return page
}

func TestDecodeSCT(t *testing.T) {
	for _, c := range []struct {
		name string
		page []byte
		want int32
		none bool
		err  error
	}{
		{"31 °C", sctStatus(2, 31), 31000, false, nil}, {"version 3", sctStatus(3, 55), 55000, false, nil}, {"frost", sctStatus(2, -5), -5000, false, nil},
		{"no thermometer", sctStatus(2, -128), 0, true, nil}, {"another version", sctStatus(4, 31), 0, true, ErrStrange},
		{"nothing", make([]byte, 512), 0, true, ErrBlank}, {"short", sctStatus(2, 31)[:200], 0, true, ErrLength},
	} {
		got, err := DecodeSCT(c.page)
		if !errors.Is(err, c.err) || (got == nil) != c.none || got != nil && *got != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

// errorLog is a log of so many errors.
func errorLog(version uint8, count uint16) []byte {
	page := make([]byte, 512)
	page[0], page[452], page[453] = version, uint8(count), uint8(count>>8)
	return sum(page)
}

func TestDecodeErrorCount(t *testing.T) {
	broken := errorLog(1, 7)
	broken[100]++
	for _, c := range []struct {
		name string
		page []byte
		want uint64
		err  error
	}{
		{"none", errorLog(1, 0), 0, nil}, {"many", errorLog(1, 1234), 1234, nil}, {"another version", errorLog(2, 1), 0, ErrStrange},
		{"checksum", broken, 0, ErrChecksum}, {"nothing", make([]byte, 512), 0, ErrBlank}, {"short", errorLog(1, 1)[:452], 0, ErrLength},
	} {
		if got, err := DecodeErrorCount(c.page); !errors.Is(err, c.err) || got != c.want {
			t.Errorf("%s: %d, %v", c.name, got, err)
		}
	}
}

func TestKeepsErrors(t *testing.T) {
	data, _ := smart(attribute{id: 9})
	told := slices.Clone(data)
	told[370] = 1
	for _, c := range []struct {
		name string
		id   Identity
		data []byte
		want bool
	}{
		{"its identity says so", Identity{ErrorLog: platform.Yes}, data, true}, {"its data say so", Identity{ErrorLog: platform.No}, sum(told), true},
		{"neither", Identity{ErrorLog: platform.No}, data, false}, {"short data", Identity{}, told[:371], false},
	} {
		if KeepsErrors(c.id, c.data) != c.want {
			t.Errorf("%s: %t", c.name, !c.want)
		}
	}
}

func FuzzDecodeSCT(f *testing.F) {
	f.Add(sctStatus(2, 31))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := DecodeSCT(b)
		if err != nil && c != nil || c != nil && (*c <= -60_000 || *c > 127_000) {
			t.Errorf("%v, %v", c, err)
		}
	})
}

func FuzzDecodeErrorCount(f *testing.F) {
	f.Add(errorLog(1, 5))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 512 {
			sum(b)
		}
		if n, err := DecodeErrorCount(b); err != nil && n != 0 || n > 0xFFFF {
			t.Errorf("%d, %v", n, err)
		}
	})
}
