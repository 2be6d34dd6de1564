package host

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// file is an open test file.
type file struct {
	info   fileInfo
	direct bool
	named  bool
	engine platform.Engine
	clock  clock

	mu    sync.RWMutex // held by readers while they use the descriptors
	fd    int          // -1 once closed
	owned *entry       // the name that Close removes, or nil
}

// entry is a name in a folder.
type entry struct {
	dir  int // the folder, opened
	name string
	lock int // descriptor that holds the lock on the file
}

func (f *file) Name() string { return f.info.name }
func (f *file) Size() int64  { return f.info.size }
func (f *file) Align() int   { return f.info.align }
func (f *file) Direct() bool { return f.direct }
func (f *file) Named() bool  { return f.named }

// use lends the descriptor until release is called.
func (f *file) use(op string) (fd int, release func(), err error) {
	f.mu.RLock()
	if f.fd < 0 {
		f.mu.RUnlock()
		return -1, nil, &platform.OpError{Op: op, Object: f.info.name, Reason: platform.ErrClosed}
	}
	return f.fd, f.mu.RUnlock, nil
}

func (f *file) Queue(o platform.QueueOptions) (platform.Queue, error) {
	fd, release, err := f.use("make queue")
	if err != nil {
		return nil, err
	}
	defer release()
	if o.Engine == platform.EngineAuto {
		o.Engine = f.engine
	}
	return newQueue(fd, f.info, o, f.clock)
}

func (f *file) Flush() error {
	fd, release, err := f.use("flush")
	if err != nil {
		return err
	}
	defer release()
	if errno := fdatasync(fd); errno != 0 {
		return opError("flush", f.info.name, errno)
	}
	return nil
}

func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fd < 0 {
		return &platform.OpError{Op: "close", Object: f.info.name, Reason: platform.ErrClosed}
	}
	var errs []error
	if f.owned != nil {
		errs = append(errs, f.owned.remove(f.fd), unix.Close(f.owned.lock), unix.Close(f.owned.dir))
	}
	errs = append(errs, unix.Close(f.fd))
	f.fd = -1
	return opError("close", f.info.name, errors.Join(errs...))
}

// remove takes the name away if it still stands for the open file.
func (e *entry) remove(fd int) error {
	var ours, there unix.Stat_t
	if err := unix.Fstat(fd, &ours); err != nil {
		return err
	}
	err := unix.Fstatat(e.dir, e.name, &there, unix.AT_SYMLINK_NOFOLLOW)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	if ours.Dev != there.Dev || ours.Ino != there.Ino {
		return platform.ErrNotOurs
	}
	return unix.Unlinkat(e.dir, e.name, 0)
}

// linkTo is a name under which the process itself and its children can open a descriptor again.
func linkTo(fd int) string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd) }

// Open opens a test file again, a name in a folder as well as a link below /proc. It is looked at
// before it is opened, so that nothing but a regular file ever is.
func (h *Host) Open(name string, o platform.OpenOptions) (platform.File, error) {
	fd, err := reopen(name, o.Buffered)
	if err != nil {
		return nil, openError("open test file", name, err, o.Buffered)
	}
	f, err := h.newFile(fd, name, o.Buffered)
	if err != nil {
		return nil, opError("open test file", name, errors.Join(err, unix.Close(fd)))
	}
	f.named = !isProcLink(name)
	return f, nil
}

// checkOurs fails for a descriptor that is not of a test file.
func checkOurs(fd int, name string) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	linked := isProcLink(name)
	if linked {
		var err error
		if name, err = os.Readlink(name); err != nil {
			return err
		}
	}
	if !isOurs(name, linked, st.Mode, uint64(st.Nlink)) {
		return platform.ErrNotOurs
	}
	return nil
}

func reopen(name string, buffered bool) (int, error) {
	flags := unix.O_PATH | unix.O_CLOEXEC
	if !isProcLink(name) {
		flags |= unix.O_NOFOLLOW
	}
	at, err := openRetry(unix.AT_FDCWD, name, flags, 0)
	if err != nil {
		return -1, err
	}
	err = checkOurs(at, name)
	fd := -1
	if err == nil {
		fd, err = openUntouched(linkTo(at), unix.O_RDWR|unix.O_CLOEXEC|directFlag(buffered))
	}
	if e := unix.Close(at); e != nil && err == nil {
		return -1, errors.Join(e, unix.Close(fd))
	}
	return fd, err
}

// openUntouched opens a file so that reading it does not write down when it was read last, which would
// cost time on every read. Only the owner of a file may ask for that; to others it does not matter enough.
func openUntouched(name string, flags int) (int, error) {
	fd, err := openRetry(unix.AT_FDCWD, name, flags|unix.O_NOATIME, 0)
	if errors.Is(err, unix.EPERM) {
		return openRetry(unix.AT_FDCWD, name, flags, 0)
	}
	return fd, err
}

// directFlag asks for I/O past the page cache.
func directFlag(buffered bool) int {
	if buffered {
		return 0
	}
	return unix.O_DIRECT
}

// openError is opError for an open: all that open can find invalid is O_DIRECT.
func openError(op, object string, err error, buffered bool) error {
	e := &platform.OpError{Op: op, Object: object, Reason: reasonOf(err), Err: err}
	if errors.Is(err, unix.EINVAL) && !buffered {
		e.Reason = platform.ErrNoDirectIO
	}
	return e
}

// newFile describes an open descriptor.
func (h *Host) newFile(fd int, name string, buffered bool) (*file, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	f := &file{fd: fd, engine: h.engine, clock: h.clock}
	f.info = fileInfo{name: name, size: st.Size, align: 1}
	if buffered {
		return f, nil
	}
	var sx unix.Statx_t
	var fs unix.Statfs_t
	err := unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_DIOALIGN, &sx)
	if err != nil && !missing(err) {
		return nil, err
	}
	if err := retry(func() error { return unix.Fstatfs(fd, &fs) }); err != nil {
		return nil, err
	}
	known := err == nil && sx.Mask&unix.STATX_DIOALIGN != 0
	f.info.align, f.direct = directAlign(known, sx.Dio_mem_align, sx.Dio_offset_align)
	if magic := uint32(fs.Type); magic == unix.TMPFS_MAGIC || magic == unix.RAMFS_MAGIC {
		f.direct = false // the file is the page cache
	}
	return f, nil
}

func openRetry(dir int, name string, flags int, mode uint32) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(dir, name, flags, mode)
		return err
	})
	return fd, err
}

// retry repeats a system call that a signal ended.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
