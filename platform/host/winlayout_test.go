package host

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// told is what a file system answers to a control code, one answer after the other.
type told struct {
	answer []uint64 // of 8 bytes each
	err    error
}

// retell is a file whose file system gives the answers of a table, and is asked for nothing else.
func retell(t *testing.T, f opened, answers map[uint32][]told) opened {
	f.control = func(code uint32, request, answer []byte) (int, error) {
		left := answers[code]
		if len(left) == 0 {
			return 0, &platform.OpError{Op: "control", Reason: platform.ErrUnsupported}
		}
		answers[code] = left[1:]
		for i, v := range left[0].answer {
			binary.LittleEndian.PutUint64(answer[8*i:], v)
		}
		return 8 * len(left[0].answer), left[0].err
	}
	t.Cleanup(func() {
		for code, left := range answers {
			if len(left) > 0 {
				t.Errorf("code %#x: %d answers were not asked for", code, len(left))
			}
		}
	})
	return f
}

const hole = 1<<64 - 1

func TestWindowsLayout(t *testing.T) {
	const mib = 1 << 20
	plain := opened{size: mib, cluster: 4096} // 256 clusters
	refs, packed := plain, plain
	refs.flags = winapi.FlagBlockReferences
	packed.attributes = winapi.AttrCompressed
	packed.compression = func() (winapi.Compression, error) { return winapi.Compression{Stored: 1, Unit: 65536}, nil }
	one := func(words ...uint64) []told { return []told{{answer: words}} }
	regions := func(written uint64) []told {
		return one(2<<32, 2, 0, written, 1, written, mib-written, 0)
	}
	ioFailed := errors.New("the device failed")
	for _, c := range []struct {
		name    string
		file    opened
		answers map[uint32][]told
		want    platform.Layout
		err     error
	}{
		{"in one piece", plain, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, 1000), winapi.CodeRegions: regions(mib)}, platform.Layout{Extents: 1}, nil},
		{"in two", plain, map[uint32][]told{winapi.CodeRetrieval: one(2, 0, 100, 1000, 256, 5000)}, platform.Layout{Extents: 2}, nil},
		{"two that lie behind each other", plain, map[uint32][]told{winapi.CodeRetrieval: one(2, 0, 100, 1000, 256, 1100)}, platform.Layout{Extents: 1}, nil},
		{"longer than the file", plain, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 512, 1000)}, platform.Layout{Extents: 1}, nil},
		{"sparse", plain, map[uint32][]told{winapi.CodeRetrieval: one(3, 0, 16, 1000, 240, hole, 256, 5000)}, platform.Layout{Extents: 2, Unwritten: 224 * 4096}, nil},
		{"nothing but a hole", plain, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, hole)}, platform.Layout{Unwritten: mib}, nil},
		{"half written", plain, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, 1000), winapi.CodeRegions: regions(mib / 2)}, platform.Layout{Extents: 1, Unwritten: mib / 2}, nil},
		{"never written", plain, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, 1000), winapi.CodeRegions: regions(0)}, platform.Layout{Extents: 1, Unwritten: mib}, nil},
		{"answered in parts", plain, map[uint32][]told{winapi.CodeRetrieval: {{[]uint64{1, 0, 100, 1000}, moreData}, {[]uint64{1, 100, 256, 9000}, nil}}}, platform.Layout{Extents: 2}, nil},
		{"a part without an end", plain, map[uint32][]told{winapi.CodeRetrieval: {{[]uint64{0, 0}, moreData}}}, platform.Layout{Unwritten: mib}, nil},
		{"where its name lies", plain, map[uint32][]told{winapi.CodeRetrieval: {{nil, endOfFile}}}, platform.Layout{Extents: 1}, nil},
		{"empty", opened{cluster: 4096}, map[uint32][]told{winapi.CodeRetrieval: {{nil, endOfFile}}}, platform.Layout{}, nil},
		{"shared", refs, map[uint32][]told{winapi.CodeReferences: one(2, 0, 16, 1000, 2, 256, 1016, 1)}, platform.Layout{Extents: 1, Shared: 16 * 4096}, nil},
		{"without references after all", refs, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, 1000)}, platform.Layout{Extents: 1}, nil},
		{"compressed", packed, map[uint32][]told{winapi.CodeRetrieval: one(5, 0, 4, 1000, 16, hole, 32, 2000, 48, hole, 256, 2016)},
			platform.Layout{Extents: 3, Unwritten: 65536, Encoded: 65536, Packing: true}, nil},
		{"to be compressed, which did not help", packed, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, 1000)}, platform.Layout{Extents: 1, Packing: true}, nil},
		{"on a server", plain, map[uint32][]told{winapi.CodeRanges: one(0, 4096, 65536, 4096)}, platform.Layout{Unwritten: mib - 8192}, nil},
		{"on a server, in parts", plain, map[uint32][]told{winapi.CodeRanges: {{[]uint64{0, 4096}, moreData}, {[]uint64{8192, 4096}, nil}}}, platform.Layout{Unwritten: mib - 8192}, nil},
		{"nothing is told", plain, map[uint32][]told{}, platform.Layout{}, platform.ErrUnsupported},
		{"a drive that fails", plain, map[uint32][]told{winapi.CodeRetrieval: {{nil, ioFailed}}}, platform.Layout{}, ioFailed},
		{"regions that fail", plain, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, 1000), winapi.CodeRegions: {{nil, ioFailed}}}, platform.Layout{}, ioFailed},
		{"an answer without sense", plain, map[uint32][]told{winapi.CodeRetrieval: one(1, 1, 0, 0)}, platform.Layout{}, platform.ErrUnsupported},
		{"clusters of no size", opened{size: mib}, map[uint32][]told{winapi.CodeRetrieval: one(1, 0, 256, 1000), winapi.CodeRanges: one(0, mib)}, platform.Layout{}, nil},
	} {
		got, err := retell(t, c.file, c.answers).layout()
		if !errors.Is(err, c.err) || c.err == nil && (err != nil || got != c.want) {
			t.Errorf("%s: %+v, %v, want %+v, %v", c.name, got, err, c.want, c.err)
		}
	}
}

// More regions than fit are asked for again with more room.
func TestWrittenGrows(t *testing.T) {
	f := retell(t, opened{size: 8192}, map[uint32][]told{winapi.CodeRegions: {{nil, moreData}, {[]uint64{1 << 32, 1, 0, 8192, 1}, nil}}})
	got, err := f.written()
	if err != nil || !slices.Equal(got, []winapi.Span{{Start: 0, Length: 8192}}) {
		t.Errorf("%v, %v", got, err)
	}
}
