package host

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cachecliff/platform"
)

func TestLock(t *testing.T) {
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.lock")
	first, err := h.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Lock(path); !errors.Is(err, platform.ErrBusy) {
		t.Errorf("second lock: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := h.Lock(path)
	if err != nil {
		t.Fatalf("after the first was given up: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	if _, err := h.Lock(filepath.Join(path, "no", "such")); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("no such folder: %v", err)
	}
}

// The kernel gives a lock up when its process is killed.
func TestLockOfKilledProcess(t *testing.T) {
	const env = "CACHECLIFF_TEST_LOCK"
	h, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv(env); path != "" { // the child
		if _, err := h.Lock(path); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stdout.WriteString("locked\n"); err != nil {
			t.Fatal(err)
		}
		hang()
	}
	path := filepath.Join(t.TempDir(), "x.lock")
	child := exec.Command(os.Args[0], "-test.run=^TestLockOfKilledProcess$")
	child.Env = append(os.Environ(), env+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Errorf("child said %q, %v", line, err)
	}
	if _, err := h.Lock(path); !errors.Is(err, platform.ErrBusy) {
		t.Errorf("while the child lives: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err == nil {
		t.Error("the child was killed and has no error")
	}
	lock, err := h.Lock(path)
	if err != nil {
		t.Fatalf("after the child was killed: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Error(err)
	}
}
