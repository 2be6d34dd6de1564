package host

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

// attrNotIndexed is FILE_ATTRIBUTE_NOT_CONTENT_INDEXED: the search of Windows need not read the file.
const attrNotIndexed = 0x2000

// Create makes a test file that the system removes when its last handle is closed, however the process
// ends. Only a computer that loses power can leave it behind. The measuring process opens it by its name.
// Others may read and write it but neither remove nor rename it.
func (h *Host) Create(t platform.Target, o platform.CreateOptions) (platform.File, error) {
	const op = "create test file in"
	const access = windows.GENERIC_READ | windows.GENERIC_WRITE | windows.DELETE
	path := filepath.Join(t.Path, testPrefix+rand.Text()+testSuffix)
	handle, err := openPath(path, access, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, windows.CREATE_NEW,
		attrNotIndexed|windows.FILE_FLAG_DELETE_ON_CLOSE|directFlag(o.Buffered))
	if err != nil {
		return nil, openError(op, t.Path, err, o.Buffered)
	}
	err = uncompressed(handle)
	if err == nil && o.Size > 0 {
		err = reserve(handle, o.Size)
	}
	var f *file
	if err == nil {
		f, err = h.newFile(handle, path, o.Buffered)
	}
	if err != nil {
		return nil, opError(op, t.Path, errors.Join(err, windows.CloseHandle(handle)))
	}
	untouched(handle)
	return f, nil
}

// uncompressed sees to it that a file in a folder whose files are stored compressed is not: I/O on one that
// is goes through the page cache, and what is stored is smaller than what was written.
func uncompressed(handle windows.Handle) error {
	_, info, err := identify(handle)
	if err != nil || info.FileAttributes&windows.FILE_ATTRIBUTE_COMPRESSED == 0 {
		return err
	}
	return setCompression(handle, compressionNone)
}

// What FSCTL_SET_COMPRESSION takes: COMPRESSION_FORMAT_NONE and COMPRESSION_FORMAT_DEFAULT.
const (
	compressionNone    uint16 = 0
	compressionDefault uint16 = 1
)

func setCompression(handle windows.Handle, format uint16) error {
	var n uint32
	return windows.DeviceIoControl(handle, windows.FSCTL_SET_COMPRESSION, (*byte)(unsafe.Pointer(&format)), uint32(unsafe.Sizeof(format)), nil, 0, &n, nil)
}

// reserve makes a file of size bytes and, where the file system does so, its space with it. What was never
// written reads as zeros: SetFileValidData, which would show what lay there before, is not used.
func reserve(handle windows.Handle, size int64) error {
	err := windows.SetFileInformationByHandle(handle, windows.FileEndOfFileInfo, (*byte)(unsafe.Pointer(&size)), uint32(unsafe.Sizeof(size)))
	if err == nil {
		return nil
	}
	var name [windows.MAX_PATH + 1]uint16
	e := windows.GetVolumeInformationByHandle(handle, nil, 0, nil, nil, nil, &name[0], uint32(len(name)))
	if e == nil && tooLargeFor(windows.UTF16ToString(name[:]), size) {
		return errors.Join(windows.ERROR_FILE_TOO_LARGE, err)
	}
	return err
}

// Leftovers lists the test files, and folders of them, in a folder that belong to this user and that no process has open.
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

// isFree says whether a file lies there that is this user's and that no one has open. One that this user may
// not remove is not his; one that is being removed cannot be opened either.
func isFree(path string) (bool, error) {
	handle, err := openPath(path, windows.GENERIC_READ|windows.DELETE, 0, windows.OPEN_EXISTING, windows.FILE_FLAG_OPEN_REPARSE_POINT|windows.FILE_FLAG_BACKUP_SEMANTICS)
	switch reasonOf(err) {
	case platform.ErrNotExist, platform.ErrBusy, platform.ErrPermission:
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, info, err := identify(handle)
	attributes := info.FileAttributes
	if attributes&attrDirectory != 0 { // that of a run that copied
		attributes, info.NumberOfLinks = attributes&^attrDirectory, 1
	}
	if err != nil || !isOursHere(filepath.Base(path), attributes, info.NumberOfLinks) {
		return false, errors.Join(err, windows.CloseHandle(handle))
	}
	owned, err := ownedByUser(handle)
	return owned && err == nil, errors.Join(err, windows.CloseHandle(handle))
}

// ownedByUser says whether a file is of this user, or of the group that what he makes as an administrator
// belongs to.
func ownedByUser(handle windows.Handle) (bool, error) {
	sd, err := windows.GetSecurityInfo(handle, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if missing(err) {
		return true, nil // a file system without owners
	}
	if err != nil {
		return false, err
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return false, err
	}
	mine, err := userIDs()
	if err != nil {
		return false, err
	}
	return isOwner(owner.String(), mine...), nil
}
