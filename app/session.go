package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"cachecliff/bench"
)

// RunFunc runs a plan: bench.Runner.Run with everything but the plan filled in. It returns when nothing
// of the run is left; cancelling ctx ends it early.
type RunFunc func(ctx context.Context, plan bench.Plan, order Order, sink func(bench.Event)) (bench.Result, error)

// Order is what the user wants of a run beside its plan.
type Order struct {
	Comment string
	Gate    *bench.Gate // by which a filling is held
}

// Store keeps results. Package store has the real one.
type Store interface {
	// Check says, before a run, why its result could not be saved.
	Check() error
	// Save keeps a result for good.
	Save(r bench.Result) error
	// Journal opens a journal for the run of that ID.
	Journal(id string) (Journal, error)
}

// Journal keeps the events of a run while it goes on, so that a power cut costs seconds.
type Journal interface {
	// Append takes one event. It does not wait for a disk.
	Append(e bench.Event) error
	// Close writes what is left and lets go of the journal; the next start may recover it.
	Close() error
	// Remove closes the journal and removes it: the result is saved.
	Remove() error
}

// The errors of a session; tested with errors.Is.
var (
	ErrRunning = errors.New("a run is already on its way")
	ErrUnsaved = errors.New("the last result is not saved yet")
)

// SaveError says that a result could not be saved. The result is still there: Session.Save tries again.
type SaveError struct {
	ID  string // of the result
	Err error  // what the store said
}

func (e *SaveError) Error() string { return fmt.Sprintf("save result %s: %v", e.ID, e.Err) }

// Unwrap gives the store's error.
func (e *SaveError) Unwrap() error { return e.Err }

// Session runs one test at a time, keeps its result, and shows it as a View. All methods may be called
// from any goroutine.
type Session struct {
	run     RunFunc
	store   Store
	changed chan struct{}

	mu      sync.Mutex
	view    View
	since   time.Time          // when the phase or step changed
	cancel  context.CancelFunc // of the running test; nil if none runs
	done    chan struct{}      // closed when the run is over and its result saved
	journal Journal            // of the running or unsaved result; nil if none
	comment *string            // set before the running test had a result; nil if none
	stored  string             // comment of the result as the store has it

	gate *bench.Gate // of the running test

	saving sync.Mutex // held while a result is saved
}

// NewSession makes a session that has not run anything.
func NewSession(run RunFunc, store Store) *Session {
	done := make(chan struct{})
	close(done)
	return &Session{run: run, store: store, changed: make(chan struct{}, 1), done: done}
}

// Start starts a run and returns at once. It fails with ErrRunning while another goes on, with
// ErrUnsaved while the last result is neither saved nor discarded, and with the store's error if the
// result could not be saved: all before anything is written to the target.
func (s *Session) Start(plan bench.Plan, comment string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		return ErrRunning
	}
	if s.view.Save == SaveFailed {
		return ErrUnsaved
	}
	if err := s.store.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel, s.done, s.journal, s.comment = cancel, make(chan struct{}), nil, nil
	s.view, s.since = View{Phase: PhasePreparing}, time.Now()
	s.gate = new(bench.Gate)
	s.signal()
	go s.work(ctx, plan, Order{comment, s.gate}, s.done)
	return nil
}

// SetComment changes the comment of the run that goes on, or of the last one. It is saved at the end of
// the run; a result that is saved already is saved anew by Save.
func (s *Session) SetComment(comment string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.view.Result.ID != "":
		s.view.Result.Comment = comment
	case s.cancel != nil:
		s.comment = &comment
	default:
		return
	}
	s.signal()
}

// Cancel asks the run to end. It returns at once; Wait waits for the end.
func (s *Session) Cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
		s.view.Stopping = true
		s.signal()
	}
}

// Hold holds a filling that goes on before its next file, or lets it go on. It does nothing to other tests.
func (s *Session) Hold(held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.gate.Hold(held)
		s.view.Held = held
		s.signal()
	}
}

// View is a copy of what is to be shown now. It shares nothing that changes later.
func (s *Session) View() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.view.clone()
	if v.Running() {
		v.PhaseAge = time.Since(s.since)
	}
	return v
}

// Changed receives a value after the view has changed. It holds one: a slow reader loses frames, and
// always learns of the last change.
func (s *Session) Changed() <-chan struct{} { return s.changed }

// Wait returns when no run is on its way and the last result is saved or could not be saved.
func (s *Session) Wait() {
	s.mu.Lock()
	done := s.done
	s.mu.Unlock()
	<-done
}

