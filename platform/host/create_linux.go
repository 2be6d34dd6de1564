package host

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// Create makes a test file that nothing can leave behind, as far as the file system can: first one
// that never has a name (O_TMPFILE), else one whose name is taken away at once, else one that keeps
// it until Close. Each way must also let the measuring process open the file again. What the last
// way says counts if none works.
func (h *Host) Create(t platform.Target, o platform.CreateOptions) (platform.File, error) {
	const op = "create test file in"
	dir, err := openFolder(t.Path)
	if err != nil {
		return nil, opError(op, t.Path, err)
	}
	var f *file
	for _, way := range []func(*Host, int, string, bool) (*file, error){(*Host).unnamed, (*Host).unlinked, (*Host).keptName} {
		if f, err = way(h, dir, t.Path, o.Buffered); err == nil {
			break
		}
	}
	if err != nil {
		return nil, openError(op, t.Path, errors.Join(err, unix.Close(dir)), o.Buffered)
	}
	if f.owned == nil {
		err = unix.Close(dir)
	}
	if err == nil && o.Size > 0 {
		err = reserve(f.fd, o.Size)
	}
	if err != nil {
		return nil, opError(op, t.Path, errors.Join(err, f.Close()))
	}
	f.info.size = o.Size
	return f, nil
}

// unnamed makes a file that never has a name. O_EXCL says that it will never get one.
func (h *Host) unnamed(dir int, _ string, buffered bool) (*file, error) {
	fd, err := openRetry(dir, ".", unix.O_TMPFILE|unix.O_EXCL|unix.O_RDWR|unix.O_CLOEXEC|directFlag(buffered), 0o600)
	if err != nil {
		return nil, err
	}
	return h.withoutName(fd, buffered)
}

// unlinked makes a file and takes its name away.
func (h *Host) unlinked(dir int, _ string, buffered bool) (*file, error) {
	fd, name, err := createLocked(dir)
	if err != nil {
		return nil, err
	}
	if err := unix.Unlinkat(dir, name, 0); err != nil {
		return nil, errors.Join(err, (&entry{dir: dir, name: name}).remove(fd), unix.Close(fd))
	}
	return h.withoutName(fd, buffered)
}

// withoutName opens a file without a name again, as the measuring process will, and keeps that
// descriptor. It closes the first one.
func (h *Host) withoutName(first int, buffered bool) (*file, error) {
	fd, err := reopen(linkTo(first), buffered)
	if e := unix.Close(first); e != nil || err != nil {
		return nil, errors.Join(err, e)
	}
	f, err := h.newFile(fd, linkTo(fd), buffered)
	if err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return f, nil
}

// keptName makes a file that keeps its name until Close, and dir with it.
func (h *Host) keptName(dir int, path string, buffered bool) (*file, error) {
	first, name, err := createLocked(dir)
	if err != nil {
		return nil, err
	}
	owned := &entry{dir: dir, name: name, lock: first}
	path = filepath.Join(path, name)
	fd, err := reopen(path, buffered)
	if err != nil {
		return nil, errors.Join(err, owned.remove(first), unix.Close(first))
	}
	f, err := h.newFile(fd, path, buffered)
	if err != nil {
		return nil, errors.Join(err, owned.remove(first), unix.Close(first), unix.Close(fd))
	}
	f.named, f.owned = true, owned
	return f, nil
}

// mark is an attribute of files that createLocked made, where a file system keeps attributes. By it they
// are told from files of the same user that have such a name by chance or as a copy.
const mark = "user.cachecliff.test"

// createLocked makes a new file with a recognisable name, marks it and locks it, which tells Leftovers
// that it is in use. A file system without locks or marks has to do without.
func createLocked(dir int) (fd int, name string, err error) {
	name = testPrefix + rand.Text() + testSuffix
	fd, err = openRetry(dir, name, unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return -1, "", err
	}
	// A file that cannot be marked is one that Leftovers does not list, unless none can be marked here.
	_ = unix.Fsetxattr(fd, mark, []byte{'1'}, 0)
	err = retry(func() error { return unix.Flock(fd, unix.LOCK_EX) })
	if err != nil && !noLocks(err) {
		return -1, "", errors.Join(err, (&entry{dir: dir, name: name}).remove(fd), unix.Close(fd))
	}
	return fd, name, nil
}

func noLocks(err error) bool {
	return errors.Is(err, unix.ENOLCK) || reasonOf(err) == platform.ErrUnsupported
}

// reserve makes a file of size bytes and its space with it, or without it where the file system
// cannot allocate what is not written.
func reserve(fd int, size int64) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	if uint64(size) > limit.Cur {
		return unix.EFBIG // the system would end the process with a signal
	}
	err := retry(func() error { return unix.Fallocate(fd, 0, 0, size) })
	if missing(err) {
		err = retry(func() error { return unix.Ftruncate(fd, size) })
	}
	return err
}

// Leftovers lists the test files, and folders of them, in a folder that this program made for this user and that
// no running process has locked.
func (h *Host) Leftovers(t platform.Target) ([]string, error) {
	entries, err := os.ReadDir(t.Path)
	if err != nil {
		return nil, opError("look for test files in", t.Path, err)
	}
	var found []string
	var errs []error
	for _, e := range entries {
		if !isTestName(e.Name()) || !e.Type().IsRegular() && !e.IsDir() {
			continue
		}
		path := filepath.Join(t.Path, e.Name())
		free, err := isFree(path)
		if err != nil {
			errs = append(errs, opError("look at test file", path, err))
		}
		if free {
			found = append(found, path)
		}
	}
	return found, errors.Join(errs...)
}

// isFree says whether a file lies there that is this user's, marked, and not locked. Where locks are
// unknown it cannot be told, and the error says so.
func isFree(path string) (bool, error) {
	var st unix.Stat_t
	err := unix.Lstat(path, &st)
	if errors.Is(err, unix.ENOENT) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	folder, file := st.Mode&unix.S_IFMT == unix.S_IFDIR, st.Mode&unix.S_IFMT == unix.S_IFREG && st.Nlink == 1
	if !folder && !file || int(st.Uid) != os.Geteuid() {
		return false, nil
	}
	fd, err := openRetry(unix.AT_FDCWD, path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !marked(fd) {
		return false, unix.Close(fd)
	}
	err = retry(func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, unix.Close(fd)
	}
	return err == nil, errors.Join(err, unix.Close(fd))
}

// marked says whether a file has the mark, or lies where none can have it.
func marked(fd int) bool {
	n, err := unix.Fgetxattr(fd, mark, make([]byte, 8))
	return err == nil && n > 0 || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS)
}
