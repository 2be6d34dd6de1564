package sysfs

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"

	"cachecliff/platform"
)

// userTick is the unit in which the kernel tells the processors' times to programs: USER_HZ is 100 on
// every architecture that Go runs on (kernel include/asm-generic/param.h).
const userTick = 10 * time.Millisecond

var errNoCPU = errors.New("processor statistics without a line of all processors")

// ParseCPUTimes reads the first line of /proc/stat, "cpu  user nice system idle iowait irq softirq steal guest
// guest_nice" (proc_stat(5)): what all processors did. As iostat has it, System holds both kinds of
// interrupts; the guests are in user and nice already. Kernels before 2.6.11 have no steal, which then is nil.
func ParseCPUTimes(b []byte) (platform.CPUTimes, error) {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte("cpu "))
	if !ok {
		return platform.CPUTimes{}, errNoCPU
	}
	var v [8]time.Duration
	n := 0
	for ; n < len(v); n++ {
		if rest = bytes.TrimLeft(rest, " "); len(rest) == 0 {
			break
		}
		var ticks uint64
		if ticks, rest, ok = cutNumber(rest); !ok || ticks > math.MaxInt64/16/uint64(userTick) {
			return platform.CPUTimes{}, fmt.Errorf("processor statistics, field %d is not a time", n+1)
		}
		v[n] = time.Duration(ticks) * userTick
	}
	if n < 7 {
		return platform.CPUTimes{}, fmt.Errorf("processor statistics with %d fields, not at least 7", n)
	}
	t := platform.CPUTimes{User: v[0], Nice: &v[1], System: v[2] + v[5] + v[6], Idle: v[3], IOWait: &v[4]}
	if n == len(v) {
		t.Steal = &v[7]
	}
	return t, nil
}
