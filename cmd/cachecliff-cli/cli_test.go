package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stage is a command line on a fake computer.
type stage struct {
	host   platform.Host
	stdin  string
	tty    bool // a person sits at all three streams
	stdout bytes.Buffer
	stderr bytes.Buffer
}

func newStage() *stage { return &stage{host: platformtest.New(platformtest.Options{})} }

// run runs the program once and gives its exit status; both outputs are those of this run.
func (s *stage) run(ctx context.Context, args ...string) int {
	s.stdout.Reset()
	s.stderr.Reset()
	c := &cli{
		host: s.host, version: "1.2.3",
		stdin: strings.NewReader(s.stdin), stdout: &s.stdout, stderr: &s.stderr,
		stdinTTY: s.tty, outTTY: s.tty, stderrTTY: s.tty,
	}
	return c.run(ctx, args)
}

// golden compares with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (-update writes it anew):\n%s", file, got)
	}
}

// TestOutput compares what verbs print that need no result.
func TestOutput(t *testing.T) {
	for name, args := range map[string]string{
		"drives": "drives", "drives-json": "drives --json", "tests": "tests", "tests-json": "tests --json",
		"help": "help", "help-drives": "help drives", "help-tests": "tests --help", "version": "version",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage()
				if status := s.run(t.Context(), strings.Fields(args)...); status != exitDone || s.stderr.Len() > 0 {
					t.Errorf("status %d, standard error %q", status, s.stderr.String())
				}
				golden(t, name, s.stdout.String())
			})
		})
	}
}
