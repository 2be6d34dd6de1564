package host

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestCPUClock(t *testing.T) {
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	u0, s0, err := h.ProcessCPU()
	if err != nil {
		t.Fatal(err)
	}
	x := 1
	for range 200_000_000 {
		x = x*3 + 1
	}
	if x == 0 {
		t.Log("the loop must not be left out")
	}
	u1, s1, err := h.ProcessCPU()
	if err != nil || u1 <= u0 || s1 < s0 {
		t.Errorf("process: %v %v, then %v %v, %v", u0, s0, u1, s1, err)
	}
	tu, ts, err := h.ThreadCPU()
	if err != nil || tu+ts > u1+s1+u1/10 {
		t.Errorf("thread: %v %v of %v %v, %v", tu, ts, u1, s1, err)
	}
}

// Two threads that always work share one processor: each waits for about half the time.
func TestThreadWaited(t *testing.T) {
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	const both = 400 * time.Millisecond
	waited := make(chan time.Duration, 2)
	var one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	for cpu := len(one) * 64; one.Count() > 1; cpu-- {
		one.Clear(cpu)
	}
	for range 2 {
		go func() {
			runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
			if err := unix.SchedSetaffinity(0, &one); err != nil {
				t.Error(err)
			}
			before, err := h.ThreadWaited()
			if err != nil {
				t.Error(err)
			}
			for end := h.Now() + both; h.Now() < end; {
			}
			after, err := h.ThreadWaited()
			if err != nil {
				t.Error(err)
			}
			waited <- after - before
		}()
	}
	if sum := <-waited + <-waited; sum < both/4 {
		t.Errorf("two threads on one processor waited %v in all", sum)
	}
}