// Save tries again to save a result that could not be saved, and saves one anew whose comment has
// changed. It fails with a SaveError, and does nothing if there is nothing to save.
func (s *Session) Save() error {
	if !s.unsaved() {
		return nil
	}
	return s.save()
}

// unsaved says whether the last result, as far as it was to be saved, differs from what the store has.
func (s *Session) unsaved() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.view.Running() && (s.view.Save == SaveFailed || s.view.Save == SaveDone && s.view.Result.Comment != s.stored)
}

// Forget lets go of a finished run that was deleted from the store, so that nothing saves it anew.
func (s *Session) Forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel == nil && id != "" && s.view.Result.ID == id {
		s.view, s.journal = View{}, nil
		s.signal()
	}
}

// Noted takes over the comment and the tags of a finished run that were changed in the store.
func (s *Session) Noted(id, comment string, tags []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel == nil && id != "" && s.view.Result.ID == id {
		s.view.Result.Comment, s.view.Result.Tags, s.stored = comment, slices.Clone(tags), comment
		s.signal()
	}
}

// Discard gives up a result that could not be saved. What is in the journal stays for the next start.
func (s *Session) Discard() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel == nil && s.view.Save == SaveFailed {
		s.view.Save, s.view.SaveErr, s.journal = SaveNothing, nil, nil
		s.signal()
	}
}

// work is the goroutine of a run.
func (s *Session) work(ctx context.Context, plan bench.Plan, order Order, done chan struct{}) {
	defer close(done)
	_, err := s.run(ctx, plan, order, s.apply)
	if result := s.end(err); !result {
		s.dropJournal()
	} else if err := s.save(); err != nil {
		// The view shows the error, and Save tries again. The journal stays until then.
		s.closeJournal()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	s.cancel = nil
	s.signal()
}

// end notes what Run returned, and says whether there is a result worth keeping: a run that failed
// before its first loop that counts has none.
func (s *Session) end(err error) (result bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &s.view
	if v.Phase != PhaseDone && err != nil { // Run could not even say how it ended
		v.Failure = bench.NewFailure(err)
		v.Result.Reason, v.Result.Failure = bench.ReasonFailed, v.Failure
	}
	v.Phase, v.Step, v.Last = PhaseDone, nil, nil
	v.Err, v.Stopping = err, false
	return Worth(&v.Result)
}

// save puts the result into the store, and again if its comment was changed meanwhile.
func (s *Session) save() error {
	s.saving.Lock()
	defer s.saving.Unlock()
	for {
		if err := s.saveOnce(); err != nil || !s.unsaved() {
			return err
		}
	}
}

// saveOnce puts the result into the store and then removes its journal.
func (s *Session) saveOnce() error {
	s.mu.Lock()
	result := s.view.clone().Result
	journal := s.journal
	s.mu.Unlock()
	err := s.store.Save(result)
	var journErr error
	if err != nil {
		err = &SaveError{ID: result.ID, Err: err}
	} else if journal != nil {
		journErr = journal.Remove()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view.Save, s.view.SaveErr = SaveDone, nil
	if err != nil {
		s.view.Save, s.view.SaveErr = SaveFailed, err
	} else { // what the journal could not keep does not matter any more
		s.journal, s.stored, s.view.JournErr = nil, result.Comment, journErr
	}
	s.signal()
	return err
}

// dropJournal removes the journal of a run without a result.
func (s *Session) dropJournal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal != nil {
		s.view.JournErr = s.journal.Remove()
		s.journal = nil
	}
}

// closeJournal writes what is left of the journal and keeps it.
func (s *Session) closeJournal() {
	s.mu.Lock()
	journal := s.journal
	s.mu.Unlock()
	if journal == nil {
		return
	}
	if err := journal.Close(); err != nil {
		s.mu.Lock()
		s.view.JournErr = err
		s.mu.Unlock()
	}
}

// apply is the sink of a run.
func (s *Session) apply(e bench.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	phase, step, stopping := s.view.Phase, s.view.Step, s.view.Stopping
	s.view.Apply(e)
	s.view.Stopping = stopping // Started begins a new view
	if s.view.Phase != phase || s.view.Step != step {
		s.since = time.Now()
	}
	if start, ok := e.(bench.Started); ok {
		if s.comment != nil {
			s.view.Result.Comment = *s.comment
		}
		s.journal, s.view.JournErr = s.store.Journal(start.ID)
	}
	if s.journal != nil {
		if err := s.journal.Append(e); err != nil {
			s.view.JournErr = err
		}
	}
	s.signal()
}

// signal tells Changed, unless it has been told and was not heard yet.
func (s *Session) signal() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}
