package host

// The structures that the I/O of Windows is asked with, laid out by hand; winio_test.go pins sizes and
// offsets. They lie in memory that the garbage collector does not know.

// overlapped is OVERLAPPED. The system writes the first two while the I/O is in flight.
type overlapped struct {
	internal, internalHigh uintptr
	offset, offsetHigh     uint32
	event                  uintptr
}

// overlappedEntry is OVERLAPPED_ENTRY, an answer.
type overlappedEntry struct {
	key        uintptr
	overlapped uintptr
	status     uintptr // an NTSTATUS in its lower half
	bytes      uint32
	_          uint32
}

// failed says whether a status is one of an I/O that did not work: an error, or a warning that not all was
// done.
func (e *overlappedEntry) failed() bool { return int32(e.status) < 0 }

// threadPowerThrottling is THREAD_POWER_THROTTLING_STATE: what control names is as state says.
type threadPowerThrottling struct{ version, control, state uint32 }
