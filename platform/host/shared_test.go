package host

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"cachecliff/platform"
)

func thisHost(tb testing.TB) *Host {
	tb.Helper()
	h, err := New(Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func closeLater(t *testing.T, f platform.File) {
	t.Cleanup(func() {
		if err := f.Close(); err != nil && !errors.Is(err, platform.ErrClosed) {
			t.Error(err)
		}
	})
}

// empty checks that a folder has no file in it, but what the file system made itself.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "lost+found" {
			t.Errorf("%s is left in the folder", e.Name())
		}
	}
}

// helper starts this test binary again with only the named test, which finds its task in the
// environment, and returns when it has written its first line.
func helper(t *testing.T, test, task string, env ...string) (line string, kill func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	cmd := exec.Command(exe, "-test.run=^"+test+"$")
	// What a helper that is killed cannot remove, this test does.
	cmd.Env = append(os.Environ(), append(env, helperTask+"="+task, "TMPDIR="+temp, "TMP="+temp)...)
	dieWithParent(cmd)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	Tie(cmd.Process)
	in := bufio.NewReader(out)
	line, err = in.ReadString('\n')
	if err != nil {
		rest, _ := io.ReadAll(in)
		t.Errorf("helper: %v %q %s", err, line, rest)
	}
	return strings.TrimSpace(line), func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Fatalf("the helper ended before it was killed: %v", err)
		}
		if err := cmd.Wait(); err == nil || strings.Contains(err.Error(), "status 2") {
			t.Errorf("the helper ended before it was killed: %v", err)
		}
	}
}

const helperTask = "CACHECLIFF_HELPER_TASK"

// TestClock: latencies need a clock that steps by less than a microsecond.
func TestClock(t *testing.T) {
	h := thisHost(t)
	last, step := h.Now(), time.Hour
	for range 1000 {
		now := h.Now()
		if now < last {
			t.Fatalf("%v after %v", now, last)
		}
		if now > last {
			step = min(step, now-last)
		}
		last = now
	}
	if step >= time.Microsecond {
		t.Errorf("the clock steps by %v", step)
	}
}

// hang waits to be killed. Without a timer the runtime would end a process in which nothing can happen any
// more.
func hang() { <-time.After(time.Hour) }
