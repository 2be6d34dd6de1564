package platform

import (
	"errors"
	"fmt"
)

// The reasons a caller can act on; tested with errors.Is. The sentence a user reads is made in
// app/explain.
var (
	ErrUnsupported = errors.New("not supported here")
	ErrPermission  = errors.New("permission denied")
	ErrNotExist    = errors.New("no such file or folder")
	ErrBusy        = errors.New("device or file is busy")
	ErrNoMedium    = errors.New("no medium in the drive")
	ErrNoDirectIO  = errors.New("the file system does not take direct I/O")
	ErrReadOnly    = errors.New("the file system is read-only")
	ErrNoSpace     = errors.New("no space left")
	ErrQuota       = errors.New("disk quota exceeded")
	ErrTooLarge    = errors.New("the file is larger than the file system allows")
	ErrIO          = errors.New("the device reported an error")
	ErrGone        = errors.New("the device is gone")
	ErrStalled     = errors.New("the device did not answer in time")
	ErrAsleep      = errors.New("the device is asleep")
	ErrNotOurs     = errors.New("the file was not made by this program")
	ErrForeignLink = errors.New("a symbolic link of another user")
	ErrResources   = errors.New("the system has no more memory or open files to give")
	ErrNoHugePages = errors.New("no huge pages to be had")
	ErrShortIO     = errors.New("fewer bytes were moved than asked for")
	ErrClosed      = errors.New("already closed")
	ErrNoClipboard = errors.New("the program that fills the clipboard is not installed")

	// These stand beside ErrUnsupported: a USB adapter is in between, or somebody switched it off in the drive.
	ErrBridge      = errors.New("this USB adapter does not pass SMART")
	ErrSwitchedOff = errors.New("SMART is switched off in this drive")
)

// WhyOf is the reason for the absence of what a question failed to get.
func WhyOf(err error) Why {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrPermission):
		return WhyRights
	case errors.Is(err, ErrAsleep):
		return WhyAsleep
	case errors.Is(err, ErrBridge):
		return WhyBridge
	case errors.Is(err, ErrSwitchedOff):
		return WhyNotReported
	case errors.Is(err, ErrUnsupported):
		return WhyBus
	}
	return WhyFailed
}

// OpError says what was attempted on what. It wraps the reason above and the system's own error.
type OpError struct {
	Op     string // what was attempted: "create test file", "read"
	Object string // path or drive
	Reason error  // one of the reasons above, or nil if none fits
	Err    error  // what the system said, or nil
}

func (e *OpError) Error() string {
	why := e.Err
	if why == nil {
		why = e.Reason
	}
	if why == nil {
		return fmt.Sprintf("%s %s", e.Op, e.Object)
	}
	return fmt.Sprintf("%s %s: %v", e.Op, e.Object, why)
}

// Unwrap gives both the reason and the system's error to errors.Is and errors.As.
func (e *OpError) Unwrap() []error {
	var out []error
	for _, err := range []error{e.Reason, e.Err} {
		if err != nil {
			out = append(out, err)
		}
	}
	return out
}
