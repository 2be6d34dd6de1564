package sysfs

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"

	"cachecliff/platform"
)

// maxLinks bounds how many symbolic links one path may go through, as the kernel does (40).
const maxLinks = 40

// Tree is a file system that looks like the root folder. Names have no leading slash.
type Tree struct {
	root     fs.FS
	identify func(page []byte, d *platform.Drive)
}

// NewTree reads from root, which must follow symbolic links and tell where they point to
// (fs.ReadLinkFS).
func NewTree(root fs.FS) Tree { return Tree{root: root} }

// Decoding is the tree with f to complete what it says of a drive whose answer to IDENTIFY DEVICE the kernel
// shows.
func (t Tree) Decoding(f func(page []byte, d *platform.Drive)) Tree {
	t.identify = f
	return t
}

func (t Tree) bytes(name string) ([]byte, error) { return fs.ReadFile(t.root, name) }

// raw is the content of a small file, or empty if it cannot be read.
func (t Tree) raw(name string) string {
	b, err := t.bytes(name)
	if err != nil {
		return "" // unknown, see the package comment
	}
	return string(b)
}

// text is the content of a small file without surrounding space, or empty if it cannot be read.
func (t Tree) text(name string) string { return strings.TrimSpace(t.raw(name)) }

// label is text made fit to show: valid UTF-8, printable, with single spaces.
func (t Tree) label(name string) string { return clean(t.text(name)) }

// number is an unsigned decimal number in a file; false if there is none.
func (t Tree) number(name string) (uint64, bool) {
	n, err := strconv.ParseUint(t.text(name), 10, 64)
	return n, err == nil
}

// exists says whether there is such a file or folder.
func (t Tree) exists(name string) bool {
	_, err := fs.Stat(t.root, name)
	return err == nil
}

// names lists a folder in name order; empty if it cannot be read.
func (t Tree) names(dir string) []string {
	out, err := t.list(dir)
	if err != nil {
		return nil // unknown, see the package comment
	}
	return out
}

func (t Tree) list(dir string) ([]string, error) {
	entries, err := fs.ReadDir(t.root, dir)
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out, nil
}

// link is the last element of where a symbolic link points to, or empty.
func (t Tree) link(name string) string {
	to, err := fs.ReadLink(t.root, name)
	if err != nil {
		return "" // unknown, see the package comment
	}
	return path.Base(to)
}

// real resolves all symbolic links in name. It fails if something on the way does not exist.
func (t Tree) real(name string) (string, error) {
	todo := strings.Split(path.Clean(name), "/")
	done, links := ".", 0
	for len(todo) > 0 {
		next := path.Join(done, todo[0])
		todo = todo[1:]
		to, err := fs.ReadLink(t.root, next)
		if errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err != nil { // not a link
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", &fs.PathError{Op: "resolve", Path: name, Err: errors.New("too many symbolic links")}
		}
		if path.IsAbs(to) {
			done = "."
		}
		todo = append(strings.Split(strings.Trim(path.Clean(to), "/"), "/"), todo...)
	}
	return done, nil
}

// up calls f with dir and each folder above it below "sys/devices", until f says that it is done.
func up(dir string, f func(dir string) (done bool)) {
	for strings.HasPrefix(dir, "sys/devices/") {
		if f(dir) {
			return
		}
		dir = path.Dir(dir)
	}
}

// clean makes a string from a device fit to show.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	return strings.Join(strings.Fields(s), " ")
}
