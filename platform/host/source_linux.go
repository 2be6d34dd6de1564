package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

var _ platform.Imager = (*Host)(nil)

// FindSource implements platform.Imager.
func (h *Host) FindSource(ctx context.Context, name string) (platform.SourceFacts, error) {
	const op = "look at"
	abs, err := filepath.Abs(name)
	if err != nil {
		return platform.SourceFacts{}, opError(op, name, err)
	}
	real, err := ask(ctx, h.asked, "path "+abs, func() (string, error) { return followLinks(abs) })
	if err != nil {
		return platform.SourceFacts{}, opError(op, abs, err)
	}
	r, err := h.resolver(ctx)
	if err != nil {
		return platform.SourceFacts{}, err
	}
	fd, st, err := openImage(real, 0)
	if err != nil {
		return platform.SourceFacts{}, opError("read", real, err)
	}
	f := platform.SourceFacts{Path: real, Name: filepath.Base(real), Size: st.Size, Sector: directUnit}
	if f.Device = st.Mode&unix.S_IFMT == unix.S_IFBLK; f.Device {
		number := fmt.Sprintf("%d:%d", unix.Major(st.Rdev), unix.Minor(st.Rdev))
		f.Size, f.Sector, err = lengthOf(fd)
		if kernel, drive, ok := r.Tree.Block(number); ok {
			f.Name, f.Names, f.Drives = kernel, []string{kernel}, []platform.Drive{drive}
		}
	} else {
		f.Names = r.Tree.Loops(real)
	}
	if err = errors.Join(err, unix.Close(fd)); err != nil {
		return platform.SourceFacts{}, opError(op, real, err)
	}
	if f.Device && f.Size == 0 {
		return platform.SourceFacts{}, &platform.OpError{Op: "read", Object: real, Reason: platform.ErrNoMedium}
	}
	if !f.Device {
		if t, err := h.Resolve(ctx, filepath.Dir(real)); err == nil { // else its drives stay unknown
			f.Drives = t.Drives
		}
	}
	f.Written = r.Written(f.Names)
	return f, nil
}

// openImage opens a device or a file for reading and for nothing else.
func openImage(path string, flags int) (int, unix.Stat_t, error) {
	var st unix.Stat_t
	fd, err := openUntouched(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|flags)
	if err != nil {
		return -1, st, err
	}
	err = unix.Fstat(fd, &st)
	if kind := st.Mode & unix.S_IFMT; err == nil && kind != unix.S_IFREG && kind != unix.S_IFBLK {
		err = unix.EOPNOTSUPP
	}
	if err != nil {
		return -1, st, errors.Join(err, unix.Close(fd))
	}
	return fd, st, nil
}

// lengthOf is the length of an open device, and what reads past the page cache must be aligned to.
func lengthOf(fd int) (size int64, sector int, err error) {
	if size, err = unix.Seek(fd, 0, io.SeekEnd); err != nil {
		return 0, 0, err
	}
	sector, err = unix.IoctlGetInt(fd, unix.BLKSSZGET)
	return size, sector, err
}

// OpenSource implements platform.Imager. What lies in the page cache of it is let go first, so that the drive is read.
func (h *Host) OpenSource(f platform.SourceFacts, direct bool) (platform.Source, error) {
	fd, st, err := openImage(f.Path, directFlag(!direct))
	if err != nil {
		return nil, openError("read", f.Path, err, !direct)
	}
	if device := st.Mode&unix.S_IFMT == unix.S_IFBLK; device != f.Device {
		return nil, opError("read", f.Path, errors.Join(unix.EOPNOTSUPP, unix.Close(fd)))
	}
	_ = unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) // it is advice
	return &imageSource{fd: fd, name: f.Path}, nil
}

// imageSource is a device or file that is read.
type imageSource struct {
	fd   int
	name string
}

func (s *imageSource) ReadAt(p []byte, off int64) (int, error) {
	return readAt(s.fd, s.name, p, off)
}

// readAt reads all of p, or what there is until an error.
func readAt(fd int, name string, p []byte, off int64) (int, error) {
	sum := 0
	for sum < len(p) {
		n, err := again(func() (int, error) { return unix.Pread(fd, p[sum:], off+int64(sum)) })
		if err != nil {
			return sum, opError("read", name, err)
		}
		if n == 0 {
			return sum, io.EOF
		}
		if sum += n; sum < len(p) && sum%512 != 0 { // the end of a file: what follows would not be aligned
			return sum, io.EOF
		}
	}
	return sum, nil
}

func (s *imageSource) Close() error { return opError("close", s.name, unix.Close(s.fd)) }
