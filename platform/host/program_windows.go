package host

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Program is what starts this program again. Its file cannot be replaced while it runs.
func Program() (string, error) { return os.Executable() }

// Apart gives a child no window and no part in the terminal of its parent, so that Ctrl-C there reaches the
// parent only.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP}
}

// Tie has the system end a child when this process ends, however it does, also a child that hangs. Where
// that is refused, a child that still runs ends with its standard input.
func Tie(child *os.Process) {
	job, err := fate()
	if err != nil {
		return
	}
	_ = child.WithHandle(func(handle uintptr) {
		_ = windows.AssignProcessToJobObject(job, windows.Handle(handle))
	})
}

// fate is a job whose processes end when its last handle is closed. This process holds the only one and never
// closes it.
var fate = sync.OnceValues(func() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limit windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limit.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limit)), uint32(unsafe.Sizeof(limit)))
	return job, err
})
