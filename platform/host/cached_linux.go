package host

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// cachedWindow is how much of a file is mapped at a time to look at its pages, in bytes.
const cachedWindow = 256 << 20

// Cached counts the pages of the file that lie in the page cache (mincore(2)). Nothing is read: the
// mapping is only looked at.
func (f *file) Cached() (int64, error) {
	fd, release, err := f.use("look at the cached pages of")
	if err != nil {
		return 0, err
	}
	defer release()
	var sum int64
	for off := int64(0); off < f.info.size; off += cachedWindow {
		n, err := resident(fd, off, min(cachedWindow, f.info.size-off))
		if missing(err) || errors.Is(err, unix.ENODEV) { // ENODEV: files here cannot be mapped (FUSE with direct I/O)
			return 0, &platform.OpError{Op: "look at the cached pages of", Object: f.info.name, Reason: platform.ErrUnsupported, Err: err}
		}
		if err != nil {
			return 0, opError("look at the cached pages of", f.info.name, err)
		}
		sum += n
	}
	return min(sum, f.info.size), nil
}

// Uncache drops the clean pages of the file (posix_fadvise, POSIX_FADV_DONTNEED). Where the page cache is
// all that there is, as on tmpfs, they stay.
func (f *file) Uncache() error {
	fd, release, err := f.use("uncache")
	if err != nil {
		return err
	}
	defer release()
	return opError("uncache", f.info.name, unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED))
}

// resident is how many bytes of a part of a file are cached, in whole pages.
func resident(fd int, off, length int64) (int64, error) {
	mem, err := unix.Mmap(fd, off, int(length), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return 0, err
	}
	page := int64(unix.Getpagesize())
	state := make([]byte, (length+page-1)/page)
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&mem[0])), uintptr(length), uintptr(unsafe.Pointer(&state[0])))
	if errno != 0 {
		err = errno
	}
	if err := errors.Join(err, unix.Munmap(mem)); err != nil {
		return 0, err
	}
	var sum int64
	for _, s := range state {
		sum += int64(s&1) * page
	}
	return sum, nil
}
