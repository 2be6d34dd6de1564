package host

import (
	"testing"

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
