package platform

import "io"

// Locker tells whether a file's owner still lives. The hosts have it beside Host.
type Locker interface {
	// Lock takes the file for this process alone, making it if need be, until the closer is closed or
	// the process ends, however it ends. It does not wait: ErrBusy says that someone else has it.
	Lock(path string) (io.Closer, error)
}
