package app

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

var errDisk = errors.New("the disk is full")

// memStore is a store in memory whose answers can be set.
type memStore struct {
	mu       sync.Mutex
	check    error
	save     error
	jour     error
	saved    []bench.Result
	journals map[string]*memJournal
}

func (s *memStore) Check() error { return s.check }

func (s *memStore) Save(r bench.Result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.save != nil {
		return s.save
	}
	s.saved = append(s.saved, r)
	return nil
}

func (s *memStore) Journal(id string) (Journal, error) {
	if s.jour != nil {
		return nil, s.jour
	}
	j := &memJournal{}
	if s.journals == nil {
		s.journals = map[string]*memJournal{}
	}
	s.journals[id] = j
	return j, nil
}

type memJournal struct {
	events          []bench.Event
	closed, removed bool
}

func (j *memJournal) Append(e bench.Event) error { j.events = append(j.events, e); return nil }
func (j *memJournal) Close() error               { j.closed = true; return nil }
func (j *memJournal) Remove() error              { j.removed = true; return nil }

// testPlan has one read and one write workload, two loops each, and a pause between.
func testPlan(t *testing.T) bench.Plan {
	t.Helper()
	p, ok := bench.ByID("cdm-demo")
	if !ok {
		t.Fatal("no profile cdm-demo")
	}
	target := platform.Target{Path: "/mnt", Volume: platform.Volume{Size: 1 << 40, Free: 1 << 39}}
	plan, err := bench.NewPlan(p.With(bench.Overrides{Loops: 2}), target, bench.Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// script is what a run of a plan says, ten samples a second, each of 10 I/Os of 1 MiB.
func script(plan bench.Plan, id string) []bench.Event {
	size := plan.Profile.FileSize
	sensors := &platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: 38000}}}
	events := []bench.Event{
		bench.Started{ID: id, At: time.Unix(1e9, 0).UTC(), Plan: plan, Comment: "hello"},
		bench.Probed{Probe: bench.Probe{Drives: []bench.DriveProbe{{Drive: "d", Sensors: sensors}, {Drive: "e"}}}},
		bench.Preparing{Done: size / 2, Total: size},
		bench.Preparing{Done: size, Total: size},
		bench.Prepared{File: bench.FileFacts{Size: size, Moved: bench.Moved{WriteOps: 1024, WriteBytes: size}}},
	}
	for _, s := range plan.Steps() {
		events = append(events, bench.StepStarted{Step: s})
		if s.Kind == bench.StepRest {
			events = append(events, bench.StepDone{Measurement: bench.Measurement{Step: s}})
			continue
		}
		m := bench.Measurement{Step: s, Elapsed: s.Spec.Measure}
		for at := 100 * time.Millisecond; at <= s.Spec.Measure; at += 100 * time.Millisecond {
			tally := bench.Tally{Ops: 10, Bytes: 10 << 20, SumLat: 80 * time.Millisecond}
			x := bench.Sample{At: at, Took: 100 * time.Millisecond}
			if s.Spec.ReadPct == 100 {
				x.Read, m.Read = tally, add(m.Read, tally)
			} else {
				x.Write, m.Write = tally, add(m.Write, tally)
			}
			if at == time.Second {
				x.Drive = []bench.DriveReading{{Drive: "d", Sensors: platform.Sensors{
					At: at, Temperatures: []platform.Reading{{Label: "Composite", MilliC: 41000}}}}}
			}
			events = append(events, bench.Sampled{Step: s.Index, Sample: x})
		}
		m.Moved = bench.Moved{ReadOps: m.Read.Ops, ReadBytes: m.Read.Bytes, WriteOps: m.Write.Ops, WriteBytes: m.Write.Bytes}
		if m.Write.Ops > 0 { // two I/Os were in flight at the end
			m.Moved.WriteOps, m.Moved.WriteBytes = m.Moved.WriteOps+2, m.Moved.WriteBytes+2<<20
		}
		events = append(events, bench.StepDone{Measurement: m})
	}
	return append(events, bench.Warned{Warning: bench.Warning{Code: bench.WarnBuffered}},
		bench.Finished{Reason: bench.ReasonDone, Took: time.Minute})
}

