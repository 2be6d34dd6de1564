package host

import (
	"context"
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

var _ platform.Trimmer = (*Host)(nil)

// fitrim is FITRIM of linux/fs.h: _IOWR('X', 121, struct fstrim_range).
const fitrim = 0xC0185879

// fstrimRange is struct fstrim_range of linux/fs.h, bytes.
type fstrimRange struct{ start, length, least uint64 }

// TrimFree implements platform.Trimmer with what fstrim(8) uses, which takes CAP_SYS_ADMIN. The call cannot be
// broken off: it goes on where ctx ends before it does.
func (h *Host) TrimFree(ctx context.Context, t platform.Target) (int64, error) {
	const op = "trim the free space of"
	type answer struct {
		bytes int64
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		fd, err := unix.Open(t.Path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			done <- answer{0, err}
			return
		}
		r := fstrimRange{length: 1<<64 - 1}
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), fitrim, uintptr(unsafe.Pointer(&r)))
		if errno != 0 {
			err = errno
		}
		done <- answer{int64(r.length), errors.Join(err, unix.Close(fd))}
	}()
	select {
	case a := <-done:
		if a.err != nil {
			return 0, opError(op, t.Path, a.err)
		}
		return a.bytes, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
