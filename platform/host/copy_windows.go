package host

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

var (
	procCopyFile2  = kernel32.NewProc("CopyFile2")
	procCopyFileEx = kernel32.NewProc("CopyFileExW")
)

// copying is one file being copied, which its messages are about.
type copying struct {
	ctx   context.Context
	moved func(int64)
	sum   int64 // handed to the system so far
}

func (c *copying) tell(total int64) {
	if total > c.sum {
		c.moved(total - c.sum)
		c.sum = total
	}
}

// copies are those that go on, by the number that the system hands back: it must not hold a pointer of Go's.
var copies struct {
	sync.Map
	last atomic.Uintptr
}

// copyCallback answers the messages of CopyFile2, one function for all copies since those of a process are few.
var copyCallback = sync.OnceValue(func() uintptr { return windows.NewCallback(answerCopy) })

// answerCopy says whether a copy may go on.
func answerCopy(m *winapi.CopyMessage, number uintptr) uintptr {
	v, _ := copies.Load(number)
	c, ok := v.(*copying)
	if !ok || c.ctx.Err() != nil {
		return winapi.CopyCancel
	}
	if m.Type == winapi.CopyChunkFinished {
		c.tell(int64(m.TotalMoved))
	}
	return winapi.CopyGoOn
}

func (a *area) Copy(ctx context.Context, from, name string, way platform.CopyWay, moved func(int64)) (platform.CopyEngine, error) {
	size, err := lookAtSource(from)
	if err != nil {
		return "", opError("copy", from, err)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	c := &copying{ctx: ctx, moved: moved}
	engine, err := c.run(from, a.object(name), way)
	if ctx.Err() != nil {
		return engine, ctx.Err()
	}
	if err != nil {
		if errors.Is(err, windows.ERROR_FILE_EXISTS) || errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
			engine = "" // nothing of ours is there
		}
		return engine, opError("copy", from, err)
	}
	c.tell(size) // a system that tells nothing on the way
	return engine, nil
}

// lookAtSource is the size of a file that is neither a folder nor a link.
func lookAtSource(path string) (int64, error) {
	handle, info, err := openSource(path, 0)
	if err != nil {
		return 0, err
	}
	return sizeOf(info), windows.CloseHandle(handle)
}

func sizeOf(info windows.ByHandleFileInformation) int64 {
	return int64(info.FileSizeHigh)<<32 | int64(info.FileSizeLow)
}

// run has CopyFile2 copy, first with what forbids it to share blocks. A system that does not know of that
// (before Windows 11 22H2) does not share any by itself either.
func (c *copying) run(from, to string, way platform.CopyWay) (platform.CopyEngine, error) {
	source, err1 := widePath(from)
	target, err2 := widePath(to)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	flags, v2 := winapi.CopyFlags(way == platform.CopyDirect, way == platform.CopyClone)
	if procCopyFile2.Find() != nil { // Wine before 9: every Windows that Go runs on has it
		_, err := call(procCopyFileEx, uintptr(unsafe.Pointer(source)), uintptr(unsafe.Pointer(target)), 0, 0, 0, uintptr(flags&^winapi.CopyNoOffload))
		return platform.CopyByFileEx, err
	}
	number := copies.last.Add(1)
	copies.Store(number, c)
	defer copies.Delete(number)
	p := winapi.CopyParameters{Size: winapi.SizeCopyParameters2, Flags: flags, FlagsV2: v2, Progress: copyCallback(), Context: number}
	err := copyFile2(source, target, &p)
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		p.Size = winapi.SizeCopyParameters1
		err = copyFile2(source, target, &p)
	}
	return platform.CopyByFile2, err
}

// copyFile2 is the call.
func copyFile2(from, to *uint16, p *winapi.CopyParameters) error {
	r, _, _ := syscall.SyscallN(procCopyFile2.Addr(), uintptr(unsafe.Pointer(from)), uintptr(unsafe.Pointer(to)), uintptr(unsafe.Pointer(p)))
	number, known := winapi.OfResult(uint32(r))
	if number == 0 {
		return nil
	}
	if !known {
		return windows.ERROR_NOT_SUPPORTED
	}
	return syscall.Errno(number)
}
