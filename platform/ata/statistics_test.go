package ata

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// statisticsPage makes a page of the device statistics: values by offset, each with its flags.
func statisticsPage(number uint8, values map[int]uint64) []byte {
	page := make([]byte, 512)
	page[0], page[2] = 1, number
	for off, v := range values {
		binary.LittleEndian.PutUint64(page[off:], v)
	}
	return page
}

const valid = 0xC0 << 56

func TestStatistics(t *testing.T) {
	for _, c := range []struct {
		name   string
		number uint8
		sector int
		values map[int]uint64
		want   string
	}{
		{"general", 1, 512, map[int]uint64{8: valid | 12, 16: valid | 4711, 24: valid | 1000, 32: valid | 77, 40: valid | 2000, 48: valid | 78},
			`{"PowerCycles":12,"PowerOnHours":4711,"BytesWritten":512000,"BytesRead":1024000,"ReadCommands":78,"WriteCommands":77}`},
		{"sectors of 4 KiB, 48 bits", 1, 4096, map[int]uint64{24: valid | 1<<48 - 1}, `{"BytesWritten":1152921504606842880}`},
		{"sector size not known", 1, 0, map[int]uint64{16: valid | 5, 24: valid | 7}, `{"PowerOnHours":5}`},
		{"supported and not valid, valid and not supported", 1, 512, map[int]uint64{8: 0x80<<56 | 1, 16: 0x40<<56 | 1},
			`{}`},
		{"errors", 4, 512, map[int]uint64{8: valid | 3}, `{"Uncorrectable":3}`},
		{"frost", 5, 512, map[int]uint64{8: valid | 0xF6}, `{"TempMilliC":-10000}`},
		{"no temperature", 5, 512, map[int]uint64{8: valid | 0x80}, `{}`},
		{"limits", 5, 512, map[int]uint64{8: valid | 35, 80: valid | 12, 88: valid | 70}, `{"TempMilliC":35000,"HotMinutes":12,"WarnMilliC":70000}`},
		{"limits that cannot be", 5, 512, map[int]uint64{80: 12, 88: valid}, `{}`},
		{"worn beyond", 7, 512, map[int]uint64{8: valid | 130}, `{"PercentUsed":130}`},
	} {
		var s Statistics
		err := s.Add(statisticsPage(c.number, c.values), c.number, c.sector)
		if got := told(t, s); err != nil || got != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.name, err, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		page []byte
		want error
	}{
		"another page":    {statisticsPage(0, map[int]uint64{8: 5}), ErrStrange},
		"another version": {append([]byte{2}, statisticsPage(1, nil)[1:]...), ErrStrange},
		"nothing":         {make([]byte, 512), ErrBlank},
		"short":           {make([]byte, 8), ErrLength},
	} {
		var s Statistics
		if err := s.Add(c.page, 1, 512); !errors.Is(err, c.want) || s != (Statistics{}) {
			t.Errorf("%s: %v, %+v", name, err, s)
		}
	}
	if pages := StatisticsPages(); len(pages) != 4 || pages[0] != 1 || pages[3] != 7 {
		t.Errorf("pages %v", pages)
	}
}

// told is what is known of a drive's statistics.
func told(t *testing.T, s Statistics) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(unknown.ReplaceAllString(string(b), ""), "{,", "{", 1)
}

var unknown = regexp.MustCompile(`,?"[A-Za-z]+":null`)

func TestListedPages(t *testing.T) {
	list := statisticsPage(0, nil)
	copy(list[8:], "\x05\x00\x01\x04\x05\x07\x09")
	full := statisticsPage(0, map[int]uint64{8: 0xFF})
	for _, c := range []struct {
		name string
		page []byte
		want []uint8
	}{
		{"five", list, []uint8{0, 1, 4, 5, 7}}, {"another page", statisticsPage(1, map[int]uint64{8: 5}), nil},
		{"another version", append([]byte{9}, list[1:]...), nil}, {"nothing", make([]byte, 512), nil}, {"short", list[:100], nil},
	} {
		if got := ListedPages(c.page); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if n := len(ListedPages(full)); n != 255 {
		t.Errorf("%d pages out of 255", n)
	}
}

func TestHasLog(t *testing.T) {
	directory := make([]byte, 512)
	directory[0], directory[2*4] = 1, 8
	for _, c := range []struct {
		name string
		page []byte
		log  uint8
		want bool
	}{
		{"has it", directory, 4, true}, {"has not", directory, 3, false}, {"another version", append([]byte{2}, directory[1:]...), 4, false},
		{"short", directory[:100], 4, false}, {"nothing", make([]byte, 512), 0, false},
	} {
		if HasLog(c.page, c.log) != c.want {
			t.Errorf("%s: %t", c.name, !c.want)
		}
	}
}

func FuzzStatistics(f *testing.F) {
	for _, n := range StatisticsPages() {
		f.Add(statisticsPage(n, map[int]uint64{8: valid | 50}), n, 512)
	}
	f.Fuzz(func(t *testing.T, page []byte, number uint8, sector int) {
		var s Statistics
		if err := s.Add(page, number, sector); err != nil && s != (Statistics{}) {
			t.Errorf("%v, and %+v", err, s)
		}
		if c := s.TempMilliC; c != nil && (*c <= -60_000 || *c > 127_000) {
			t.Errorf("temperature %d", *c)
		}
		if u := s.PercentUsed; u != nil && (*u < 0 || *u > 255) {
			t.Errorf("used %d %%", *u)
		}
	})
}

func FuzzListedPages(f *testing.F) {
	f.Add(statisticsPage(0, map[int]uint64{8: 0xFF}), uint8(4))
	f.Add(statisticsPage(0, map[int]uint64{8: 0x050403020105}), uint8(0))
	f.Fuzz(func(t *testing.T, page []byte, log uint8) {
		if n := len(ListedPages(page)); n > 255 {
			t.Errorf("%d pages", n)
		}
		if HasLog(page, log) && len(page) != 512 {
			t.Errorf("a log in %d bytes", len(page))
		}
	})
}
