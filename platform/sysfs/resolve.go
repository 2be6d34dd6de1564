package sysfs

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"cachecliff/platform"
)

// maxDepth bounds how many layers may lie on top of each other. Real stacks have five or six.
const maxDepth = 24

// Resolver finds what lies below a folder.
type Resolver struct {
	Tree   Tree
	Mounts Mounts
	// MountID gives the number of the mount that a path lies on, as statx(2) does. It fails with
	// fs.ErrNotExist if there is no such path. After any other failure the mount is found by its name.
	MountID func(path string) (int, error)
}

// Mount finds the mount an absolute path without symbolic links lies on; false if nothing is known.
func (r Resolver) Mount(name string) (Mount, bool) {
	id, err := r.MountID(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Mount{}, false
	}
	if err == nil {
		if m, ok := r.Mounts.ByID(id); ok {
			return m, true
		}
	}
	return r.Mounts.Of(name)
}

// Below finds the layers and the drives below a mount. Layers come in the order in which they are met,
// the volume's side first. There are no drives below memory, network and unknown file systems.
func (r Resolver) Below(m Mount) ([]platform.Layer, []platform.Drive) {
	w := &walk{Resolver: r, seen: make(map[string]bool)}
	w.mount(m, 0)
	return w.layers, w.drives
}

// walk is one way down. It keeps what it found.
type walk struct {
	Resolver
	layers []platform.Layer
	drives []platform.Drive
	seen   map[string]bool // devices, and mounts by "mount ID"
}

func (w *walk) layer(kind platform.LayerKind, name string) {
	w.layers = append(w.layers, platform.Layer{Kind: kind, Name: name})
}

// mount walks down from a file system and says whether it came to a device.
func (w *walk) mount(m Mount, depth int) bool {
	if depth > maxDepth {
		return false
	}
	if m.FS == "overlay" {
		w.layer(platform.LayerOverlay, m.Point)
		upper, ok := m.Super("upperdir")
		if !ok {
			return false // read-only: nothing written here goes anywhere
		}
		below, ok := w.Mount(upper) // in a container the folder may lie out of sight
		return ok && below.ID != m.ID && w.mount(below, depth+1)
	}
	names := w.Tree.sources(m)
	if m.FS == "btrfs" && len(names) > 1 {
		w.layer(platform.LayerBtrfs, path.Base(m.Source))
	}
	return w.devices(names, depth)
}

// devices walks down from block devices, all of one level before those of the next, and says whether
// there were any.
func (w *walk) devices(names []string, depth int) bool {
	reached := false
	for len(names) > 0 && depth <= maxDepth {
		var next []string
		for _, name := range names {
			if w.seen[name] {
				reached = true
				continue
			}
			if !w.Tree.exists("sys/class/block/" + name) {
				continue
			}
			w.seen[name], reached = true, true
			next = append(next, w.device(name, depth)...)
		}
		names = next
		depth++
	}
	return reached
}

// device records one block device and gives the devices below it.
func (w *walk) device(name string, depth int) []string {
	dir := "sys/class/block/" + name
	if w.Tree.exists(dir + "/partition") {
		if real, err := w.Tree.real(dir); err == nil {
			w.layer(platform.LayerPartition, name)
			return []string{path.Base(path.Dir(real))}
		}
	}
	if file := strings.TrimSuffix(w.Tree.raw(dir+"/loop/backing_file"), "\n"); file != "" {
		m, found := w.backing(file)
		w.layers = append(w.layers, platform.Layer{Kind: platform.LayerLoop, Name: name, Cached: w.loopCached(dir, m)})
		if found && w.mount(m, depth+1) {
			return nil
		}
		w.drive(name) // in memory or out of sight: the loop device is the lowest to be seen
		return nil
	}
	kind, below := w.Tree.stacked(name)
	switch {
	case kind == platform.LayerMultipath:
		w.layer(kind, name)
		w.drive(name) // its slaves are ways to one drive, and only it counts the I/O of all
		return nil
	case len(below) > 0:
		w.layer(kind, name)
		return below
	}
	w.drive(name)
	return nil
}

func (w *walk) drive(name string) {
	w.drives = append(w.drives, w.Tree.Drive(name))
}

