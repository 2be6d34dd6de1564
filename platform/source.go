package platform

import "context"

// Imager is what a Host may also be: one that reads drives, partitions and files, and puts images of them into a
// folder. A device is never opened for anything but reading.
type Imager interface {
	// FindSource looks at what is to be read: a device, or a file. It opens it to see whether that is allowed, and
	// fails with ErrPermission if not, with ErrNoMedium, or with ErrUnsupported for what is neither.
	FindSource(ctx context.Context, path string) (SourceFacts, error)

	// OpenSource opens what FindSource found, by its Path, past the page cache if direct is set.
	OpenSource(f SourceFacts, direct bool) (Source, error)

	// Image makes an empty file in the folder t.Path, without a name where the file system can. Else Leftovers finds
	// it if the program is killed.
	Image(t Target, o ImageOptions) (Image, error)

	// Buffer is memory that reads and writes past the page cache take, of n bytes.
	Buffer(n int) []byte
}

// SourceFacts is what is known of something that is to be read.
type SourceFacts struct {
	Path   string // absolute, symbolic links resolved
	Name   string // what the system calls it, or the file's name
	Device bool   // a drive or a part of one; else a file
	Size   int64  // bytes
	Sector int    // what reads past the page cache must be aligned to, bytes
	Drives []Drive
	// Names are what a volume that lies on it has among its layers, drives or as its mount point.
	Names []string
	// Written are the mount points of file systems on it that may be written to while it is read.
	Written []string
}

// Source is something that is being read. It belongs to one goroutine.
type Source interface {
	// ReadAt reads len(p) bytes, or fewer with an error. At the end that is io.EOF.
	ReadAt(p []byte, off int64) (int, error)
	Close() error
}

// ImageOptions says how Image makes a file.
type ImageOptions struct {
	Size   int64 // bytes that it will have
	Direct bool  // past the page cache
	// Keep is a name below the folder that the file has from the start, so that it stays if the program is killed. Empty
	// is none.
	Keep string
}

// Image is a file that is being written. It belongs to one goroutine.
type Image interface {
	// Write writes what comes next. Past the page cache p comes from Imager.Buffer, and all but the last write are
	// of whole blocks of 4096 bytes.
	Write(p []byte) (int, error)
	// Flush makes durable what was written, and takes it out of the page cache where the system does so.
	Flush() error
	// ReadAt reads back, as in Source.
	ReadAt(p []byte, off int64) (int, error)
	// Finish gives the file its name, below the folder and with slashes, makes the folder in between if there is one,
	// and closes it. It fails with ErrNotOurs when something has that name already; then the file is still open.
	Finish(name string) error
	// Close closes a file that was not finished. It is gone then, unless it was to be kept.
	Close() error
}
