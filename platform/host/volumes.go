package host

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"syscall"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// volumeCalls are the questions about paths and volumes that Windows answers. Roots end with a backslash. All
// errors are platform.OpError.
type volumeCalls interface {
	// full makes a path absolute.
	full(path string) (string, error)
	// device is what a letter (C:) stands for in the names of the kernel.
	device(letter string) (string, error)
	// look tells of a name without following it.
	look(p winapi.Path) (node, error)
	// user is who this user is: his identifier and that of the group that what he makes belongs to.
	user() ([]string, error)
	// inVolume is the path of a folder below the root of its volume, as the file system writes it.
	inVolume(p winapi.Path) (string, error)
	// same says whether two paths lead to one folder; false if the file system cannot tell.
	same(a, b winapi.Path) bool
	// root is where the volume of a path is mounted.
	root(p winapi.Path) (string, error)
	// volumeName is the name of the volume that is mounted at a root: \\?\Volume{…}\.
	volumeName(root string) (string, error)
	// volumeNames lists the volumes of the mount manager.
	volumeNames() ([]string, error)
	// mounts lists where a volume is mounted.
	mounts(name string) ([]string, error)
	// letters are the roots of all letters.
	letters() ([]string, error)
	// kind is what is behind the root of a volume of this computer; a server may be asked, and not answer.
	kind(root string) winapi.DriveKind
	// share is the \\server\share that a letter stands for.
	share(letter string) (string, error)
	// describe fills in Label, FS and Flags of the volume at a root.
	describe(root string, v *winapi.Volume) error
	// space tells of bytes: those that this user may still write, all, and those that are free.
	space(folder winapi.Path) (available, all, free uint64, err error)
	// writable fails with platform.ErrPermission if this user may not make files in a folder.
	writable(folder winapi.Path) error
	// folder opens a folder for control codes.
	folder(p winapi.Path) (device, error)
	// protection is the shell's property System.Volume.BitLockerProtection.
	protection(root string) (int32, error)
	// home is this user's folder and windows that of the system; empty if there is none.
	home() string
	windows() string
}

// locked is what Windows answers for a volume that BitLocker has locked (FVE_E_LOCKED_VOLUME).
const locked syscall.Errno = 0x80310000

// volumes finds out what lies below folders of Windows. What it does with the answers is the same wherever they
// come from, so tests replay them on any system.
type volumes struct {
	calls volumeCalls
	disks storage
	asked *questions
}

// place is a folder on a volume.
type place struct {
	path, root winapi.Path
	name       string // \\?\Volume{…}\, or empty
	unmounted  bool   // it has its name alone
}

// resolve is Resolve of the host.
func (v volumes) resolve(ctx context.Context, path string) (platform.Target, error) {
	p, err := v.absolute(path)
	if full, fullErr := v.calls.full(path); err != nil && fullErr == nil && winapi.IsDevice(full) {
		return platform.Target{Path: full, Refusal: platform.RefusedNotFolder}, nil
	}
	if err != nil {
		return platform.Target{}, err
	}
	at, err := ask(ctx, v.asked, "path "+p.String(), func() (place, error) { return v.locate(p) })
	switch {
	case ctx.Err() != nil:
		return platform.Target{}, ctx.Err()
	case errors.Is(err, platform.ErrForeignLink):
		return platform.Target{}, err // it names the link
	case silent(err):
		return v.unresolved(ctx, p, winapi.Probe{})
	case refused(err):
		return v.unresolved(ctx, p, spoiled(err))
	case err != nil:
		return platform.Target{}, err
	}
	return v.target(ctx, at)
}

// absolute takes a path apart.
func (v volumes) absolute(path string) (winapi.Path, error) {
	full, err := v.calls.full(cmp.Or(path, "."))
	if err != nil {
		return winapi.Path{}, err
	}
	p, ok := winapi.ParsePath(full)
	if !ok {
		return p, &platform.OpError{Op: "find", Object: path, Reason: platform.ErrNotExist}
	}
	return p, nil
}

// locate resolves the links of a path and finds its volume.
func (v volumes) locate(p winapi.Path) (place, error) {
	mine, err := v.calls.user()
	if err != nil {
		return place{}, err
	}
	real, err := linkWalk{look: v.calls.look, device: v.calls.device, mine: mine}.follow(p)
	if err != nil {
		return place{}, err
	}
	if _, err := v.calls.look(real); err != nil {
		return place{}, err // a root alone has not been looked at
	}
	return v.placeOf(real)
}

