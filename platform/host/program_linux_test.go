package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const programTest = "CACHECLIFF_TEST_PROGRAM"

// TestProgram starts a copy of this test whose file is replaced by another program while it runs. The
// process that the copy starts must still be the copy.
func TestProgram(t *testing.T) {
	switch os.Getenv(programTest) {
	case "child":
		if _, err := os.Stdout.WriteString("the same program"); err != nil {
			t.Fatal(err)
		}
		os.Exit(0)
	case "parent":
		startAgain(t)
		return
	}
	self, err := os.ReadFile(selfLink)
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(copied, self, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied, "-test.run=^TestProgram$")
	cmd.Env = append(os.Environ(), programTest+"=parent")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func startAgain(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, replaced := range []bool{false, true} { // removed, then another in its place
		if err := os.Remove(path); err != nil && !replaced {
			t.Fatal(err)
		}
		if replaced {
			if err := os.WriteFile(path, []byte("#!/bin/sh\necho another program\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		exe, err := Program()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestProgram$")
		Apart(cmd)
		if cmd.Args[0] != os.Args[0] {
			t.Errorf("called %q", cmd.Args[0])
		}
		cmd.Env = append(os.Environ(), programTest+"=child")
		if out, err := cmd.Output(); err != nil || string(out) != "the same program" {
			t.Errorf("replaced %t: %q, %v", replaced, out, err)
		}
	}
}
