package tree

import (
	"bytes"
	"compress/flate"
	"path"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGenerate(t *testing.T) {
	for _, size := range []int64{1, 4095, 16 * mib, gib, 25e9, 195e9} {
		tr := Generate(size, 7)
		if got := tr.Bytes(); got != size {
			t.Errorf("%d bytes: the tree has %d", size, got)
		}
		if !reflect.DeepEqual(tr, Generate(size, 7)) {
			t.Errorf("%d bytes: the same seed gave another tree", size)
		}
		known, seen := map[string]bool{".": true}, map[string]bool{}
		for _, f := range tr.Folders {
			if !known[path.Dir(f)] {
				t.Errorf("%s comes before its folder", f)
			}
			known[f] = true
		}
		for _, f := range tr.Files {
			switch {
			case f.Size <= 0:
				t.Errorf("%s has %d bytes", f.Path, f.Size)
			case !known[path.Dir(f.Path)]:
				t.Errorf("%s lies in no folder", f.Path)
			case seen[strings.ToLower(f.Path)]:
				t.Errorf("%s is there twice", f.Path)
			case len(path.Base(f.Path)) > 255 || len(f.Path) > 1000 || !utf8.ValidString(f.Path):
				t.Errorf("%s is not a name that every file system takes", f.Path)
			case strings.Count(f.Path, "/") > maxDepth:
				t.Errorf("%s lies too deep", f.Path)
			}
			seen[strings.ToLower(f.Path)] = true
		}
	}
	if reflect.DeepEqual(Generate(gib, 7), Generate(gib, 8)) {
		t.Error("two seeds gave the same tree")
	}
}

// TestLooksLikeGames keeps what the comment on classes says of 25 GB.
func TestLooksLikeGames(t *testing.T) {
	var count [3]int
	var held [3]int64
	for _, f := range Generate(25e9, 1).Files {
		c := 0
		switch {
		case f.Size < mib:
			c = 2
		case f.Size < 64*mib:
			c = 1
		}
		count[c]++
		held[c] += f.Size
	}
	t.Logf("archives, middle, small: %v files, %v bytes", count, held)
	for i, want := range [][2]int{{10, 30}, {300, 550}, {7000, 11000}} {
		if count[i] < want[0] || count[i] > want[1] {
			t.Errorf("class %d has %d files, want %d to %d", i, count[i], want[0], want[1])
		}
		if share := float64(held[i]) / 25e9; share < classes[i].share-0.05 || share > classes[i].share+0.05 {
			t.Errorf("class %d holds %.2f of the bytes, want %.2f", i, share, classes[i].share)
		}
	}
}

func TestContent(t *testing.T) {
	c := NewContent(64*kib, 3)
	pages := map[string]bool{}
	var all bytes.Buffer
	for file := range 3 {
		const size = 200*kib + 17
		for off := int64(0); off < size; {
			p := c.Next(off, size-off)
			for i := 0; i+4096 <= len(p); i += 4096 {
				if pages[string(p[i:i+4096])] {
					t.Fatalf("file %d: the page at %d was there before", file, off+int64(i))
				}
				pages[string(p[i:i+4096])] = true
			}
			off += int64(len(p))
			if off > size {
				t.Fatalf("%d bytes of %d", off, size)
			}
		}
		all.Write(c.Next(0, 64*kib))
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		_, err = w.Write(all.Bytes()[:64*kib])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil || packed.Len() < 63*kib {
		t.Errorf("64 KiB were packed into %d bytes (%v)", packed.Len(), err)
	}
}
