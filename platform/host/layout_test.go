package host

import (
	"testing"

	"cachecliff/platform"
)

func TestLayoutOf(t *testing.T) {
	const mib = 1 << 20
	at := func(logical, physical, length int64) extent {
		return extent{logical: logical, physical: physical, length: length, located: true}
	}
	unwritten, shared, nowhere := at(0, 5*mib, mib), at(mib, 9*mib, mib), extent{logical: 0, length: 4 * mib}
	unwritten.unwritten, shared.shared = true, true
	for _, c := range []struct {
		name    string
		size    int64
		extents []extent
		want    platform.Layout
	}{
		{"empty", 0, nil, platform.Layout{}},
		{"a hole", 4 * mib, nil, platform.Layout{Unwritten: 4 * mib}},
		{"one piece", 4 * mib, []extent{at(0, mib, 4*mib)}, platform.Layout{Extents: 1}},
		{"one piece in two extents", 4 * mib, []extent{at(0, mib, 2*mib), at(2*mib, 3*mib, 2*mib)}, platform.Layout{Extents: 1}},
		{"two pieces", 4 * mib, []extent{at(0, mib, 2*mib), at(2*mib, 9*mib, 2*mib)}, platform.Layout{Extents: 2}},
		{"a hole between", 4 * mib, []extent{at(0, mib, mib), at(2*mib, 3*mib, 2*mib)}, platform.Layout{Extents: 2, Unwritten: mib}},
		{"unwritten, then shared", 2 * mib, []extent{unwritten, shared}, platform.Layout{Extents: 2, Unwritten: mib, Shared: mib}},
		{"compressed, then not", 2 * mib, []extent{{length: mib, encoded: true}, at(mib, 9*mib, mib)}, platform.Layout{Extents: 2, Encoded: mib}},
		{"more reserved than the size", 3 * mib, []extent{at(0, mib, 2*mib), at(2*mib, 3*mib, 2*mib), at(8*mib, 0, mib)}, platform.Layout{Extents: 1}},
		{"no place yet", 4 * mib, []extent{nowhere}, platform.Layout{Extents: 1}},
	} {
		if got := layoutOf(c.size, c.extents); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestExtentOf(t *testing.T) {
	got := extentOf(fiemapExtent{logical: 1, physical: 2, length: 3, flags: fiemapExtentUnwritten | fiemapExtentShared | fiemapExtentEncoded | fiemapExtentLast})
	if want := (extent{logical: 1, physical: 2, length: 3, unwritten: true, shared: true, encoded: true, located: true}); got != want {
		t.Errorf("%+v", got)
	}
	if got := extentOf(fiemapExtent{flags: fiemapExtentEncoded | fiemapExtentEncrypted}); got.encoded {
		t.Error("what is encrypted counts as compressed")
	}
	if got := extentOf(fiemapExtent{flags: fiemapExtentUnknown}); got.located {
		t.Error("an unknown place counts as one")
	}
}
