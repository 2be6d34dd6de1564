package host

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform/winapi"
)

// procGetConnection is WNetGetConnection, which x/sys does not name.
var procGetConnection = windows.NewLazySystemDLL("mpr.dll").NewProc("WNetGetConnectionW")

// volumeName implements volumeCalls.
func (volumeSystem) volumeName(root string) (string, error) {
	const op = "find the volume at"
	wide, err := windows.UTF16PtrFromString(root)
	if err != nil {
		return "", opError(op, root, err)
	}
	var name [64]uint16 // \\?\Volume{GUID}\ has 50 with its zero
	if err := windows.GetVolumeNameForVolumeMountPoint(wide, &name[0], uint32(len(name))); err != nil {
		return "", opError(op, root, err)
	}
	return windows.UTF16ToString(name[:]), nil
}

// volumeNames implements volumeCalls.
func (volumeSystem) volumeNames() ([]string, error) {
	var name [64]uint16
	search, err := windows.FindFirstVolume(&name[0], uint32(len(name)))
	if err != nil {
		return nil, opError("list volumes", "", err)
	}
	var out []string
	for err == nil {
		out = append(out, windows.UTF16ToString(name[:]))
		err = windows.FindNextVolume(search, &name[0], uint32(len(name)))
	}
	if err == windows.ERROR_NO_MORE_FILES {
		err = nil
	}
	if closeErr := windows.FindVolumeClose(search); err == nil {
		err = closeErr
	}
	return out, opError("list volumes", "", err)
}

// mounts implements volumeCalls.
func (volumeSystem) mounts(name string) ([]string, error) {
	const op = "find where is mounted"
	wide, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, opError(op, name, err)
	}
	for room := uint32(1 << 10); ; {
		list := make([]uint16, room)
		var needed uint32
		err := windows.GetVolumePathNamesForVolumeName(wide, &list[0], room, &needed)
		if err == windows.ERROR_MORE_DATA && needed > room {
			room = needed
			continue
		}
		if err != nil {
			return nil, opError(op, name, err)
		}
		return winapi.SplitList(list), nil
	}
}

// letters implements volumeCalls.
func (volumeSystem) letters() ([]string, error) {
	mask, err := windows.GetLogicalDrives()
	return winapi.Letters(mask), opError("list drives", "", err)
}

// kind implements volumeCalls.
func (volumeSystem) kind(root string) winapi.DriveKind {
	wide, err := windows.UTF16PtrFromString(root)
	if err != nil {
		return winapi.KindNone
	}
	return winapi.DriveKind(windows.GetDriveType(wide))
}

// share implements volumeCalls.
func (volumeSystem) share(letter string) (string, error) {
	const op = "find the server of"
	wide, err := windows.UTF16PtrFromString(letter)
	if err == nil {
		err = procGetConnection.Find()
	}
	if err != nil {
		return "", opError(op, letter, err)
	}
	name := make([]uint16, windows.MAX_LONG_PATH)
	room := uint32(len(name))
	r, _, _ := syscall.SyscallN(procGetConnection.Addr(), uintptr(unsafe.Pointer(wide)), uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&room)))
	if r != 0 {
		return "", opError(op, letter, syscall.Errno(r))
	}
	return windows.UTF16ToString(name), nil
}

// describe implements volumeCalls.
func (volumeSystem) describe(root string, v *winapi.Volume) error {
	const op = "look at the volume"
	wide, err := windows.UTF16PtrFromString(root)
	if err != nil {
		return opError(op, root, err)
	}
	var label, fs [windows.MAX_PATH + 1]uint16
	err = windows.GetVolumeInformation(wide, &label[0], uint32(len(label)), nil, nil, &v.Flags, &fs[0], uint32(len(fs)))
	if err != nil {
		return opError(op, root, err)
	}
	v.Label, v.FS = windows.UTF16ToString(label[:]), windows.UTF16ToString(fs[:])
	return nil
}

// space implements volumeCalls.
func (volumeSystem) space(folder winapi.Path) (available, all, free uint64, err error) {
	const op = "ask for free space on"
	wide, err := windows.UTF16PtrFromString(slashed(folder))
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(wide, &available, &all, &free)
	}
	return available, all, free, opError(op, folder.String(), err)
}

// home implements volumeCalls.
func (volumeSystem) home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// windows implements volumeCalls.
func (volumeSystem) windows() string {
	dir, err := windows.GetSystemWindowsDirectory()
	if err != nil {
		return ""
	}
	return dir
}
