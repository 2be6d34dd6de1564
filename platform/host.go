package platform

import (
	"context"
	"time"
)

// Host is one operating system as Cachecliff needs it. All methods may be called from any
// goroutine. Methods that take a context give up when it ends.
type Host interface {
	// Drives lists the physical drives, in a stable order.
	Drives(ctx context.Context) ([]Drive, error)

	// Targets lists every mounted volume that a user may think of as a place to test, each resolved
	// to its drives. Unusable ones stay in the list with their Refusal.
	Targets(ctx context.Context) ([]Target, error)

	// Resolve finds the volume, the layers and the drives below a folder. It fails with
	// ErrNotExist when there is no such folder, and with ErrForeignLink when a symbolic link on the way
	// to it belongs to neither root nor this user; a folder that cannot be used has a Refusal.
	Resolve(ctx context.Context, path string) (Target, error)

	// Create makes an empty test file in the folder t.Path, without a name where the file system can,
	// opened past the page cache. Where the file system refuses direct I/O it fails with
	// ErrNoDirectIO, unless o.Buffered asks for the page cache.
	Create(t Target, o CreateOptions) (File, error)

	// Open opens a test file that Create made, by File.Name, also from another process.
	Open(name string, o OpenOptions) (File, error)

	// Leftovers lists test files that an earlier run could not remove in the folder t.Path.
	Leftovers(t Target) ([]string, error)

	// Sensors reads temperatures and counters of a drive. It is cheap and may be repeated each second.
	Sensors(ctx context.Context, d Drive) (Sensors, error)

	// Watch opens what Sensors reads, for whom reads it again and again. It fails with ErrGone when the drive
	// is not there.
	Watch(d Drive) (Meter, error)

	// Health reads SMART data. It is asked before and after a run, not while one measures.
	Health(ctx context.Context, d Drive) (Health, error)

	// System describes the computer.
	System(ctx context.Context) (System, error)

	// Folders says where this system keeps a program's data, settings and pictures.
	Folders() (Folders, error)

	// Now is a monotonic clock with a step below one microsecond. Its zero is arbitrary.
	Now() time.Duration
}

// CreateOptions says how Create makes a test file.
type CreateOptions struct {
	Size     int64 // bytes to reserve; the space is allocated but not written
	Buffered bool  // go through the page cache: only for file systems without direct I/O
}

// OpenOptions says how Open opens a test file.
type OpenOptions struct {
	Buffered bool // as in CreateOptions
}

// Folders are absolute paths; they need not exist.
type Folders struct {
	Data     string // results and journals
	Config   string // settings and the user's own profiles
	Pictures string // where a saved picture goes
}
