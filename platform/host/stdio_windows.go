package host

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// IsTerminal says whether a person sits at the other end of a file.
func IsTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}

// NobodyReads says whether a write failed because who read has gone away.
func NobodyReads(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
