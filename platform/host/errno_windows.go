package host

import "syscall"

// reasons is empty.
var reasons map[syscall.Errno]error
