package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/sysfs"
)

func testHost(t *testing.T, o Options) *Host {
	t.Helper()
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestResolveHere(t *testing.T) {
	h, dir := testHost(t, Options{}), t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := errors.Join(os.Symlink(".", link), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	got, err := h.Resolve(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	if got.Path != dir || got.Refusal != platform.Usable || got.Volume.Size <= 0 || got.Volume.Free <= 0 ||
		got.Volume.FS == "" || !strings.HasPrefix(dir, got.Volume.Mount) {
		t.Errorf("%+v", got)
	}
	if got, err := h.Resolve(t.Context(), file); err != nil || got.Refusal != platform.RefusedNotFolder {
		t.Errorf("a file: %q, %v", got.Refusal, err)
	}
	if got, err := h.Resolve(t.Context(), "/proc"); err != nil || got.Refusal != platform.RefusedVirtual || got.Drives != nil {
		t.Errorf("/proc: %q, %v", got.Refusal, err)
	}
	for _, path := range []string{filepath.Join(dir, "nonesuch"), filepath.Join(file, "below")} {
		_, err := h.Resolve(t.Context(), path)
		var op *platform.OpError
		if !errors.Is(err, platform.ErrNotExist) || !errors.As(err, &op) || op.Object != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Resolve(ended, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func TestResolveWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	h, dir := testHost(t, Options{}), t.TempDir()
	inner := filepath.Join(dir, "inner")
	if err := errors.Join(os.Mkdir(inner, 0o700), os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if got, err := h.Resolve(t.Context(), dir); err != nil || got.Refusal != platform.RefusedPermission {
		t.Errorf("not to be written: %q, %v", got.Refusal, err)
	}
	if err := os.Chmod(dir, 0o000); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Resolve(t.Context(), inner); err != nil || got.Refusal != platform.RefusedPermission || got.Path != inner {
		t.Errorf("not to be looked at: %+v, %v", got, err)
	}
}

func TestTargetsHere(t *testing.T) {
	h, home := testHost(t, Options{}), t.TempDir()
	t.Setenv("HOME", home)
	targets, err := h.Targets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) == 0 {
		t.Fatal("no volumes")
	}
	real, err := filepath.EvalSymlinks(home)
	if err != nil {
		t.Fatal(err)
	}
	if targets[0].Path != real {
		t.Errorf("the first is %s, not the home folder %s", targets[0].Path, real)
	}
	for _, target := range targets {
		if target.Volume.Mount == "" || target.Refusal == platform.RefusedVirtual {
			t.Errorf("%+v", target)
		}
		again, err := h.Resolve(t.Context(), target.Path)
		if err != nil || again.Volume.Mount != target.Volume.Mount || len(again.Drives) != len(target.Drives) {
			t.Errorf("%s resolves to %+v, %v", target.Path, again, err)
		}
	}
}

func TestFailedProbes(t *testing.T) {
	looked := sysfs.Probe{Answered: true, Folder: true}
	tests := []struct {
		before sysfs.Probe
		err    error
		want   sysfs.Probe
		fails  bool
	}{
		{err: unix.EACCES, want: sysfs.Probe{Answered: true, Folder: true, Denied: true}},
		{before: sysfs.Probe{Answered: true}, err: unix.EACCES, want: sysfs.Probe{Answered: true, Denied: true}},
		{before: looked, err: unix.EROFS, want: sysfs.Probe{Answered: true, Folder: true, ReadOnly: true}},
		{err: unix.ENOMEDIUM, want: sysfs.Probe{Answered: true, Folder: true, NoMedium: true}},
		{before: looked, err: unix.ENOTCONN, want: sysfs.Probe{Folder: true}},
		{err: unix.ESTALE},
		{err: unix.EHOSTDOWN},
		{err: unix.EIO},
		{err: unix.ENOENT, fails: true},
		{before: looked, err: unix.EINVAL, want: looked, fails: true},
	}
	for _, tt := range tests {
		got, err := failed(tt.before, "look at", "/x", tt.err)
		if got != tt.want || (err != nil) != tt.fails || tt.fails && !errors.Is(err, tt.err) {
			t.Errorf("%v: %+v, %v", tt.err, got, err)
		}
	}
}

// The kernel's files as an fs.FS, with a made-up /sys and /proc.
func TestRootFS(t *testing.T) {
	sys, proc := t.TempDir(), t.TempDir()
	long := strings.Repeat("0123456789", 2000)
	err := errors.Join(
		os.MkdirAll(filepath.Join(sys, "block"), 0o700),
		os.MkdirAll(filepath.Join(sys, "devices/sda"), 0o700),
		os.WriteFile(filepath.Join(sys, "devices/sda/size"), []byte("8\n"), 0o600),
		os.Symlink("../devices/sda", filepath.Join(sys, "block/sda")),
		os.WriteFile(filepath.Join(proc, "long"), []byte(long), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	r := rootFS{sys: sys, proc: proc}
	if b, err := fs.ReadFile(r, "sys/block/sda/size"); err != nil || string(b) != "8\n" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := fs.ReadFile(r, "proc/long"); err != nil || string(b) != long {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if to, err := fs.ReadLink(r, "sys/block/sda"); err != nil || to != "../devices/sda" {
		t.Errorf("%q, %v", to, err)
	}
	if _, err := fs.ReadFile(r, "sys/nonesuch"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := fs.ReadFile(r, "sys/../etc/hosts"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a way out: %v", err)
	}
	sub, err := fs.Sub(r, "sys/devices")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(sub, "sda/size"); err != nil {
		t.Error(err)
	}
}
