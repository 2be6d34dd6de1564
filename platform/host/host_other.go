//go:build !linux && !windows

package host

import (
	"context"
	"time"

	"cachecliff/platform"
)

// Host is a system that Cachecliff has no back end for.
type Host struct {
	start time.Time
}

// New makes a host that answers everything with platform.ErrUnsupported.
func New(Options) (*Host, error) {
	return &Host{start: time.Now()}, nil
}

func unsupported(op, object string) error {
	return &platform.OpError{Op: op, Object: object, Reason: platform.ErrUnsupported}
}

// Drives fails with platform.ErrUnsupported.
func (h *Host) Drives(context.Context) ([]platform.Drive, error) {
	return nil, unsupported("list drives", "")
}

// Targets fails with platform.ErrUnsupported.
func (h *Host) Targets(context.Context) ([]platform.Target, error) {
	return nil, unsupported("list volumes", "")
}

// Resolve fails with platform.ErrUnsupported.
func (h *Host) Resolve(_ context.Context, path string) (platform.Target, error) {
	return platform.Target{}, unsupported("look at", path)
}

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

// Sensors fails with platform.ErrUnsupported.
func (h *Host) Sensors(_ context.Context, d platform.Drive) (platform.Sensors, error) {
	return platform.Sensors{}, unsupported("read sensors", d.Name)
}

// Watch fails with platform.ErrUnsupported.
func (h *Host) Watch(d platform.Drive) (platform.Meter, error) {
	return nil, unsupported("read sensors", d.Name)
}

// Health fails with platform.ErrUnsupported.
func (h *Host) Health(_ context.Context, d platform.Drive) (platform.Health, error) {
	return platform.Health{}, unsupported("read SMART", d.Name)
}

// System fails with platform.ErrUnsupported.
func (h *Host) System(context.Context) (platform.System, error) {
	return platform.System{}, unsupported("describe the computer", "")
}

// Folders fails with platform.ErrUnsupported.
func (h *Host) Folders() (platform.Folders, error) {
	return platform.Folders{}, unsupported("find folders", "")
}

// Now is the time since the host was made.
func (h *Host) Now() time.Duration { return time.Since(h.start) }

var _ platform.Host = (*Host)(nil)
