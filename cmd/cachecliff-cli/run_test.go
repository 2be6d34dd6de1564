package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/platformtest"
)

// quick is a command line of a run that is over after a moment; demo is a whole one.
const (
	quick = " --target /fake --size 64MiB --time 200ms --loops 2 --pause 1s"
	demo  = "run cdm-demo" + quick
)

// line splits a command line; more follows it as it is.
func line(text string, more ...string) []string { return append(strings.Fields(text), more...) }

// runID matches what is new in each run.
var runID = regexp.MustCompile(`\d{8}T\d{6}Z-[0-9a-f]{8}`)

func masked(s *stage, text string) string {
	for _, id := range runID.FindAllString(text, -1) {
		text = strings.ReplaceAll(text, store.Code(id), "CODE")
	}
	return runID.ReplaceAllString(filepath.ToSlash(strings.ReplaceAll(text, s.data, "DATA")), "ID")
}

// tellsFiles says whether the system tells a file in a folder's place from nothing at all. Windows does not.
func tellsFiles(t *testing.T) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := os.ReadDir(filepath.Join(file, "below"))
	return !errors.Is(err, os.ErrNotExist)
}

// results lists the files that a stage keeps.
func (s *stage) results(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(s.data, "results", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// nothingLeft looks for test files, journals and temporary files.
func (s *stage) nothingLeft(t *testing.T) {
	t.Helper()
	if left := s.fake.Files(); len(left) > 0 {
		t.Errorf("test files are left: %q", left)
	}
	err := filepath.WalkDir(s.data, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (filepath.Base(filepath.Dir(path)) != "results" || filepath.Ext(path) != ".json") {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestRunText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		if status := s.run(t.Context(), line(demo, "--comment", "first one")...); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		golden(t, "run-table", masked(s, s.stdout.String()))
		golden(t, "run-notes", masked(s, s.stderr.String()))
		s.nothingLeft(t)
		if got := s.results(t); len(got) != 1 {
			t.Errorf("results %q, want one", got)
		}
		for name, args := range map[string]string{
			"results": "results", "show": "show latest", "results-json": "results --json",
		} {
			if status := s.run(t.Context(), strings.Fields(args)...); status != exitDone || s.stderr.Len() > 0 {
				t.Errorf("%s: status %d, standard error %q", args, status, s.stderr.String())
			}
			golden(t, name, masked(s, s.stdout.String()))
		}
	})
}

// decodeRun reads the lines of run --json: all are events but the last, which is the result, and the
// result is the fold of the events.
func decodeRun(t *testing.T, stdout string) bench.Result {
	t.Helper()
	var fold bench.Result
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		e, err := bench.DecodeEvent([]byte(line))
		if err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		fold.Apply(e)
	}
	var last struct {
		Type   string
		Result bench.Result
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Type != "result" {
		t.Fatalf("last line is of type %q: %v", last.Type, err)
	}
	a, errA := json.Marshal(fold)
	b, errB := json.Marshal(last.Result)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the fold of the events differs from the result (%v, %v):\n%s\n%s", errA, errB, a, b)
	}
	return last.Result
}

func TestRunJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		status := s.run(t.Context(), line("run RND4K --json Q4T2 --mix 60 R70 --comment ümlaut"+quick)...)
		if status != exitDone || s.stderr.Len() > 0 {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		r := decodeRun(t, s.stdout.String())
		spec := r.Plan.Profile.Workloads[0].Spec
		if spec.String() != "RND4K Q4T2 R60 TIME=200ms" || r.Comment != "ümlaut" || r.Reason != bench.ReasonDone ||
			r.App != (bench.App{Version: "1.2.3", Method: bench.MethodVersion}) || len(r.Measurements) != 3 {
			t.Errorf("result of %s, %q, %s, %v, %d measurements", spec, r.Comment, r.Reason, r.App, len(r.Measurements))
		}
		s.nothingLeft(t)
		stored := s.results(t)
		if len(stored) != 1 || filepath.Base(stored[0]) != r.ID+".json" {
			t.Fatalf("stored %q, want %s", stored, r.ID)
		}
		// However the result is named, show prints the line that run printed last.
		last := s.stdout.String()[strings.LastIndex(strings.TrimSpace(s.stdout.String()), "\n")+1:]
		for _, name := range []string{"latest", r.ID, r.ID[:9], stored[0]} {
			if status := s.run(t.Context(), "show", "--json", name); status != exitDone || s.stdout.String() != last {
				t.Errorf("show --json %s: status %d, %s%.200s", name, status, s.stderr.String(), s.stdout.String())
			}
		}
	})
}

