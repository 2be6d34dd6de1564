package sysfs

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseSchedstat reads the schedstat of a thread and gives the time that it spent in the queue of a processor: the
// second of three numbers, in nanoseconds (kernel Documentation/scheduler/sched-stats.rst).
func ParseSchedstat(b []byte) (time.Duration, error) {
	fields := strings.Fields(string(b))
	if len(fields) != 3 {
		return 0, fmt.Errorf("read schedstat: %d fields, not 3", len(fields))
	}
	ns, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil || ns < 0 {
		return 0, fmt.Errorf("read schedstat: no time %q", fields[1])
	}
	return time.Duration(ns), nil
}
