package host

import (
	"errors"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// image is a file that is being written and gets its name at the end.
type image struct {
	dir    int // the folder
	folder string
	fd     int
	name   string // below the folder, from the start; empty if it has none
	keep   bool   // it stays if it is not finished
	direct bool
	size   int64 // it will have
	sum    int64 // written
}

// Image implements platform.Imager: a file without a name (O_TMPFILE), which gets one when it is whole, or one with a
// name that Leftovers knows.
func (h *Host) Image(t platform.Target, o platform.ImageOptions) (platform.Image, error) {
	const op = "make an image in"
	dir, err := openFolder(t.Path)
	if err != nil {
		return nil, opError(op, t.Path, err)
	}
	m := &image{dir: dir, folder: t.Path, fd: -1, direct: o.Direct, size: o.Size}
	var limit unix.Rlimit
	if err = unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err == nil && uint64(o.Size) > limit.Cur {
		err = unix.EFBIG // the system would end the process with a signal
	}
	if err == nil {
		err = m.open(o.Keep)
	}
	if err != nil {
		return nil, openError(op, t.Path, errors.Join(err, unix.Close(dir)), !o.Direct)
	}
	return m, nil
}

func (m *image) open(keep string) (err error) {
	if keep != "" {
		m.name, m.keep = keep, true
		m.fd, err = openRetry(m.dir, keep, unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	} else if m.fd, err = openRetry(m.dir, ".", unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600); err != nil {
		m.fd, m.name, err = createLocked(m.dir)
	}
	if err != nil || !m.direct {
		return err
	}
	// Some file systems take the flag only at the opening, so they are asked by it and not by fcntl.
	fd, err := openRetry(unix.AT_FDCWD, linkTo(m.fd), unix.O_RDWR|unix.O_CLOEXEC|unix.O_DIRECT, 0)
	if err != nil {
		return errors.Join(err, m.discard())
	}
	if m.name != "" && !m.keep { // the lock goes with the descriptor that has it
		err = retry(func() error { return unix.Flock(m.fd, unix.LOCK_UN) })
		if err == nil {
			err = retry(func() error { return unix.Flock(fd, unix.LOCK_EX) })
		}
		if noLocks(err) {
			err = nil
		}
	}
	err = errors.Join(err, unix.Close(m.fd))
	m.fd = fd
	return err
}

func (m *image) object() string { return filepath.Join(m.folder, m.name) }

// Write writes all of p. Past the page cache the last write is longer than the file, which Flush cuts.
func (m *image) Write(p []byte) (int, error) {
	n := len(p)
	if m.direct && n%directUnit != 0 {
		n = (n + directUnit - 1) / directUnit * directUnit
		if cap(p) < n {
			return 0, opError("write", m.object(), unix.EINVAL)
		}
		clear(p[len(p):n])
	}
	if err := writeAll(m.fd, p[:n:n]); err != nil {
		return 0, opError("write", m.object(), err)
	}
	m.sum += int64(len(p))
	return len(p), nil
}

func (m *image) Flush() error {
	var st unix.Stat_t
	err := unix.Fstat(m.fd, &st)
	if err == nil && st.Size > m.sum {
		err = retry(func() error { return unix.Ftruncate(m.fd, m.sum) })
	}
	if err == nil {
		err = retry(func() error { return unix.Fsync(m.fd) })
	}
	if err == nil {
		_ = unix.Fadvise(m.fd, 0, 0, unix.FADV_DONTNEED) // it is advice
	}
	return opError("flush", m.object(), err)
}

func (m *image) ReadAt(p []byte, off int64) (int, error) { return readAt(m.fd, m.object(), p, off) }

func (m *image) Finish(name string) error {
	err := m.finish(name)
	if errors.Is(err, unix.EEXIST) {
		return &platform.OpError{Op: "name an image", Object: filepath.Join(m.folder, name), Reason: platform.ErrNotOurs, Err: err}
	}
	return opError("name an image", filepath.Join(m.folder, name), err)
}

func (m *image) finish(name string) error {
	if top := filepath.Dir(name); top != "." {
		if err := retry(func() error { return unix.Mkdirat(m.dir, top, 0o700) }); err != nil && !errors.Is(err, unix.EEXIST) {
			return err
		}
	}
	if m.name != "" {
		if err := m.rename(name); err != nil {
			return err
		}
		_ = unix.Fremovexattr(m.fd, mark) // it is no test file any more; where there are no marks there is none to remove
	} else if err := m.link(name); err != nil {
		return err
	}
	m.name, m.keep = name, true
	err := m.sync(filepath.Dir(name))
	return errors.Join(err, unix.Close(m.fd), unix.Close(m.dir))
}

// link gives a file its first name. The first way is for root alone (CAP_DAC_READ_SEARCH), the second needs /proc.
func (m *image) link(name string) error {
	err := unix.Linkat(m.fd, "", m.dir, name, unix.AT_EMPTY_PATH)
	if err == nil || errors.Is(err, unix.EEXIST) {
		return err
	}
	return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(m.fd), m.dir, name, unix.AT_SYMLINK_FOLLOW)
}

// rename replaces nothing. Where the file system cannot promise that it is looked first.
func (m *image) rename(name string) error {
	err := unix.Renameat2(m.dir, m.name, m.dir, name, unix.RENAME_NOREPLACE)
	if !missing(err) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	var st unix.Stat_t
	switch err := unix.Fstatat(m.dir, name, &st, unix.AT_SYMLINK_NOFOLLOW); {
	case err == nil:
		return unix.EEXIST
	case !errors.Is(err, unix.ENOENT):
		return err
	}
	return unix.Renameat(m.dir, m.name, m.dir, name)
}

// sync makes the name durable, and that of the folder in between.
func (m *image) sync(top string) error {
	var errs []error
	for _, name := range []string{top, "."} {
		fd, err := openRetry(m.dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err == nil {
			if err = retry(func() error { return unix.Fsync(fd) }); errors.Is(err, unix.EINVAL) {
				err = nil // a file system that has nothing to make durable
			}
			err = errors.Join(err, unix.Close(fd))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (m *image) Close() error {
	return opError("close", m.object(), errors.Join(m.discard(), unix.Close(m.dir)))
}

// discard closes a file, and removes it if nobody wants it.
func (m *image) discard() error {
	var err error
	if m.name != "" && !m.keep {
		err = (&entry{dir: m.dir, name: m.name}).remove(m.fd)
	}
	return errors.Join(err, unix.Close(m.fd))
}
