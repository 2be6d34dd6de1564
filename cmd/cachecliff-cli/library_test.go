package main

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

// inStage runs a test on a computer that has a result already.
func inStage(t *testing.T, test func(t *testing.T, s *stage)) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		if status := s.run(t.Context(), line(demo)...); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		test(t, s)
	})
}

func TestExport(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		folder := t.TempDir()
		for _, c := range []struct {
			args string // behind "export latest"
			file string // in the folder; empty for standard output
			is   func([]byte) bool
		}{
			{"", "", startsWith("----------")},
			{"--format text", "", startsWith("----------")},
			{"--format csv", "", startsWith("run,")},
			{"--format csv-loops", "", startsWith("run,")},
			{"--format json", "", decodes},
			{"--format png", "", isPicture},
			{"--out FILE", "card.PNG", isPicture},
			{"--out FILE", "run.json", decodes},
			{"--out FILE", "run.csv", startsWith("run,")},
			{"--out FILE", "run.log", startsWith("----------")},
			{"--out FILE --format json", "run.txt", decodes},
		} {
			file := filepath.Join(folder, c.file)
			status := s.run(t.Context(), line("export latest "+strings.ReplaceAll(c.args, "FILE", file))...)
			if status != exitDone || s.stderr.Len() > 0 {
				t.Errorf("%s: status %d: %s", c.args, status, s.stderr.String())
				continue
			}
			got := s.stdout.Bytes()
			if c.file != "" {
				if len(got) > 0 {
					t.Errorf("%s: prints %.80q", c.args, got)
				}
				var err error
				if got, err = os.ReadFile(file); err != nil {
					t.Fatal(err)
				}
			}
			if !c.is(got) {
				t.Errorf("%s %s: %.200q", c.args, c.file, got)
			}
			if bytes.Contains(got, []byte("SN-SECRET")) {
				t.Errorf("%s: has a serial number", c.args)
			}
		}
		// A file that was exported is shown like the one in the store.
		if status := s.run(t.Context(), "show", filepath.Join(folder, "run.json")); status != exitDone || !startsWith("----------")(s.stdout.Bytes()) {
			t.Errorf("show of a file: status %d: %s", status, s.stderr.String())
		}
	})
}

func startsWith(head string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(head)) }
}

func decodes(b []byte) bool {
	r, err := store.Decode(bytes.NewReader(b))
	return err == nil && len(r.Measurements) == 6
}

func isPicture(b []byte) bool {
	img, err := png.Decode(bytes.NewReader(b))
	return err == nil && img.Bounds().Dx() == 1200 && img.Bounds().Dy() == 675
}

// TestInterrupted brings back a run whose process was killed: what stands in its journal is saved by
// the next call.
func TestInterrupted(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		files := s.results(t)
		f, err := os.Open(files[0])
		if err != nil {
			t.Fatal(err)
		}
		r, err := store.Decode(f)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		journal, err := store.New(s.data, noLocks{}).Journal("20300101T000000Z-0badcafe")
		if err != nil {
			t.Fatal(err)
		}
		m := r.Measurements[1] // the first that counts
		start := bench.Started{ID: "20300101T000000Z-0badcafe", At: r.At.Add(time.Hour), App: r.App, Plan: r.Plan}
		for _, e := range []bench.Event{start, bench.StepStarted{Step: m.Step}, bench.Sampled{Step: m.Step.Index, Sample: m.Series[0]}} {
			if err := journal.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := journal.Close(); err != nil {
			t.Fatal(err)
		}
		if status := s.run(t.Context(), "results"); status != exitDone {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
		if want := "A run was interrupted; what was measured until then is kept as 20300101T000000Z-0badcafe.\n"; s.stderr.String() != want {
			t.Errorf("says %q, want %q", s.stderr.String(), want)
		}
		if n := strings.Count(s.stdout.String(), "\n"); n != 3 || !strings.Contains(s.stdout.String(), "interrupted") {
			t.Errorf("lists %q", s.stdout.String())
		}
		s.nothingLeft(t)
	})
}

func TestNoResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		if status := s.run(t.Context(), "results"); status != exitDone || !strings.HasPrefix(s.stdout.String(), "There is no result in ") {
			t.Errorf("status %d: %s%s", status, s.stdout.String(), s.stderr.String())
		}
		if status := s.run(t.Context(), "results", "--json"); status != exitDone || s.stdout.Len() > 0 {
			t.Errorf("status %d: %s%s", status, s.stdout.String(), s.stderr.String())
		}
	})
}

