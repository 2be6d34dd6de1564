package host

import (
	"time"

	"cachecliff/platform"
)

// Host is this Windows system. It may be used from any goroutine.
type Host struct {
	engine platform.Engine
	start  time.Time
}

// New makes the host of this system.
func New(o Options) (*Host, error) {
	return &Host{engine: o.Engine, start: time.Now()}, nil
}

func unsupported(op, object string) error {
	return &platform.OpError{Op: op, Object: object, Reason: platform.ErrUnsupported}
}

// Now is the time since the host was made.
func (h *Host) Now() time.Duration { return time.Since(h.start) }

var _ platform.Host = (*Host)(nil)
