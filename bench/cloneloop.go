package bench

import (
	"context"
	"errors"
	stdio "io" // the tests of this package have an io of their own

	"github.com/cespare/xxhash/v2"

	"cachecliff/platform"
)

// all is everything that the time is taken of.
func (w *cloneWork) all() error {
	h := xxhash.New()
	for off := int64(0); off < w.part.Size; {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n := int(min(CloneBlock, w.part.Size-off))
		if err := w.fetch(n, w.part.Start+off); err != nil {
			return err
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		h.Write(w.buf[:n]) // it never fails
		if _, err := w.image.Write(w.buf[:n]); err != nil {
			return err
		}
		w.writes.Add(1)
		w.written.Add(int64(n))
		off += int64(n)
	}
	w.facts.ReadHash = sumText(h)
	w.facts.Handed = w.Host.Now() - w.began
	err := w.image.Flush()
	w.took = w.Host.Now() - w.began
	return err
}

// unit is the least that a read can fail of, bytes: a page through the page cache, else a sector.
func (w *cloneWork) unit() int {
	if w.facts.Direct {
		return max(w.plan.Clone.Sector, 512)
	}
	return max(w.plan.Clone.Sector, 4096)
}

// fetch reads a block into the buffer. Where the source cannot be read there are zeros, if that was wanted.
func (w *cloneWork) fetch(n int, off int64) error {
	unit := w.unit()
	ask := n // reads past the page cache are of whole sectors; behind the end of a file nothing comes
	if w.facts.Direct {
		ask = (n + unit - 1) / unit * unit
	}
	w.reads.Add(1)
	got, err := w.source.ReadAt(w.buf[:ask], off)
	got = min(got, n)
	if got == n {
		w.read.Add(int64(n))
		return nil
	}
	if err := w.mayGoOn(err); err != nil {
		if errors.Is(err, platform.ErrIO) {
			w.bad(off+int64(got/unit*unit), int64(min(unit, n-got/unit*unit)))
		}
		return err
	}
	got = got / unit * unit
	w.read.Add(int64(got))
	return w.salvage(w.buf[got:ask], off+int64(got), n-got)
}

// salvage reads what can be read of a range with an error in it, by halves, down to the least. Of p only n bytes count.
func (w *cloneWork) salvage(p []byte, off int64, n int) error {
	unit := w.unit()
	if len(p) <= unit {
		clear(p)
		w.bad(off, int64(n))
		return nil
	}
	half := (len(p)/2 + unit - 1) / unit * unit
	for _, piece := range [][2]int{{0, half}, {half, len(p)}} {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		q, at := p[piece[0]:piece[1]], off+int64(piece[0])
		counts := min(len(q), n-piece[0])
		if counts <= 0 {
			return nil
		}
		w.reads.Add(1)
		got, err := w.source.ReadAt(q, at)
		if got >= counts {
			w.read.Add(int64(counts))
			continue
		}
		if err := w.mayGoOn(err); err != nil {
			return err
		}
		if err := w.salvage(q, at, counts); err != nil {
			return err
		}
	}
	return nil
}

// mayGoOn gives back the error that ends a clone: one that is not of the medium, or of a drive that is gone, and any if
// it was to stop.
func (w *cloneWork) mayGoOn(err error) error {
	if err == nil || errors.Is(err, stdio.EOF) {
		return &platform.OpError{Op: "read", Object: w.plan.Clone.Path, Reason: platform.ErrShortIO, Err: err}
	}
	if !errors.Is(err, platform.ErrIO) {
		return err
	}
	for _, d := range w.plan.Clone.Drives {
		if w.gone(d) {
			return &platform.OpError{Op: "read", Object: w.plan.Clone.Path, Reason: platform.ErrGone}
		}
	}
	if w.plan.Profile.Cloning.OnError == CloneStop {
		return err
	}
	return nil
}

func (w *cloneWork) gone(d platform.Drive) bool {
	ctx, cancel := context.WithTimeout(w.ctx, countersTimeout)
	defer cancel()
	_, err := w.Host.Sensors(ctx, d)
	return errors.Is(err, platform.ErrGone)
}

// bad notes a range, as one with the range before it if they touch.
func (w *cloneWork) bad(start, size int64) {
	f := w.facts
	f.BadBytes += size
	if n := len(f.Bad); n > 0 && f.Bad[n-1].Start+f.Bad[n-1].Size == start {
		f.Bad[n-1].Size += size
	} else if n < mostBad {
		f.Bad = append(f.Bad, BadRange{start, size})
	}
}
