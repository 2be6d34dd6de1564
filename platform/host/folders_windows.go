package host

import "cachecliff/platform"

// Folders fails with platform.ErrUnsupported.
func (h *Host) Folders() (platform.Folders, error) {
	return platform.Folders{}, unsupported("find folders", "")
}
