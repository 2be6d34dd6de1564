package host

import (
	"runtime"
	"testing"
	"time"
)

// TestCPU works until its thread says that it has worked for 20 ms; the process must have too.
func TestCPU(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h := thisHost(t)
	spent := func(clock func() (user, system time.Duration, err error)) time.Duration {
		t.Helper()
		user, system, err := clock()
		if err != nil {
			t.Fatal(err)
		}
		return user + system
	}
	process, thread, end := spent(h.ProcessCPU), spent(h.ThreadCPU), h.Now()+20*time.Second
	for spent(h.ThreadCPU)-thread < 20*time.Millisecond {
		if h.Now() > end {
			t.Fatal("the time of the thread stands still")
		}
	}
	if got := spent(h.ProcessCPU) - process; got < 20*time.Millisecond {
		t.Errorf("the process worked for %v while one of its threads worked for 20 ms", got)
	}
}
