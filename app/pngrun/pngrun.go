// Package pngrun puts a run into a PNG picture, and takes it out again: who gets the picture can open the run.
//
// The run is an iTXt chunk of its own keyword before the end of the picture: the stored form of a result as compressed
// JSON, without serial numbers and without the names of people and computers (package share). Programs that show
// pictures pass over it. Hosts that encode pictures anew drop it; then there is no run inside, and the run code on the
// picture is what is left.
//
// What is taken out comes from strangers: lengths, checksums and the order of chunks are checked, nothing is unpacked
// beyond MaxRun, and the result passes the checks of package store.
package pngrun

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"cachecliff/bench"
)

// Keyword names the chunk, as the PNG specification (third edition, 11.3.3.1) wants it: 1 to 79 signs of Latin-1.
const Keyword = "Cachecliff run"

// Limits in bytes. A run of an hour at ten samples a second takes about 15 MB, and 2 MB packed.
const (
	MaxRun     = 32 << 20  // the run, unpacked
	MaxPacked  = 4 << 20   // the run, packed: what a forum still takes
	MaxPicture = 256 << 20 // all that is read of a picture
)

// The errors, tested with errors.Is. An error in the run itself is one of package store.
var (
	ErrNotPNG  = errors.New("this is no PNG picture")
	ErrNoRun   = errors.New("there is no run in the picture")
	ErrDamaged = errors.New("the picture or the run in it is damaged")
	ErrTooBig  = errors.New("the picture or the run in it is too large")
)

var signature = []byte("\x89PNG\r\n\x1a\n")

// longest is the largest length that a chunk may state.
const longest = 1<<31 - 1

// chunk is the head of a chunk; its data and checksum follow in the reader.
type chunk struct {
	length uint32
	kind   string
}

// pictureReader reads the chunks of a picture one after the other.
type pictureReader struct {
	from  io.Reader
	first bool // no chunk was read yet
	data  bool // pixels were seen
}

// open reads the signature. The error is ErrNotPNG, or the reader's.
func open(from io.Reader) (*pictureReader, error) {
	r := &pictureReader{from: &limited{from, MaxPicture}, first: true}
	head := make([]byte, len(signature))
	if _, err := io.ReadFull(r.from, head); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, ErrNotPNG
	} else if err != nil {
		return nil, err
	}
	if !bytes.Equal(head, signature) {
		return nil, ErrNotPNG
	}
	return r, nil
}

// next reads the head of the next chunk. A picture begins with IHDR, has pixels and ends with IEND.
func (r *pictureReader) next() (chunk, error) {
	var head [8]byte
	if err := r.full(head[:]); err != nil {
		return chunk{}, err
	}
	c := chunk{binary.BigEndian.Uint32(head[:4]), string(head[4:])}
	for _, b := range head[4:] {
		if b|0x20 < 'a' || b|0x20 > 'z' {
			return c, fmt.Errorf("%w: a chunk of the kind %q", ErrDamaged, c.kind)
		}
	}
	switch {
	case c.length > longest:
		return c, fmt.Errorf("%w: a chunk of %d bytes", ErrDamaged, c.length)
	case r.first != (c.kind == "IHDR"), c.kind == "IHDR" && c.length != 13:
		return c, fmt.Errorf("%w: the head is not in its place", ErrDamaged)
	case c.kind == "IEND" && (c.length != 0 || !r.data):
		return c, fmt.Errorf("%w: the end is not in its place", ErrDamaged)
	}
	r.first = false
	r.data = r.data || c.kind == "IDAT"
	return c, nil
}

// body passes the data of a chunk on and compares its checksum.
func (r *pictureReader) body(c chunk, to io.Writer) error {
	sum := crc(c.kind)
	if _, err := io.CopyN(io.MultiWriter(sum, to), r.from, int64(c.length)); err != nil {
		return cut(err)
	}
	var want [4]byte
	if err := r.full(want[:]); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(want[:]) != sum.Sum32() {
		return fmt.Errorf("%w: the checksum of %s", ErrDamaged, c.kind)
	}
	return nil
}

