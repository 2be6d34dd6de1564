package host

import (
	"cmp"
	"time"

	"cachecliff/platform"
)

// Host is this Linux system. It keeps no state besides its options, the questions that the system has not
// answered yet and what drives answered that must not be asked too often, so it may be copied and used from any
// goroutine.
type Host struct {
	engine  platform.Engine
	clock   clock
	sysDir  string // where sysfs is mounted
	procDir string // where procfs is mounted
	asked   *questions
	told    *answers
}

// New makes the host of this system.
func New(o Options) (*Host, error) {
	c, err := newClock()
	if err != nil {
		return nil, &platform.OpError{Op: "read the clock", Object: "CLOCK_MONOTONIC", Reason: reasonOf(err), Err: err}
	}
	return &Host{
		engine:  o.Engine,
		clock:   c,
		sysDir:  cmp.Or(o.SysRoot, "/sys"),
		procDir: cmp.Or(o.ProcRoot, "/proc"),
		asked:   newQuestions(),
		told:    &answers{warm: map[string]warm{}, limits: map[string]platform.TempLimits{}},
	}, nil
}

// Now is CLOCK_MONOTONIC: time since the system started, without the time it slept. It is the same
// in all processes.
func (h *Host) Now() time.Duration { return h.clock.now() }
