package host

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

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

// A settled thread has one processor, of those that it had; others keep theirs.
func TestSettle(t *testing.T) {
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		var before, after unix.CPUSet
		if err := unix.SchedGetaffinity(0, &before); err != nil {
			t.Error(err)
		}
		if err := h.Settle(); err != nil {
			t.Error(err)
		}
		if err := unix.SchedGetaffinity(0, &after); err != nil {
			t.Error(err)
		}
		if after.Count() != 1 {
			t.Errorf("a settled thread has %d processors", after.Count())
		}
		for cpu := range len(after) * 64 {
			if after.IsSet(cpu) && !before.IsSet(cpu) {
				t.Errorf("settled on processor %d, which the thread did not have", cpu)
			}
		}
	}()
	<-done
}
