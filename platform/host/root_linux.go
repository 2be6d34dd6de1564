package host

import (
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"cachecliff/platform/sysfs"
)

// rootFS is "/" as an fs.FS, with other folders in the place of /sys and /proc if need be.
type rootFS struct {
	sys, proc string
}

// tree is where facts about this system are read.
func (h *Host) tree() sysfs.Tree {
	return sysfs.NewTree(rootFS{sys: h.sysDir, proc: h.procDir}).Decoding(identified)
}

// path turns a name of the fs.FS into one of the system.
func (r rootFS) path(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	switch top, rest, _ := strings.Cut(name, "/"); top {
	case "sys":
		return r.sys + "/" + rest, nil
	case "proc":
		return r.proc + "/" + rest, nil
	}
	return "/" + name, nil
}

// Open implements fs.FS.
func (r rootFS) Open(name string) (fs.File, error) {
	p, err := r.path("open", name)
	if err != nil {
		return nil, err
	}
	return os.Open(p)
}

// ReadDir implements fs.ReadDirFS.
func (r rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := r.path("readdir", name)
	if err != nil {
		return nil, err
	}
	return os.ReadDir(p)
}

// Stat implements fs.StatFS.
func (r rootFS) Stat(name string) (fs.FileInfo, error) {
	p, err := r.path("stat", name)
	if err != nil {
		return nil, err
	}
	return os.Stat(p)
}

// Lstat implements fs.ReadLinkFS.
func (r rootFS) Lstat(name string) (fs.FileInfo, error) {
	p, err := r.path("lstat", name)
	if err != nil {
		return nil, err
	}
	return os.Lstat(p)
}

// ReadLink implements fs.ReadLinkFS.
func (r rootFS) ReadLink(name string) (string, error) {
	p, err := r.path("readlink", name)
	if err != nil {
		return "", err
	}
	return os.Readlink(p)
}

// maxFact is more than any file of facts has.
const maxFact = 4 << 20

// ReadFile implements fs.ReadFileFS. It reads past the runtime's poller: files of /sys can be polled, and
// a sensor that answers EAGAIN would make os.ReadFile wait for ever.
func (r rootFS) ReadFile(name string) ([]byte, error) {
	p, err := r.path("read", name)
	if err != nil {
		return nil, err
	}
	fd, err := again(func() (int, error) { return unix.Open(p, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: p, Err: err}
	}
	b, err := readAll(fd)
	if closeErr := unix.Close(fd); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: p, Err: err}
	}
	return b, nil
}

func readAll(fd int) ([]byte, error) {
	b := make([]byte, 0, 4096) // a file of /sys is never longer
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := again(func() (int, error) { return unix.Read(fd, b[len(b):cap(b)]) })
		if err != nil || n == 0 {
			return b, err
		}
		b = b[:len(b)+n]
		if len(b) > maxFact {
			return nil, unix.EFBIG
		}
	}
}

// again repeats a system call that a signal interrupted.
func again[T any](call func() (T, error)) (T, error) {
	for {
		v, err := call()
		if err != unix.EINTR {
			return v, err
		}
	}
}

var (
	_ fs.ReadFileFS = rootFS{}
	_ fs.ReadDirFS  = rootFS{}
	_ fs.StatFS     = rootFS{}
	_ fs.ReadLinkFS = rootFS{}
)
