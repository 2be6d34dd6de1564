// Package host is platform.Host on the operating system the program runs on. New gives it. It is the
// only package with build tags and system calls; what is done with the answers of the system is
// decided in untagged files and packages, which take bytes or an fs.FS.
//
// An operating system without a back end gets one that answers every question with
// platform.ErrUnsupported.
package host

import "cachecliff/platform"

// Options says what of a host differs from the usual; the zero value is the usual. They exist for
// tests and for people who want to compare engines.
type Options struct {
	// Engine is the only way that queues may submit I/O, if it is not EngineAuto. A queue fails where
	// that engine does not work; nothing is put in its place.
	Engine platform.Engine
	// SysRoot and ProcRoot stand for /sys and /proc where they are not empty.
	SysRoot, ProcRoot string
}