// slowly makes fresh stages for runs that are stopped: at 100 MB/s, so that every phase takes a while.
func slowly(t *testing.T) *stage {
	m := platformtest.Typical()
	m.ReadRate, m.CacheRate = 100e6, 100e6
	return stageOn(t, platformtest.Options{Model: m})
}

// TestRunStop stops a run in each of its phases, and in the wait for an answer.
func TestRunStop(t *testing.T) {
	for _, c := range []struct {
		name  string
		after time.Duration
		kept  int // results: a run that measured nothing leaves none
	}{
		{"at once", 0, 0}, {"preparing", 300 * time.Millisecond, 0}, {"discarded pass", 2 * time.Second, 0}, {"measuring", 4 * time.Second, 1}, {"resting", 8 * time.Second, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := slowly(t)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(c.after, cancel)
				status := s.run(ctx, line("run cdm-default --target /fake --size 64MiB --time 2s --loops 2 --pause 5s --json")...)
				if status != exitStopped || s.stderr.Len() > 0 {
					t.Errorf("status %d: %s", status, s.stderr.String())
				}
				if took := s.host.Now(); took > c.after+time.Second {
					t.Errorf("stopped after %s, ended after %s", c.after, took)
				}
				if r := decodeRun(t, s.stdout.String()); r.Reason != bench.ReasonStopped {
					t.Errorf("reason %s", r.Reason)
				}
				s.nothingLeft(t)
				if got := s.results(t); len(got) != c.kept {
					t.Errorf("results %q, want %d", got, c.kept)
				}
			})
		})
	}
}

// TestRunFails lets the drive fail in the middle: what was measured is shown and kept.
func TestRunFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stageOn(t, platformtest.Options{Fault: func(_ platform.Op, _ int64, now time.Duration) error {
			if now > 500*time.Millisecond {
				return &platform.OpError{Op: "read", Object: "/fake", Reason: platform.ErrGone}
			}
			return nil
		}})
		if status := s.run(t.Context(), line(demo)...); status != exitFailed {
			t.Errorf("status %d", status)
		}
		golden(t, "run-failed-notes", masked(s, s.stderr.String()))
		if !strings.Contains(s.stdout.String(), "Fakedrive 1000") {
			t.Errorf("no table of what was measured: %q", s.stdout.String())
		}
		s.nothingLeft(t)
		if got := s.results(t); len(got) != 1 {
			t.Errorf("results %q, want one", got)
		}
	})
}

// TestRunUnsaved takes the folder of results away while the run goes on.
func TestRunUnsaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s *stage
		gone := false
		s = stageOn(t, platformtest.Options{Fault: func(platform.Op, int64, time.Duration) error {
			if !gone {
				gone = true
				folder := filepath.Join(s.data, "results")
				return errors.Join(os.RemoveAll(folder), os.WriteFile(folder, nil, 0o600))
			}
			return nil
		}})
		if status := s.run(t.Context(), line(demo)...); status != exitFailed {
			t.Errorf("status %d", status)
		}
		if tellsFiles(t) {
			golden(t, "run-unsaved-notes", masked(s, s.stderr.String()))
		} else if !strings.Contains(masked(s, s.stderr.String()), "The result could not be saved: DATA/results ") {
			t.Errorf("says %q", s.stderr.String())
		}
		if !strings.Contains(s.stdout.String(), "Fakedrive 1000") {
			t.Errorf("the result that could not be saved is not shown: %q", s.stdout.String())
		}
		// The journal has it still: once there is a folder, the next call saves it.
		if err := os.Remove(filepath.Join(s.data, "results")); err != nil {
			t.Fatal(err)
		}
		if status := s.run(t.Context(), "show", "latest"); status != exitDone || !strings.Contains(s.stdout.String(), "Fakedrive 1000") {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
		s.nothingLeft(t)
	})
}

// What the next call can do for a result depends on the journal.
func TestUnsavedTellsTheTruth(t *testing.T) {
	full := &platform.OpError{Op: "write", Object: "/r/x.json", Reason: platform.ErrNoSpace}
	for _, c := range []struct {
		journal error
		want    string
	}{
		{nil, "The result could not be saved: No space left on /r/x.json. Put that right: the next call of cachecliff-cli saves it from the journal of the run."},
		{full, "The result could not be saved: No space left on /r/x.json. The journal of the run is not complete either, so keep what is printed here: nothing else is left of it."},
	} {
		s := &cli{stdout: io.Discard, stderr: io.Discard}
		v := app.View{Save: app.SaveFailed, SaveErr: &app.SaveError{ID: "x", Err: full}, JournErr: c.journal}
		err := s.finish(&v, runOptions{json: true})
		if got := sentence(err); got != c.want || status(err) != exitFailed {
			t.Errorf("journal %v: %q", c.journal, got)
		}
	}
}

