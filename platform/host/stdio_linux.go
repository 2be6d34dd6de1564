package host

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// IsTerminal says whether a person sits at the other end of a file.
func IsTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// NobodyReads says whether a write failed because who read has gone away.
func NobodyReads(err error) bool { return errors.Is(err, unix.EPIPE) }
