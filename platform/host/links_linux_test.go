package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
)

func TestFollowLinks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	err = errors.Join(
		os.MkdirAll(at("a/b"), 0o700), os.WriteFile(at("file"), nil, 0o600),
		os.Symlink("a", at("rel")), os.Symlink(at("a/b"), at("abs")), os.Symlink("../rel/./b", at("a/up")),
		os.Symlink("loop", at("loop")), os.Symlink("none", at("dangling")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string // below dir
		err        error
	}{
		{"a/b", "a/b", nil},
		{"rel/b", "a/b", nil},
		{"abs", "a/b", nil},
		{"a/up", "a/b", nil},
		{"abs/../up", "a/b", nil}, // above what the link leads to, as the kernel has it
		{"file", "file", nil},
		{"loop", "", platform.ErrNotExist},
		{"dangling", "", unix.ENOENT},
		{"file/below", "", unix.ENOTDIR},
	} {
		got, err := followLinks(dir + "/" + c.name)
		if c.err != nil {
			if !errors.Is(err, c.err) {
				t.Errorf("%s: %q, %v", c.name, got, err)
			}
			continue
		}
		if err != nil || got != at(c.want) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		if kernel, err := filepath.EvalSymlinks(dir + "/" + c.name); err != nil || kernel != got {
			t.Errorf("%s: %q, but the library says %q, %v", c.name, got, kernel, err)
		}
	}
}

func TestForeignLinkIsRefused(t *testing.T) {
	needRoot(t)
	h := testHost(t, Options{})
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	err = errors.Join(os.MkdirAll(filepath.Join(dir, "a/b"), 0o700), os.Symlink("a", link), os.Symlink("link", filepath.Join(dir, "own")))
	if err != nil {
		t.Fatal(err)
	}
	for uid, refused := range map[int]bool{0: false, 65534: true} {
		if err := os.Lchown(link, uid, uid); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"link", "link/b", "own/b"} {
			got, err := h.Resolve(t.Context(), filepath.Join(dir, name))
			var op *platform.OpError
			switch {
			case !refused && (err != nil || got.Refusal != platform.Usable):
				t.Errorf("user %d, %s: %+v, %v", uid, name, got, err)
			case refused && (!errors.Is(err, platform.ErrForeignLink) || !errors.As(err, &op) || op.Object != link):
				t.Errorf("user %d, %s: %v", uid, name, err)
			}
		}
	}
}

// A folder that became a link after it was resolved is not followed either.
func TestCreateFollowsNoLink(t *testing.T) {
	h, dir := testHost(t, Options{}), t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "a/b"), 0o700), os.Symlink("a", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	var how unix.OpenHow
	if _, err := unix.Openat2(unix.AT_FDCWD, "/", &how); errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		t.Skip("the kernel has no openat2")
	}
	for _, name := range []string{"link", "link/b"} {
		f, err := h.Create(platform.Target{Path: filepath.Join(dir, name)}, platform.CreateOptions{Buffered: true})
		if err == nil {
			t.Errorf("%s: %v", name, fmt.Sprint(f.Name(), f.Close()))
		}
	}
}
