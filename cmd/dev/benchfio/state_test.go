package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"cachecliff/bench"
)

// scripted is a contender that shows what it is told, and fails from a run on.
type scripted struct {
	figures
	order *[]string
	name  string
	left  *int // runs until it fails
}

var errScripted = errors.New("out of runs")

func (s scripted) run(context.Context, bench.Spec) (figures, error) {
	*s.order = append(*s.order, s.name)
	if *s.left--; *s.left < 0 {
		return figures{}, errScripted
	}
	return s.figures, nil
}

func (s scripted) start(context.Context, bench.Spec) (time.Duration, error) {
	return time.Millisecond, nil
}

// stage is a job whose sides follow a script.
type stage struct {
	job   *job
	sides contest
	order []string
	left  int
}

func newStage(t *testing.T, o *options, dir string) *stage {
	t.Helper()
	s, err := openState(o.state)
	if err != nil {
		t.Fatal(err)
	}
	d := &o.devices[0]
	specs, err := d.specs(o.filter)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "fio")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	st := &stage{left: 1000, job: &job{options: o, device: d, state: s, specs: specs, out: io.Discard, progress: io.Discard}}
	st.sides = contest{device: *d, dir: dir, rounds: o.rounds, progress: io.Discard, file: fio{file: file}}
	for i, n := range sideNames {
		f := figures{Rate: 4096000, IOPS: 1000, P50: 5, P99: 6, P999: 7, Ops: 1000, Processor: 10 * time.Millisecond, Registered: true}
		if i == own {
			f.Processor = 5 * time.Millisecond
		}
		st.sides.sides[i] = scripted{f, &st.order, n, &st.left}
	}
	return st
}

func (s *stage) run() error {
	for _, spec := range s.job.left() {
		if err := s.job.row(context.Background(), &s.sides, spec, "build"); err != nil {
			return err
		}
	}
	return nil
}

func TestOrder(t *testing.T) {
	o, err := parse([]string{"-dir", t.TempDir(), "-rounds", "2", "-rows", "RND4K Q1T1", "-rest", "0s"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, &o, o.dir)
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	want := "fio, ours, fio, registered, fio again, fio again, fio, registered, ours, fio"
	if got := strings.Join(s.order, ", "); got != want {
		t.Errorf("the order was %s", got)
	}
}

// What is finished is not measured again; what was stopped, inconclusive or measured otherwise is.
func TestGoOn(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-dir", dir, "-rounds", "1", "-rows", "RND4K Q1T1 R100,RND4K Q8T1 R100,RND4K Q8T2 R100", "-rest", "0s", "-state", filepath.Join(dir, "sub", "state")}
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, &o, dir)
	s.left = 6
	if err := s.run(); !errors.Is(err, errScripted) {
		t.Fatalf("the second row did not fail: %v", err)
	}
	s = newStage(t, &o, dir)
	if got := names(s.job.left()); !slices.Equal(got, []string{"RND4K Q8T1 read", "RND4K Q8T2 read"}) {
		t.Errorf("after a stop, left is %q", got)
	}
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	if got := newStage(t, &o, dir).job.left(); len(got) != 0 {
		t.Errorf("at the end, left is %q", names(got))
	}
	if got := s.job.ahead(); len(got) != 0 {
		t.Errorf("at the end, ahead is %q", names(got))
	}
	s.job.fresh = true
	if got := s.job.ahead(); len(got) != 3 {
		t.Errorf("with a fresh start, ahead is %q", names(got))
	}
	s.job.state.Rows[1].Rounds[0][fioB].Processor *= 3
	s.job.state.Rows[1].Rounds[0][own].Processor *= 2
	if got := names(s.job.left()); !slices.Equal(got, []string{"RND4K Q8T1 read"}) {
		t.Errorf("of an inconclusive row, left is %q", got)
	}
	if err := s.job.state.forget("drive", s.job.specs[:1]); err != nil {
		t.Fatal(err)
	}
	if got := names(newStage(t, &o, dir).job.left()); !slices.Equal(got, []string{"RND4K Q1T1 read", "RND4K Q8T1 read"}) {
		t.Errorf("after a fresh start of one row, left is %q", got)
	}
	o.rounds = 2
	if got := newStage(t, &o, dir).job.left(); len(got) != 3 {
		t.Errorf("with other options, left is %q", names(got))
	}
}

func TestStateThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openState(path); err == nil {
		t.Error("half a file was taken")
	}
}

// A row is measured again while two runs of fio differ, but not for ever.
func TestTries(t *testing.T) {
	o, err := parse([]string{"-dir", t.TempDir(), "-rounds", "1", "-tries", "2", "-rows", "RND4K Q1T1", "-rest", "0s"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, &o, o.dir)
	noisy := s.sides.sides[fioB].(scripted)
	noisy.IOPS, noisy.Rate = 1500, 6144000
	s.sides.sides[fioB] = noisy
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	if rec := s.job.state.Rows[0]; rec.Tries != 2 || len(s.order) != 8 {
		t.Errorf("%d tries, runs %q", rec.Tries, s.order)
	}
}

// Where both share a place, the file of fio is away while ours runs.
func TestPlace(t *testing.T) {
	dir := t.TempDir()
	o, err := parse([]string{"-dir", dir, "-device", "loop"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, &o, dir)
	if err := s.sides.place(context.Background(), own); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.sides.file.file); !os.IsNotExist(err) {
		t.Errorf("the file of fio: %v", err)
	}
	if err := s.sides.place(context.Background(), own); err != nil {
		t.Errorf("without a file: %v", err)
	}
}

func TestDelay(t *testing.T) {
	dir := t.TempDir()
	for row, want := range map[string]string{
		"RND4K Q1T1": "2000 6000 12000\n", "RND4K Q32T1": "10000 20000 40000\n", "SEQ1M Q1T1": "20000 40000 60000\n", "RND4K Q32T16": "80000 120000 160000\n",
	} {
		c := contest{device: device{delays: true}, dir: dir}
		if err := c.delay(specOf(t, row)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, ".delays")); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", row, got, err)
		}
	}
}

// A summary fits into 120 columns, tells what is missing, and marks what another build measured.
func TestSummary(t *testing.T) {
	for _, d := range devices() {
		specs, err := d.specs(nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &state{}
		for i, spec := range specs[1:] {
			us := figures{Rate: 1e9, IOPS: 1234567, P50: 5e6, P99: 6e6, P999: 7e6, Ops: 1e6, Processor: 1e9, Registered: true, Request: 4096}
			them := us
			them.Processor, them.IOPS = 8e8, 1534567
			rec := record{Device: d.name, Spec: spec.String(), Build: fmt.Sprint("b", min(i, 1)), Rounds: [][sides]figures{{them, us, them, them}}}
			if err := s.put(rec); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		sum := summary(&out, &d, specs, s, "b1")
		if sum[inconclusive] != 1 || strings.Count(out.String(), "*\n") != 1 || !strings.Contains(out.String(), "not measured") {
			t.Errorf("%v\n%s", sum, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 120 {
				t.Errorf("%s: %d columns: %s", d.name, n, line)
			}
		}
	}
}
