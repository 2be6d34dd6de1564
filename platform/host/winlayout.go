package host

import (
	"errors"
	"syscall"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// Errors of Windows that are answers.
const (
	moreData  syscall.Errno = 234 // ERROR_MORE_DATA: what fits has been answered
	endOfFile syscall.Errno = 38  // ERROR_HANDLE_EOF: nothing of the file lies in clusters
)

// opened is an open file of Windows as far as its layout goes.
type opened struct {
	size       int64
	cluster    int64  // bytes
	attributes uint32 // of the file
	flags      uint32 // of its file system
	// control sends a control code. With moreData it says as well how many bytes of the answer were filled in.
	control     func(code uint32, request, answer []byte) (int, error)
	compression func() (winapi.Compression, error)
}

// layout finds out how the file lies on its volume. What was written of it is known on NTFS and ReFS only;
// exFAT knows but does not tell, and FAT fills with zeros what was not. On a server only holes are known. An answer
// that makes no sense, as Wine gives it, tells nothing.
func (f opened) layout() (platform.Layout, error) {
	l := platform.Layout{Packing: f.attributes&winapi.AttrCompressed != 0}
	runs, err := f.runs()
	switch {
	case errors.Is(err, endOfFile):
		if f.size > 0 {
			l.Extents = 1 // so small that it lies where its name does
		}
		return l, nil
	case errors.Is(err, platform.ErrUnsupported) || errors.Is(err, winapi.ErrStrange) || err == nil && f.cluster <= 0:
		l.Unwritten, err = f.holes()
		return l, err
	case err != nil:
		return l, err
	}
	unit := int64(0)
	if l.Packing {
		c, err := f.compression()
		if err != nil {
			return l, err
		}
		unit = c.Unit / f.cluster
	}
	var extents []extent
	if unit > 0 {
		extents = packedExtents(runs, f.cluster, unit)
	} else {
		extents = plainExtents(runs, f.cluster)
	}
	written, err := f.written()
	if err != nil {
		return l, err
	}
	sum := layoutOf(f.size, cutExtents(extents, written))
	sum.Packing = l.Packing
	return sum, nil
}

// runs asks for all pieces of the file.
func (f opened) runs() ([]winapi.Run, error) {
	if f.flags&winapi.FlagBlockReferences != 0 {
		all, err := f.runsBy(winapi.CodeReferences, winapi.DecodeReferences)
		if !errors.Is(err, platform.ErrUnsupported) {
			return all, err
		}
	}
	return f.runsBy(winapi.CodeRetrieval, winapi.DecodeRetrieval)
}

func (f opened) runsBy(code uint32, decode func([]byte) ([]winapi.Run, error)) ([]winapi.Run, error) {
	var all []winapi.Run
	err := f.inParts(code, func() []byte {
		next := int64(0)
		if n := len(all); n > 0 {
			next = all[n-1].Start + all[n-1].Length
		}
		return winapi.RetrievalRequest(next)
	}, func(b []byte) (int, error) {
		part, err := decode(b)
		all = append(all, part...)
		return len(part), err
	})
	return all, err
}

// holes is how many bytes of the file are not stored.
func (f opened) holes() (int64, error) {
	at, stored := int64(0), int64(0)
	err := f.inParts(winapi.CodeRanges, func() []byte { return winapi.RangesRequest(at, f.size) }, func(b []byte) (int, error) {
		part, err := winapi.DecodeRanges(b)
		for _, s := range part {
			stored += s.Length
			at = s.Start + s.Length
		}
		return len(part), err
	})
	return max(f.size-stored, 0), err
}

// written are the parts of the file that were written, or nil if the file system does not tell.
func (f opened) written() ([]winapi.Span, error) {
	written := []winapi.Span{}
	for room := 1 << 16; ; room *= 2 {
		answer := make([]byte, room)
		n, err := f.control(winapi.CodeRegions, nil, answer)
		switch {
		case errors.Is(err, moreData) && room < 1<<24:
			continue
		case errors.Is(err, platform.ErrUnsupported):
			return nil, nil
		case err != nil:
			return nil, err
		}
		spans, err := winapi.DecodeRegions(answer[:min(n, room)])
		return append(written, spans...), err
	}
}

// inParts sends a control code until all has been answered. take says how many entries it got.
func (f opened) inParts(code uint32, request func() []byte, take func([]byte) (int, error)) error {
	answer := make([]byte, 1<<16)
	for {
		n, err := f.control(code, request(), answer)
		more := errors.Is(err, moreData)
		if err != nil && !more {
			return err
		}
		got, err := take(answer[:min(max(n, 0), len(answer))])
		if err != nil || !more || got == 0 {
			return err
		}
	}
}

// plainExtents are the pieces of a file that is not compressed; holes are left out.
func plainExtents(runs []winapi.Run, cluster int64) []extent {
	var out []extent
	for _, r := range runs {
		if r.Place < 0 {
			continue
		}
		out = append(out, extent{
			logical: r.Start * cluster, physical: r.Place * cluster, length: r.Length * cluster,
			located: true, shared: r.References > 1,
		})
	}
	return out
}

// packedExtents are the pieces of a compressed file. Of a unit of so many clusters those that are stored come
// first, and what compression has saved follows as a hole; a unit that did not become smaller is stored as it is.
func packedExtents(runs []winapi.Run, cluster, unit int64) []extent {
	stored := make(map[int64]int64) // clusters of each unit
	place := make(map[int64]int64)  // where it starts
	var order []int64
	for _, r := range runs {
		if r.Place < 0 {
			continue
		}
		for at := r.Start; at < r.Start+r.Length; {
			u := at / unit
			n := min((u+1)*unit, r.Start+r.Length) - at
			if stored[u] == 0 {
				order = append(order, u)
				place[u] = r.Place + at - r.Start
			}
			stored[u] += n
			at += n
		}
	}
	var out []extent
	for _, u := range order {
		out = append(out, extent{
			logical: u * unit * cluster, physical: place[u] * cluster, length: unit * cluster,
			located: stored[u] >= unit, encoded: stored[u] < unit,
		})
	}
	return out
}

// cutExtents tells apart what was written of extents and what was only reserved. nil means that all was.
func cutExtents(extents []extent, written []winapi.Span) []extent {
	if written == nil {
		return extents
	}
	var out []extent
	part := func(e extent, from, to int64, unwritten bool) {
		if to <= from {
			return
		}
		p := e
		p.logical, p.physical, p.length, p.unwritten = from, e.physical+from-e.logical, to-from, unwritten
		out = append(out, p)
	}
	for _, e := range extents {
		at, end := e.logical, e.logical+e.length
		for _, w := range written {
			from, to := max(w.Start, at), min(w.Start+w.Length, end)
			if to <= from {
				continue
			}
			part(e, at, from, true)
			part(e, from, to, false)
			at = to
		}
		part(e, at, end, true)
	}
	return out
}
