package host

import (
	"cmp"

	"cachecliff/platform"
)

// Host is this Linux system. It keeps no state besides its options, so it may be copied and used from
// any goroutine.
type Host struct {
	engine  platform.Engine
	sysDir  string // where sysfs is mounted
	procDir string // where procfs is mounted
}

// New makes the host of this system.
func New(o Options) (*Host, error) {
	return &Host{
		engine:  o.Engine,
		sysDir:  cmp.Or(o.SysRoot, "/sys"),
		procDir: cmp.Or(o.ProcRoot, "/proc"),
	}, nil
}
