//go:build !linux && !windows

package host

import "syscall"

// reasons is empty where no back end makes system calls.
var reasons map[syscall.Errno]error
