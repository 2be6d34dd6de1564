package host

import (
	"os"
	"os/exec"
	"syscall"
)

// selfLink is the kernel's link to the program of the process that asks. A process that is being started
// still is this one, as far as the link goes, until it runs the program.
const selfLink = "/proc/self/exe"

// Program is what starts this program again, in the same version even if its file was replaced or
// removed since: the kernel's link to it or, where /proc is missing, its path.
func Program() (string, error) {
	f, err := os.Open(selfLink)
	if err != nil {
		return os.Executable()
	}
	return selfLink, f.Close()
}

// Apart puts a child into a process group of its own, so that Ctrl-C on a terminal reaches the parent
// only. Should the parent die while the child is stopped, the kernel wakes the child. In the list of
// processes the child has the name by which this program was called.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Path == selfLink {
		cmd.Args[0] = os.Args[0]
	}
}

// Tie does nothing here: a child ends with its standard input.
func Tie(*os.Process) {}
