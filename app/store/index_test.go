package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
)

// settled is a store with results whose files are not new any more.
func settled(t testing.TB, count int) *Store {
	t.Helper()
	s := New(t.TempDir(), &memLocks{})
	for i := range count {
		id := fmt.Sprintf("run-%d", i)
		must(t, s.Save(result(t, id, t0.Add(time.Duration(i)*time.Hour))))
		age(t, s, id, time.Hour)
	}
	return s
}

// age sets the time of a file's last change back.
func age(t testing.TB, s *Store, id string, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by).Truncate(time.Second)
	must(t, os.Chtimes(filepath.Join(s.results, id+".json"), then, then))
}

func list(t testing.TB, s *Store) []Entry {
	t.Helper()
	out, err := s.List()
	must(t, err)
	return out
}

// What the index tells is what the files tell, whatever becomes of it.
func TestIndexTellsWhatTheFilesTell(t *testing.T) {
	s := settled(t, 3)
	file := filepath.Join(s.results, indexName)
	want := list(t, s)
	whole, err := os.ReadFile(file)
	must(t, err)
	swapped := strings.Replace(string(whole), "Fast 1", "Fast 2", 1)
	for name, content := range map[string]string{
		"as it was": string(whole), "empty": "", "cut": string(whole[:len(whole)/2]), "a changed letter": swapped,
		"of another kind": strings.Replace(string(whole), "index 1", "index 2", 1),
		"nothing in it":   firstLine([]byte("null")) + "\nnull", "no JSON": firstLine([]byte("{")) + "\n{",
		"another's heads": firstLine([]byte(`{"run-0":{"size":1,"time":2,"head":{}}}`)) + "\n" + `{"run-0":{"size":1,"time":2,"head":{}}}`,
	} {
		must(t, os.WriteFile(file, []byte(content), 0o600))
		if got := list(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: listed\n%+v\nwant\n%+v", name, got, want)
		}
		if again, err := os.ReadFile(file); err != nil || string(again) != string(whole) {
			t.Errorf("%s: the index was not made anew: %v", name, err)
		}
	}
	must(t, s.Reindex())
	must(t, s.Reindex())
	if got := list(t, s); !reflect.DeepEqual(got, want) {
		t.Error("without an index another list")
	}
}

// The list is made from the index, not from files that have not changed. A file of the same size and time is one.
func TestIndexSparesTheFiles(t *testing.T) {
	s := settled(t, 2)
	before := list(t, s)
	p := filepath.Join(s.results, "run-1.json")
	data, err := os.ReadFile(p)
	must(t, err)
	info, err := os.Stat(p)
	must(t, err)
	must(t, os.WriteFile(p, []byte(strings.Repeat(" ", len(data))), 0o600))
	must(t, os.Chtimes(p, info.ModTime(), info.ModTime()))
	if got := list(t, s); !reflect.DeepEqual(got, before) {
		t.Errorf("the file was read: %+v", got)
	}
	age(t, s, "run-1", time.Minute) // another time: now it is read
	if got := list(t, s); len(got) != 2 || !errors.Is(got[0].Err, ErrDamaged) || got[1].Err != nil {
		t.Errorf("a change from outside was not seen: %+v", got)
	}
	must(t, os.WriteFile(p, data, 0o600)) // and again, of this moment
	if got := list(t, s); len(got) != 2 || got[0].Err != nil {
		t.Errorf("whole again, listed %+v", got)
	}
}

// Files come and go from outside.
func TestIndexFollowsTheFolder(t *testing.T) {
	s := settled(t, 3)
	list(t, s)
	must(t, os.Remove(filepath.Join(s.results, "run-1.json")))
	must(t, os.Rename(filepath.Join(s.results, "run-2.json"), filepath.Join(s.results, "moved.json")))
	got := list(t, s)
	if len(got) != 2 || got[0].ID != "moved" || got[1].ID != "run-0" {
		t.Errorf("listed %+v", got)
	}
	must(t, s.Save(result(t, "run-9", t0.Add(9*time.Hour))))
	if got := list(t, s); len(got) != 3 || got[0].ID != "run-9" {
		t.Errorf("a new one is not listed: %+v", got)
	}
	if x := s.readIndex(); len(x) != 2 {
		t.Errorf("a file of this moment is in the index: %d known", len(x))
	}
}

// A file of a newer version or a damaged one is told as such each time.
func TestIndexKnowsNoBadFiles(t *testing.T) {
	s := settled(t, 1)
	for name, content := range map[string]string{"newer": `{"schema":99,"summary":{}}` + "\n", "damaged": "{"} {
		must(t, os.WriteFile(filepath.Join(s.results, name+".json"), []byte(content), 0o600))
		age(t, s, name, time.Hour)
	}
	for range 2 {
		faults := map[string]error{}
		for _, e := range list(t, s) {
			faults[e.ID] = e.Err
		}
		if len(faults) != 3 || !errors.Is(faults["newer"], ErrNewer) || !errors.Is(faults["damaged"], ErrDamaged) || faults["run-0"] != nil {
			t.Errorf("listed %v", faults)
		}
	}
}