// TestBadInput gives wrong command lines and impossible wishes. Each gets one line on standard error, its
// exit status, nothing on standard output, and leaves nothing behind. The lines are in a golden file.
func TestBadInput(t *testing.T) {
	var said strings.Builder
	for _, c := range []struct {
		args   string // DATA is the folder of results, TMP another folder
		status int
		tty    bool
	}{
		{args: "", status: exitUsage},
		{args: "rnu cdm-default", status: exitUsage},
		{args: "frobnicate", status: exitUsage},
		{args: "help frobnicate", status: exitUsage},
		{args: "--json drives", status: exitUsage},
		{args: "drives --quite-other", status: exitUsage},
		{args: "version --quite-other", status: exitUsage},
		{args: "help run tests", status: exitUsage},
		{args: "version now", status: exitUsage},
		{args: "drives all", status: exitUsage},
		{args: "drives --jsn", status: exitUsage},
		{args: "tests cdm-default", status: exitUsage},

		{args: "run", status: exitUsage},
		{args: "run cdm-default", status: exitUsage},
		{args: "run --target /fake", status: exitUsage},
		{args: "run cdm-deflaut --target /fake", status: exitUsage},
		{args: "run something --target /fake", status: exitUsage},
		{args: "run cdm-default cdm-nvme --target /fake", status: exitUsage},
		{args: "run RND3K Q0T0 --target /fake", status: exitUsage},
		{args: "run RND4K Q0T0 --target /fake", status: exitUsage},
		{args: "run RND4K Q2000 --target /fake", status: exitUsage},
		{args: "run RND4K Q1024T64 --target /fake", status: exitUsage},
		{args: "run RND64M Q32 --target /fake", status: exitUsage},
		{args: "run RND128M --target /fake", status: exitUsage},
		{args: "run RND4K R101 --target /fake", status: exitUsage},
		{args: "run RND4K X7 --target /fake", status: exitUsage},
		{args: "run RND4K TIME=soon --target /fake", status: exitUsage},
		{args: "run RND --target /fake", status: exitUsage},
		{args: "run SEQ1M T32 --size 16MiB --target /fake", status: exitUsage},
		{args: "run cdm-default --target", status: exitUsage},
		{args: "run cdm-default --target=", status: exitUsage},
		{args: "run cdm-default --target /fake --size 1KiB", status: exitUsage},
		{args: "run cdm-default --target /fake --size large", status: exitUsage},
		{args: "run cdm-default --target /fake --loops 0", status: exitUsage},
		{args: "run cdm-default --target /fake --time 5", status: exitUsage},
		{args: "run cdm-default --target /fake --time 1ms", status: exitUsage},
		{args: "run cdm-default --target /fake --pause -1s", status: exitUsage},
		{args: "run cdm-default --target /fake --mix 70", status: exitUsage},
		{args: "run RND4K --target /fake --mix 70", status: exitUsage},
		{args: "run cdm-default+mix --target /fake --mix 100", status: exitUsage},
		{args: "run cdm-default --target /fake --engine fast", status: exitUsage},
		{args: "run cdm-default --target /fake --json --text", status: exitUsage},
		{args: "run cdm-default --target /fake --json=yes", status: exitUsage},
		{args: "run cdm-default --target /nowhere", status: exitFailed},
		{args: "run cdm-default --target /readonly", status: exitFailed},
		{args: "run cdm-default --target /fake --size 16TiB", status: exitFailed},
		{args: "run cdm-default --target /fake --json --data TMP/file", status: exitFailed},
		{args: "run cdm-default --target /fake --json --engine libaio", status: exitFailed},

		{args: "show", status: exitUsage},
		{args: "show one two", status: exitUsage},
		{args: "show latest", status: exitFailed},
		{args: "show 2026", status: exitFailed},
		{args: "show TMP/none.json", status: exitFailed},
		{args: "show TMP/newer.json", status: exitFailed},
		{args: "show TMP/rubbish.json", status: exitFailed},
		{args: "show TMP/damaged.json", status: exitFailed},
		{args: "show TMP", status: exitFailed},
		{args: "export", status: exitUsage},
		{args: "export latest --format bmp", status: exitUsage},
		{args: "export latest --format png", status: exitUsage, tty: true},
		{args: "export TMP/good.json --out TMP/none/out.txt", status: exitFailed},
		{args: "export TMP/good.json --out TMP", status: exitFailed},
	} {
		t.Run(c.args, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				tmp := badFiles(t)
				s.tty = c.tty
				if status := s.run(t.Context(), line(strings.ReplaceAll(c.args, "TMP", tmp))...); status != c.status {
					t.Errorf("status %d, want %d", status, c.status)
				}
				text := strings.ReplaceAll(s.stderr.String(), tmp, "TMP")
				if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, ".\n") && !strings.HasSuffix(text, "?\n") {
					t.Errorf("not one sentence: %q", text)
				}
				if jsonRun := strings.Contains(c.args, "--json --engine"); s.stdout.Len() > 0 != jsonRun {
					t.Errorf("prints %q", s.stdout.String())
				}
				s.nothingLeft(t)
				said.WriteString("$ " + strings.TrimSpace(program+" "+c.args) + "\n" + masked(s, text) + "\n")
			})
		})
	}
	golden(t, "bad-input", said.String())
}