// player is a RunFunc that plays a script in (virtual) time: 100 ms an event.
func player(events []bench.Event, fail error) RunFunc {
	return func(ctx context.Context, _ bench.Plan, _ Order, sink func(bench.Event)) (bench.Result, error) {
		var r bench.Result
		say := func(e bench.Event) { r.Apply(e); sink(e) }
		for _, e := range events {
			select {
			case <-ctx.Done():
				say(bench.Finished{Reason: bench.ReasonStopped})
				return r, nil
			case <-time.After(100 * time.Millisecond):
				say(e)
			}
		}
		return r, fail
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRunIsSavedAsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		events := script(plan, "r1")
		var fold bench.Result
		for _, e := range events {
			fold.Apply(e)
		}
		store := &memStore{}
		s := NewSession(player(events, nil), store)
		s.Wait() // returns at once before the first run
		if err := s.Start(plan, "hello"); err != nil {
			t.Fatal(err)
		}
		if err := s.Start(plan, ""); !errors.Is(err, ErrRunning) {
			t.Errorf("second Start: %v", err)
		}
		s.Wait()
		v := s.View()
		if v.Phase != PhaseDone || v.Running() || v.Save != SaveDone || v.Err != nil || v.Step != nil {
			t.Errorf("at the end: phase %q, save %q, error %v, step %v", v.Phase, v.Save, v.Err, v.Step)
		}
		want := asJSON(t, fold)
		if got := asJSON(t, v.Result); got != want {
			t.Errorf("view differs from the fold of the events:\n%s\n%s", got, want)
		}
		if len(store.saved) != 1 || asJSON(t, store.saved[0]) != want {
			t.Errorf("saved %d results, or another one than was shown", len(store.saved))
		}
		j := store.journals["r1"]
		if len(j.events) != len(events) || !j.removed {
			t.Errorf("journal: %d of %d events, removed %v", len(j.events), len(events), j.removed)
		}
		if want := v.Result.Moved().WriteBytes; v.Written != want {
			t.Errorf("written %d, the result says %d", v.Written, want)
		}
	})
}

// A reader that wakes once in five seconds sees few frames, but nothing is missing in the last.
func TestSlowReaderLosesFramesNotData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		events := script(plan, "r1")
		s := NewSession(player(events, nil), &memStore{})
		if err := s.Start(plan, ""); err != nil {
			t.Fatal(err)
		}
		frames := 0
		var last, held View
		var heldJSON string
		for last.Phase != PhaseDone || last.Save == SaveNothing {
			<-s.Changed()
			last = s.View()
			frames++
			if last.Phase == PhaseMeasuring && heldJSON == "" {
				held, heldJSON = last, asJSON(t, last.Result)
			}
			time.Sleep(5 * time.Second)
		}
		if frames >= len(events)/10 {
			t.Errorf("%d frames for %d events: the reader was not slow", frames, len(events))
		}
		samples := 0
		for _, m := range last.Result.Measurements {
			samples += len(m.Series)
		}
		if want := 6 * 50; samples != want {
			t.Errorf("%d samples of %d", samples, want)
		}
		if heldJSON == "" || asJSON(t, held.Result) != heldJSON {
			t.Error("a view changed after it was handed out")
		}
	})
}

func TestCancelKeepsWhatWasMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		store := &memStore{}
		s := NewSession(player(script(plan, "r1"), nil), store)
		s.Cancel() // nothing to cancel
		if err := s.Start(plan, ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * time.Second) // in the first loop that counts
		s.Cancel()
		if v := s.View(); !v.Stopping {
			t.Error("not marked as stopping")
		}
		s.Wait()
		v := s.View()
		if v.Stopping || v.Result.Reason != bench.ReasonStopped || len(store.saved) != 1 {
			t.Errorf("stopping %v, reason %q, %d saved", v.Stopping, v.Result.Reason, len(store.saved))
		}
		if n := len(v.Result.Measurements[0].Series); n < 10 {
			t.Errorf("only %d samples kept", n)
		}
	})
}

func TestResultThatCannotBeSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		store := &memStore{save: errDisk}
		s := NewSession(player(script(plan, "r1"), nil), store)
		if err := s.Start(plan, ""); err != nil {
			t.Fatal(err)
		}
		s.Wait()
		v := s.View()
		var saveErr *SaveError
		if v.Save != SaveFailed || !errors.As(v.SaveErr, &saveErr) || !errors.Is(v.SaveErr, errDisk) || saveErr.ID != "r1" {
			t.Fatalf("save %q, error %v", v.Save, v.SaveErr)
		}
		if j := store.journals["r1"]; !j.closed || j.removed {
			t.Error("the journal of an unsaved result must stay")
		}
		if err := s.Start(plan, ""); !errors.Is(err, ErrUnsaved) {
			t.Errorf("Start over an unsaved result: %v", err)
		}
		if err := s.Save(); !errors.Is(err, errDisk) {
			t.Errorf("Save on a full disk: %v", err)
		}
		store.save = nil
		if err := s.Save(); err != nil {
			t.Fatal(err)
		}
		if v := s.View(); v.Save != SaveDone || v.SaveErr != nil || len(store.saved) != 1 || !store.journals["r1"].removed {
			t.Errorf("after the second try: save %q, error %v, %d saved", v.Save, v.SaveErr, len(store.saved))
		}
		if err := s.Save(); err != nil || len(store.saved) != 1 {
			t.Errorf("Save with nothing to save: %v, %d saved", err, len(store.saved))
		}
	})
}

func TestDiscardMakesRoomForTheNextRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		store := &memStore{save: errDisk}
		s := NewSession(player(script(plan, "r1"), nil), store)
		if err := s.Start(plan, ""); err != nil {
			t.Fatal(err)
		}
		s.Wait()
		s.Discard()
		if err := s.Start(plan, ""); err != nil {
			t.Errorf("Start after Discard: %v", err)
		}
		s.Wait()
	})
}

func TestFailures(t *testing.T) {
	gone := &platform.OpError{Op: "read", Object: "sda", Reason: platform.ErrGone}
	for name, c := range map[string]struct {
		events func(bench.Plan) []bench.Event
		saved  int
		reason bench.Reason
	}{
		"before the start": {func(bench.Plan) []bench.Event { return nil }, 0, bench.ReasonFailed},
		"discarded pass":   {func(p bench.Plan) []bench.Event { return script(p, "r1")[:20] }, 0, bench.ReasonFailed},
		"without an end":   {func(p bench.Plan) []bench.Event { return script(p, "r1")[:80] }, 1, bench.ReasonFailed},
		"with an end": {func(p bench.Plan) []bench.Event {
			return append(script(p, "r1")[:80], bench.Finished{Reason: bench.ReasonFailed, Failure: bench.NewFailure(gone)})
		}, 1, bench.ReasonFailed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				plan := testPlan(t)
				store := &memStore{}
				s := NewSession(player(c.events(plan), gone), store)
				if err := s.Start(plan, ""); err != nil {
					t.Fatal(err)
				}
				s.Wait()
				v := s.View()
				if v.Phase != PhaseDone || !errors.Is(v.Err, platform.ErrGone) || v.Failure == nil ||
					v.Failure.Reason != platform.ErrGone.Error() || v.Result.Reason != c.reason {
					t.Errorf("phase %q, error %v, failure %+v, reason %q", v.Phase, v.Err, v.Failure, v.Result.Reason)
				}
				if len(store.saved) != c.saved {
					t.Errorf("%d results saved, want %d", len(store.saved), c.saved)
				}
			})
		})
	}
}

func TestStoreIsCheckedBeforeTheRun(t *testing.T) {
	s := NewSession(func(context.Context, bench.Plan, Order, func(bench.Event)) (bench.Result, error) {
		t.Error("the run started")
		return bench.Result{}, nil
	}, &memStore{check: errDisk})
	if err := s.Start(testPlan(t), ""); !errors.Is(err, errDisk) {
		t.Errorf("Start: %v", err)
	}
	if v := s.View(); v.Phase != PhaseIdle {
		t.Errorf("phase %q", v.Phase)
	}
}

