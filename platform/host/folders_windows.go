package host

import (
	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// Folders are the known folders of this user. Results stay on this computer, settings follow him to others.
func (h *Host) Folders() (platform.Folders, error) {
	var known winapi.KnownFolders
	for _, f := range []struct {
		id *windows.KNOWNFOLDERID
		to *string
	}{
		{windows.FOLDERID_LocalAppData, &known.Local}, {windows.FOLDERID_RoamingAppData, &known.Roaming}, {windows.FOLDERID_Pictures, &known.Pictures},
	} {
		path, err := windows.KnownFolderPath(f.id, windows.KF_FLAG_DONT_VERIFY)
		if err != nil {
			return platform.Folders{}, &platform.OpError{Op: "find", Object: "the known folders", Reason: platform.ErrNotExist, Err: err}
		}
		*f.to = path
	}
	return known.Folders(), nil
}
