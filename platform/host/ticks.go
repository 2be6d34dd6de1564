package host

import (
	"math"
	"math/bits"
	"time"

	"cachecliff/platform"
)

// ticksAsTime is how long a counter took to get to ticks, rounded down. ticks×10⁹ does not fit 64 bits
// once a counter of 10 MHz has run for half an hour, so the product has 128. What does not fit a
// time.Duration, 292 years, is the longest that does.
func ticksAsTime(ticks, perSecond uint64) time.Duration {
	hi, lo := bits.Mul64(ticks, uint64(time.Second))
	if hi >= perSecond {
		return math.MaxInt64
	}
	ns, _ := bits.Div64(hi, lo, perSecond)
	return time.Duration(min(ns, math.MaxInt64))
}

// timerUnit is what Windows counts times of timers and of processes in.
const timerUnit = 100 * time.Nanosecond

// unitsAsTime is a number of units of 100 ns that comes in two halves, as a FILETIME has them.
func unitsAsTime(high, low uint32) time.Duration {
	return time.Duration(uint64(high)<<32|uint64(low)) * timerUnit
}

// systemTimes are the processors' times from what GetSystemTimes tells: in that of the kernel is the idle time.
func systemTimes(idle, kernel, user time.Duration) platform.CPUTimes {
	return platform.CPUTimes{User: user, System: max(kernel-idle, 0), Idle: idle}
}

// dueIn is what a timer of Windows is set to so that it does not end before d is over: negative counts
// from now.
func dueIn(d time.Duration) int64 {
	units := d / timerUnit
	if d%timerUnit > 0 {
		units++
	}
	return -int64(max(units, 1))
}

// waitMillis is d in milliseconds, rounded up: what a call may wait so that it does not end before. forever
// is what stands for a wait without an end, and what a longer one becomes.
func waitMillis(d time.Duration, forever uint32) uint32 {
	if d <= 0 {
		return 0
	}
	ms := uint64((d-1)/time.Millisecond) + 1
	return uint32(min(ms, uint64(forever)))
}