func TestRunNoSave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		if status := s.run(t.Context(), line(demo, "--no-save")...); status != exitDone {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
		if _, err := os.Stat(filepath.Join(s.data, "results")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a folder for results: %v", err)
		}
		s.nothingLeft(t)
	})
}

// TestRunAsks answers the question of a run on a terminal.
func TestRunAsks(t *testing.T) {
	for typed, want := range map[string]int{"\n": exitDone, "y\n": exitDone, "YES\n": exitDone, "n\n": exitStopped, "what\n": exitStopped, "": exitStopped} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			s.tty, s.stdin = true, strings.NewReader(typed)
			if got := s.run(t.Context(), line(demo)...); got != want || !strings.Contains(s.stderr.String(), "Start? [Y/n]") {
				t.Errorf("%q: status %d, want %d: %s", typed, got, want, s.stderr.String())
			}
			if want == exitDone && !strings.Contains(plain(s.stderr.String()), "SEQ1M Q8T1 read") {
				t.Errorf("%q: no progress: %q", typed, s.stderr.String())
			}
			if n := len(s.results(t)); (n == 1) != (want == exitDone) {
				t.Errorf("%q: %d results", typed, n)
			}
			s.nothingLeft(t)
		})
	}
}

// TestRunAsksAndStops gives no answer but a signal.
func TestRunAsksAndStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.tty = true
		typing := make(silence)
		s.stdin = typing
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		if got := s.run(ctx, line(demo)...); got != exitStopped {
			t.Errorf("status %d: %s", got, s.stderr.String())
		}
		close(typing)
		s.nothingLeft(t)
	})
}

// silence is a terminal at which nobody types, until it is closed.
type silence chan struct{}

func (s silence) Read([]byte) (int, error) { <-s; return 0, io.EOF }

// leftHost is a host in whose folder killed runs have left files.
type leftHost struct {
	platform.Host
	left []string
}

func (h leftHost) Leftovers(platform.Target) ([]string, error) { return h.left, nil }

func TestRunLeftovers(t *testing.T) {
	for _, c := range []struct {
		name    string
		typed   string // on a terminal; else there is none
		options []string
		removed bool
		note    string
	}{
		{name: "nobody to ask", note: "--yes removes it"},
		{name: "events wanted", options: []string{"--json"}, note: "--yes removes it"},
		{name: "told to", options: []string{"--yes"}, removed: true, note: "Removed "},
		{name: "asked, yes", typed: "y\ny\n", removed: true, note: "Remove it? [y/N] Removed "},
		{name: "asked, Enter", typed: "\ny\n", note: "Remove it? [y/N] "},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			file := filepath.Join(t.TempDir(), ".cachecliff-test-1.tmp")
			if err := os.WriteFile(file, []byte("left"), 0o600); err != nil {
				t.Fatal(err)
			}
			s.host = leftHost{s.host, []string{file}}
			s.tty, s.stdin = c.typed != "", strings.NewReader(c.typed)
			if got := s.run(t.Context(), line(demo, c.options...)...); got != exitDone {
				t.Errorf("%s: status %d: %s", c.name, got, s.stderr.String())
			}
			if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) != c.removed {
				t.Errorf("%s: removed is not %t: %v", c.name, c.removed, err)
			}
			if !strings.Contains(s.stderr.String(), c.note) || !strings.Contains(s.stderr.String(), file) {
				t.Errorf("%s: %q does not say %q", c.name, s.stderr.String(), c.note)
			}
		})
	}
}

// TestRunUnread lets the reader of the events go away: the run ends, and is kept.
func TestRunUnread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := slowly(t)
		s.full = 40
		status := s.run(t.Context(), line("run cdm-default --target /fake --size 16MiB --time 1s --json")...)
		if status != exitFailed || strings.Count(s.stderr.String(), "\n") != 1 {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
		if took := s.host.Now(); took > 5*time.Second {
			t.Errorf("ended only after %s", took)
		}
		s.nothingLeft(t)
		if got := s.results(t); len(got) != 1 {
			t.Errorf("results %q, want one", got)
		}
	})
}
