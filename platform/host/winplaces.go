package host

import (
	"context"
	"errors"
	"slices"
	"strings"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// places picks one place for each volume that a user may think of, the one of the home folder first, then by
// letters. On the home folder's volume that folder is the place, since a user may rarely write beside it.
func (v volumes) places(ctx context.Context) ([]place, error) {
	all, err := ask(ctx, v.asked, "list of volumes", v.everything)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b place) int { return strings.Compare(a.root.String(), b.root.String()) })
	p, ok := winapi.ParsePath(v.calls.home())
	if !ok {
		return all, ctx.Err() // a service may have none
	}
	home, err := ask(ctx, v.asked, "path "+p.String(), func() (place, error) { return v.locate(p) })
	if err != nil {
		return all, ctx.Err() // not there, not this user's or not answering: not a place to propose first
	}
	all = slices.DeleteFunc(all, func(at place) bool { return at.sameVolume(home) })
	return append([]place{home}, all...), nil
}

func (at place) sameVolume(o place) bool {
	return at.root.Equal(o.root) || at.name != "" && at.name == o.name
}

// everything lists the volumes of the mount manager, and the letters of drives and servers that it does not
// know.
func (v volumes) everything() ([]place, error) {
	names, err := v.calls.volumeNames()
	if err != nil && !errors.Is(err, platform.ErrUnsupported) {
		return nil, err
	}
	var out []place
	taken := make(map[string]bool)
	for _, name := range names {
		mounts := v.mounted(name)
		for _, m := range mounts {
			taken[slashed(m)] = true
		}
		if len(mounts) > 0 {
			out = append(out, place{path: mounts[0], root: mounts[0], name: name})
		} else if root, ok := winapi.ParsePath(name); ok {
			out = append(out, place{path: root, root: root, name: name, unmounted: true})
		}
	}
	letters, err := v.calls.letters()
	if err != nil {
		return out, err
	}
	for _, letter := range letters {
		root, ok := winapi.ParsePath(letter)
		if ok && !taken[slashed(root)] && !v.isSubstituted(root) {
			taken[slashed(root)] = true
			out = append(out, place{path: root, root: root})
		}
	}
	return out, nil
}

// isSubstituted says whether a letter stands for a folder of another volume.
func (v volumes) isSubstituted(root winapi.Path) bool {
	device, err := v.calls.device(root.Letter())
	if err != nil {
		return false
	}
	_, ok := winapi.Substituted(device)
	return ok
}

// forFiles says whether a volume that is mounted nowhere is one for files of people: those that start a computer
// and repair it are not.
func (v volumes) forFiles(ctx context.Context, name string) bool {
	p, err := ask(ctx, v.asked, "partition of "+name, func() (winapi.Partition, error) {
		dev, err := v.disks.open(deviceOf(name), accessNone)
		if err != nil {
			return winapi.Partition{}, err
		}
		p, err := fetch(dev, winapi.CodePartition, nil, answerSize, winapi.DecodePartition)
		return p, errors.Join(err, dev.close())
	})
	return err == nil && p.Data
}

// deviceOf is the name of a volume as a device: Volume{…}, or C: for a root.
func deviceOf(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, `\\?\`), `\`)
}

// exact is the path as its file system writes it. That of a letter for a folder of a server may start with the
// names of server and share: what is another folder, or none, is not taken.
func (v volumes) exact(at place) winapi.Path {
	text, err := v.calls.inVolume(at.path)
	if err != nil || !strings.HasPrefix(text, `\`) {
		return at.path
	}
	exact, ok := winapi.ParsePath(strings.TrimSuffix(at.root.String(), `\`) + text)
	if !ok || !exact.Equal(at.path) && !v.calls.same(exact, at.path) {
		return at.path
	}
	return exact
}
