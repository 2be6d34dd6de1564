package bench

import (
	"context"
	"errors"

	"cachecliff/platform"
)

// reasons are the platform errors that a Failure can name, in the order in which they are looked for.
var reasons = []error{
	platform.ErrGone, platform.ErrNoMedium, platform.ErrNoSpace, platform.ErrQuota, platform.ErrTooLarge,
	platform.ErrReadOnly, platform.ErrPermission, platform.ErrNoDirectIO, platform.ErrNotExist, platform.ErrNotOurs,
	platform.ErrForeignLink, platform.ErrNoHugePages, platform.ErrNoClipboard, platform.ErrResources, platform.ErrBusy, platform.ErrStalled, platform.ErrAsleep,
	platform.ErrShortIO, platform.ErrBridge, platform.ErrSwitchedOff, platform.ErrUnsupported, platform.ErrClosed, platform.ErrIO,
}

// ErrWorkerDied is when the process that measures ended without an answer.
var ErrWorkerDied = errors.New("the measuring process ended without an answer")

// NewFailure is an error in its stored form; nil for nil. Reason is the text of the platform error
// that errors.Is finds in it, else the error's own text.
func NewFailure(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Reason: err.Error()}
	for _, r := range append(reasons, ErrWorkerDied) {
		if errors.Is(err, r) {
			f.Reason = r.Error()
			break
		}
	}
	var op *platform.OpError
	if errors.As(err, &op) {
		f.Op, f.Object = op.Op, op.Object
		if op.Err != nil {
			f.Detail = op.Err.Error()
		}
	} else if f.Reason != err.Error() {
		f.Detail = err.Error()
	}
	return f
}

// Err turns a stored failure back into an error that errors.Is knows.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	e := &platform.OpError{Op: f.Op, Object: f.Object}
	for _, r := range append(reasons, ErrWorkerDied) {
		if r.Error() == f.Reason {
			e.Reason = r
		}
	}
	switch {
	case f.Detail != "":
		e.Err = errors.New(f.Detail)
	case e.Reason == nil:
		e.Err = errors.New(f.Reason)
	}
	return e
}

// stopped says whether err is only the user's wish to stop.
func stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}
