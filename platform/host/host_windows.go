package host

import (
	"time"

	"cachecliff/platform"
)

// Host is this Windows system. It keeps no state besides its options and the questions that the system has
// not answered yet, so it may be copied and used from any goroutine.
type Host struct {
	engine platform.Engine
	clock  clock
	asked  *questions
}

// New makes the host of this system.
func New(o Options) (*Host, error) {
	c, err := newClock()
	if err != nil {
		return nil, &platform.OpError{Op: "read the clock", Object: "QueryPerformanceCounter", Reason: reasonOf(err), Err: err}
	}
	return &Host{engine: o.Engine, clock: c, asked: newQuestions()}, nil
}

func unsupported(op, object string) error {
	return &platform.OpError{Op: op, Object: object, Reason: platform.ErrUnsupported}
}

// Now is the performance counter: time since the system started. It is the same in all processes.
func (h *Host) Now() time.Duration { return h.clock.now() }

var _ platform.Host = (*Host)(nil)
