package host

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// file is an open test file.
type file struct {
	info   fileInfo
	id     fileID
	direct bool
	engine platform.Engine
	clock  clock

	mu     sync.RWMutex   // held by readers while they use the handle
	handle windows.Handle // windows.InvalidHandle once closed
}

// fileID tells a file from all others of this computer.
type fileID struct{ volume, high, low uint32 }

func (f *file) Name() string { return f.info.name }
func (f *file) Size() int64  { return f.info.size }
func (f *file) Align() int   { return f.info.align }
func (f *file) Direct() bool { return f.direct }

// Named is false: the system removes the file when the last handle is closed, also if it closes them
// itself because their process was killed.
func (f *file) Named() bool { return false }

// use lends the handle until release is called.
func (f *file) use(op string) (handle windows.Handle, release func(), err error) {
	f.mu.RLock()
	if f.handle == windows.InvalidHandle {
		f.mu.RUnlock()
		return windows.InvalidHandle, nil, &platform.OpError{Op: op, Object: f.info.name, Reason: platform.ErrClosed}
	}
	return f.handle, f.mu.RUnlock, nil
}

// Queue opens the file once more, since a handle belongs to one completion port.
func (f *file) Queue(o platform.QueueOptions) (platform.Queue, error) {
	_, release, err := f.use("make queue")
	if err != nil {
		return nil, err
	}
	defer release()
	if o.Engine == platform.EngineAuto {
		o.Engine = f.engine
	}
	flags := directFlag(!f.direct) | windows.FILE_FLAG_OVERLAPPED
	if o.WriteThrough {
		flags |= windows.FILE_FLAG_WRITE_THROUGH
	}
	own, id, err := reopen(f.info.name, flags)
	if err != nil {
		return nil, opError("make queue", f.info.name, err)
	}
	if id != f.id {
		return nil, &platform.OpError{Op: "make queue", Object: f.info.name, Reason: platform.ErrNotOurs, Err: windows.CloseHandle(own)}
	}
	return newQueue(own, f.info, o, f.clock)
}

func (f *file) Flush() error {
	handle, release, err := f.use("flush")
	if err != nil {
		return err
	}
	defer release()
	return opError("flush", f.info.name, windows.FlushFileBuffers(handle))
}

// Cached fails with platform.ErrUnsupported: Windows tells nobody.
func (f *file) Cached() (int64, error) {
	return 0, unsupported("look at the cached pages of", f.info.name)
}

// Uncache fails with platform.ErrUnsupported: Windows has no call for it.
func (f *file) Uncache() error { return unsupported("uncache", f.info.name) }

func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.handle == windows.InvalidHandle {
		return &platform.OpError{Op: "close", Object: f.info.name, Reason: platform.ErrClosed}
	}
	err := windows.CloseHandle(f.handle)
	f.handle = windows.InvalidHandle
	return opError("close", f.info.name, err)
}

// Open opens a test file by its name.
func (h *Host) Open(name string, o platform.OpenOptions) (platform.File, error) {
	const op = "open test file"
	handle, _, err := reopen(name, directFlag(o.Buffered))
	if err != nil {
		return nil, openError(op, name, err, o.Buffered)
	}
	f, err := h.newFile(handle, name, o.Buffered)
	if err != nil {
		return nil, opError(op, name, errors.Join(err, windows.CloseHandle(handle)))
	}
	return f, nil
}

