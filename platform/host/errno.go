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

// opError wraps an error of the system. It returns nil for nil.
func opError(op, object string, err error) error {
	if err == nil {
		return nil
	}
	return &platform.OpError{Op: op, Object: object, Reason: reasonOf(err), Err: err}
}
