package tree

import (
	"context"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"
)

// Piece is what is read and written at a time, bytes: what cp and GNOME Files take (coreutils ioblksize.h, glib
// gfile.c).
const Piece = 256 << 10

// Ring is memory that is read into again and again. Its size is a multiple of Piece.
type Ring struct {
	memory []byte
	at     int
}

// NewRing makes a ring of size bytes.
func NewRing(size int) *Ring { return &Ring{memory: make([]byte, size)} }

// Fill reads to the end, going on in the ring where the file before ended, and tells moved of each piece. It ends
// with ctx.
func (r *Ring) Fill(ctx context.Context, from io.Reader, moved func(bytes int64)) error {
	for {
		n, err := from.Read(r.memory[r.at : r.at+Piece])
		r.at = (r.at + Piece) % len(r.memory)
		moved(int64(n))
		if err == nil {
			err = ctx.Err()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Hash is what tells the contents of files apart.
type Hash struct {
	Sum  uint64 // xxHash64, which finds faults and not forgeries
	Size int64  // bytes
}

// HashOf reads to the end. It ends with ctx.
func HashOf(ctx context.Context, from io.Reader) (Hash, error) {
	h := xxhash.New()
	buf := make([]byte, Piece)
	var out Hash
	for {
		n, err := from.Read(buf)
		_, _ = h.Write(buf[:n]) // never fails
		out.Size += int64(n)
		if err == nil {
			err = ctx.Err()
		}
		if errors.Is(err, io.EOF) {
			out.Sum = h.Sum64()
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}
