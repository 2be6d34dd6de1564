package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cachecliff/app"
	"cachecliff/app/safefile"
	"cachecliff/bench"
	"cachecliff/platform"
)

// flushEvery is how much of a run a power cut may cost at most, beside what the system holds back.
const flushEvery = time.Second

// journal writes events from a goroutine of its own, so that a slow disk, which may be the one under
// test, holds up nobody. It is written each second. It is not flushed to the disk while a step measures,
// which a flush would disturb; what the system writes by itself half a minute later would do so as well
// on the drive under test, so there it is flushed in the pauses.
type journal struct {
	file interface {
		io.WriteCloser
		Sync() error
	}
	lock io.Closer
	path string
	room string
	used *sync.Mutex   // held while a room changes
	stop chan struct{} // closed by Close
	done chan struct{} // closed when the goroutine has ended

	drives []platform.Drive // below the journal
	tested bool             // whether the run tests one of them; under mu
	flush  chan struct{}    // asks the goroutine to flush

	written, roomSize int64 // bytes; they belong to the goroutine

	mu     sync.Mutex
	buf    []byte // not written yet
	err    error  // of the last write
	closed bool
}

// Journal opens a new journal, and takes the room that Save will need. It fails if a journal of that ID is
// there or cannot be locked, or if there is no room.
func (s *Store) Journal(id string) (app.Journal, error) {
	p, err := path(s.journals, id, ".jsonl")
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{s.journals, s.results} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, safefile.Fault("make folder", dir, err)
		}
	}
	lock, err := s.locks.Lock(lockPath(p))
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, errors.Join(safefile.Fault("write journal", p, err), lock.Close())
	}
	room := s.room(id)
	if err := reserve(room, 0, roomLeast); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrFolder, err), f.Close(), removeJournal(p, room), lock.Close())
	}
	j := &journal{
		file: f, lock: lock, path: p, room: room, used: &s.rooms, roomSize: roomLeast,
		stop: make(chan struct{}), done: make(chan struct{}), flush: make(chan struct{}, 1),
	}
	if s.drives != nil {
		j.drives = s.drives(s.journals)
	}
	go j.work()
	return j, nil
}

func lockPath(journal string) string { return journal + ".lock" }

// Append takes an event. It fails with the error of the last write.
func (j *journal) Append(e bench.Event) error {
	line, err := bench.EncodeEvent(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return platform.ErrClosed
	}
	j.buf = append(append(j.buf, line...), '\n')
	switch e := e.(type) {
	case bench.Started:
		j.tested = slices.ContainsFunc(e.Plan.Target.Drives, func(d platform.Drive) bool {
			return slices.ContainsFunc(j.drives, func(own platform.Drive) bool { return own.Key == d.Key })
		})
	case bench.StepStarted:
		if j.tested && e.Step.Kind == bench.StepRest {
			select {
			case j.flush <- struct{}{}:
			default: // the last one has not begun yet, and will do for both
			}
		}
	}
	return j.err
}

// work writes what has come in, each second and when a pause begins, until Close.
func (j *journal) work() {
	defer close(j.done)
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			j.write()
		case <-j.flush:
			j.write()
			j.sync()
		case <-j.stop:
			j.write()
			return
		}
	}
}

// write writes the buffer. What could not be written is tried again with the next, so that the journal
// has no hole once there is room again.
func (j *journal) write() {
	j.mu.Lock()
	buf := j.buf
	j.buf = nil
	j.mu.Unlock()
	if len(buf) == 0 {
		return
	}
	n, err := j.file.Write(buf)
	j.written += int64(n)
	if err == nil {
		err = j.growRoom()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.err = safefile.Fault("write journal", j.path, err)
	if n < len(buf) {
		j.buf = append(buf[n:], j.buf...)
	}
}

// sync makes durable what is written.
func (j *journal) sync() {
	err := j.file.Sync()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.err = safefile.Fault("flush journal", j.path, err)
	}
}

