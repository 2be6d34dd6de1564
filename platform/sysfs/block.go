package sysfs

import (
	"path"
	"slices"
	"strings"

	"cachecliff/platform"
)

// Block says what a block device is that is to be read: the kernel's name of it, and the drive or whole device whose
// counters show that. number is "major:minor"; ok is false if there is none of that number.
func (t Tree) Block(number string) (name string, drive platform.Drive, ok bool) {
	real, err := t.real("sys/dev/block/" + number)
	if err != nil {
		return "", platform.Drive{}, false
	}
	name = path.Base(real)
	whole := name
	if t.exists(real + "/partition") {
		whole = path.Base(path.Dir(real))
	}
	return name, t.Drive(whole), true
}

// Loops are the names of the loop devices that lie on a file.
func (t Tree) Loops(file string) []string {
	var out []string
	for _, name := range t.names("sys/block") {
		if strings.HasPrefix(name, "loop") && strings.TrimSuffix(t.raw("sys/block/"+name+"/loop/backing_file"), "\n") == file {
			out = append(out, name)
		}
	}
	return out
}

// Written are the mount points of the file systems that may be written to and lie, at whatever depth, on one of
// the devices of those names.
func (r Resolver) Written(names []string) []string {
	var out []string
	for _, m := range r.Mounts {
		if m.ReadOnly() || slices.Contains(out, m.Point) {
			continue
		}
		layers, drives := r.Below(m)
		on := slices.ContainsFunc(layers, func(l platform.Layer) bool { return slices.Contains(names, l.Name) }) ||
			slices.ContainsFunc(drives, func(d platform.Drive) bool { return slices.Contains(names, d.Name) })
		if on {
			out = append(out, m.Point)
		}
	}
	return out
}
