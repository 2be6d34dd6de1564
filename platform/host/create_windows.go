package host

import "cachecliff/platform"

// Create fails with platform.ErrUnsupported.
func (h *Host) Create(t platform.Target, _ platform.CreateOptions) (platform.File, error) {
	return nil, unsupported("create test file", t.Path)
}

// Open fails with platform.ErrUnsupported.
func (h *Host) Open(name string, _ platform.OpenOptions) (platform.File, error) {
	return nil, unsupported("open test file", name)
}

// Leftovers fails with platform.ErrUnsupported.
func (h *Host) Leftovers(t platform.Target) ([]string, error) {
	return nil, unsupported("look for test files", t.Path)
}