// loopCached says whether a loop device passes I/O on through the page cache: it does unless it was told to
// use direct I/O and could (loop/dio, drivers/block/loop.c), and a file in memory is the page cache.
func (w *walk) loopCached(dir string, below Mount) platform.Tri {
	if below.FS == "tmpfs" || below.FS == "ramfs" {
		return platform.Yes
	}
	switch w.Tree.text(dir + "/loop/dio") {
	case "0":
		return platform.Yes
	case "1":
		return platform.No
	}
	return platform.Unknown
}

// backing finds the mount that the file below a loop device lies on.
func (w *walk) backing(file string) (Mount, bool) {
	if m, ok := w.Mount(file); ok {
		return m, true
	}
	deleted, ok := strings.CutSuffix(file, " (deleted)")
	if !ok {
		return Mount{}, false
	}
	return w.Mount(path.Dir(deleted))
}

// sources names the block devices that a file system was made on.
func (t Tree) sources(m Mount) []string {
	switch classOf(m.FS) {
	case classDisk, classImage:
	case classFuse:
		// The program answers for the device that it says it opened (fuse2fs): that is what m.Source is.
		if name := t.deviceName(m.Source); name != "" {
			return []string{name}
		}
		return nil
	default:
		return nil
	}
	if m.FS == "btrfs" { // its number is not that of a device
		return t.btrfsMembers(m)
	}
	if m.FS == "bcachefs" {
		var out []string
		for source := range strings.SplitSeq(m.Source, ":") {
			out = append(out, t.deviceName(source))
		}
		return out
	}
	if m.Major != 0 {
		if real, err := t.real("sys/dev/block/" + m.Device()); err == nil {
			return []string{path.Base(real)}
		}
	}
	if name := t.deviceName(m.Source); name != "" {
		return []string{name}
	}
	return nil
}

// btrfsMembers names all devices of the file system that the mount's source belongs to.
func (t Tree) btrfsMembers(m Mount) []string {
	name := t.deviceName(m.Source)
	for _, id := range t.names("sys/fs/btrfs") {
		members := t.names("sys/fs/btrfs/" + id + "/devices")
		for _, member := range members {
			if member == name {
				return members
			}
		}
	}
	if name == "" {
		return nil
	}
	return []string{name}
}

// deviceName turns /dev/sda1, /dev/mapper/home or /dev/disk/by-uuid/… into the kernel's name of the
// device, or empty if it is none that can be found.
func (t Tree) deviceName(source string) string {
	if !strings.HasPrefix(source, "/dev/") {
		return ""
	}
	if mapped, ok := strings.CutPrefix(source, "/dev/mapper/"); ok {
		// Where udev does not run these are nodes, not links.
		for _, name := range t.names("sys/class/block") {
			if t.text("sys/class/block/"+name+"/dm/name") == mapped {
				return name
			}
		}
	}
	if real, err := t.real(source[1:]); err == nil {
		source = "/" + real
	}
	name := strings.ReplaceAll(strings.TrimPrefix(source, "/dev/"), "/", "!") // as the kernel does
	if !t.exists("sys/class/block/" + name) {
		return ""
	}
	return name
}

// stacked says what kind of layer a block device is and which devices it lies on: none for a drive.
func (t Tree) stacked(name string) (platform.LayerKind, []string) {
	dir := "sys/class/block/" + name
	below := t.names(dir + "/slaves")
	id := t.text(dir + "/dm/uuid")
	switch {
	case strings.HasPrefix(id, "mpath-"):
		return platform.LayerMultipath, below
	case strings.HasPrefix(id, "VDO-"), strings.HasPrefix(id, "LVM-") && strings.HasSuffix(id, "-vpool"):
		return platform.LayerVDO, below // on its own, and as LVM has it
	case strings.HasPrefix(id, "LVM-"):
		return platform.LayerLVM, below
	case strings.HasPrefix(id, "CRYPT-LUKS"):
		return platform.LayerLUKS, below
	case strings.HasPrefix(id, "CRYPT-BITLK"):
		return platform.LayerBitLocker, below
	case t.exists(dir + "/dm"):
		// A partition of a mapped device has such a name too and is told by it alone.
		if strings.HasPrefix(id, "part") {
			return platform.LayerPartition, below
		}
		return platform.LayerMapper, below
	case t.exists(dir + "/md"):
		return platform.LayerMD, below
	case t.exists(dir + "/bcache"):
		return platform.LayerBcache, below
	}
	return platform.LayerOther, below
}
