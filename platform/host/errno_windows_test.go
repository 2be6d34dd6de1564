package host

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
)

func TestReasonOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want error
	}{
		{nil, nil},
		{errors.New("no error number"), nil},
		{windows.ERROR_INVALID_PARAMETER, nil},
		{windows.ERROR_OPERATION_ABORTED, nil},
		{windows.ERROR_DISK_FULL, platform.ErrNoSpace},
		{windows.ERROR_HANDLE_DISK_FULL, platform.ErrNoSpace},
		{windows.ERROR_DISK_QUOTA_EXCEEDED, platform.ErrQuota},
		{windows.ERROR_WRITE_PROTECT, platform.ErrReadOnly},
		{windows.ERROR_ACCESS_DENIED, platform.ErrPermission},
		{windows.ERROR_SHARING_VIOLATION, platform.ErrBusy},
		{windows.ERROR_FILE_NOT_FOUND, platform.ErrNotExist},
		{windows.ERROR_DIRECTORY, platform.ErrNotExist},
		{windows.ERROR_FILE_TOO_LARGE, platform.ErrTooLarge},
		{windows.ERROR_HANDLE_EOF, platform.ErrShortIO},
		{windows.ERROR_NOT_READY, platform.ErrNoMedium},
		{windows.ERROR_CRC, platform.ErrIO},
		{windows.ERROR_IO_DEVICE, platform.ErrIO},
		{windows.ERROR_NO_SUCH_DEVICE, platform.ErrGone},
		{windows.ERROR_SEM_TIMEOUT, platform.ErrStalled},
		{windows.ERROR_NO_SYSTEM_RESOURCES, platform.ErrResources},
		{windows.ERROR_INVALID_FUNCTION, platform.ErrUnsupported},
		{fmt.Errorf("wrapped: %w", windows.ERROR_DISK_FULL), platform.ErrNoSpace},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.ERROR_ACCESS_DENIED}, platform.ErrPermission},
		{errors.Join(nil, windows.ERROR_WRITE_PROTECT, windows.ERROR_CRC), platform.ErrReadOnly},
	} {
		if got := reasonOf(c.err); got != c.want {
			t.Errorf("reason of %v: %v, want %v", c.err, got, c.want)
		}
	}
}

// TestReasonOfStatus starts where a driver does: with the status of a request.
func TestReasonOfStatus(t *testing.T) {
	for status, want := range map[windows.NTStatus]error{
		windows.STATUS_DISK_FULL:              platform.ErrNoSpace,
		windows.STATUS_QUOTA_EXCEEDED:         platform.ErrResources,
		windows.STATUS_MEDIA_WRITE_PROTECTED:  platform.ErrReadOnly,
		windows.STATUS_ACCESS_DENIED:          platform.ErrPermission,
		windows.STATUS_END_OF_FILE:            platform.ErrShortIO,
		windows.STATUS_NO_MEDIA_IN_DEVICE:     platform.ErrNoMedium,
		windows.STATUS_DEVICE_DATA_ERROR:      platform.ErrIO,
		windows.STATUS_IO_DEVICE_ERROR:        platform.ErrIO,
		windows.STATUS_CRC_ERROR:              platform.ErrIO,
		windows.STATUS_UNSUCCESSFUL:           platform.ErrIO,
		windows.STATUS_FILE_CORRUPT_ERROR:     platform.ErrIO,
		windows.STATUS_NO_SUCH_DEVICE:         platform.ErrGone,
		windows.STATUS_DEVICE_DOES_NOT_EXIST:  platform.ErrGone,
		windows.STATUS_DEVICE_NOT_CONNECTED:   platform.ErrGone,
		windows.STATUS_VOLUME_DISMOUNTED:      platform.ErrNoMedium,
		windows.STATUS_IO_TIMEOUT:             platform.ErrStalled,
		windows.STATUS_INSUFFICIENT_RESOURCES: platform.ErrResources,
		windows.STATUS_INVALID_DEVICE_REQUEST: platform.ErrUnsupported,
		windows.STATUS_NOT_SUPPORTED:          platform.ErrUnsupported,
		windows.STATUS_CANCELLED:              nil,
	} {
		if got := reasonOf(status.Errno()); got != want {
			t.Errorf("status %#x is error %d: %v, want %v", uint32(status), uint32(status.Errno()), got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	for err, want := range map[error]bool{
		windows.ERROR_NOT_SUPPORTED: true, windows.ERROR_INVALID_FUNCTION: true, windows.ERROR_CALL_NOT_IMPLEMENTED: true,
		windows.ERROR_ACCESS_DENIED: false, windows.ERROR_DISK_FULL: false, windows.ERROR_INVALID_PARAMETER: false,
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
	err := opError("read", "x", windows.ERROR_CRC)
	if !errors.Is(err, platform.ErrIO) || !errors.Is(err, windows.ERROR_CRC) {
		t.Errorf("%v is not told as an I/O error", err)
	}
}
