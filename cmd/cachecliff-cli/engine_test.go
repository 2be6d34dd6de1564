package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// onSystem lets a test read what the program says on a system.
func onSystem(t *testing.T, s words.System) {
	before := english
	english = words.For(words.English, s)
	t.Cleanup(func() { english = before })
}

// TestEngineOfAnotherSystem is refused before anything is done, with the engines that there are.
func TestEngineOfAnotherSystem(t *testing.T) {
	for _, c := range []struct {
		system words.System
		engine platform.Engine
		want   string // the error; empty if there is none
	}{
		{words.Linux, platform.EngineURing, ""},
		{words.Linux, platform.EngineAIO, ""},
		{words.Linux, platform.EngineThreads, ""},
		{words.Linux, platform.EngineIOCP, `--engine takes io_uring, libaio or threads on this system, not "iocp".`},
		{words.Windows, platform.EngineIOCP, ""},
		{words.Windows, platform.EngineURing, `--engine takes iocp on this system, not "io_uring".`},
		{words.Windows, "fast", `--engine takes iocp on this system, not "fast".`},
	} {
		onSystem(t, c.system)
		var o runOptions
		_, err := parseArgs(o.options(), []string{"--engine", string(c.engine)})
		if c.want == "" && (err != nil || o.engine != c.engine) {
			t.Errorf("%s on %s: %q, %v", c.engine, c.system, o.engine, err)
		}
		if c.want != "" && (err == nil || err.Error() != c.want || status(err) != exitUsage) {
			t.Errorf("%s on %s: %v", c.engine, c.system, err)
		}
	}
}

// TestEngineRefused has one sentence for each way in which a system refuses an engine, also when the process that
// measures tells of it.
func TestEngineRefused(t *testing.T) {
	const instead = "; take libaio or threads, or leave the option out to take the best that works."
	for _, c := range []struct {
		system words.System
		engine platform.Engine
		why    error // of the system; nil if it has said nothing
		want   string
	}{
		{words.Linux, platform.EngineURing, syscall.EPERM, "the system forbids it, as a container or the setting kernel.io_uring_disabled may" + instead},
		{words.Linux, platform.EngineURing, syscall.ENOSYS, "this system does not have it" + instead},
		{words.Linux, platform.EngineURing, nil, "this system does not have it" + instead},
		{words.Linux, platform.EngineURing, syscall.ENOMEM, syscall.ENOMEM.Error() + instead},
		{words.Linux, platform.EngineAIO, syscall.EPERM, "the system forbids it, as a container may; take io_uring or threads, or leave the option out to take the best that works."},
		{words.Linux, platform.EngineAIO, syscall.EAGAIN, "the system's limit for it is reached (fs.aio-max-nr); take io_uring or threads, or leave the option out to take the best that works."},
		{words.Windows, platform.EngineIOCP, nil, "this system does not have it; leave the option out to take the best that works."},
	} {
		onSystem(t, c.system)
		op := &platform.OpError{Op: "make queue", Object: "/x", Reason: platform.ErrUnsupported}
		if c.why != nil {
			op.Err = errors.Join(fmt.Errorf("%s: %w", c.engine, c.why))
		}
		for _, err := range []error{op, fmt.Errorf("run: %w", op), bench.NewFailure(op).Err()} {
			got := sentence(engineFault(c.engine, err))
			if want := "--engine " + string(c.engine) + " does not work here: " + c.want; got != want {
				t.Errorf("%s, %v:\n%s\nwant\n%s", c.engine, err, got, want)
			}
		}
	}
}

// TestHelpOnWindows has nothing of Linux in it.
func TestHelpOnWindows(t *testing.T) {
	onSystem(t, words.Windows)
	s := newStage(t)
	said := ""
	for _, args := range []string{"help", "help run"} {
		if status := s.run(t.Context(), line(args)...); status != exitDone {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
		said += s.stdout.String()
	}
	for _, word := range []string{"/mnt", "io_uring", "libaio", "page cache"} {
		if strings.Contains(said, word) {
			t.Errorf("says %q", word)
		}
	}
	golden(t, "help-windows", said)
}
