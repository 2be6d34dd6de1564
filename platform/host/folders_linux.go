package host

import (
	"os"
	"path/filepath"

	"cachecliff/platform"
)

// Folders are those of the XDG Base Directory Specification. It fails if the user has no home folder.
func (h *Host) Folders() (platform.Folders, error) {
	home, err := os.UserHomeDir()
	if err == nil {
		home, err = filepath.Abs(home)
	}
	if err != nil {
		return platform.Folders{}, &platform.OpError{Op: "find", Object: "the home folder", Reason: platform.ErrNotExist, Err: err}
	}
	return h.tree().Folders(home, os.Getenv), nil
}
