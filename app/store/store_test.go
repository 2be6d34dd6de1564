package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
)

// memLocks is a Locker whose locks are lost when the "process" that took them is killed.
type memLocks struct {
	mu    sync.Mutex
	taken map[string]bool
}

func (l *memLocks) Lock(path string) (io.Closer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[path] {
		return nil, &platform.OpError{Op: "lock", Object: path, Reason: platform.ErrBusy}
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		return nil, err
	}
	if l.taken == nil {
		l.taken = map[string]bool{}
	}
	l.taken[path] = true
	return closer(func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.taken, path)
		return nil
	}), nil
}

func (l *memLocks) kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken = nil
}

type closer func() error

func (c closer) Close() error { return c() }

// events is a short run: two loops of one write workload, 1000 I/Os of 1 MiB in 2 s each.
func events(t testing.TB, id string, at time.Time) []bench.Event {
	t.Helper()
	spec, err := bench.ParseSpec("SEQ1M Q8T1 R0 TIME=2s")
	if err != nil {
		t.Fatal(err)
	}
	profile := bench.AdHoc(spec).With(bench.Overrides{Loops: 2})
	target := platform.Target{Path: "/mnt/x", Drives: []platform.Drive{{Key: "k", Model: "Fast 1", Serial: "S3CR3T"}}}
	plan := bench.Plan{Profile: profile, Target: target, Seed: 1}
	h := new(hist.H)
	for range 1000 {
		h.Record(15 * time.Millisecond)
	}
	tally := bench.Tally{Ops: 1000, Bytes: 1000 << 20, SumLat: 15 * time.Second, P50: 15 * time.Millisecond}
	out := []bench.Event{
		bench.Started{ID: id, At: at, Plan: plan, Comment: "grün"},
		bench.Prepared{File: bench.FileFacts{Size: 1 << 30, Moved: bench.Moved{WriteBytes: 1 << 30}}},
	}
	for _, s := range plan.Steps() {
		out = append(out, bench.StepStarted{Step: s},
			bench.Sampled{Step: s.Index, Sample: bench.Sample{At: 2 * time.Second, Took: 2 * time.Second, Write: tally}},
			bench.StepDone{Measurement: bench.Measurement{Step: s, Elapsed: 2 * time.Second, Write: tally, WriteHist: h}})
	}
	return append(out, bench.Finished{Reason: bench.ReasonDone, Took: 7 * time.Second})
}

func result(t testing.TB, id string, at time.Time) bench.Result {
	var r bench.Result
	for _, e := range events(t, id, at) {
		r.Apply(e)
	}
	return r
}

var t0 = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSaveLoadList(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	if list, err := s.List(); err != nil || len(list) != 0 {
		t.Errorf("before the first run: %v, %v", list, err)
	}
	must(t, s.Check())
	for i := range 3 {
		must(t, s.Save(result(t, fmt.Sprintf("run-%d", i), t0.Add(time.Duration(i)*time.Hour))))
	}
	want := result(t, "run-1", t0.Add(time.Hour))
	got, err := s.Load("run-1")
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back:\n%+v\nwant\n%+v", got, want)
	}
	list, err := s.List()
	must(t, err)
	var ids []string
	for _, e := range list {
		if e.Err != nil {
			t.Errorf("%s: %v", e.ID, e.Err)
		}
		ids = append(ids, e.ID)
	}
	if strings.Join(ids, " ") != "run-2 run-1 run-0" {
		t.Errorf("order %v", ids)
	}
	e := list[1].Summary
	if !reflect.DeepEqual(e, Summarize(want)) {
		t.Errorf("listed %+v, want %+v", e, Summarize(want))
	}
	if e.Model != "Fast 1" || len(e.Headlines) != 1 || e.Headlines[0].Best != 524288000 || e.Headlines[0].Label != "SEQ1M Q8T1" {
		t.Errorf("summary %+v", e)
	}
	want.Warnings = []bench.Warning{{Code: bench.WarnCached, Workload: want.Plan.Profile.Workloads[0].ID}}
	if h := Summarize(want).Headlines; e.Headlines[0].Invalid || len(h) != 1 || !h[0].Invalid {
		t.Errorf("a number from memory is listed as %+v", h)
	}
	for _, name := range left(t, s.results) {
		if !strings.HasSuffix(name, ".json") {
			t.Errorf("left behind: %s", name)
		}
	}
}

// left lists the files of a folder.
func left(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestBadFilesAreListedAndHideNoOther(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	must(t, s.Save(result(t, "good", t0)))
	whole, err := os.ReadFile(filepath.Join(s.results, "good.json"))
	must(t, err)
	newer := bytes.Replace(whole, []byte(`{"schema":1`), []byte(`{"schema":99`), 1)
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, ErrDamaged},
		{"half", whole[:len(whole)/2], ErrDamaged},
		{"one-byte-short", whole[:len(whole)-2], ErrDamaged},
		{"zeros", make([]byte, 4096), ErrDamaged},
		{"text", []byte("hello\n"), ErrDamaged},
		{"other-json", []byte(`{"schema":"x"}` + "\n"), ErrDamaged},
		{"array", []byte("[]\n"), ErrDamaged},
		{"newer", newer, ErrNewer},
	} {
		must(t, os.WriteFile(filepath.Join(s.results, c.name+".json"), c.data, 0o644))
		list, err := s.List()
		must(t, err)
		seen := 0
		for _, e := range list {
			switch {
			case e.ID == "good" && e.Err == nil:
				seen++
			case e.ID == c.name && errors.Is(e.Err, c.want) && !e.At.IsZero():
				seen++
				var op *platform.OpError
				if !errors.As(e.Err, &op) || !strings.HasSuffix(op.Object, c.name+".json") {
					t.Errorf("%s: the error does not name the file: %v", c.name, e.Err)
				}
			}
		}
		if seen != 2 || len(list) != 2 {
			t.Errorf("%s: listed %+v", c.name, list)
		}
		if _, err := s.Load(c.name); !errors.Is(err, c.want) {
			t.Errorf("%s: Load: %v", c.name, err)
		}
		must(t, s.Delete(c.name))
	}
	must(t, os.Mkdir(filepath.Join(s.results, "folder.json"), 0o755))
	list, err := s.List()
	must(t, err)
	if len(list) != 2 {
		t.Errorf("with a folder: %+v", list)
	}
	if _, err := s.Load("folder"); !errors.Is(err, ErrDamaged) {
		t.Errorf("Load of a folder: %v", err)
	}
}

