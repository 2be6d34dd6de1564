package host

import (
	"os/exec"
	"syscall"
)

// Apart puts a child into a process group of its own, so that Ctrl-C on a terminal reaches the parent
// only. Should the parent die while the child is stopped, the kernel wakes the child.
func Apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
