package host

import (
	"testing"
	"time"

	"cachecliff/platform"
)

func TestCPUClock(t *testing.T) {
	h, ok := any(thisHost(t)).(platform.CPUClock)
	if !ok {
		t.Skip("this system does not tell")
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

func TestCPUTimes(t *testing.T) {
	h, ok := any(thisHost(t)).(platform.CPUTimer)
	if !ok {
		t.Skip("this system does not tell")
	}
	before, err := h.CPUTimes()
	if err != nil {
		t.Fatal(err)
	}
	if before.User <= 0 || before.System <= 0 || before.Idle <= 0 {
		t.Errorf("since the start of the computer: %+v", before)
	}
	after, err := h.CPUTimes()
	if err != nil || after.User < before.User || after.System < before.System {
		t.Errorf("%+v, then %+v, %v", before, after, err)
	}
}

func TestSystemTimes(t *testing.T) {
	got := systemTimes(40*time.Second, 50*time.Second, 7*time.Second)
	if got != (platform.CPUTimes{User: 7 * time.Second, System: 10 * time.Second, Idle: 40 * time.Second}) {
		t.Errorf("%+v", got)
	}
	if got := systemTimes(2*time.Second, time.Second, 0); got.System != 0 {
		t.Errorf("idle time read before the kernel's: %+v", got)
	}
}
