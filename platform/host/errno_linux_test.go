package host

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"cachecliff/platform"
)

func TestReasonOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want error
	}{
		{nil, nil},
		{errors.New("no error number"), nil},
		{syscall.EINVAL, nil},
		{syscall.ENOSPC, platform.ErrNoSpace},
		{syscall.EDQUOT, platform.ErrQuota},
		{syscall.EROFS, platform.ErrReadOnly},
		{syscall.EACCES, platform.ErrPermission},
		{syscall.EPERM, platform.ErrPermission},
		{syscall.EFBIG, platform.ErrTooLarge},
		{syscall.ENOENT, platform.ErrNotExist},
		{syscall.EIO, platform.ErrIO},
		{syscall.EREMOTEIO, platform.ErrIO},
		{syscall.ENODEV, platform.ErrGone},
		{syscall.ENXIO, platform.ErrGone},
		{syscall.EMFILE, platform.ErrResources},
		{syscall.ENFILE, platform.ErrResources},
		{syscall.ENOMEM, platform.ErrResources},
		{syscall.ENAMETOOLONG, platform.ErrNotExist},
		{syscall.EOPNOTSUPP, platform.ErrUnsupported},
		{fmt.Errorf("wrapped: %w", syscall.ENOSPC), platform.ErrNoSpace},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, platform.ErrPermission},
		{errors.Join(nil, syscall.EROFS, syscall.EIO), platform.ErrReadOnly},
	} {
		if got := reasonOf(c.err); got != c.want {
			t.Errorf("reason of %v: %v, want %v", c.err, got, c.want)
		}
	}
}

// A sandbox forbids a call that it does not know.
func TestMissing(t *testing.T) {
	for err, want := range map[error]bool{
		syscall.ENOSYS: true, syscall.EOPNOTSUPP: true, syscall.EPERM: true, syscall.ENOTTY: true,
		syscall.EACCES: false, syscall.ENOSPC: false, syscall.EINVAL: false,
	} {
		if missing(err) != want {
			t.Errorf("%v: %t", err, !want)
		}
	}
	if missing(nil) {
		t.Error("a call that worked is missing")
	}
}

func TestOpError(t *testing.T) {
	if err := opError("read", "x", nil); err != nil {
		t.Errorf("no error became %v", err)
	}
	err := opError("read", "x", syscall.EIO)
	if !errors.Is(err, platform.ErrIO) || !errors.Is(err, syscall.EIO) {
		t.Errorf("%v is not told as an I/O error", err)
	}
}
