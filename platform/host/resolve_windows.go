package host

import (
	"context"
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// Resolve finds the volume, the layers and the drives below a folder. It follows no link or junction of another
// user and fails with platform.ErrForeignLink, naming it. A file system that does not answer within two seconds
// makes the target unreachable.
func (h *Host) Resolve(ctx context.Context, path string) (platform.Target, error) {
	return h.volumes().resolve(ctx, path)
}

// volumeSystem asks this system about paths and volumes.
type volumeSystem struct{}

// full implements volumeCalls.
func (volumeSystem) full(path string) (string, error) {
	full, err := fullPath(path)
	return full, opError("find", path, err)
}

// device implements volumeCalls.
func (volumeSystem) device(letter string) (string, error) {
	name, err := windows.UTF16PtrFromString(letter)
	if err != nil {
		return "", opError("find", letter, err)
	}
	to := make([]uint16, windows.MAX_LONG_PATH)
	if _, err := windows.QueryDosDevice(name, &to[0], uint32(len(to))); err != nil {
		return "", opError("find", letter, err)
	}
	return windows.UTF16ToString(to), nil
}

// openName opens a folder or a file by its name.
func openName(p winapi.Path, access, flags uint32) (windows.Handle, error) {
	wide, err := windows.UTF16PtrFromString(p.Long())
	if err != nil {
		return windows.InvalidHandle, err
	}
	return windows.CreateFile(wide, access, shareAll, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|flags, 0)
}

// look implements volumeCalls. Who owns a name need not be told.
func (volumeSystem) look(p winapi.Path) (node, error) {
	const op, flags = "look at", windows.FILE_FLAG_OPEN_REPARSE_POINT
	handle, err := openName(p, windows.FILE_READ_ATTRIBUTES|windows.READ_CONTROL, flags)
	if reasonOf(err) == platform.ErrPermission {
		handle, err = openName(p, windows.FILE_READ_ATTRIBUTES, flags)
	}
	if err != nil {
		return node{}, opError(op, p.String(), err)
	}
	n, err := nodeOf(handle)
	return n, opError(op, p.String(), errors.Join(err, windows.CloseHandle(handle)))
}

func nodeOf(handle windows.Handle) (node, error) {
	_, info, err := identify(handle)
	if err != nil {
		return node{}, err
	}
	n := node{attributes: info.FileAttributes}
	if n.attributes&winapi.AttrReparse == 0 {
		return n, nil
	}
	var tag struct{ attributes, tag uint32 } // FILE_ATTRIBUTE_TAG_INFO
	err = windows.GetFileInformationByHandleEx(handle, windows.FileAttributeTagInfo, (*byte)(unsafe.Pointer(&tag)), uint32(unsafe.Sizeof(tag)))
	if err != nil {
		return node{}, err
	}
	n.tag = tag.tag
	if !n.isLink() {
		return n, nil
	}
	var filled uint32
	answer := make([]byte, winapi.MaxReparse)
	if windows.DeviceIoControl(handle, winapi.CodeReparse, nil, 0, &answer[0], uint32(len(answer)), &filled, nil) == nil {
		n.reparse = answer[:filled]
	}
	if sd, err := windows.GetSecurityInfo(handle, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION); err == nil {
		if owner, _, err := sd.Owner(); err == nil && owner != nil {
			n.owner = owner.String()
		}
	}
	return n, nil
}

// user implements volumeCalls.
func (volumeSystem) user() ([]string, error) {
	ids, err := userIDs()
	return ids, opError("find", "this user", err)
}

// userIDs are the identifier of this user and that of whom what he makes belongs to, which for an administrator
// is a group.
func userIDs() ([]string, error) {
	token := windows.GetCurrentProcessToken()
	user, err := token.GetTokenUser()
	if err != nil {
		return nil, err
	}
	var group struct {
		sid *windows.SID
		_   [68]byte // SECURITY_MAX_SID_SIZE
	}
	var n uint32
	err = windows.GetTokenInformation(token, windows.TokenOwner, (*byte)(unsafe.Pointer(&group)), uint32(unsafe.Sizeof(group)), &n)
	if err != nil {
		return nil, err
	}
	return []string{user.User.Sid.String(), group.sid.String()}, nil
}

// inVolume implements volumeCalls.
func (volumeSystem) inVolume(p winapi.Path) (string, error) {
	const op, withoutVolume = "find the exact name of", 4 // VOLUME_NAME_NONE
	handle, err := openName(p, 0, 0)
	if err != nil {
		return "", opError(op, p.String(), err)
	}
	name := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetFinalPathNameByHandle(handle, &name[0], uint32(len(name)), withoutVolume)
	if err == nil && int(n) >= len(name) {
		err = windows.ERROR_INSUFFICIENT_BUFFER
	}
	if err := errors.Join(err, windows.CloseHandle(handle)); err != nil {
		return "", opError(op, p.String(), err)
	}
	return windows.UTF16ToString(name[:n]), nil
}

// same implements volumeCalls. Both are open at once: else a file system may give one number to both.
func (volumeSystem) same(a, b winapi.Path) bool {
	var ids [2]fileID
	for i, p := range []winapi.Path{a, b} {
		handle, err := openName(p, windows.FILE_READ_ATTRIBUTES, 0)
		if err != nil {
			return false
		}
		defer windows.CloseHandle(handle)
		if ids[i], _, err = identify(handle); err != nil {
			return false
		}
	}
	unknown := fileID{volume: ids[0].volume}
	return ids[0] == ids[1] && ids[0] != unknown
}

// root implements volumeCalls.
func (volumeSystem) root(p winapi.Path) (string, error) {
	const op = "find the volume of"
	if p.OnServer() {
		return p.Root, nil
	}
	wide, err := windows.UTF16PtrFromString(p.Long())
	if err != nil {
		return "", opError(op, p.String(), err)
	}
	root := make([]uint16, windows.MAX_LONG_PATH)
	if err := windows.GetVolumePathName(wide, &root[0], uint32(len(root))); err != nil {
		return "", opError(op, p.String(), err)
	}
	return windows.UTF16ToString(root), nil
}

// folder implements volumeCalls.
func (volumeSystem) folder(p winapi.Path) (device, error) {
	handle, err := openName(p, windows.FILE_READ_ATTRIBUTES, 0)
	if err != nil {
		return nil, opError("open", p.String(), err)
	}
	return &openedDevice{name: p.String(), handle: handle}, nil
}

// writable implements volumeCalls.
func (volumeSystem) writable(folder winapi.Path) error {
	const addFile = 0x0002 // FILE_ADD_FILE
	handle, err := openName(folder, addFile, 0)
	if err == nil {
		err = windows.CloseHandle(handle)
	}
	return opError("ask for permission on", folder.String(), err)
}
