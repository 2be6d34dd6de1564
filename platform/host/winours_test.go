package host

import (
	"strings"
	"testing"
)

func TestIsOursHere(t *testing.T) {
	const ours, archive = ".cachecliff-test-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp", 0x20
	for _, c := range []struct {
		base       string
		attributes uint32
		links      uint32
		want       bool
	}{
		{ours, archive, 1, true},
		{ours, archive | 0x2000, 1, true},
		{ours, archive, 0, true}, // removed, and still open
		{ours, archive, 2, false},
		{ours, attrDirectory, 1, false},
		{ours, archive | attrReparse, 1, false},
		{ours, attrDevice, 1, false},
		{ours + ":stream", archive, 1, false},
		{strings.ToLower(ours), archive, 1, false},
		{"thesis.docx", archive, 1, false},
	} {
		if got := isOursHere(c.base, c.attributes, c.links); got != c.want {
			t.Errorf("%s, %#x, %d links: %t", c.base, c.attributes, c.links, got)
		}
	}
}

func TestIsOwner(t *testing.T) {
	const me, admins = "S-1-5-21-1-2-3-1001", "S-1-5-32-544"
	for _, c := range []struct {
		owner string
		mine  []string
		want  bool
	}{
		{me, []string{me, me}, true},
		{admins, []string{me, admins}, true}, // files of an elevated process
		{admins, []string{me, me}, false},
		{"S-1-5-21-1-2-3-1002", []string{me, admins}, false},
		{"S-1-1-0", []string{me}, true}, // FAT
	} {
		if got := isOwner(c.owner, c.mine...); got != c.want {
			t.Errorf("owner %s, mine %s: %t", c.owner, c.mine, got)
		}
	}
}

func TestTooLargeFor(t *testing.T) {
	for _, c := range []struct {
		fs   string
		size int64
		want bool
	}{
		{"FAT32", 1<<32 - 1, false}, {"FAT32", 1 << 32, true}, {"FAT", 1 << 32, true}, {"exFAT", 1 << 40, false}, {"NTFS", 1 << 40, false},
	} {
		if got := tooLargeFor(c.fs, c.size); got != c.want {
			t.Errorf("%d bytes on %s: %t", c.size, c.fs, got)
		}
	}
}

func TestWinAlign(t *testing.T) {
	for _, c := range []struct {
		sector int64
		known  bool
		want   int
	}{{512, true, 512}, {4096, true, 4096}, {2048, true, 2048}, {0, true, 4096}, {1, true, 4096}, {513, true, 4096}, {512, false, 4096}} {
		if got := winAlign(c.sector, c.known); got != c.want {
			t.Errorf("%d, known %t: %d, want %d", c.sector, c.known, got, c.want)
		}
	}
}
