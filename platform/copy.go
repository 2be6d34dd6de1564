package platform

import (
	"context"
	"io"
)

// Copier is what a Host may also be: one that keeps trees of files in a folder of a run's own, and copies files the
// way people's copies are made on this system. Paths are names of the system. What stands at the end of one is
// never followed if it is a symbolic link.
type Copier interface {
	// Area makes an empty folder in t.Path that belongs to a run. Leftovers finds it if the program is killed.
	Area(t Target) (Area, error)

	// List gives what a folder holds, in the order of the names. An entry that cannot be looked at has an Err.
	List(folder string) ([]Entry, error)

	// Read opens a file to be read once from its start, through the page cache.
	Read(path string) (io.ReadCloser, error)

	// Drop takes what is durable of a file out of the page cache. It is advice that the system may not follow;
	// ErrUnsupported where there is no such call.
	Drop(path string) error

	// LayoutOf says how a file lies on its volume: ErrUnsupported where the file system cannot tell.
	LayoutOf(path string) (Layout, error)
}

// Area is a folder that belongs to a run, with all that is in it. Names are below it, with slashes between folders.
type Area interface {
	// Path is the folder.
	Path() string
	// Folder makes a folder.
	Folder(name string) error
	// Create makes a file that is not there yet, to be written once from its start, through the page cache.
	Create(name string) (io.WriteCloser, error)
	// Copy copies a file from anywhere to one that is not there yet. It tells moved of the bytes that were handed to
	// the system since the last call, on the calling goroutine and several times a second. It ends soon after ctx
	// does. What was written of a file that could not be copied stays until it is removed.
	Copy(ctx context.Context, from, name string, way CopyWay, moved func(bytes int64)) (CopyEngine, error)
	// Flush makes everything in the area durable; files are the names of all that may not be.
	Flush(files []string) error
	// Remove removes a file, or a folder with all that is in it.
	Remove(name string) error
	// Close removes the area with all that is in it.
	Close() error
}

// CopyWay is how a file is copied.
type CopyWay string

// The ways to copy. All but CopyClone leave the target with blocks of its own.
const (
	CopyManager CopyWay = "manager" // as the system's file manager does, but without sharing blocks
	CopyDirect  CopyWay = "direct"  // past the page cache, 1 MiB at a time
	CopyClone   CopyWay = "clone"   // as the file manager does, sharing blocks where the file system can
)

// CopyWays lists them, the usual one first.
func CopyWays() []CopyWay { return []CopyWay{CopyManager, CopyDirect, CopyClone} }

// CopyEngine names the system's call that copied.
type CopyEngine string

// The engines.
const (
	CopyByRange  CopyEngine = "copy_file_range" // Linux: inside the kernel
	CopyByLoop   CopyEngine = "read-write"      // a piece after the other through a buffer of 256 KiB
	CopyByDirect CopyEngine = "direct"          // the same past the page cache, 1 MiB
	CopyByClone  CopyEngine = "reflink"         // Linux: FICLONE, nothing is copied
	CopyByFile2  CopyEngine = "CopyFile2"       // Windows: the engine of Explorer
	CopyByFileEx CopyEngine = "CopyFileEx"      // Windows: its forerunner
	CopyByFake   CopyEngine = "fake"
)

// EntryKind is what an entry of a folder is.
type EntryKind string

// The kinds of entries.
const (
	EntryFile   EntryKind = "file"
	EntryFolder EntryKind = "folder"
	EntryLink   EntryKind = "link"  // a symbolic link, a mount point or the like
	EntryOther  EntryKind = "other" // a device, a pipe, a socket
)

// Entry is what a folder holds.
type Entry struct {
	Name   string // in the bytes of the file system, which need not be UTF-8
	Kind   EntryKind
	Size   int64  // of a file, bytes
	Stored int64  // of a file, bytes that it takes on the volume: less than Size if it has holes or is compressed; -1 if not told
	ID     FileID // zero if not told
	Links  int    // names that the file has
	Err    error  // why nothing but the name is known
}

// FileID tells files of one computer apart.
type FileID struct{ Volume, File uint64 }
