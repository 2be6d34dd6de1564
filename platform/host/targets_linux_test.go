package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

// hung mounts a FUSE file system that nobody answers for.
func hung(t *testing.T) string {
	t.Helper()
	needRoot(t)
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("no FUSE: %v", err)
	}
	dir := t.TempDir()
	if err := unix.Mount("hung", dir, "fuse", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)); err != nil {
		unix.Close(fd)
		t.Skipf("no FUSE: %v", err)
	}
	t.Cleanup(func() { // closing ends all calls that wait
		if err := errors.Join(unix.Close(fd), unix.Unmount(dir, unix.MNT_DETACH)); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A file system that does not answer costs its own volume and a little patience, not the list.
func TestHungMount(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	dir, h := hung(t), testHost(t, Options{})
	for _, path := range []string{dir, filepath.Join(dir, "below")} {
		start := time.Now()
		target, err := h.Resolve(t.Context(), path)
		if err != nil || target.Refusal != platform.RefusedUnreachable || target.Volume.Mount != dir || target.Path != path {
			t.Errorf("%s: %+v, %v", path, target, err)
		}
		if took := time.Since(start); took > 4*patience {
			t.Errorf("%s took %v", path, took)
		}
	}
	start := time.Now()
	targets, err := h.Targets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*patience {
		t.Errorf("the list took %v", took)
	}
	i := slices.IndexFunc(targets, func(t platform.Target) bool { return t.Path == dir })
	if i < 0 || targets[i].Refusal != platform.RefusedUnreachable || len(targets) < 2 {
		t.Errorf("%+v", targets)
	}
}

// A loop device is a layer over the drives of its file, also when the file has been deleted.
func TestResolveLoop(t *testing.T) {
	dir, h := mounted(t, "ext4", 128<<20), testHost(t, Options{})
	below, err := h.Resolve(t.Context(), os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.Resolve(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.Volume.FS != "ext4" || got.Volume.Mount != dir || got.Refusal != platform.Usable || got.Layers[0].Kind != platform.LayerLoop {
		t.Errorf("%+v", got)
	}
	if len(below.Drives) > 0 && !slices.Equal(got.Drives, below.Drives) {
		t.Errorf("drives %+v, want those of the file: %+v", got.Drives, below.Drives)
	}
	// What df says: reserved blocks are neither used nor free.
	if share, ok := got.Volume.Fill(got.Volume.Free); !ok || share > 0.1 || got.Volume.Used+got.Volume.Free >= got.Volume.Size {
		t.Errorf("an empty file system is %.2f full: %+v", share, got.Volume)
	}
	for mib, want := range map[int64]platform.Refusal{16: platform.RefusedFull, 40: platform.Usable} {
		small, err := h.Resolve(t.Context(), mounted(t, "ext4", mib<<20))
		if err != nil || small.Refusal != want {
			t.Errorf("%d MiB: %q, %v", mib, small.Refusal, err)
		}
	}
}
