//go:build !linux && !windows

package host

import (
	"errors"
	"os"
	"syscall"
)

// IsTerminal says no: this system cannot be asked.
func IsTerminal(*os.File) bool { return false }

// NobodyReads says whether a write failed because who read has gone away.
func NobodyReads(err error) bool { return errors.Is(err, syscall.EPIPE) }
