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
	own, err := descriptor(fd, o.WriteThrough)
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

// descriptor is one more descriptor of an open file. Whether writes go through all caches belongs to what was
// opened, not to the descriptor, so for that the file is opened again.
func descriptor(fd int, through bool) (int, error) {
	if !through {
		return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return -1, err
	}
	const kept = unix.O_ACCMODE | unix.O_DIRECT | unix.O_NOATIME
	return openRetry(unix.AT_FDCWD, linkTo(fd), flags&kept|unix.O_DSYNC|unix.O_CLOEXEC, 0)
}
