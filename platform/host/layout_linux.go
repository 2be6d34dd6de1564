package host

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// Layout asks the file system for the extents of the file, after everything is on the drive: before
// that some have no place yet. File systems that do not tell (FIEMAP) may still tell holes; then
// Extents is 0, which means unknown.
func (f *file) Layout() (platform.Layout, error) {
	fd, release, err := f.use("look at extents of")
	if err != nil {
		return platform.Layout{}, err
	}
	defer release()
	if err := retry(func() error { return unix.Fsync(fd) }); err != nil {
		return platform.Layout{}, opError("flush", f.info.name, err)
	}
	l, err := fiemap(fd, f.info.size)
	if missing(err) {
		l, err = holes(fd, f.info.size)
	}
	l.InPlace, l.Packing = marks(fd)
	return l, opError("look at extents of", f.info.name, err)
}

// FS_COMPR_FL and FS_NOCOW_FL are what chattr +c and +C set (include/uapi/linux/fs.h).
const fsCompressed, fsNoCOW = 0x00000004, 0x00800000

// marks says whether the file is marked not to be copied on write, and to be compressed. It inherits both
// from its folder.
func marks(fd int) (inPlace, packing bool) {
	flags, err := unix.IoctlGetUint32(fd, unix.FS_IOC_GETFLAGS)
	if err != nil {
		return false, false // a file system without flags has no such files
	}
	return flags&fsNoCOW != 0, flags&fsCompressed != 0
}

func fiemap(fd int, size int64) (platform.Layout, error) {
	var all []extent
	req := new(fiemapBatched)
	for start := uint64(0); start < uint64(size); {
		req.fiemapHead = fiemapHead{start: start, length: uint64(size) - start, flags: fiemapFlagSync, count: fiemapBatch}
		err := retry(func() error {
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), fsIocFiemap, uintptr(unsafe.Pointer(req))); errno != 0 {
				return errno
			}
			return nil
		})
		if err != nil {
			return platform.Layout{}, err
		}
		if req.mapped == 0 {
			break
		}
		for _, e := range req.extents[:min(req.mapped, fiemapBatch)] {
			all = append(all, extentOf(e))
			start = e.logical + e.length
			if e.flags&fiemapExtentLast != 0 {
				return layoutOf(size, all), nil
			}
		}
	}
	return layoutOf(size, all), nil
}

// holes finds the written parts with lseek, which file systems without FIEMAP may know (tmpfs, NFS).
func holes(fd int, size int64) (platform.Layout, error) {
	l := platform.Layout{Unwritten: size}
	for at := int64(0); at < size; {
		data, err := unix.Seek(fd, at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			break // nothing but a hole up to the end
		}
		if errors.Is(err, unix.EINVAL) {
			return l, unix.EOPNOTSUPP
		}
		if err != nil {
			return l, err
		}
		end, err := unix.Seek(fd, data, unix.SEEK_HOLE)
		if err != nil {
			return l, err
		}
		l.Unwritten -= min(end, size) - data
		at = end
	}
	return l, nil
}
