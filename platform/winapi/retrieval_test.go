package winapi

import (
	"errors"
	"slices"
	"testing"
	"unsafe"
)

func TestFileABI(t *testing.T) {
	var c compressionInfo
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"RETRIEVAL_POINTERS_BUFFER.Extents", unsafe.Sizeof(retrievalHead{}), 16},
		{"RETRIEVAL_POINTERS_BUFFER.StartingVcn", unsafe.Offsetof(retrievalHead{}.StartingVcn), 8},
		{"sizeof an extent", unsafe.Sizeof(retrievalExtent{}), 16},
		{"sizeof an extent with references", unsafe.Sizeof(retrievalReferences{}), 24},
		{"sizeof FILE_ALLOCATED_RANGE_BUFFER", unsafe.Sizeof(Span{}), 16},
		{"FILE_REGION_OUTPUT.Region", unsafe.Sizeof(regionOutput{}), 16},
		{"sizeof FILE_REGION_INFO", unsafe.Sizeof(regionInfo{}), 24},
		{"sizeof FILE_COMPRESSION_INFO", unsafe.Sizeof(c), 16},
		{"FILE_COMPRESSION_INFO.CompressionUnitShift", unsafe.Offsetof(c.CompressionUnitShift), 10},
		{"FILE_COMPRESSION_INFO.ClusterShift", unsafe.Offsetof(c.ClusterShift), 12},
	} {
		if f.got != f.want {
			t.Errorf("%s: %d, want %d", f.name, f.got, f.want)
		}
	}
	if got := RangesRequest(5, 12); !slices.Equal(got, []byte{5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("request % x", got)
	}
}

// retrieval is a RETRIEVAL_POINTERS_BUFFER: pairs of NextVcn and Lcn.
func retrieval(start int64, pairs ...int64) answer {
	b := bytesOf(16+8*len(pairs)).u32(0, uint32(len(pairs)/2)).u64(8, uint64(start))
	for i, v := range pairs {
		b.u64(16+8*i, uint64(v))
	}
	return b
}

// references is a RETRIEVAL_POINTERS_AND_REFCOUNT_BUFFER: NextVcn, Lcn and how many files have it.
func references(start int64, triples ...int64) answer {
	b := bytesOf(16+8*len(triples)).u32(0, uint32(len(triples)/3)).u64(8, uint64(start))
	for i, v := range triples {
		b.u64(16+8*i, uint64(v))
	}
	return b
}

// regions is a FILE_REGION_OUTPUT: offset, length and usage.
func regions(triples ...int64) answer {
	n := uint32(len(triples) / 3)
	b := bytesOf(16+8*len(triples)).u32(4, n).u32(8, n)
	for i, v := range triples {
		b.u64(16+8*i, uint64(v))
	}
	return b
}

