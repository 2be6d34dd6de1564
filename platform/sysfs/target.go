package sysfs

import (
	"path"
	"strings"

	"cachecliff/platform"
)

// Target puts together what is known of a folder on a mount.
func (r Resolver) Target(name string, m Mount, p Probe) platform.Target {
	layers, drives := r.Below(m)
	return platform.Target{
		Path:    name,
		Volume:  r.volume(m, p),
		Layers:  layers,
		Drives:  drives,
		Refusal: refusal(m, p),
	}
}

func (r Resolver) volume(m Mount, p Probe) platform.Volume {
	return platform.Volume{
		Mount:    m.Point,
		Source:   m.Source,
		FS:       m.FS,
		Options:  m.shown(),
		Label:    r.Tree.volumeLabel(m),
		Size:     p.Size,
		Used:     p.Used,
		Free:     p.Free,
		ReadOnly: m.ReadOnly() || p.ReadOnly,
		System:   r.Mounts.system(m),
	}
}

// shown are the mount options to show and to save. Those of the file system itself are left out where it
// is not on a disk: they hold user names, addresses and folders of other people's.
func (m Mount) shown() string {
	out := m.Options
	if classOf(m.FS) != classDisk {
		return out
	}
	have := make(map[string]bool)
	for o := range strings.SplitSeq(m.Options, ",") {
		have[o] = true
	}
	for o := range strings.SplitSeq(m.super, ",") {
		if o == "" || have[o] || (o == "rw" && have["ro"]) {
			continue
		}
		out += "," + unescapeOctal(o)
	}
	return out
}

// system says whether the operating system lives on the same file system.
func (ms Mounts) system(m Mount) bool {
	for _, n := range ms {
		if n.Major != m.Major || n.Minor != m.Minor {
			continue
		}
		if n.Point == "/" || under(n.Point, "/boot") || under(n.Point, "/usr") || n.Point == "/sysroot" {
			return true
		}
	}
	return false
}

// volumeLabel is the name its owner gave to a volume, or empty.
func (t Tree) volumeLabel(m Mount) string {
	names := t.sources(m)
	if m.FS == "btrfs" && len(names) > 0 {
		for _, id := range t.names("sys/fs/btrfs") {
			if t.exists("sys/fs/btrfs/" + id + "/devices/" + names[0]) {
				return t.label("sys/fs/btrfs/" + id + "/label")
			}
		}
	}
	for _, label := range t.names("dev/disk/by-label") {
		for _, name := range names {
			if t.link("dev/disk/by-label/"+label) == name {
				return clean(unescapeHex(label))
			}
		}
	}
	return ""
}

// Place is a volume that a user may think of, and the folder on it to test in.
type Place struct {
	Mount Mount
	Path  string
}

// Places picks one place for each file system that a user may think of, the one of the home folder
// first, then in mount order. On the home folder's volume that folder is the place, since a user may
// rarely write beside it. isFolder tells folders from files that are mounted over files, which
// containers do; it is only asked about parts of disks.
func (ms Mounts) Places(home string, isFolder func(path string) bool) []Place {
	reachable := ms.Reachable()
	homeMount, hasHome := reachable.Of(home)
	var order []string
	best := make(map[string]Place)
	for _, m := range reachable {
		key := m.Device()
		if hasHome && key == homeMount.Device() {
			continue
		}
		old, have := best[key]
		if !m.interesting() || (have && !better(m, old.Mount)) {
			continue
		}
		if m.Root != "/" && classOf(m.FS) == classDisk && !isFolder(m.Point) {
			continue
		}
		if !have {
			order = append(order, key)
		}
		best[key] = Place{Mount: m, Path: m.Point}
	}
	var out []Place
	if hasHome && classOf(homeMount.FS) != classVirtual {
		out = append(out, Place{Mount: homeMount, Path: home})
	}
	for _, key := range order {
		out = append(out, best[key])
	}
	return out
}

// better prefers the mount of a whole file system to one of a part of it, then the shorter path.
func better(m, old Mount) bool {
	if whole, oldWhole := m.Root == "/", old.Root == "/"; whole != oldWhole {
		return whole
	}
	return len(m.Point) < len(old.Point)
}

// insides are folders in which programs mount things of their own.
var insides = []string{
	"/snap", "/var/lib/snapd", "/var/snap", "/var/lib/docker", "/var/lib/containers", "/var/lib/containerd",
	"/var/lib/kubelet", "/var/lib/lxcfs", "/var/lib/lxd", "/var/lib/incus", "/var/lib/flatpak", "/var/lib/machines",
	"/proc", "/sys", "/dev", "/run", "/etc",
}

// interesting says whether a user may think of the mount as a place for files.
func (m Mount) interesting() bool {
	c := classOf(m.FS)
	if c == classVirtual {
		return false
	}
	if c == classMemory {
		if m.Point == "/dev/shm" {
			return true
		}
		if m.ReadOnly() {
			return false
		}
	}
	if under(m.Point, "/run/media") || under(m.Point, "/run/mount") { // where desktops mount sticks
		return true
	}
	for _, dir := range insides {
		// A disk of its own at such a folder is a volume like any other.
		if under(m.Point, dir) && (m.Point != dir || c != classDisk) {
			return false
		}
	}
	if c == classFuse && strings.HasPrefix(path.Base(m.Point), ".") { // caches and helpers of desktops
		return false
	}
	return true
}
