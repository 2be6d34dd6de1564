package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program that ends by a fault leaves what it said, and the next start finds it once.
func TestCrashIsKept(t *testing.T) {
	const ask = "CACHECLIFF_TEST_CRASH"
	if folder := os.Getenv(ask); folder != "" {
		var errs bytes.Buffer
		_, end := crashes(folder, &errs)
		if errs.Len() > 0 {
			t.Fatal(errs.String())
		}
		if os.Getenv(ask+"_NOT") != "" {
			end()
			os.Exit(0)
		}
		done := make(chan struct{})
		go func() { panic("the fault " + filepath.Base(folder)) }()
		<-done
	}
	folder := filepath.Join(t.TempDir(), "faults [1]")
	play := func(env ...string) error {
		c := exec.Command(os.Args[0], "-test.run=^TestCrashIsKept$")
		c.Env = append(os.Environ(), append(env, ask+"="+folder)...)
		return c.Run()
	}
	if err := play(ask + "_NOT=1"); err != nil {
		t.Fatal("a start that ends in order:", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Fatalf("a start that ended in order left %v, error %v", left, err)
	}
	if err := play(); err == nil {
		t.Fatal("a fault did not end the program")
	}
	// One that runs, or was killed, has an empty file.
	if err := os.WriteFile(filepath.Join(folder, "running-1.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	name, err := lastCrash(folder)
	if err != nil || name == "" {
		t.Fatalf("found %q, error %v", name, err)
	}
	said, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(said), "panic: the fault faults [1]") {
		t.Errorf("%s has %q, error %v", name, said, err)
	}
	if again, err := lastCrash(folder); again != "" || err != nil {
		t.Errorf("told again of %q, error %v", again, err)
	}
	if none, err := lastCrash(filepath.Join(folder, "none")); none != "" || err != nil {
		t.Errorf("without a folder %q, error %v", none, err)
	}
}
