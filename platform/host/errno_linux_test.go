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

func TestOpError(t *testing.T) {
	if err := opError("read", "x", nil); err != nil {
		t.Errorf("no error became %v", err)
	}
	err := opError("read", "x", syscall.EIO)
	if !errors.Is(err, platform.ErrIO) || !errors.Is(err, syscall.EIO) {
		t.Errorf("%v is not told as an I/O error", err)
	}
}
