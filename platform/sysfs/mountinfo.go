package sysfs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Mount is one line of /proc/self/mountinfo (proc_pid_mountinfo(5)), unescaped.
type Mount struct {
	ID, Parent   int
	Major, Minor int    // of the file system's device; major 0 means that it has none
	Root         string // which folder of the file system is mounted
	Point        string // where
	Options      string // of this mount
	FS           string // type, such as ext4
	Source       string // device, export or a name without meaning
	super        string // options of the file system, still escaped: a value may hold a comma
}

// Mounts is the mount table in the order of the kernel's list, which is mount order.
type Mounts []Mount

// Mounts reads the mount table of this process.
func (t Tree) Mounts() (Mounts, error) {
	b, err := t.bytes("proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	return ParseMountinfo(b)
}

// ParseMountinfo reads a whole mountinfo file.
func ParseMountinfo(b []byte) (Mounts, error) {
	var out Mounts
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		m, err := parseMount(line)
		if err != nil {
			return nil, fmt.Errorf("mountinfo line %d: %w", n, err)
		}
		out = append(out, m)
	}
	return out, nil
}

var errMountLine = errors.New("not in the form of mountinfo")

func parseMount(line string) (Mount, error) {
	// An empty source gives two spaces in a row, so strings.Fields would lose a field.
	f := strings.Split(line, " ")
	sep := -1
	for i := 6; i < len(f); i++ { // any number of optional fields, then a dash
		if f[i] == "-" {
			sep = i
			break
		}
	}
	if sep < 0 || len(f) < sep+3 {
		return Mount{}, errMountLine
	}
	major, minor, ok := strings.Cut(f[2], ":")
	if !ok {
		return Mount{}, errMountLine
	}
	m := Mount{
		Root:    unescapeOctal(f[3]),
		Point:   unescapeOctal(f[4]),
		Options: unescapeOctal(f[5]),
		FS:      unescapeOctal(f[sep+1]),
		Source:  unescapeOctal(f[sep+2]),
		super:   strings.Join(f[sep+3:], " "), // some drivers do not escape spaces here
	}
	for _, v := range []struct {
		to   *int
		text string
	}{{&m.ID, f[0]}, {&m.Parent, f[1]}, {&m.Major, major}, {&m.Minor, minor}} {
		n, err := strconv.ParseUint(v.text, 10, 31)
		if err != nil {
			return Mount{}, fmt.Errorf("%w: %w", errMountLine, err)
		}
		*v.to = int(n)
	}
	return m, nil
}

// Super is the value of an option of the file system, such as upperdir.
func (m Mount) Super(name string) (string, bool) {
	for o := range strings.SplitSeq(m.super, ",") {
		key, value, _ := strings.Cut(o, "=")
		if key == name {
			return unescapeOctal(value), true
		}
	}
	return "", false
}

// ReadOnly says whether nothing can be written here, be it because of this mount or of the file system.
func (m Mount) ReadOnly() bool {
	for o := range strings.SplitSeq(m.Options, ",") {
		if o == "ro" {
			return true
		}
	}
	_, ro := m.Super("ro")
	return ro
}

// ByID finds a mount by the number that statx(2) gives.
func (ms Mounts) ByID(id int) (Mount, bool) {
	for _, m := range ms {
		if m.ID == id {
			return m, true
		}
	}
	return Mount{}, false
}

// Of finds the mount that an absolute path without symbolic links lies on: the deepest mount point
// above it, and of several at the same point the last one.
func (ms Mounts) Of(path string) (Mount, bool) {
	best, found := Mount{}, false
	for _, m := range ms.Reachable() {
		if under(path, m.Point) && (!found || len(m.Point) >= len(best.Point)) {
			best, found = m, true
		}
	}
	return best, found
}

// Reachable leaves out the mounts that no path leads to because another mount lies over them.
func (ms Mounts) Reachable() Mounts {
	hidden := make(map[int]bool)
	for _, m := range ms {
		for _, n := range ms {
			over := n.Parent == m.ID && n.Point == m.Point
			above := n.Parent == m.Parent && n.Point != m.Point && under(m.Point, n.Point)
			if n.ID != m.ID && n.ID != n.Parent && (over || above) {
				hidden[m.ID] = true
				break
			}
		}
	}
	parents := make(map[int]Mount, len(ms))
	for _, m := range ms {
		parents[m.ID] = m
	}
	var out Mounts
	for _, m := range ms {
		if !hidden[m.ID] && !belowHidden(m, parents, hidden) {
			out = append(out, m)
		}
	}
	return out
}

// belowHidden says whether a mount was made inside of one that cannot be reached. The mount that covers
// another at the same point has it as its parent but is itself in sight.
func belowHidden(m Mount, parents map[int]Mount, hidden map[int]bool) bool {
	for range len(parents) { // a table with a loop in it must end
		p, ok := parents[m.Parent]
		if !ok || p.ID == m.ID {
			return false
		}
		if hidden[p.ID] && p.Point != m.Point {
			return true
		}
		m = p
	}
	return true
}

// under says whether a path is dir or lies in it.
func under(path, dir string) bool {
	if dir == "/" {
		return strings.HasPrefix(path, "/")
	}
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/')
}

// unescapeOctal undoes the kernel's \040 for a space, and so on.
func unescapeOctal(s string) string { return unescape(s, `\`, 3, 8) }

// unescapeHex undoes udev's \x20 for a space, and so on.
func unescapeHex(s string) string { return unescape(s, `\x`, 2, 16) }

// unescape replaces each mark that is followed by so many digits of a byte; others stay as they are.
func unescape(s, mark string, digits, base int) string {
	if !strings.Contains(s, mark) {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, mark)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if len(after) >= digits {
			if v, err := strconv.ParseUint(after[:digits], base, 8); err == nil {
				b.WriteByte(byte(v))
				s = after[digits:]
				continue
			}
		}
		b.WriteString(mark)
		s = after
	}
}
