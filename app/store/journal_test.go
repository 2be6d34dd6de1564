package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app"
	"cachecliff/bench"
	"cachecliff/platform"
)

var _ app.Store = (*Store)(nil)

func TestRecover(t *testing.T) {
	for _, c := range []struct {
		name   string
		events int    // appended before the end
		tail   string // what the power cut left behind them
		want   int    // measurements of the recovered result; -1 if there is none
	}{
		{"nothing", 0, "", -1},
		{"only half a start", 0, `{"type":"started","id":"ru`, -1},
		{"start, nothing measured", 1, "", -1},
		{"in the discarded pass", 5, "", -1},
		{"in a step without a sample", 6, "", -1},
		{"in a step", 7, "", 2},
		{"half a line", 7, `{"type":"step_d`, 2},
		{"zeros", 8, "\x00\x00\x00\x00", 2},
		{"second loop", 7, "{}\n{}\n", 2},
		{"second start", 7, `{"type":"started","id":"other"}` + "\n", 2},
		{"in full", 12, "", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			locks := &memLocks{}
			s := New(t.TempDir(), locks)
			all := events(t, "run", t0)
			var want bench.Result
			var data []byte
			for _, e := range all[:c.events] {
				want.Apply(e)
				line, err := bench.EncodeEvent(e)
				must(t, err)
				data = append(append(data, line...), '\n')
			}
			must(t, s.Check())
			p := filepath.Join(s.journals, "run.jsonl")
			must(t, os.WriteFile(p, append(data, c.tail...), 0o644))
			must(t, os.Chtimes(p, t0.Add(time.Minute), t0.Add(time.Minute)))
			ids, err := s.Recover()
			must(t, err)
			if n := left(t, s.journals); len(n) != 0 {
				t.Errorf("left in the journal: %v", n)
			}
			if c.want < 0 {
				if len(ids) != 0 {
					t.Errorf("recovered %v", ids)
				}
				return
			}
			if !reflect.DeepEqual(ids, []string{"run"}) {
				t.Fatalf("recovered %v", ids)
			}
			got, err := s.Load("run")
			must(t, err)
			if want.Reason == bench.ReasonInterrupted {
				want.Took = time.Minute
			}
			if len(got.Measurements) != c.want || mustJSON(t, got) != mustJSON(t, want) {
				t.Errorf("recovered\n%s\nwant\n%s", mustJSON(t, got), mustJSON(t, want))
			}
		})
	}
}

func TestJournalLivesWithItsProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		locks := &memLocks{}
		s := New(t.TempDir(), locks)
		j, err := s.Journal("run")
		must(t, err)
		if _, err := s.Journal("run"); !errors.Is(err, platform.ErrBusy) {
			t.Errorf("the same journal twice: %v", err)
		}
		for _, e := range events(t, "run", time.Now())[:7] {
			must(t, j.Append(e))
		}
		p := filepath.Join(s.journals, "run.jsonl")
		if b, err := os.ReadFile(p); err != nil || len(b) != 0 {
			t.Errorf("written at once: %d bytes, %v", len(b), err)
		}
		time.Sleep(flushEvery + time.Millisecond)
		synctest.Wait()
		b, err := os.ReadFile(p)
		must(t, err)
		if n := bytes.Count(b, []byte("\n")); n != 7 {
			t.Errorf("%d lines after a second", n)
		}
		if ids, err := s.Recover(); err != nil || len(ids) != 0 {
			t.Errorf("recovered %v of a living process, %v", ids, err)
		}
		locks.kill()
		must(t, j.(*journal).file.Close()) // with the process
		ids, err := New(filepath.Dir(s.results), locks).Recover()
		if err != nil || len(ids) != 1 {
			t.Errorf("recovered %v of a dead process, %v", ids, err)
		}
		if err := j.Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("closed after its end: %v", err)
		}
	})
}

// watched is a journal's file that counts how often it is flushed.
type watched struct {
	*os.File
	synced int
}

func (w *watched) Sync() error {
	w.synced++
	return nil
}

// A journal is flushed in the pauses of a run that tests the drive below it, and in no others.
func TestJournalIsFlushedInPauses(t *testing.T) {
	rest := bench.StepStarted{Step: bench.Step{Kind: bench.StepRest, Rest: time.Second}}
	for _, c := range []struct {
		name  string
		drive string // below the journal; "" is not known
		event bench.Event
		want  int
	}{
		{"same drive, pause", "k", rest, 1},
		{"same drive, no pause", "k", bench.StepStarted{Step: bench.Step{Kind: bench.StepLoad}}, 0},
		{"another drive", "other", rest, 0},
		{"not known", "", rest, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := New(t.TempDir(), &memLocks{})
			if c.drive != "" {
				s.FindDrives(func(folder string) []platform.Drive {
					if folder != s.journals {
						t.Errorf("asked for %s", folder)
					}
					return []platform.Drive{{Key: c.drive}}
				})
			}
			opened, err := s.Journal("run")
			must(t, err)
			j := opened.(*journal)
			file := &watched{File: j.file.(*os.File)}
			j.file = file
			must(t, j.Append(events(t, "run", t0)[0]))
			must(t, j.Append(c.event))
			synctest.Wait()
			if file.synced != c.want {
				t.Errorf("%s: flushed %d times, want %d", c.name, file.synced, c.want)
			}
			if info, err := file.Stat(); err != nil || info.Size() == 0 && c.want > 0 {
				t.Errorf("%s: flushed before it was written: %v", c.name, err)
			}
			must(t, j.Close())
		})
	}
}

func TestJournalCloseAndRemove(t *testing.T) {
	s := New(t.TempDir(), &memLocks{})
	j, err := s.Journal("run")
	must(t, err)
	all := events(t, "run", t0)
	for _, e := range all {
		must(t, j.Append(e))
	}
	must(t, j.Close())
	must(t, j.Close())
	if err := j.Append(all[0]); !errors.Is(err, platform.ErrClosed) {
		t.Errorf("Append after Close: %v", err)
	}
	r, err := readJournal(filepath.Join(s.journals, "run.jsonl"))
	must(t, err)
	if !reflect.DeepEqual(r, result(t, "run", t0)) {
		t.Errorf("the journal folds to\n%+v", r)
	}
	must(t, j.Remove())
	if n := left(t, s.journals); len(n) != 0 {
		t.Errorf("left: %v", n)
	}
}

// A process that dies between saving and removing its journal must not lose the end of its result.
func TestRecoverKeepsWhatWasSaved(t *testing.T) {
	locks := &memLocks{}
	s := New(t.TempDir(), locks)
	want := result(t, "run", t0)
	must(t, s.Save(want))
	line, err := bench.EncodeEvent(events(t, "run", t0)[0])
	must(t, err)
	must(t, os.MkdirAll(s.journals, 0o755))
	must(t, os.WriteFile(filepath.Join(s.journals, "run.jsonl"), append(line, '\n'), 0o644))
	ids, err := s.Recover()
	if err != nil || len(ids) != 0 {
		t.Errorf("recovered %v, %v", ids, err)
	}
	got, err := s.Load("run")
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Error("the saved result was replaced")
	}
}

func FuzzFold(f *testing.F) {
	for _, e := range events(f, "run", t0) {
		line, err := bench.EncodeEvent(e)
		must(f, err)
		f.Add(append(line, '\n'))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := fold(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("bytes in memory cannot fail: %v", err)
		}
		if r.ID != "" {
			mustJSON(t, r)
		}
	})
}
