package host

import "cachecliff/platform"

// extent is a piece of a file as the file system tells of it, in bytes.
type extent struct {
	logical, physical, length int64
	unwritten, shared         bool
	encoded                   bool
	located                   bool // whether physical means something
}

// layoutOf sums up a file of size bytes from its extents in file order. Pieces that lie one behind
// the other count as one: file systems limit the length of an extent (ext4: 128 MiB), which says
// nothing about how the file lies.
func layoutOf(size int64, extents []extent) platform.Layout {
	l := platform.Layout{Unwritten: size}
	var last extent
	for _, e := range extents {
		// What lies beyond the end was reserved by the file system and is not read.
		e.length = min(e.length, size-e.logical)
		if e.length <= 0 {
			break
		}
		follows := last.located && e.located && last.logical+last.length == e.logical && last.physical+last.length == e.physical
		if !follows {
			l.Extents++
		}
		if !e.unwritten {
			l.Unwritten -= e.length
		}
		if e.shared {
			l.Shared += e.length
		}
		if e.encoded {
			l.Encoded += e.length
		}
		last = e
	}
	return l
}

// extentOf reads one extent of the kernel.
func extentOf(e fiemapExtent) extent {
	return extent{
		logical:   int64(e.logical),
		physical:  int64(e.physical),
		length:    int64(e.length),
		unwritten: e.flags&fiemapExtentUnwritten != 0,
		shared:    e.flags&fiemapExtentShared != 0,
		encoded:   e.flags&(fiemapExtentEncoded|fiemapExtentEncrypted) == fiemapExtentEncoded,
		located:   e.flags&fiemapExtentUnknown == 0,
	}
}
