package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stage is a command line on a fake computer.
type stage struct {
	fake   *platformtest.Host
	host   platform.Host // around the fake
	data   string        // where results are kept
	stdin  io.Reader
	tty    bool // a person sits at all three streams
	full   int  // after so many writes standard output takes no more, if not 0
	unread bool // who read standard output has gone away
	stdout bytes.Buffer
	stderr bytes.Buffer
}

func newStage(t *testing.T) *stage { return stageOn(t, platformtest.Options{}) }

func stageOn(t *testing.T, o platformtest.Options) *stage {
	s := &stage{fake: platformtest.New(o), data: filepath.Join(t.TempDir(), "data"), stdin: strings.NewReader("")}
	s.host = homeHost{s.fake, s.data}
	return s
}

// homeHost is a host whose user keeps data in a folder of the test.
type homeHost struct {
	*platformtest.Host
	data string
}

func (h homeHost) Folders() (platform.Folders, error) { return platform.Folders{Data: h.data}, nil }

// run runs the program once and gives its exit status; both outputs are those of this run.
func (s *stage) run(ctx context.Context, args ...string) int {
	s.stdout.Reset()
	s.stderr.Reset()
	c := &cli{
		host: s.host, locks: noLocks{}, measurer: bench.Local{Host: s.host}, version: "1.2.3",
		stdin: s.stdin, stdout: &s.stdout, stderr: &s.stderr, stdinTTY: s.tty, outTTY: s.tty, stderrTTY: s.tty,
	}
	if s.full > 0 {
		c.stdout = &fullWriter{&s.stdout, s.full}
	}
	if s.unread {
		reader, writer, err := os.Pipe()
		if err := errors.Join(err, reader.Close()); err != nil {
			panic(err)
		}
		defer writer.Close()
		c.stdout = writer
	}
	return c.run(ctx, args)
}

// noLocks is a computer on which no other process holds a journal.
type noLocks struct{}

func (noLocks) Lock(path string) (io.Closer, error) { return os.Create(path) }

// fullWriter takes only so many writes.
type fullWriter struct {
	w    io.Writer
	left int
}

func (f *fullWriter) Write(p []byte) (int, error) {
	if f.left == 0 {
		return 0, syscall.ENOSPC
	}
	f.left--
	return f.w.Write(p)
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
		"help": "help", "help-drives": "help drives", "help-tests": "tests --help", "help-run": "help run", "help-export": "export -h", "version": "version",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				if status := s.run(t.Context(), strings.Fields(args)...); status != exitDone || s.stderr.Len() > 0 {
					t.Errorf("status %d, standard error %q", status, s.stderr.String())
				}
				golden(t, name, s.stdout.String())
			})
		})
	}
}

// TestNobodyReads closes the pipe behind the program, as head does: it ends without a word.
func TestNobodyReads(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		s.unread = true
		for _, args := range []string{
			"drives", "drives --json", "tests", "tests --json", "help", "help run", "run --help", "version", "results", "results --json",
			"show latest", "show latest --json", "export latest", "export latest --format csv", "export latest --format png",
			"monitor --for 1s", "monitor --for 1s --json", demo + " --no-save", demo + " --no-save --json",
		} {
			status := s.run(t.Context(), line(args)...)
			said := s.stderr.String()
			if args == demo+" --no-save" { // that tells beforehand what it will do
				said = said[strings.LastIndex(said, "Free"):]
				said = said[strings.Index(said, "\n")+1:]
			}
			if status != exitFailed || said != "" {
				t.Errorf("%s: status %d, says %q", args, status, said)
			}
		}
	})
}

// That nobody reads does not hide what else went wrong.
func TestBesides(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err := errors.Join(err, reader.Close()); err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	_, gone := writer.Write([]byte("x"))
	op := &platform.OpError{Op: "save", Object: "/r", Reason: platform.ErrNoSpace, Err: fs.ErrInvalid}
	for _, c := range []struct{ err, want error }{
		{nil, nil},
		{gone, nil},
		{&outputError{gone}, nil},
		{&platform.OpError{Op: "write", Object: "/dev/stdout", Err: gone}, nil},
		{errors.Join(&outputError{gone}, nil), nil},
		{errors.Join(&outputError{gone}, errors.Join(gone, op)), op},
		{&fs.PathError{Op: "write", Path: "x", Err: notConnected}, nil},
		{op, op},
	} {
		got := besides(c.err)
		if (got == nil) != (c.want == nil) || !errors.Is(got, c.want) || got != nil && sentence(got) != sentence(c.want) {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
