package store

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cachecliff/app/safefile"
	"cachecliff/bench"
	"cachecliff/platform"
)

// small is a folder on a file system of so many MiB in memory.
func small(t *testing.T, mib string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+mib+"m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a file system here, which takes root: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return dir
}

// fill takes all that is free on the file system of a folder.
func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	must(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if err := safefile.Fault("fill", dir, err); !errors.Is(err, platform.ErrNoSpace) {
		t.Fatal(err)
	}
	must(t, f.Close())
}

// A folder that fills up during a run costs neither the result nor the truth about the journal.
func TestResultIsSavedInAFullFolder(t *testing.T) {
	dir := small(t, "6")
	s := New(dir, &memLocks{})
	must(t, s.Check())
	j, err := s.Journal("run")
	must(t, err)
	fill(t, dir)
	long := result(t, "run", t0)
	long.Comment = strings.Repeat("x", 1<<20)
	must(t, j.Append(bench.Started{ID: "run", At: t0, Plan: long.Plan, Comment: long.Comment}))
	for _, e := range events(t, "run", t0)[1:] {
		must(t, j.Append(e))
	}
	j.(*journal).write()
	if err := j.Append(bench.Warned{}); !errors.Is(err, platform.ErrNoSpace) {
		t.Errorf("the journal cannot have been written, but Append says %v", err)
	}
	must(t, s.Save(long))
	must(t, j.Close()) // there is space again
	got, err := s.Load("run")
	if err != nil || !reflect.DeepEqual(got, long) {
		t.Errorf("read back: %v", err)
	}
	if _, err := s.Recover(); err != nil {
		t.Errorf("Recover: %v", err)
	}
	if got, err := s.Load("run"); err != nil || len(got.Measurements) != len(long.Measurements) {
		t.Errorf("replaced by what the journal had: %d measurements, %v", len(got.Measurements), err)
	}
	if n := append(left(t, s.results), left(t, s.journals)...); !reflect.DeepEqual(n, []string{"run.json"}) {
		t.Errorf("left: %v", n)
	}
}

// Without room for the result there is no run.
func TestNoRoom(t *testing.T) {
	dir := small(t, "3")
	s := New(dir, &memLocks{})
	_, journal := s.Journal("run")
	for what, err := range map[string]error{"Check": s.Check(), "Journal": journal} {
		var op *platform.OpError
		if !errors.Is(err, ErrFolder) || !errors.Is(err, platform.ErrNoSpace) || !errors.As(err, &op) || op.Object != s.Folder() {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n := append(left(t, s.results), left(t, s.journals)...); len(n) != 0 {
		t.Errorf("left: %v", n)
	}
}

func TestRoomGrowsWithTheJournal(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	j, err := s.Journal("run")
	must(t, err)
	if info, err := os.Stat(s.room("run")); err != nil || info.Size() != roomLeast {
		t.Errorf("at the start: %v, %v", info, err)
	}
	must(t, j.Append(bench.Started{ID: "run", At: t0, Comment: strings.Repeat("x", roomLeast)}))
	must(t, j.Close())
	written, err := os.Stat(filepath.Join(s.journals, "run.jsonl"))
	must(t, err)
	if info, err := os.Stat(s.room("run")); err != nil || info.Size() <= written.Size() {
		t.Errorf("%v for a journal of %d bytes, %v", info, written.Size(), err)
	}
	must(t, j.Remove())
	if n := append(left(t, s.results), left(t, s.journals)...); len(n) != 0 {
		t.Errorf("left: %v", n)
	}
}

// What is written to the journal after Save has used the room makes no new one.
func TestUsedRoomStaysUsed(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	j, err := s.Journal("run")
	must(t, err)
	must(t, s.Save(result(t, "run", t0)))
	must(t, j.Append(bench.Started{ID: "run", At: t0, Comment: strings.Repeat("x", roomLeast)}))
	must(t, j.Close())
	if n := left(t, s.results); !reflect.DeepEqual(n, []string{"run.json"}) {
		t.Errorf("in the folder: %v", n)
	}
	if _, err := s.Load("run"); err != nil {
		t.Error(err)
	}
}

var errFull = errors.New("full")

// full is a journal's file on a disk that takes so many bytes.
type full struct {
	*os.File
	left int
}

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if _, err := f.File.Write(p[:n]); err != nil || n == len(p) {
		return n, err
	}
	return n, errFull
}

// A journal that breaks off is complete again once there is room.
func TestJournalOnAFullDisk(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	opened, err := s.Journal("run")
	must(t, err)
	j := opened.(*journal)
	disk := &full{File: j.file.(*os.File), left: 1000}
	j.file = disk
	for _, e := range events(t, "run", t0) {
		must(t, j.Append(e))
	}
	j.write()
	if err := j.Append(bench.Warned{}); !errors.Is(err, errFull) {
		t.Errorf("Append does not tell of it: %v", err)
	}
	disk.left = 1 << 20
	must(t, j.Close())
	r, err := readJournal(j.path)
	must(t, err)
	if want := result(t, "run", t0); len(r.Measurements) != len(want.Measurements) || r.Reason != want.Reason {
		t.Errorf("the journal folds to %d measurements, %s", len(r.Measurements), r.Reason)
	}
}

// A result that cannot be read may hold more than the journal does.
func TestRecoverKeepsWhatCannotBeRead(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	j, err := s.Journal("run")
	must(t, err)
	for _, e := range events(t, "run", t0)[:8] {
		must(t, j.Append(e))
	}
	must(t, j.Close())
	p := filepath.Join(s.results, "run.json")
	must(t, os.WriteFile(p, []byte(`{"schema":99}`), 0o600))
	if ids, err := s.Recover(); len(ids) != 0 || !errors.Is(err, ErrNewer) {
		t.Errorf("recovered %v, %v", ids, err)
	}
	if b, err := os.ReadFile(p); err != nil || string(b) != `{"schema":99}` {
		t.Errorf("the result became %q, %v", b, err)
	}
	must(t, os.Remove(p))
	if ids, err := s.Recover(); len(ids) != 1 || err != nil {
		t.Errorf("afterwards: recovered %v, %v", ids, err)
	}
}
