package host

import (
	"time"

	"golang.org/x/sys/unix"
)

// clock is CLOCK_MONOTONIC read the cheap way: time.Since on a time with a monotonic reading is one
// vDSO call and a subtraction, half the price of time.Now. The kernel's timers take the same clock
// as an absolute time, which is why the distance between the two zeros is kept.
type clock struct {
	start time.Time
	base  time.Duration // CLOCK_MONOTONIC at start
}

// newClock finds base to within the time of one clock reading: of several tries the one that was
// disturbed least counts.
func newClock() (clock, error) {
	c := clock{start: time.Now()}
	best := time.Duration(-1)
	for range 8 {
		var ts unix.Timespec
		before := time.Since(c.start)
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			return clock{}, err
		}
		after := time.Since(c.start)
		if best < 0 || after-before < best {
			best = after - before
			c.base = time.Duration(ts.Nano()) - before - best/2
		}
	}
	return c, nil
}

func (c *clock) now() time.Duration { return c.base + time.Since(c.start) }
