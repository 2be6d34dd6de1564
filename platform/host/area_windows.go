package host

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

var _ platform.Copier = (*Host)(nil)

// area is a folder of a run. While it is open nobody can remove or rename it, by which Leftovers knows it.
type area struct {
	path   string
	handle windows.Handle
}

// Area implements platform.Copier.
func (h *Host) Area(t platform.Target) (platform.Area, error) {
	const op = "make a folder in"
	a := &area{path: filepath.Join(t.Path, testPrefix+rand.Text()+testSuffix), handle: windows.InvalidHandle}
	if err := a.folder(a.path); err != nil {
		return nil, opError(op, t.Path, err)
	}
	const access = windows.GENERIC_READ | windows.GENERIC_WRITE
	var err error
	a.handle, err = openPath(a.path, access, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err == nil {
		err = uncompressed(a.handle) // files inherit it from their folder
	}
	if err != nil {
		return nil, opError(op, t.Path, errors.Join(err, a.Close()))
	}
	return a, nil
}

func (a *area) folder(path string) error {
	wide, err := widePath(path)
	if err != nil {
		return err
	}
	return windows.CreateDirectory(wide, nil)
}

func (a *area) Path() string { return a.path }
func (a *area) object(name string) string {
	return filepath.Join(a.path, filepath.FromSlash(name))
}

func (a *area) Folder(name string) error {
	return opError("make the folder", a.object(name), a.folder(a.object(name)))
}

func (a *area) Create(name string) (io.WriteCloser, error) {
	handle, err := openPath(a.object(name), windows.GENERIC_WRITE, windows.FILE_SHARE_READ, windows.CREATE_NEW,
		attrNotIndexed|windows.FILE_FLAG_SEQUENTIAL_SCAN)
	if err != nil {
		return nil, opError("make the file", a.object(name), err)
	}
	return &stream{handle: handle, name: a.object(name)}, nil
}

// Flush makes each file durable: a whole volume only administrators may flush.
func (a *area) Flush(files []string) error {
	for _, name := range files {
		handle, err := openPath(a.object(name), windows.GENERIC_WRITE, shareAll, windows.OPEN_EXISTING, windows.FILE_FLAG_OPEN_REPARSE_POINT)
		if err == nil {
			err = errors.Join(windows.FlushFileBuffers(handle), windows.CloseHandle(handle))
		}
		if err != nil {
			return opError("flush", a.object(name), err)
		}
	}
	return nil
}

func (a *area) Remove(name string) error {
	return opError("remove", a.object(name), os.RemoveAll(a.object(name)))
}

func (a *area) Close() error {
	var err error
	if a.handle != windows.InvalidHandle {
		err = windows.CloseHandle(a.handle)
		a.handle = windows.InvalidHandle
	}
	return opError("remove", a.path, errors.Join(err, os.RemoveAll(a.path)))
}

// stream is a file that is read or written once from its start.
type stream struct {
	handle windows.Handle
	name   string
}

func (s *stream) Read(p []byte) (int, error) {
	var n uint32
	err := windows.ReadFile(s.handle, p, &n, nil)
	if err != nil && !errors.Is(err, windows.ERROR_HANDLE_EOF) {
		return 0, opError("read", s.name, err)
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return int(n), nil
}

func (s *stream) Write(p []byte) (int, error) {
	var n uint32
	if err := windows.WriteFile(s.handle, p, &n, nil); err != nil {
		return int(n), opError("write", s.name, err)
	}
	if int(n) < len(p) {
		return int(n), &platform.OpError{Op: "write", Object: s.name, Reason: platform.ErrShortIO}
	}
	return int(n), nil
}

func (s *stream) Close() error { return opError("close", s.name, windows.CloseHandle(s.handle)) }

// openSource opens a file for reading that is neither a folder nor a link.
func openSource(path string, flags uint32) (windows.Handle, windows.ByHandleFileInformation, error) {
	handle, err := openPath(path, windows.GENERIC_READ, shareAll, windows.OPEN_EXISTING, windows.FILE_FLAG_OPEN_REPARSE_POINT|flags)
	if err != nil {
		return windows.InvalidHandle, windows.ByHandleFileInformation{}, err
	}
	_, info, err := identify(handle)
	if err == nil && info.FileAttributes&(attrDirectory|attrDevice|attrReparse) != 0 {
		err = windows.ERROR_NOT_SUPPORTED
	}
	if err != nil {
		return windows.InvalidHandle, info, errors.Join(err, windows.CloseHandle(handle))
	}
	return handle, info, nil
}

// Read implements platform.Copier.
func (h *Host) Read(path string) (io.ReadCloser, error) {
	handle, _, err := openSource(path, windows.FILE_FLAG_SEQUENTIAL_SCAN)
	if err != nil {
		return nil, opError("open", path, err)
	}
	return &stream{handle: handle, name: path}, nil
}

// Drop implements platform.Copier. There is no call for it, but NTFS takes a file out of the cache that is opened
// past it while nobody else has it open. Whether it did, the drive's own counters tell.
func (h *Host) Drop(path string) error {
	handle, _, err := openSource(path, windows.FILE_FLAG_NO_BUFFERING)
	if err == nil {
		err = windows.CloseHandle(handle)
	}
	return opError("uncache", path, err)
}

// LayoutOf implements platform.Copier.
func (h *Host) LayoutOf(path string) (platform.Layout, error) {
	const op = "look at extents of"
	handle, _, err := openSource(path, 0)
	if err != nil {
		return platform.Layout{}, opError(op, path, err)
	}
	var l platform.Layout
	o, err := openedFile(handle, path)
	if err == nil {
		l, err = o.layout()
	}
	return l, opError(op, path, errors.Join(err, windows.CloseHandle(handle)))
}

// List implements platform.Copier.
func (h *Host) List(folder string) ([]platform.Entry, error) {
	const op = "look into"
	seen, err := os.ReadDir(folder)
	if err != nil {
		return nil, opError(op, folder, err)
	}
	out := make([]platform.Entry, 0, len(seen))
	for _, e := range seen {
		out = append(out, entryOf(folder, e))
	}
	return out, nil
}

// entryOf looks at an entry. Only folders are opened, for their numbers: what a loop is told by.
func entryOf(folder string, e os.DirEntry) platform.Entry {
	out := platform.Entry{Name: e.Name(), Links: 1, Stored: -1}
	info, err := e.Info()
	if err != nil {
		out.Err = opError("look at", e.Name(), err)
		return out
	}
	out.Size = info.Size()
	switch mode := info.Mode(); {
	case mode.IsRegular():
		out.Kind = platform.EntryFile
	case mode&os.ModeSymlink != 0 || mode&os.ModeIrregular != 0:
		out.Kind = platform.EntryLink
	case mode.IsDir():
		out.Kind = platform.EntryFolder
		out.ID = folderID(filepath.Join(folder, e.Name()))
	default:
		out.Kind = platform.EntryOther
	}
	return out
}

// folderID is zero for a folder that does not let itself be opened; that it cannot be read is found out later.
func folderID(path string) platform.FileID {
	const flags = windows.FILE_FLAG_BACKUP_SEMANTICS | windows.FILE_FLAG_OPEN_REPARSE_POINT
	handle, err := openPath(path, windows.FILE_READ_ATTRIBUTES, shareAll, windows.OPEN_EXISTING, flags)
	if err != nil {
		return platform.FileID{}
	}
	id, _, err := identify(handle)
	if errors.Join(err, windows.CloseHandle(handle)) != nil {
		return platform.FileID{}
	}
	return platform.FileID{Volume: uint64(id.volume), File: uint64(id.high)<<32 | uint64(id.low)}
}
