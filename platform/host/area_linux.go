package host

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

var _ platform.Copier = (*Host)(nil)

// area is a folder of a run, locked and marked as test files with a name are.
type area struct {
	path   string
	fd     int    // the folder
	limit  uint64 // size of the largest file that this process may write, bytes
	clones bool
	local  bool
	fuse   bool // a file system of a program, whose kernel part does not pass syncfs on
}

// Area implements platform.Copier.
func (h *Host) Area(t platform.Target) (platform.Area, error) {
	const op = "make a folder in"
	dir, err := openFolder(t.Path)
	if err != nil {
		return nil, opError(op, t.Path, err)
	}
	name := testPrefix + rand.Text() + testSuffix
	a := &area{path: filepath.Join(t.Path, name), fd: -1, local: len(t.Drives) > 0}
	if err = retry(func() error { return unix.Mkdirat(dir, name, 0o700) }); err == nil {
		err = a.open(dir, name)
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}
	if err := errors.Join(err, unix.Close(dir)); err != nil {
		return nil, opError(op, t.Path, err)
	}
	return a, nil
}

func (a *area) open(dir int, name string) (err error) {
	if a.fd, err = openRetry(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	_ = unix.Fsetxattr(a.fd, mark, []byte{'1'}, 0) // see createLocked
	if err := retry(func() error { return unix.Flock(a.fd, unix.LOCK_EX) }); err != nil && !noLocks(err) {
		return err
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	a.limit = limit.Cur
	var fs unix.Statfs_t
	if err := retry(func() error { return unix.Fstatfs(a.fd, &fs) }); err != nil {
		return err
	}
	a.fuse = uint32(fs.Type) == unix.FUSE_SUPER_MAGIC
	a.clones, err = canClone(a.fd)
	return err
}

func (a *area) Path() string              { return a.path }
func (a *area) object(name string) string { return filepath.Join(a.path, name) }

// allowed fails for a file for which the system would end this process.
func (a *area) allowed(size int64) error {
	if uint64(size) > a.limit {
		return unix.EFBIG
	}
	return nil
}

func (a *area) Folder(name string) error {
	return nameError("make the folder", a.object(name), retry(func() error { return unix.Mkdirat(a.fd, name, 0o700) }))
}

func (a *area) Create(name string) (io.WriteCloser, error) {
	fd, err := openRetry(a.fd, name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, nameError("make the file", a.object(name), err)
	}
	return &stream{fd: fd, name: a.object(name), limit: a.limit}, nil
}

// Flush is what sync(1) does for one file system. Where that does not reach the drive each file is made durable.
func (a *area) Flush(files []string) error {
	if !a.fuse {
		return opError("flush", a.path, retry(func() error { return unix.Syncfs(a.fd) }))
	}
	for _, name := range files {
		fd, err := openRetry(a.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return opError("flush", a.object(name), err)
		}
		err = retry(func() error { return unix.Fsync(fd) })
		if err := errors.Join(err, unix.Close(fd)); err != nil {
			return opError("flush", a.object(name), err)
		}
	}
	return nil
}

func (a *area) Remove(name string) error {
	return opError("remove", a.object(name), os.RemoveAll(a.object(name)))
}

func (a *area) Close() error {
	err := os.RemoveAll(a.path)
	if a.fd >= 0 {
		err = errors.Join(err, unix.Close(a.fd))
		a.fd = -1
	}
	return opError("remove", a.path, err)
}

// stream is a file that is read or written once from its start.
type stream struct {
	fd    int
	name  string
	limit uint64
	sum   uint64 // written
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := again(func() (int, error) { return unix.Read(s.fd, p) })
	if err != nil {
		return 0, opError("read", s.name, err)
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (s *stream) Write(p []byte) (int, error) {
	if s.sum += uint64(len(p)); s.sum > s.limit {
		return 0, opError("write", s.name, unix.EFBIG)
	}
	if err := writeAll(s.fd, p); err != nil {
		return 0, opError("write", s.name, err)
	}
	return len(p), nil
}

func (s *stream) Close() error { return opError("close", s.name, unix.Close(s.fd)) }

// openSource opens a regular file for reading from its start to its end. A pipe that took its place meanwhile
// must not keep the program waiting.
func openSource(path string, flags int) (int, unix.Stat_t, error) {
	var st unix.Stat_t
	fd, err := openUntouched(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|flags)
	if err != nil {
		return -1, st, err
	}
	err = unix.Fstat(fd, &st)
	if err == nil && st.Mode&unix.S_IFMT != unix.S_IFREG {
		err = unix.EOPNOTSUPP
	}
	if err != nil {
		return -1, st, errors.Join(err, unix.Close(fd))
	}
	_ = unix.Fadvise(fd, 0, 0, unix.FADV_SEQUENTIAL) // as cp does; it is advice
	return fd, st, nil
}

// Read implements platform.Copier.
func (h *Host) Read(path string) (io.ReadCloser, error) {
	fd, _, err := openSource(path, 0)
	if err != nil {
		return nil, opError("open", path, err)
	}
	return &stream{fd: fd, name: path}, nil
}

// Drop implements platform.Copier.
func (h *Host) Drop(path string) error {
	fd, _, err := openSource(path, 0)
	if err == nil {
		err = errors.Join(unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED), unix.Close(fd))
	}
	return opError("uncache", path, err)
}

// LayoutOf implements platform.Copier.
func (h *Host) LayoutOf(path string) (platform.Layout, error) {
	const op = "look at extents of"
	fd, st, err := openSource(path, 0)
	if err != nil {
		return platform.Layout{}, opError(op, path, err)
	}
	l, err := fiemap(fd, st.Size)
	if missing(err) {
		l, err = holes(fd, st.Size)
	}
	l.InPlace, l.Packing = marks(fd)
	return l, opError(op, path, errors.Join(err, unix.Close(fd)))
}

// List implements platform.Copier.
func (h *Host) List(folder string) ([]platform.Entry, error) {
	const op = "look into"
	fd, err := openRetry(unix.AT_FDCWD, folder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, opError(op, folder, err)
	}
	dir := os.NewFile(uintptr(fd), folder)
	names, err := dir.Readdirnames(-1)
	out := make([]platform.Entry, 0, len(names))
	slices.Sort(names)
	for _, name := range names {
		out = append(out, entryOf(fd, name))
	}
	return out, opError(op, folder, errors.Join(err, dir.Close()))
}

func entryOf(dir int, name string) platform.Entry {
	var st unix.Stat_t
	err := retry(func() error { return unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return platform.Entry{Name: name, Err: opError("look at", strings.ToValidUTF8(name, "?"), err)}
	}
	e := platform.Entry{
		Name: name, Size: st.Size, Stored: st.Blocks * 512, Links: int(st.Nlink),
		ID: platform.FileID{Volume: uint64(st.Dev), File: st.Ino},
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		e.Kind = platform.EntryFile
	case unix.S_IFDIR:
		e.Kind = platform.EntryFolder
	case unix.S_IFLNK:
		e.Kind = platform.EntryLink
	default:
		e.Kind = platform.EntryOther
	}
	return e
}