// TestDataIsAFile names a file where the results should be.
func TestDataIsAFile(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		file := filepath.Join(badFiles(t), "file")
		if status := s.run(t.Context(), "results", "--data", file); status != exitFailed || s.stdout.Len() > 0 {
			t.Errorf("status %d, prints %q", status, s.stdout.String())
		}
		if got, want := s.stderr.String(), file+" is a file and not a folder; name a folder for the results with --data DIR.\n"; got != want {
			t.Errorf("says %q", got)
		}
	})
}

// badFiles is a folder with files that are no results, and one that is.
func badFiles(t *testing.T) string {
	t.Helper()
	tmp := t.TempDir()
	var good bytes.Buffer
	p, ok := bench.ByID("cdm-demo")
	if !ok {
		t.Fatal("no demo")
	}
	r := bench.Result{Schema: bench.Schema, ID: "good", Plan: bench.Plan{Profile: p}}
	if err := store.Encode(&good, r); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"file": "", "newer.json": `{"schema":99,"result":{}}`, "rubbish.json": "rubbish", "good.json": good.String(),
		"damaged.json": strings.Replace(good.String(), `"loops":`, `"loops":-`, 1),
	} {
		if err := os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tmp
}

// TestAmbiguous gives the beginning of two IDs.
func TestAmbiguous(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		if status := s.run(t.Context(), line(demo)...); status != exitDone {
			t.Fatal(s.stderr.String())
		}
		if status := s.run(t.Context(), "show", "2000"); status != exitFailed || !strings.HasPrefix(s.stderr.String(), `2 results begin with "2000", among them `) {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
	})
}

// TestDamagedInList lists a damaged file beside a good one; latest is the good one.
func TestDamagedInList(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		if err := os.WriteFile(filepath.Join(s.data, "results", "29990101T000000Z-00000000.json"), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		if status := s.run(t.Context(), "results"); status != exitDone {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
		if n := strings.Count(s.stdout.String(), "\n"); n != 3 || !strings.Contains(s.stdout.String(), "is damaged or not a result") {
			t.Errorf("lists %q", s.stdout.String())
		}
		if status := s.run(t.Context(), "show", "latest"); status != exitDone {
			t.Errorf("show latest: status %d: %s", status, s.stderr.String())
		}
	})
}

// deafHost is a computer whose drives hang.
type deafHost struct{ platform.Host }

func (deafHost) Targets(ctx context.Context) ([]platform.Target, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestDrivesStop stops a list that a hanging drive holds up.
func TestDrivesStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.host = deafHost{s.host}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if status := s.run(ctx, "drives"); status != exitStopped || s.stderr.Len() > 0 {
			t.Errorf("status %d: %s", status, s.stderr.String())
		}
	})
}

// homelessHost is a computer whose user has no home folder.
type homelessHost struct{ platform.Host }

func (homelessHost) Folders() (platform.Folders, error) {
	return platform.Folders{}, &platform.OpError{Op: "find", Object: "the home folder", Reason: platform.ErrNotExist}
}

// TestNoHome keeps results where it is told to, or not at all.
func TestNoHome(t *testing.T) {
	for args, want := range map[string]int{demo: exitFailed, "results": exitFailed, demo + " --no-save": exitDone, "results --data DATA": exitDone} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			s.host = homelessHost{s.host}
			if status := s.run(t.Context(), line(strings.ReplaceAll(args, "DATA", s.data))...); status != want {
				t.Errorf("%s: status %d, want %d: %s", args, status, want, s.stderr.String())
			}
			if want == exitFailed && !strings.Contains(s.stderr.String(), "--data DIR") {
				t.Errorf("%s: says %q", args, s.stderr.String())
			}
		})
	}
}