func TestJournalThatCannotBeWrittenDoesNotStopTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		s := NewSession(player(script(plan, "r1"), nil), &memStore{jour: errDisk})
		if err := s.Start(plan, ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if v := s.View(); !errors.Is(v.JournErr, errDisk) {
			t.Errorf("journal error %v", v.JournErr)
		}
		s.Wait()
		if v := s.View(); v.JournErr != nil || v.Save != SaveDone {
			t.Errorf("saved: journal error %v, save %q", v.JournErr, v.Save)
		}
	})
}

// What is written about a run while it goes on, or later, is kept with it.
func TestCommentChangesUntilTheNextRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		store := &memStore{}
		s := NewSession(player(script(plan, "r1"), nil), store)
		s.SetComment("of no run")
		if err := s.Save(); err != nil || len(store.saved) > 0 {
			t.Errorf("before a run: %v, %d saved", err, len(store.saved))
		}
		if err := s.Start(plan, "hello"); err != nil {
			t.Fatal(err)
		}
		s.SetComment("early") // the run has not told its comment yet
		time.Sleep(time.Second)
		if v := s.View(); v.Result.Comment != "early" {
			t.Errorf("early: %q", v.Result.Comment)
		}
		s.SetComment("meanwhile")
		if err := s.Save(); err != nil || len(store.saved) > 0 {
			t.Errorf("while it runs: %v, %d saved", err, len(store.saved))
		}
		s.Wait()
		s.SetComment("later")
		for range 2 { // the second time there is nothing to save
			if err := s.Save(); err != nil {
				t.Fatal(err)
			}
		}
		var comments []string
		for _, r := range store.saved {
			comments = append(comments, r.Comment)
		}
		if want := []string{"meanwhile", "later"}; !slices.Equal(comments, want) || s.View().Result.Comment != "later" {
			t.Errorf("saved %q, want %q; shown %q", comments, want, s.View().Result.Comment)
		}
		if err := s.Start(plan, "hello"); err != nil {
			t.Fatal(err)
		}
		s.Wait()
		if v := s.View(); v.Result.Comment != "hello" {
			t.Errorf("the next run has %q", v.Result.Comment)
		}
	})
}

// A comment that changes while the result is being written is not lost.
func TestCommentDuringTheSave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		store := &memStore{}
		s := NewSession(player(script(plan, "r1"), nil), &slowStore{memStore: store})
		if err := s.Start(plan, ""); err != nil {
			t.Fatal(err)
		}
		for v := s.View(); v.Running(); v = s.View() {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(slowSave / 2)
		s.SetComment("just in time")
		s.Wait()
		if n := len(store.saved); n == 0 || store.saved[n-1].Comment != "just in time" {
			t.Errorf("%d saved", n)
		}
	})
}

const slowSave = time.Second

// slowStore takes its time to save.
type slowStore struct{ *memStore }

func (s *slowStore) Save(r bench.Result) error {
	time.Sleep(slowSave)
	return s.memStore.Save(r)
}

// A run that was deleted from the store must not come back with the next change of its comment.
func TestForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := testPlan(t)
		store := &memStore{}
		s := NewSession(player(script(plan, "r1"), nil), store)
		if err := s.Start(plan, ""); err != nil {
			t.Fatal(err)
		}
		s.Forget("r1") // it goes on: nothing to forget yet
		s.Wait()
		s.Forget("another")
		if v := s.View(); v.Result.ID != "r1" || len(store.saved) != 1 {
			t.Fatalf("result %q, %d saved", v.Result.ID, len(store.saved))
		}
		s.Forget("r1")
		s.SetComment("late")
		if err := s.Save(); err != nil || len(store.saved) != 1 || s.View().Result.ID != "" {
			t.Errorf("error %v, %d saved, shown %q", err, len(store.saved), s.View().Result.ID)
		}
	})
}