func TestNote(t *testing.T) {
	s := settled(t, 1)
	list(t, s)
	r, err := s.Note("run-0", func(r *bench.Result) {
		r.Comment, r.Tags, r.Reason = "with heatsink", WithTag(r.Tags, "Desk"), bench.ReasonFailed
	})
	must(t, err)
	if r.Reason != bench.ReasonDone {
		t.Error("a note changed the result")
	}
	e := list(t, s)[0]
	if e.Comment != "with heatsink" || !reflect.DeepEqual(e.Tags, []string{"Desk"}) {
		t.Errorf("listed %+v", e)
	}
	if got, err := s.Load("run-0"); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("kept %+v, %v", got, err)
	}
	age(t, s, "run-0", time.Hour)
	before, err := os.Stat(filepath.Join(s.results, "run-0.json"))
	must(t, err)
	_, err = s.Note("run-0", func(*bench.Result) {})
	must(t, err)
	if after, err := os.Stat(filepath.Join(s.results, "run-0.json")); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("written although nothing changed: %v", err)
	}
	if _, err := s.Note("none", func(*bench.Result) {}); err == nil {
		t.Error("noted on nothing")
	}
}

func TestTags(t *testing.T) {
	for typed, want := range map[string]string{" new \t case ": "new case", "größer": "größer", "": "", "a,b": "", strings.Repeat("x", MaxTag+1): ""} {
		got, err := CleanTag(typed)
		if got != want || (err != nil) != (want == "") || err != nil && !errors.Is(err, ErrTag) {
			t.Errorf("%q: %q, %v", typed, got, err)
		}
	}
	tags, err := SplitTags("desk, full , Desk,,heatsink")
	if err != nil || strings.Join(tags, "|") != "desk|full|heatsink" {
		t.Errorf("split %q, %v", tags, err)
	}
	if got := WithoutTag(tags, "FULL"); strings.Join(got, "|") != "desk|heatsink" || WithoutTag([]string{"a"}, "A") != nil {
		t.Errorf("without: %q", got)
	}
	all := []Entry{{Summary: Summary{ID: "1", Tags: tags}}, {Summary: Summary{ID: "2", Tags: []string{"Full"}}}, {Summary: Summary{ID: "3"}}}
	if got := Tagged(all, []string{"full"}); len(got) != 2 {
		t.Errorf("%d with a tag", len(got))
	}
	if got := Tagged(all, []string{"full", "DESK"}); len(got) != 1 || got[0].ID != "1" {
		t.Errorf("with both: %+v", got)
	}
	if got := Find(all, "heat"); len(got) != 1 {
		t.Errorf("%d found by a tag", len(got))
	}
}

// fullRun is a run of the default table with all that a real one has: a sample each tenth of a second, temperatures,
// histograms.
func fullRun(b *testing.B) bench.Result {
	p, _ := bench.ByID("cdm-default")
	target := platform.Target{
		Path: "/home/anna", Volume: platform.Volume{Mount: "/home", FS: "ext4", Size: 2000e9, Free: 740e9},
		Drives: []platform.Drive{{Key: "k1", Name: "nvme0n1", Model: "Crucial P5", Serial: "S", Bus: platform.BusNVMe, Capacity: 2e12}},
	}
	var r bench.Result
	plan := bench.Plan{Profile: p, Target: target}
	r.Apply(bench.Started{ID: "run", At: t0, Plan: plan, Comment: "with heatsink"})
	for _, s := range plan.Steps() {
		r.Apply(bench.StepStarted{Step: s})
		if s.Kind != bench.StepLoad {
			continue
		}
		h := new(hist.H)
		for i := range 2000 {
			h.Record(time.Duration(50+i) * time.Microsecond)
		}
		tally := bench.Tally{Ops: 2000, Bytes: 2000 * int64(s.Spec.Block), SumLat: 2 * time.Second, P50: time.Millisecond}
		m := bench.Measurement{Step: s, Elapsed: s.Spec.Measure}
		if s.Spec.ReadPct > 0 {
			m.Read, m.ReadHist = tally, h
		} else {
			m.Write, m.WriteHist = tally, h
		}
		for at := 100 * time.Millisecond; at <= s.Spec.Measure; at += 100 * time.Millisecond {
			m.Series = append(m.Series, bench.Sample{
				At: at, Took: 100 * time.Millisecond, Read: m.Read, Write: m.Write,
				Drive: []bench.DriveReading{{Drive: "k1"}},
			})
		}
		r.Apply(bench.StepDone{Measurement: m})
	}
	r.Apply(bench.Finished{Reason: bench.ReasonDone, Took: 5 * time.Minute})
	return r
}

// A thousand runs are listed within half a second: make bench-store.
func BenchmarkList(b *testing.B) {
	s, r, size := New(b.TempDir(), &memLocks{}), fullRun(b), 0
	must(b, os.MkdirAll(s.results, 0o755))
	for i := range 1000 {
		r.ID, r.At = fmt.Sprintf("run-%d", i), t0.Add(time.Duration(i)*time.Hour)
		var buf bytes.Buffer
		must(b, Encode(&buf, r))
		size = buf.Len()
		must(b, os.WriteFile(filepath.Join(s.results, r.ID+".json"), buf.Bytes(), 0o600))
		age(b, s, r.ID, time.Hour)
	}
	for _, c := range []struct {
		name   string
		before func() error
	}{{"with index", func() error { return nil }}, {"without index", s.Reindex}} {
		b.Run(c.name, func(b *testing.B) {
			list(b, s)
			for b.Loop() {
				must(b, c.before())
				if n := len(list(b, s)); n != 1000 {
					b.Fatal(n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/list")
			b.ReportMetric(float64(size)/1e3, "kB/run")
		})
	}
}