// placeOf finds the volume of a path without links, and writes the path as its file system does.
func (v volumes) placeOf(p winapi.Path) (place, error) {
	text, err := v.calls.root(p)
	if err != nil {
		return place{}, err
	}
	root, ok := winapi.ParsePath(text)
	if !ok {
		root = winapi.Path{Root: p.Root}
	}
	at := place{path: p, root: root, name: v.nameOf(root)}
	if strings.EqualFold(root.Long(), at.name) { // it has no letter, unless people know it by one
		if known := v.mounted(at.name); len(known) > 0 {
			below, _ := p.Below(root)
			at.root, at.path = known[0], known[0].Join(below...)
		}
	}
	if at.root.OnServer() {
		return at, nil
	}
	at.path = v.exact(at)
	return at, nil
}

// nameOf is the name of the volume at a root; empty if the mount manager does not know it.
func (v volumes) nameOf(root winapi.Path) string {
	name, err := v.calls.volumeName(slashed(root))
	if err != nil {
		return ""
	}
	return name
}

// slashed is a path with a backslash at its end, as calls about volumes take it. Above 260 characters they take
// another form.
func slashed(p winapi.Path) string {
	const fits = 240
	s := p.String()
	if len(s) > fits {
		s = p.Long()
	}
	return strings.TrimSuffix(s, `\`) + `\`
}

// mounted lists where a volume is mounted: at a letter first, then at the shortest path.
func (v volumes) mounted(name string) []winapi.Path {
	all, err := v.calls.mounts(name)
	if err != nil {
		return nil // then it has its name alone
	}
	var out []winapi.Path
	for _, m := range all {
		if p, ok := winapi.ParsePath(m); ok {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b winapi.Path) int {
		return cmp.Or(cmp.Compare(len(a.Parts), len(b.Parts)), strings.Compare(a.String(), b.String()))
	})
	return out
}

// unresolved is the target of a path that cannot be looked at.
func (v volumes) unresolved(ctx context.Context, p winapi.Path, probe winapi.Probe) (platform.Target, error) {
	root := winapi.Path{Root: p.Root}
	about := winapi.Volume{Root: root, Kind: v.kind(root)}
	if probe.Denied {
		if known, _, err := v.about(ctx, place{path: root, root: root, name: v.nameOf(root)}); err == nil {
			about = known
		}
	}
	return about.Target(p, probe, nil, nil), ctx.Err()
}

// target finds out everything about a place.
func (v volumes) target(ctx context.Context, at place) (platform.Target, error) {
	volume, probe, err := v.about(ctx, at)
	if err != nil {
		return platform.Target{}, err
	}
	var layers []platform.Layer
	var drives []platform.Drive
	if volume.Local() {
		layers, drives = v.below(ctx, at)
		if probe.Answered && !probe.Locked && v.encrypted(ctx, at.root) {
			layers = append([]platform.Layer{{Kind: platform.LayerBitLocker, Name: at.root.String()}}, layers...)
		}
	}
	return volume.Target(at.path, probe, layers, drives), ctx.Err()
}

// encrypted says whether BitLocker encrypts a volume. Where the shell does not tell, that is not known.
func (v volumes) encrypted(ctx context.Context, root winapi.Path) bool {
	state, err := ask(ctx, v.asked, "encryption of "+root.String(), func() (int32, error) { return v.calls.protection(slashed(root)) })
	return err == nil && winapi.BitLocker(state) == platform.Yes
}

// known is what one question about a place is answered with.
type known struct {
	volume winapi.Volume
	probe  winapi.Probe
}

// about asks for facts about a place. A file system that does not answer is an answer, too.
func (v volumes) about(ctx context.Context, at place) (winapi.Volume, winapi.Probe, error) {
	silence := winapi.Volume{Root: at.root, Name: at.name, Kind: v.kind(at.root), System: v.isSystem(at)}
	k, err := ask(ctx, v.asked, "folder "+at.path.String(), func() (known, error) { return v.facts(at, silence) })
	if errors.Is(err, platform.ErrStalled) {
		return silence, winapi.Probe{}, nil
	}
	return k.volume, k.probe, err
}

// kind is what is behind a root. No server is asked.
func (v volumes) kind(root winapi.Path) winapi.DriveKind {
	if root.OnServer() {
		return winapi.KindRemote
	}
	if letter := root.Letter(); letter != "" {
		if device, err := v.calls.device(letter); err == nil && winapi.Redirected(device, letter) {
			return winapi.KindRemote
		}
	}
	return v.calls.kind(slashed(root))
}

// isSystem says whether Windows itself lies on the volume of a place.
func (v volumes) isSystem(at place) bool {
	p, ok := winapi.ParsePath(v.calls.windows())
	if !ok {
		return false
	}
	root := winapi.Path{Root: p.Root}
	return root.Equal(at.root) || at.name != "" && v.nameOf(root) == at.name
}

// facts asks for everything about a place that may take its time.
func (v volumes) facts(at place, about winapi.Volume) (known, error) {
	k := known{volume: about}
	if letter := at.root.Letter(); letter != "" && about.Kind == winapi.KindRemote {
		if share, err := v.calls.share(letter); err == nil {
			k.volume.Share = share
		}
	}
	if err := v.calls.describe(slashed(at.root), &k.volume); err != nil && !reticent(about, err) {
		var failed error
		k.probe, failed = v.failed(about, winapi.Probe{}, err)
		return k, failed
	}
	n, err := v.calls.look(at.path)
	if err != nil {
		k.probe, err = v.failed(about, winapi.Probe{}, err)
		return k, err
	}
	k.probe = winapi.Probe{Answered: true, Folder: n.isFolder(), Attributes: n.attributes}
	if !k.probe.Folder {
		return k, nil
	}
	k.probe, err = v.probe(at, k)
	return k, err
}

// probe asks for space and rights.
func (v volumes) probe(at place, k known) (winapi.Probe, error) {
	p := k.probe
	available, all, free, err := v.calls.space(at.path)
	if err != nil {
		return v.failed(k.volume, p, err)
	}
	p.SetSpace(available, all, free)
	if err := v.calls.writable(at.path); err != nil {
		return v.failed(k.volume, p, err)
	}
	if k.volume.Flags&winapi.FlagIntegrity != 0 {
		p.Integrity, err = v.integrity(at.path)
		if err != nil && !errors.Is(err, platform.ErrUnsupported) {
			return v.failed(k.volume, p, err)
		}
	}
	return p, nil
}

func (v volumes) integrity(p winapi.Path) (string, error) {
	dev, err := v.calls.folder(p)
	if err != nil {
		return "", err
	}
	sum, err := fetch(dev, winapi.CodeIntegrity, nil, answerSize, winapi.DecodeIntegrity)
	return sum, errors.Join(err, dev.close())
}

// failed turns what Windows refused to tell into what is known by it.
func (v volumes) failed(about winapi.Volume, p winapi.Probe, err error) (winapi.Probe, error) {
	switch {
	case refused(err):
		s := spoiled(err)
		s.Size, s.Used, s.Free, s.Attributes = p.Size, p.Used, p.Free, p.Attributes
		return s, nil
	case silent(err) || about.Remote() && errors.Is(err, platform.ErrNotExist): // the server is not there
		return winapi.Probe{}, nil
	}
	return p, err
}

// refused says whether an error tells why a folder cannot be used.
func refused(err error) bool {
	for _, reason := range []error{locked, platform.ErrPermission, platform.ErrReadOnly, platform.ErrNoMedium} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

// spoiled is what is known of a folder by such an error. That what may not be entered is no folder cannot be
// said.
func spoiled(err error) winapi.Probe {
	return winapi.Probe{
		Answered: true, Folder: true,
		Locked:   errors.Is(err, locked),
		Denied:   errors.Is(err, platform.ErrPermission),
		ReadOnly: errors.Is(err, platform.ErrReadOnly),
		NoMedium: errors.Is(err, platform.ErrNoMedium),
	}
}

// silent says whether an error means that what is behind a volume does not answer.
func silent(err error) bool {
	return errors.Is(err, platform.ErrGone) || errors.Is(err, platform.ErrStalled) || errors.Is(err, platform.ErrIO)
}

// reticent says whether a server just does not tell what its file system is, which leaves it unknown: what is behind
// it is no drive of this computer anyway. Whether the folder is there and can be used, other questions tell.
func reticent(about winapi.Volume, err error) bool {
	return about.Remote() && !refused(err) && !silent(err) && !errors.Is(err, platform.ErrNotExist)
}

// targets is Targets of the host.
func (v volumes) targets(ctx context.Context) ([]platform.Target, error) {
	places, err := v.places(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]platform.Target, len(places))
	var all sync.WaitGroup
	for i, at := range places {
		all.Go(func() {
			if at.unmounted && !v.forFiles(ctx, at.name) {
				return
			}
			t, err := v.target(ctx, at)
			switch {
			case errors.Is(err, platform.ErrNotExist): // taken away a moment ago
			case err != nil: // one odd file system is shown as unreachable and does not cost the list
				found[i] = winapi.Volume{Root: at.root, Name: at.name}.Target(at.path, winapi.Probe{}, nil, nil)
			default:
				found[i] = t
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(t platform.Target) bool { return t.Path == "" }), nil
}
