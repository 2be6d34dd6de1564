package host

import "testing"

func TestIsOurs(t *testing.T) {
	const ours = "/mnt/.cachecliff-test-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp"
	const regular, link, block = 0o100600, 0o120777, 0o060600
	for _, c := range []struct {
		path  string
		link  bool
		mode  uint32
		links uint64
		want  bool
	}{
		{"/mnt/#123 (deleted)", true, regular, 0, true},
		{"/mnt/thesis.odt", true, regular, 1, false},
		{"/mnt/thesis.odt (deleted)", true, regular, 1, false},
		{"/dev/sda", true, block, 0, false},
		{ours, true, regular, 1, false},
		{ours + " (deleted)", true, regular, 1, true}, // FUSE
		{"/mnt/.nfs000000000012", true, regular, 1, true},
		{"/mnt/.nfs000000000012", false, regular, 1, false},
		{ours, false, regular, 1, true},
		{ours, false, link, 1, false},
		{ours, false, block, 1, false},
		{ours[:len(ours)-4], false, regular, 1, false},
		{"/mnt/.cachecliff-test-ABC.tmp", false, regular, 1, false},
		{"/mnt/.cachecliff-test-results-of-my-master-thesis.tmp", false, regular, 1, false},
		{"/mnt/.cachecliff-test-ABCDEFGHIJKLMNOPQRSTUVWXY1.tmp", false, regular, 1, false},
		{"/mnt/.cachecliff-test-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp\n", false, regular, 1, false},
		{"/mnt/thesis.odt", false, regular, 1, false},
		{"/dev/sda", false, block, 1, false},
	} {
		if got := isOurs(c.path, c.link, c.mode, c.links); got != c.want {
			t.Errorf("%s, mode %o, %d links: %v", c.path, c.mode, c.links, got)
		}
	}
}

func TestIsProcLink(t *testing.T) {
	for path, want := range map[string]bool{
		"/proc/1/fd/0":            true,
		"/proc/self/fd/12":        true,
		"/proc/1/fd/0/x":          false,
		"/proc/1/fd/..":           false,
		"/proc/1/fd/":             false,
		"/tmp/proc/1/fd/0":        false,
		"/proc/1/fd/0\n/etc/file": false,
	} {
		if got := isProcLink(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}

func TestDirectAlign(t *testing.T) {
	for _, c := range []struct {
		name     string
		known    bool
		mem, off uint32
		align    int
		direct   bool
	}{
		{"kernel before 6.1", false, 0, 0, 4096, true},
		{"takes the flag, uses the page cache", true, 0, 0, 4096, false},
		{"sectors of 512, memory of 4", true, 4, 512, 512, true},
		{"sectors of 4096", true, 512, 4096, 4096, true},
		{"finer than a sector", true, 4, 1, 512, true},
	} {
		if align, direct := directAlign(c.known, c.mem, c.off); align != c.align || direct != c.direct {
			t.Errorf("%s: %d, %v", c.name, align, direct)
		}
	}
}