func TestNegativeSummary(t *testing.T) {
	whole := encoded(t)
	for _, name := range []string{"best", "median", "size"} {
		data := strings.Replace(whole, `"`+name+`":`, `"`+name+`":-`, 1)
		if _, err := parseHead(strings.NewReader(data), new(Summary)); data == whole || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file that is too large is refused before it is read, and a link that leads nowhere is listed.
func TestFilesThatAreNotRead(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	must(t, s.Check())
	huge, link := filepath.Join(s.results, "huge.json"), filepath.Join(s.results, "link.json")
	must(t, os.WriteFile(huge, nil, 0o600))
	must(t, os.Truncate(huge, 2*MaxSize)) // with no bytes in it
	err := os.Symlink("nowhere", link)
	if err == nil {
		_, err = os.Lstat(link) // Wine says that it has made one
	}
	files := 2
	if err != nil {
		t.Logf("no links here: %v", err)
		files--
	}
	list, err := s.List()
	must(t, err)
	if len(list) != files {
		t.Fatalf("listed %+v", list)
	}
	began := time.Now()
	_, load := s.Load("huge")
	_, alone := LoadFile(huge)
	if took := time.Since(began); took > time.Second/2 {
		t.Errorf("refused after %v", took)
	}
	for _, err := range []error{load, alone} {
		if !errors.Is(err, ErrTooBig) {
			t.Errorf("huge: %v", err)
		}
	}
	for _, e := range list {
		want := map[string]error{"huge": ErrTooBig, "link": ErrDamaged}[e.ID]
		if want == nil || !errors.Is(e.Err, want) || e.At.IsZero() {
			t.Errorf("%s: %v, %v", e.ID, e.Err, e.At)
		}
		must(t, s.Delete(e.ID))
	}
	if list, err := s.List(); err != nil || len(list) != 0 {
		t.Errorf("after Delete: %+v, %v", list, err)
	}
}

func TestNamesStayInTheFolder(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/etc/passwd", ".hidden", "a\x00b", "a\nb", "C:x", strings.Repeat("x", 200)} {
		_, load := s.Load(id)
		_, journal := s.Journal(id)
		for what, err := range map[string]error{
			"Load": load, "Save": s.Save(bench.Result{ID: id}), "Delete": s.Delete(id), "Restore": s.Restore(id), "Journal": journal,
		} {
			if !errors.Is(err, ErrName) {
				t.Errorf("%s(%q): %v", what, id, err)
			}
		}
	}
}

func TestDeleteRestoreTidy(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	now := time.Now()
	must(t, s.Tidy(now)) // nothing there yet
	must(t, s.Save(result(t, "a", t0)))
	must(t, s.Delete("a"))
	if _, err := s.Load("a"); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("Load after Delete: %v", err)
	}
	if err := s.Delete("a"); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("Delete twice: %v", err)
	}
	must(t, s.Restore("a"))
	_, err := s.Load("a")
	must(t, err)
	must(t, s.Delete("a"))
	stale := filepath.Join(s.results, ".a.json-1.tmp")
	must(t, os.WriteFile(stale, nil, 0o644))
	must(t, s.Tidy(now.Add(TrashDays*24*time.Hour-time.Minute)))
	if n := left(t, s.trash); len(n) != 1 {
		t.Errorf("in the trash before its time is over: %v", n)
	}
	if n := left(t, s.results); len(n) != 0 {
		t.Errorf("stale files left: %v", n)
	}
	must(t, s.Tidy(now.Add(TrashDays*24*time.Hour+time.Minute)))
	if n := left(t, s.trash); len(n) != 0 {
		t.Errorf("in the trash after its time: %v", n)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "results"), nil, 0o644)) // a file in its place, for root too
	s := New(dir, &memLocks{})
	err := s.Check()
	var op *platform.OpError
	if !errors.Is(err, ErrFolder) || !errors.As(err, &op) || op.Object != s.Folder() {
		t.Errorf("Check: %v", err)
	}
	if err := s.Save(result(t, "a", t0)); err == nil {
		t.Error("Save succeeded")
	}
}

func TestImport(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	r := result(t, "a", t0)
	var b bytes.Buffer
	must(t, Encode(&b, r))
	got, added, err := s.Import(bytes.NewReader(b.Bytes()))
	if err != nil || !added || !reflect.DeepEqual(got, r) {
		t.Errorf("first import: added %v, %v", added, err)
	}
	r.Comment = "mine"
	must(t, s.Save(r))
	got, added, err = s.Import(&b)
	if err != nil || added || got.Comment != "mine" {
		t.Errorf("second import: added %v, %v, comment %q", added, err, got.Comment)
	}
	if _, _, err := s.Import(strings.NewReader("x")); !errors.Is(err, ErrDamaged) {
		t.Errorf("import of text: %v", err)
	}
}
