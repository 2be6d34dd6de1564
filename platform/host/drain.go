package host

import (
	"time"

	"cachecliff/platform"
)

// drainTime is how long Close of a queue waits for what is in flight.
const drainTime = 2 * time.Second

// drain waits for what is in flight, until the host's clock has reached until. How it ended is not told:
// who wants to know waits for it before closing. A queue that does not get empty is left as it is, with
// the memory that the kernel may still write to.
func drain(q platform.Queue, s *slots, until time.Duration) error {
	for s.pending > 0 {
		done, err := q.Wait(until)
		if err == nil && len(done) == 0 {
			err = s.refuse("close queue", platform.ErrStalled, "")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