// growRoom keeps the room ahead of the journal, until Save has used it.
func (j *journal) growRoom() error {
	if j.written+roomAhead/2 <= j.roomSize {
		return nil
	}
	j.used.Lock()
	defer j.used.Unlock()
	size := j.written + roomAhead
	if err := reserve(j.room, j.roomSize, size); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	j.roomSize = size
	return nil
}

// Close writes what is left and lets go. It may be called twice.
func (j *journal) Close() error {
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		return nil
	}
	j.closed = true
	j.mu.Unlock()
	close(j.stop)
	<-j.done
	return errors.Join(j.err, safefile.Fault("write journal", j.path, j.file.Close()), j.lock.Close())
}

// Remove closes the journal and removes it. That it could not be written to its end does not matter
// any more.
func (j *journal) Remove() error {
	closeErr := j.Close()
	if err := removeJournal(j.path, j.room); err != nil {
		return errors.Join(err, closeErr)
	}
	return nil
}

// removeJournal removes the room of a journal, the journal and then its lock, by which the next start finds
// what it could not remove. Someone else may have done so.
func removeJournal(p, room string) error {
	for _, name := range []string{room, p, lockPath(p)} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return safefile.Fault("remove journal", name, err)
		}
	}
	return nil
}

// Recover saves what is left of runs whose process died, and removes their journals. It returns the IDs
// of the results. Journals of living processes are not touched. A journal of a run that is not worth
// keeping (app.Worth) is removed; one that cannot be read or saved stays, and is in the error.
func (s *Store) Recover() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(s.journals, "*.jsonl"))
	if err != nil {
		return nil, safefile.Fault("look for journals", s.journals, err)
	}
	var ids []string
	var faults []error
	for _, p := range names {
		id, err := s.recoverOne(p)
		if err != nil {
			faults = append(faults, err)
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids, errors.Join(faults...)
}

// recoverOne saves what is left of one run, unless its process lives.
func (s *Store) recoverOne(p string) (id string, err error) {
	lock, err := s.locks.Lock(lockPath(p))
	if errors.Is(err, platform.ErrBusy) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	id, err = s.rescue(p)
	if err := errors.Join(err, lock.Close()); err != nil {
		return "", err
	}
	return id, removeJournal(p, s.room(strings.TrimSuffix(filepath.Base(p), ".jsonl")))
}

// rescue saves the run of a journal that nobody writes. A result that is there already is left as it is,
// and is no news: it was saved in full before its process died. One that is there and cannot be read may
// hold more than the journal, so both stay.
func (s *Store) rescue(p string) (id string, err error) {
	r, err := readJournal(p)
	if errors.Is(err, fs.ErrNotExist) { // another start was faster
		return "", nil
	}
	if err != nil || !app.Worth(&r) {
		return "", err
	}
	if _, err := s.Load(r.ID); !errors.Is(err, platform.ErrNotExist) {
		return "", err
	}
	return r.ID, s.Save(r)
}

// readJournal reads a journal. The time it covers is that of its last write.
func readJournal(p string) (bench.Result, error) {
	f, err := os.Open(p)
	if err != nil {
		return bench.Result{}, safefile.Fault("read journal", p, err)
	}
	r, err := fold(f)
	if info, statErr := f.Stat(); statErr == nil && r.Reason == bench.ReasonInterrupted && r.Took == 0 {
		r.Took = max(info.ModTime().Sub(r.At), 0)
	}
	return r, safefile.Fault("read journal", p, errors.Join(err, f.Close()))
}

// maxLine is the longest event in bytes; the histograms of a step take about 100 kB.
const maxLine = 16 << 20

// fold folds the events of a journal until the first line that is not one: what a power cut leaves may
// end in half a line or in zeros. Without a Started there is no run and the ID is empty.
func fold(from io.Reader) (bench.Result, error) {
	var r bench.Result
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		e, err := bench.DecodeEvent(lines.Bytes())
		if err != nil {
			return r, nil // see above
		}
		if _, start := e.(bench.Started); start == (r.ID != "") {
			return r, nil // a run starts once, and first
		}
		r.Apply(e)
	}
	if err := lines.Err(); !errors.Is(err, bufio.ErrTooLong) {
		return r, err
	}
	return r, nil
}
