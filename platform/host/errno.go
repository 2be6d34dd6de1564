package host

import (
	"errors"
	"syscall"

	"cachecliff/platform"
)

// reasonOf is the reason that an error of the system stands for, or nil if there is none.
func reasonOf(err error) error {
	var no syscall.Errno
	if !errors.As(err, &no) {
		return nil
	}
	return reasons[no]
}

// missing says whether an optional system call is not there: the kernel or the file system does not have
// it, or a sandbox forbids it (EPERM), since those know only the calls of their own time.
func missing(err error) bool {
	return reasonOf(err) == platform.ErrUnsupported || errors.Is(err, syscall.EPERM)
}

// WhyNot is the reason that an error stands for when a program was started, or nil if there is none. To have no
// room for one more process is told as EAGAIN (fork(2)).
func WhyNot(err error) error {
	if errors.Is(err, syscall.EAGAIN) {
		return platform.ErrResources
	}
	return reasonOf(err)
}

// opError wraps an error of the system. It returns nil for nil.
func opError(op, object string, err error) error {
	if err == nil {
		return nil
	}
	return &platform.OpError{Op: op, Object: object, Reason: reasonOf(err), Err: err}
}
