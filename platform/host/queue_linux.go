package host

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// engine is one way to submit I/O.
type engine struct {
	name platform.Engine
	make func(fd int, s slots, c clock) (platform.Queue, error)
}

// engines are the ways of this system, best first. The first that can be set up is used unless one
// is named, and the queue says which it is.
var engines = []engine{
	{platform.EngineURing, newURingQueue},
	{platform.EngineAIO, newAIOQueue},
	{platform.EngineThreads, newThreadQueue},
}

// newQueue makes a queue on a descriptor of its own, so that closing the file, and whatever then gets
// its number, cannot reach I/O that is still to come.
func newQueue(fd int, f fileInfo, o platform.QueueOptions, c clock) (platform.Queue, error) {
	if o.Depth < 1 || o.Block < 1 {
		return nil, &platform.OpError{Op: "make queue", Object: f.name, Err: fmt.Errorf("depth %d, block %d", o.Depth, o.Block)}
	}
	// By default Linux puts the ends of waits together that lie within 50 µs. The calling thread waits for
	// the queue alone from now on.
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0); err != nil {
		return nil, opError("make queue", f.name, err)
	}
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, opError("make queue", f.name, err)
	}
	region, mem, err := mapBuffers(o.Depth*roundUp(o.Block), o.Huge)
	if err != nil && o.Huge {
		return nil, &platform.OpError{Op: "get huge pages for", Object: f.name, Reason: platform.ErrNoHugePages, Err: errors.Join(err, unix.Close(own))}
	}
	if err != nil {
		return nil, opError("make queue", f.name, errors.Join(err, unix.Close(own)))
	}
	var errs []error
	for _, e := range engines {
		if o.Engine != platform.EngineAuto && o.Engine != e.name {
			continue
		}
		q, err := e.make(own, newSlots(f, o, region, mem), c)
		if err == nil {
			return q, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", e.name, err))
	}
	errs = append(errs, unix.Munmap(region), unix.Close(own))
	return nil, &platform.OpError{Op: "make queue", Object: f.name, Reason: platform.ErrUnsupported, Err: errors.Join(errs...)}
}