func TestDecodeRuns(t *testing.T) {
	for _, c := range []struct {
		name    string
		got     func() ([]Run, error)
		want    []Run
		strange bool
	}{
		{"two", func() ([]Run, error) { return DecodeRetrieval(retrieval(0, 10, 1000, 12, 500)) }, []Run{{0, 10, 1000, 0}, {10, 2, 500, 0}}, false},
		{"a hole", func() ([]Run, error) { return DecodeRetrieval(retrieval(4, 10, -1)) }, []Run{{4, 6, -1, 0}}, false},
		{"none", func() ([]Run, error) { return DecodeRetrieval(retrieval(0)) }, nil, false},
		{"shared", func() ([]Run, error) { return DecodeReferences(references(0, 8, 64, 2, 9, 80, 1)) }, []Run{{0, 8, 64, 2}, {8, 1, 80, 1}}, false},
		{"backwards", func() ([]Run, error) { return DecodeRetrieval(retrieval(10, 10, 5)) }, nil, true},
		{"before the start", func() ([]Run, error) { return DecodeRetrieval(retrieval(-1, 10, 5)) }, nil, true},
		{"nowhere", func() ([]Run, error) { return DecodeRetrieval(retrieval(0, 10, -2)) }, nil, true},
	} {
		got, err := c.got()
		if !slices.Equal(got, c.want) || errors.Is(err, ErrStrange) != c.strange || !c.strange && err != nil {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	for name, b := range map[string]answer{"nothing": nil, "a head": bytesOf(15), "fewer than said": retrieval(0, 10, 5).u32(0, 2)} {
		if got, err := DecodeRetrieval(b); !errors.Is(err, ErrShort) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestDecodeSpans(t *testing.T) {
	pair := func(values ...uint64) answer {
		b := bytesOf(8 * len(values))
		for i, v := range values {
			b.u64(8*i, v)
		}
		return b
	}
	for _, c := range []struct {
		name string
		got  func() ([]Span, error)
		want []Span
		err  error
	}{
		{"ranges", func() ([]Span, error) { return DecodeRanges(pair(0, 5, 8, 2)) }, []Span{{0, 5}, {8, 2}}, nil},
		{"no ranges", func() ([]Span, error) { return DecodeRanges(nil) }, nil, nil},
		{"ranges that overlap", func() ([]Span, error) { return DecodeRanges(pair(0, 5, 4, 2)) }, []Span{{0, 5}, {4, 2}}, ErrStrange},
		{"a range beyond all", func() ([]Span, error) { return DecodeRanges(pair(1<<62, 1<<62)) }, []Span{{1 << 62, 1 << 62}}, ErrStrange},
		{"written", func() ([]Span, error) { return DecodeRegions(regions(0, 4096, 1, 4096, 4096, 0)) }, []Span{{0, 4096}}, nil},
		{"written on the drive", func() ([]Span, error) { return DecodeRegions(regions(0, 4096, 2)) }, []Span{{0, 4096}}, nil},
		{"never written", func() ([]Span, error) { return DecodeRegions(regions(0, 4096, 0)) }, nil, nil},
		{"an empty file", func() ([]Span, error) { return DecodeRegions(regions()) }, nil, nil},
		{"not all regions", func() ([]Span, error) { return DecodeRegions(regions(0, 1, 1).u32(4, 2)) }, nil, ErrShort},
		{"fewer than said", func() ([]Span, error) { return DecodeRegions(regions(0, 1, 1).u32(4, 2).u32(8, 2)) }, nil, ErrShort},
		{"no answer", func() ([]Span, error) { return DecodeRegions(nil) }, nil, ErrShort},
	} {
		got, err := c.got()
		if !slices.Equal(got, c.want) || !errors.Is(err, c.err) || c.err == nil && err != nil {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

func TestDecodeCompression(t *testing.T) {
	info := func(stored uint64, format uint16, unit uint8) answer {
		return bytesOf(16).u64(0, stored).u16(8, format).u8(10, unit).u8(11, 12).u8(12, 12)
	}
	for _, c := range []struct {
		name   string
		answer answer
		want   Compression
		err    error
	}{
		{"plain", info(4096, 0, 0), Compression{4096, 0}, nil},
		{"LZNT1", info(4096, 2, 16), Compression{4096, 1 << 16}, nil},
		{"a unit of a sparse file", info(0, 0, 16), Compression{0, 0}, nil},
		{"too large", info(0, 2, 60), Compression{}, ErrStrange},
		{"short", info(0, 2, 16)[:15], Compression{}, ErrShort},
	} {
		if got, err := DecodeCompression(c.answer); got != c.want || !errors.Is(err, c.err) || c.err == nil && err != nil {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func FuzzDecodeRuns(f *testing.F) {
	f.Add([]byte(retrieval(0, 10, 1000, 12, -1)))
	f.Add([]byte(references(0, 8, 64, 2)))
	f.Add([]byte(regions(0, 4096, 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, decode := range []func([]byte) ([]Run, error){DecodeRetrieval, DecodeReferences} {
			runs, _ := decode(b)
			for _, r := range runs {
				if r.Length <= 0 || r.Start < 0 || r.Place < -1 {
					t.Errorf("%+v", r)
				}
			}
		}
		for _, decode := range []func([]byte) ([]Span, error){DecodeRanges, DecodeRegions} {
			spans, err := decode(b)
			for i, s := range spans {
				if err == nil && (s.Length < 0 || i > 0 && s.Start < spans[i-1].Start+spans[i-1].Length) {
					t.Errorf("%+v", spans)
				}
			}
		}
	})
}
