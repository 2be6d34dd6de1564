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
