package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
)

// names lists a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteReplaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "here")
	path := filepath.Join(dir, "x")
	for _, text := range []string{"first and long", "second", ""} {
		if err := Write(path, []byte(text), Shared); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("read %q, %v, want %q", got, err, text)
		}
	}
	if n := names(t, dir); len(n) != 1 {
		t.Errorf("left: %v", n)
	}
}

func TestWriteThatFailsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o755); err != nil { // a folder in the file's place
		t.Fatal(err)
	}
	err := Write(path, []byte("y"), Shared)
	var op *platform.OpError
	if !errors.As(err, &op) || op.Object != path {
		t.Errorf("got %v", err)
	}
	if n := names(t, dir); len(n) != 1 || n[0] != "x" {
		t.Errorf("left: %v", n)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(file, "x"), nil, Shared); !errors.As(err, &op) || op.Object != file {
		t.Errorf("a file in the folder's place: %v", err)
	}
}

func TestWriteOver(t *testing.T) {
	for _, held := range []string{"", "xx", "more than is written"} {
		dir := t.TempDir()
		room, path := filepath.Join(dir, ".room"), filepath.Join(dir, "x")
		if held != "" {
			if err := os.WriteFile(room, []byte(held), Private); err != nil {
				t.Fatal(err)
			}
		}
		for _, text := range []string{"first", "second"} { // the second time the room is used up
			if err := WriteOver(room, path, []byte(text), Private); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("room %q: read %q, %v, want %q", held, got, err, text)
			}
			if n := names(t, dir); len(n) != 1 {
				t.Errorf("room %q: left %v", held, n)
			}
		}
	}
}

func TestWriteOverThatFailsKeepsTheRoom(t *testing.T) {
	dir := t.TempDir()
	room, path := filepath.Join(dir, ".room"), filepath.Join(dir, "x")
	if err := errors.Join(os.WriteFile(room, []byte("room"), Private), os.MkdirAll(filepath.Join(path, "full"), 0o755)); err != nil {
		t.Fatal(err)
	}
	err := WriteOver(room, path, []byte("y"), Private)
	var op *platform.OpError
	if !errors.As(err, &op) || op.Object != path {
		t.Errorf("got %v", err)
	}
	if n := names(t, dir); len(n) != 2 {
		t.Errorf("left: %v", n)
	}
}

func TestFault(t *testing.T) {
	if err := Fault("read", "x", nil); err != nil {
		t.Errorf("nil became %v", err)
	}
	_, missing := os.Open(filepath.Join(t.TempDir(), "none"))
	err := Fault("read", "x", missing)
	if !errors.Is(err, platform.ErrNotExist) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("not found: %v", err)
	}
	for no, want := range map[error]error{
		syscall.ENOSPC: platform.ErrNoSpace, syscall.EDQUOT: platform.ErrQuota, syscall.EROFS: platform.ErrReadOnly,
		syscall.EMFILE: platform.ErrResources, syscall.ENOMEM: platform.ErrResources, syscall.ENAMETOOLONG: platform.ErrNotExist,
	} {
		if err := Fault("write", "x", errors.Join(&fs.PathError{Op: "write", Path: "x", Err: no})); !errors.Is(err, want) || !errors.Is(err, no) {
			t.Errorf("%v is told as %v", no, err)
		}
	}
	denied := Fault("read", "x", &fs.PathError{Op: "open", Path: "y", Err: fs.ErrPermission})
	if !errors.Is(denied, platform.ErrPermission) || denied.Error() != "read x: permission denied" {
		t.Errorf("denied: %v", denied)
	}
}

// The same reasons under the numbers of the other systems, which mean something else on this one.
func TestNumbers(t *testing.T) {
	for no, want := range map[syscall.Errno]error{112: platform.ErrNoSpace, 19: platform.ErrReadOnly, 32: platform.ErrBusy, 1117: platform.ErrIO} {
		if numbered[no] != want {
			t.Errorf("%d is told as %v", no, numbered[no])
		}
		if err := Fault("write", "x", &fs.PathError{Op: "write", Path: "x", Err: no}); errors.Is(err, want) != invented {
			t.Errorf("%d is told as %v here", no, err)
		}
	}
}

// TestRenameWaits lets go of a file that is in the way, which keeps nobody from a rename on Linux.
func TestRenameWaits(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.WriteFile(path, []byte("old"), Shared); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var closed sync.WaitGroup
		defer closed.Wait()
		closed.Go(func() {
			time.Sleep(renamePatience / 2)
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
		if err := Write(path, []byte("new"), Shared); err != nil {
			t.Error(err)
		}
	})
	if got, err := os.ReadFile(path); err != nil || string(got) != "new" {
		t.Errorf("read %q, %v", got, err)
	}
}

// TestRenameGivesUp: a folder is in the way for ever.
func TestRenameGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := Write(path, nil, Shared); err == nil {
			t.Error("a file in place of a folder")
		}
		if took := time.Since(began); took > 3*renamePatience {
			t.Errorf("gave up after %v", took)
		}
	})
}

// The pattern finds what Write leaves behind if the computer dies in it.
func TestTempPattern(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), ".x.json-*.tmp")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{filepath.Base(f.Name()): true, "x.json": false, "x.tmp": false} {
		if got, err := filepath.Match(TempPattern, name); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
