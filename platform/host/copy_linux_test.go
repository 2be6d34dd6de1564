package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// TestCopyConformance runs the suite for copies on each file system that this machine can make.
func TestCopyConformance(t *testing.T) {
	byLoop, byRange := []platform.CopyEngine{platform.CopyByLoop}, []platform.CopyEngine{platform.CopyByRange}
	local := []platform.Drive{{Key: "a drive"}}
	for _, c := range []struct {
		fs     string
		drives []platform.Drive
		o      platformtest.CopyOptions
	}{
		{"ext4", local, platformtest.CopyOptions{Engines: byRange}},
		{"ext4", nil, platformtest.CopyOptions{Engines: byLoop}},
		{"xfs", local, platformtest.CopyOptions{Clones: true, Engines: byLoop}},
		{"btrfs", local, platformtest.CopyOptions{Clones: true, Engines: byLoop}},
		{"tmpfs", nil, platformtest.CopyOptions{NoDirect: true, NoExtents: true}},
		{"vfat", local, platformtest.CopyOptions{NoExtents: true}},
		{"exfat", local, platformtest.CopyOptions{NoExtents: true}},
	} {
		t.Run(c.fs, func(t *testing.T) {
			dir := mounted(t, c.fs, 256<<20)
			platformtest.CopyConformance(t, thisHost(t), platform.Target{Path: dir, Drives: c.drives}, c.o)
			empty(t, dir)
		})
	}
}

// area makes an area in a folder, which is removed with the test.
func areaIn(t *testing.T, dir string) platform.Area {
	t.Helper()
	a, err := thisHost(t).Area(platform.Target{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		empty(t, dir)
	})
	return a
}

// TestCopyOddSources copies what a user's folder may hold.
func TestCopyOddSources(t *testing.T) {
	from, a := t.TempDir(), areaIn(t, t.TempDir())
	at := func(name string) string { return filepath.Join(from, name) }
	long := strings.Repeat("x", 255)
	err := errors.Join(
		os.WriteFile(at("bad\xff\x01name"), []byte("abc"), 0o600), os.WriteFile(at(long), []byte("long"), 0o600),
		os.Symlink(long, at("link")), unix.Mkfifo(at("pipe"), 0o600), os.WriteFile(at("hole"), nil, 0o600), os.Truncate(at("hole"), 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"bad\xff\x01name": nil, long: nil, "hole": nil, "link": platform.ErrNotOurs, "pipe": platform.ErrUnsupported} {
		_, err := a.Copy(context.Background(), at(name), name, platform.CopyManager, func(int64) {})
		if !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", name, err, want)
		}
		if want != nil {
			continue
		}
		old, err1 := os.ReadFile(at(name))
		got, err2 := os.ReadFile(filepath.Join(a.Path(), name))
		if err := errors.Join(err1, err2); err != nil || string(got) != string(old) {
			t.Errorf("%q: %d bytes of %d, error %v", name, len(got), len(old), err)
		}
	}
	entries, err := thisHost(t).List(from)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []platform.EntryKind
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
		if e.Name == "hole" && e.Stored != 0 {
			t.Errorf("a file that is one hole takes %d bytes", e.Stored)
		}
	}
	if want := []platform.EntryKind{platform.EntryFile, platform.EntryFile, platform.EntryLink, platform.EntryOther, platform.EntryFile}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
}

// TestCopyGrows: a file that grows while it is copied is copied as long as it was; one that shrinks, as far as it goes.
func TestCopyGrows(t *testing.T) {
	const size = 20 << 20
	for _, way := range []platform.CopyWay{platform.CopyManager, platform.CopyDirect} {
		for change, want := range map[int64]int64{2 * size: size, size / 2: size / 2} {
			from, a := filepath.Join(t.TempDir(), "source"), areaIn(t, t.TempDir())
			if err := os.WriteFile(from, make([]byte, size), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := a.Copy(context.Background(), from, "copy", way, func(int64) {
				if err := os.Truncate(from, change); err != nil {
					t.Fatal(err)
				}
			})
			if errors.Is(err, platform.ErrNoDirectIO) {
				continue
			}
			st, statErr := os.Stat(filepath.Join(a.Path(), "copy"))
			if err := errors.Join(err, statErr); err != nil || st.Size() != want {
				t.Errorf("%s, changed to %d: the copy has %d bytes, want %d (%v)", way, change, st.Size(), want, err)
			}
		}
	}
}

// TestClonesAreTold: extents of a clone that cp made are told as shared, those of a copy are not.
func TestClonesAreTold(t *testing.T) {
	for _, fs := range []string{"xfs", "btrfs"} {
		t.Run(fs, func(t *testing.T) {
			dir := mounted(t, fs, 256<<20)
			const size = 4 << 20
			at := func(name string) string { return filepath.Join(dir, name) }
			if err := os.WriteFile(at("a"), make([]byte, size), 0o600); err != nil {
				t.Fatal(err)
			}
			command(t, "cp", "--reflink=never", at("a"), at("copy"))
			command(t, "cp", "--reflink=always", at("a"), at("clone"))
			command(t, "sync", "-f", dir)
			for name, want := range map[string]int64{"a": size, "clone": size, "copy": 0} {
				if l, err := thisHost(t).LayoutOf(at(name)); err != nil || l.Shared != want {
					t.Errorf("%s shares %d bytes of %d, want %d (%v)", name, l.Shared, size, want, err)
				}
			}
		})
	}
}

// TestAreaLeftover: the folder of a killed run is found, that of one which goes on is not.
func TestAreaLeftover(t *testing.T) {
	dir := t.TempDir()
	h, target := thisHost(t), platform.Target{Path: dir}
	a, err := h.Area(target)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := h.Leftovers(target); err != nil || len(left) > 0 {
		t.Errorf("left %v, error %v while the run goes on", left, err)
	}
	if err := unix.Close(a.(*area).fd); err != nil { // as the end of the process does
		t.Fatal(err)
	}
	a.(*area).fd = -1
	if left, err := h.Leftovers(target); err != nil || !slices.Equal(left, []string{a.Path()}) {
		t.Errorf("left %v, error %v, want %s", left, err, a.Path())
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestCopyEngines(t *testing.T) {
	for _, c := range []struct {
		way           platform.CopyWay
		clones, local bool
		want          platform.CopyEngine
	}{
		{platform.CopyManager, false, true, platform.CopyByRange},
		{platform.CopyManager, true, true, platform.CopyByLoop},
		{platform.CopyManager, false, false, platform.CopyByLoop},
		{platform.CopyClone, true, true, platform.CopyByClone},
		{platform.CopyDirect, true, true, platform.CopyByDirect},
	} {
		if got := copyEngines(c.way, c.clones, c.local); got[0] != c.want {
			t.Errorf("%+v: tries %v", c, got)
		}
	}
}
