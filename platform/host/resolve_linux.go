package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/sysfs"
)

// resolver takes the mount table as it is now.
func (h *Host) resolver(ctx context.Context) (sysfs.Resolver, error) {
	tree := h.tree()
	mounts, err := tree.Mounts()
	if err != nil {
		return sysfs.Resolver{}, opError("read the mount table", "/proc/self/mountinfo", err)
	}
	return sysfs.Resolver{Tree: tree, Mounts: mounts, MountID: func(path string) (int, error) {
		return ask(ctx, h.asked, "mount of "+path, func() (int, error) { return mountID(path) })
	}}, nil
}

var errNoMountID = errors.New("the kernel does not tell mounts (before 5.8)")

// mountID is the number that a path's mount has in mountinfo. The device number of stat(2) would not do:
// btrfs gives a different one for each subvolume.
func mountID(path string) (int, error) {
	st, err := again(func() (st unix.Statx_t, err error) {
		err = unix.Statx(unix.AT_FDCWD, path, unix.AT_STATX_DONT_SYNC|unix.AT_NO_AUTOMOUNT, unix.STATX_MNT_ID, &st)
		return st, err
	})
	if err != nil {
		return 0, &fs.PathError{Op: "statx", Path: path, Err: err}
	}
	if st.Mask&unix.STATX_MNT_ID == 0 {
		return 0, errNoMountID
	}
	return int(st.Mnt_id), nil
}

// Resolve finds the volume, the layers and the drives below a folder. It follows no symbolic link of
// another user and fails with platform.ErrForeignLink, naming the link. A file system that does not answer
// within two seconds makes the target unreachable.
func (h *Host) Resolve(ctx context.Context, path string) (platform.Target, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return platform.Target{}, opError("find", path, err)
	}
	r, err := h.resolver(ctx)
	if err != nil {
		return platform.Target{}, err
	}
	real, err := ask(ctx, h.asked, "path "+abs, func() (string, error) { return followLinks(abs) })
	switch {
	case ctx.Err() != nil:
		return platform.Target{}, ctx.Err()
	case errors.Is(err, platform.ErrForeignLink):
		return platform.Target{}, err // it names the link
	case errors.Is(err, platform.ErrStalled) || unreachable(err):
		return unresolved(r, abs, sysfs.Probe{})
	case reasonOf(err) == platform.ErrPermission:
		return unresolved(r, abs, sysfs.Probe{Answered: true, Folder: true, Denied: true})
	case err != nil:
		return platform.Target{}, opError("find", abs, err)
	}
	m, ok := r.Mount(real)
	if !ok {
		return platform.Target{}, &platform.OpError{Op: "find the volume of", Object: real, Reason: platform.ErrNotExist}
	}
	p, err := h.probe(ctx, real)
	if err != nil {
		return platform.Target{}, err
	}
	return r.Target(real, m, p), nil
}

// unresolved is the target of a path that cannot be looked at.
func unresolved(r sysfs.Resolver, path string, p sysfs.Probe) (platform.Target, error) {
	m, ok := r.Mounts.Of(path)
	if !ok {
		return platform.Target{}, &platform.OpError{Op: "find the volume of", Object: path, Reason: platform.ErrUnsupported}
	}
	return r.Target(path, m, p), nil
}

// Targets lists the volumes that a user may think of, the one of the home folder first. All are asked at
// the same time, so that several dead ones take no longer than one.
func (h *Host) Targets(ctx context.Context) ([]platform.Target, error) {
	r, err := h.resolver(ctx)
	if err != nil {
		return nil, err
	}
	places := r.Mounts.Places(h.home(ctx), func(path string) bool {
		p, err := h.probe(ctx, path)
		return err == nil && (p.Folder || !p.Answered) // one that hangs is to be listed as such
	})
	targets := make([]platform.Target, len(places))
	var all sync.WaitGroup
	for i, place := range places {
		all.Go(func() {
			p, err := h.probe(ctx, place.Path)
			if errors.Is(err, platform.ErrNotExist) { // unmounted a moment ago
				return
			}
			if err != nil {
				p = sysfs.Probe{} // one odd file system is shown as unreachable and does not cost the list
			}
			targets[i] = r.Target(place.Path, place.Mount, p)
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := targets[:0]
	for _, t := range targets {
		if t.Path != "" {
			out = append(out, t)
		}
	}
	return out, nil
}

// home is the user's home folder without symbolic links, or empty if there is none.
func (h *Host) home(ctx context.Context) string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return "" // a service may have none; then no volume is preferred
	}
	real, err := ask(ctx, h.asked, "path "+dir, func() (string, error) { return followLinks(dir) })
	if err != nil {
		return "" // not there, not this user's or not answering: not a place to propose first
	}
	return real
}

// probe asks the system about a folder. A file system that does not answer is an answer, too.
func (h *Host) probe(ctx context.Context, path string) (sysfs.Probe, error) {
	p, err := ask(ctx, h.asked, "folder "+path, func() (sysfs.Probe, error) { return probe(path) })
	if errors.Is(err, platform.ErrStalled) {
		return sysfs.Probe{}, nil
	}
	return p, err
}

func probe(path string) (sysfs.Probe, error) {
	var p sysfs.Probe
	st, err := again(func() (st unix.Stat_t, err error) { err = unix.Stat(path, &st); return st, err })
	if err != nil {
		return failed(p, "look at", path, err)
	}
	p.Answered, p.Folder = true, st.Mode&unix.S_IFMT == unix.S_IFDIR
	vol, err := again(func() (v unix.Statfs_t, err error) { err = unix.Statfs(path, &v); return v, err })
	if err != nil {
		return failed(p, "ask for free space on", path, err)
	}
	block := uint64(vol.Bsize)
	if vol.Frsize > 0 {
		block = uint64(vol.Frsize)
	}
	p.Size, p.Free = int64(vol.Blocks*block), int64(vol.Bavail*block)
	p.Used = p.Size - int64(vol.Bfree*block)
	p.ReadOnly = vol.Flags&unix.ST_RDONLY != 0
	_, err = again(func() (struct{}, error) {
		return struct{}{}, unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
	})
	if err != nil {
		return failed(p, "ask for permission on", path, err)
	}
	return p, nil
}

// failed turns what the system refused to tell into what is known by it.
func failed(p sysfs.Probe, op, path string, err error) (sysfs.Probe, error) {
	switch reason := reasonOf(err); {
	case reason == platform.ErrPermission:
		if !p.Answered { // a folder above may not be entered; that it is no folder cannot be said
			p.Answered, p.Folder = true, true
		}
		p.Denied = true
	case reason == platform.ErrReadOnly:
		p.ReadOnly = true
	case reason == platform.ErrNoMedium:
		p.Answered, p.Folder, p.NoMedium = true, true, true
	case unreachable(err):
		p.Answered = false
	default:
		return p, opError(op, path, err)
	}
	return p, nil
}

// unreachable says whether an error means that what is behind the file system does not answer.
func unreachable(err error) bool {
	switch reasonOf(err) {
	case platform.ErrGone, platform.ErrStalled, platform.ErrIO:
		return true
	}
	return errors.Is(err, unix.EHOSTDOWN) || errors.Is(err, unix.EHOSTUNREACH)
}
