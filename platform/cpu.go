package platform

import "time"

// CPUClock is what a Host may also be: one that tells how much processor time was used.
type CPUClock interface {
	// ProcessCPU is the user and system time of this process so far, all threads and the kernel's
	// workers for it counted.
	ProcessCPU() (user, system time.Duration, err error)
	// ThreadCPU is the same for the calling OS thread.
	ThreadCPU() (user, system time.Duration, err error)
}

// CPUQueue is what a Host may also be: one that tells how long threads waited for a processor.
type CPUQueue interface {
	// ThreadWaited is how long the calling OS thread so far was ready to run and had no processor, because
	// other threads had it.
	ThreadWaited() (time.Duration, error)
}

// Settler is what a Host may also be: one that keeps a thread on one processor.
type Settler interface {
	// Settle keeps the calling OS thread on the processor that it runs on, for the rest of its life.
	Settle() error
}

// CPUTimes is what all processors of the computer did since it started, added up. Only differences mean
// something. A field that is nil is not told: Windows knows no nice, no waiting for I/O and no steal.
type CPUTimes struct {
	User   time.Duration  `json:"user"`           // programs, guests of virtual machines included, those of Nice left out
	Nice   *time.Duration `json:"nice,omitempty"` // programs with a lowered priority
	System time.Duration  `json:"system"`         // the kernel, interrupts included
	IOWait *time.Duration `json:"iowait,omitempty"`
	Steal  *time.Duration `json:"steal,omitempty"` // other virtual machines had the processor
	Idle   time.Duration  `json:"idle"`            // IOWait left out, where it is told
}

// CPUTimer is what a Host may also be: one that tells what the computer's processors did.
type CPUTimer interface {
	CPUTimes() (CPUTimes, error)
}