func (r *pictureReader) full(b []byte) error {
	_, err := io.ReadFull(r.from, b)
	return cut(err)
}

// cut says that a picture ends too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the end is missing", ErrDamaged)
	}
	return err
}

func crc(kind string) hash.Hash32 {
	sum := crc32.NewIEEE()
	sum.Write([]byte(kind))
	return sum
}

// limited fails with ErrTooBig once so many bytes were read.
type limited struct {
	from io.Reader
	left int64
}

// Read implements io.Reader.
func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, ErrTooBig
	}
	n, err := l.from.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// write writes a chunk.
func write(to io.Writer, kind string, data []byte) error {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	sum := crc(kind)
	sum.Write(data)
	_, err := to.Write(binary.BigEndian.AppendUint32(b, sum.Sum32()))
	return err
}

// Embed copies a picture and puts a run into it. A run that was in it already is replaced. The samples of a run that
// is too long are put together, so many that it fits. The errors are ErrNotPNG, ErrDamaged, ErrTooBig, or the
// reader's or writer's; what was written until then is no picture.
func Embed(to io.Writer, picture io.Reader, result bench.Result) error {
	packed, err := pack(result)
	if err != nil {
		return err
	}
	r, err := open(picture)
	if err != nil {
		return err
	}
	if _, err := to.Write(signature); err != nil {
		return err
	}
	for {
		c, err := r.next()
		if err != nil {
			return err
		}
		if c.kind == "IEND" {
			if err := write(to, textChunk, packed); err != nil {
				return err
			}
		}
		if err := r.copy(c, to); err != nil || c.kind == "IEND" {
			return err
		}
	}
}

// Add is Embed for a picture in memory, as the window and the command line save them. A picture with a run that is too
// long for it comes back as it was, and inside is false.
func Add(picture []byte, r bench.Result) (out []byte, inside bool, err error) {
	var b bytes.Buffer
	err = Embed(&b, bytes.NewReader(picture), r)
	if errors.Is(err, ErrTooBig) {
		return picture, false, nil
	}
	return b.Bytes(), err == nil, err
}

// copy copies a chunk, unless it is a run.
func (r *pictureReader) copy(c chunk, to io.Writer) error {
	if c.kind == textChunk {
		var data bytes.Buffer
		if c.length > 2*MaxPacked {
			return fmt.Errorf("%w: a text of %d bytes", ErrTooBig, c.length)
		}
		if err := r.body(c, &data); err != nil {
			return err
		}
		if ours(data.Bytes()) {
			return nil
		}
		return write(to, c.kind, data.Bytes())
	}
	head := binary.BigEndian.AppendUint32(nil, c.length)
	if _, err := to.Write(append(head, c.kind...)); err != nil {
		return err
	}
	sum := crc(c.kind)
	if err := r.body(c, io.MultiWriter(to, sum)); err != nil {
		return err
	}
	_, err := to.Write(binary.BigEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// Extract takes the run out of a picture. The errors are ErrNotPNG; ErrNoRun, also for a picture from a host that
// encoded it anew; ErrDamaged; ErrTooBig; store.ErrNewer and store.ErrDamaged; or the reader's.
func Extract(picture io.Reader) (bench.Result, error) {
	r, err := open(picture)
	if err != nil {
		return bench.Result{}, err
	}
	var packed []byte
	for {
		c, err := r.next()
		if err != nil {
			return bench.Result{}, err
		}
		var data bytes.Buffer
		var to io.Writer = io.Discard
		// Texts of others may be of any length; only one that can be a run is kept.
		if c.kind == textChunk && c.length <= MaxPacked+headLength {
			to = &data
		}
		if err := r.body(c, to); err != nil {
			return bench.Result{}, err
		}
		if ours(data.Bytes()) {
			if packed != nil {
				return bench.Result{}, fmt.Errorf("%w: there is more than one run", ErrDamaged)
			}
			packed = data.Bytes()
		}
		if c.kind == "IEND" {
			break
		}
	}
	if packed == nil {
		return bench.Result{}, ErrNoRun
	}
	return unpack(packed)
}