// reopen opens a test file that is there. It is looked at before it is opened, so that nothing but a
// regular file ever is. What creator has opened to be removed lets only those in who do not mind.
func reopen(name string, flags uint32) (windows.Handle, fileID, error) {
	base := filepath.Base(name)
	if !isTestName(base) {
		return windows.InvalidHandle, fileID{}, platform.ErrNotOurs
	}
	const look = windows.FILE_FLAG_OPEN_REPARSE_POINT | windows.FILE_FLAG_BACKUP_SEMANTICS
	at, err := openPath(name, windows.FILE_READ_ATTRIBUTES, shareAll, windows.OPEN_EXISTING, look)
	if err != nil {
		return windows.InvalidHandle, fileID{}, err
	}
	seen, info, err := identify(at)
	if err == nil && !isOursHere(base, info.FileAttributes, info.NumberOfLinks) {
		err = platform.ErrNotOurs
	}
	if err := errors.Join(err, windows.CloseHandle(at)); err != nil {
		return windows.InvalidHandle, fileID{}, err
	}
	handle, err := openPath(name, windows.GENERIC_READ|windows.GENERIC_WRITE, shareAll, windows.OPEN_EXISTING, flags|windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err != nil {
		return windows.InvalidHandle, fileID{}, err
	}
	id, _, err := identify(handle)
	if err == nil && id != seen {
		err = platform.ErrNotOurs
	}
	if err != nil {
		return windows.InvalidHandle, fileID{}, errors.Join(err, windows.CloseHandle(handle))
	}
	untouched(handle)
	return handle, id, nil
}

// shareAll lets others do with an open file what they like.
const shareAll = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE

// openPath is CreateFile with a path of any length.
func openPath(path string, access, share, how, flags uint32) (windows.Handle, error) {
	wide, err := widePath(path)
	if err != nil {
		return windows.InvalidHandle, err
	}
	return windows.CreateFile(wide, access, share, nil, how, flags, 0)
}

// widePath is a path of a file in the form that the system takes, of any length.
func widePath(path string) (*uint16, error) {
	p, err := parsePath(path)
	if err != nil {
		return nil, err
	}
	return windows.UTF16PtrFromString(p.Long())
}

// parsePath takes any path of a file apart, also one that is not absolute. What is a device is none.
func parsePath(path string) (winapi.Path, error) {
	full, err := fullPath(path)
	if err != nil {
		return winapi.Path{}, err
	}
	p, ok := winapi.ParsePath(full)
	if !ok {
		return p, fmt.Errorf("%w: %s is no path of a file", windows.ERROR_BAD_PATHNAME, full)
	}
	return p, nil
}

// fullPath makes a path absolute. One that is to be taken as it is stays so: its names may end in spaces or
// dots, which Windows would cut off, and that may be another folder.
func fullPath(path string) (string, error) {
	if winapi.IsVerbatim(path) {
		return path, nil
	}
	return windows.FullPath(path)
}

// directFlag asks for I/O past the page cache.
func directFlag(buffered bool) uint32 {
	if buffered {
		return 0
	}
	return windows.FILE_FLAG_NO_BUFFERING
}

// openError is opError for an open: all that CreateFile can find invalid is FILE_FLAG_NO_BUFFERING.
func openError(op, object string, err error, buffered bool) error {
	e := &platform.OpError{Op: op, Object: object, Reason: reasonOf(err), Err: err}
	switch {
	case errors.Is(err, windows.ERROR_INVALID_PARAMETER) && !buffered:
		e.Reason = platform.ErrNoDirectIO
	case errors.Is(err, platform.ErrNotOurs):
		e.Reason = platform.ErrNotOurs
	}
	return e
}

// identify is what a file is, and which one.
func identify(handle windows.Handle) (fileID, windows.ByHandleFileInformation, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(handle, &info); err != nil {
		return fileID{}, info, err
	}
	return fileID{info.VolumeSerialNumber, info.FileIndexHigh, info.FileIndexLow}, info, nil
}

// untouched asks that reading through a handle does not write down when the file was read last, which
// costs time. A file system that does not know of it need not.
func untouched(handle windows.Handle) {
	never := windows.Filetime{LowDateTime: 1<<32 - 1, HighDateTime: 1<<32 - 1}
	_ = windows.SetFileTime(handle, nil, &never, nil)
}

// newFile describes an open handle.
func (h *Host) newFile(handle windows.Handle, name string, buffered bool) (*file, error) {
	id, info, err := identify(handle)
	if err != nil {
		return nil, err
	}
	f := &file{handle: handle, id: id, direct: !buffered, engine: h.engine, clock: h.clock}
	f.info = fileInfo{name: name, size: int64(info.FileSizeHigh)<<32 | int64(info.FileSizeLow), align: 1}
	if !buffered {
		f.info.align = sectorOf(handle, name)
	}
	return f, nil
}

// sectorOf is the size in bytes that offsets and lengths of direct I/O must be multiples of: the logical
// sector of the volume. Of two calls that tell it the newer one asks the file itself. Where neither does, as
// on some servers, a page is right everywhere.
func sectorOf(handle windows.Handle, name string) int {
	var answer [winapi.SizeFileStorage]byte
	err := windows.GetFileInformationByHandleEx(handle, windows.FileStorageInfo, &answer[0], uint32(len(answer)))
	if err == nil {
		sectors, err := winapi.DecodeFileStorage(answer[:])
		if err == nil && sectors.Logical > 0 {
			return sectors.Logical
		}
	}
	sector, _, err := piecesOf(name)
	return winAlign(sector, err == nil)
}

// piecesOf is the size in bytes of the sectors of the volume that a path lies on, and of the pieces in which
// it gives space to files.
func piecesOf(name string) (sector, cluster int64, err error) {
	p, err := parsePath(name)
	if err != nil {
		return 0, 0, err
	}
	root, err := volumeSystem{}.root(p)
	if err != nil {
		return 0, 0, err
	}
	wide, err := windows.UTF16PtrFromString(root)
	if err != nil {
		return 0, 0, err
	}
	var perCluster, perSector, free, all uint32
	_, err = call(procGetDiskFreeSpace, uintptr(unsafe.Pointer(wide)), uintptr(unsafe.Pointer(&perCluster)),
		uintptr(unsafe.Pointer(&perSector)), uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&all)))
	return int64(perSector), int64(perSector) * int64(perCluster), err
}
