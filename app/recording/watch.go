package recording

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cachecliff/app/safefile"
	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// Heading is a column of the live table.
type Heading struct {
	Name   string // of iostat
	Unit   string // where the name does not tell it
	Digits int    // behind the decimal point
}

// Headings are the columns of DriveNow.Values, in the order of iostat: six of reads, six of writes, six of
// discards, and then f/s, f_await, aqu-sz and %util.
func Headings() []Heading {
	var out []Heading
	for _, c := range monitor.List() {
		out = append(out, Heading{c.Name, c.Unit, c.Digits})
	}
	return out
}

// CPUHeadings are the names of View.CPU, in percent.
func CPUHeadings() []string {
	var out []string
	for _, c := range monitor.CPUList() {
		out = append(out, c.Name)
	}
	return out
}

// DriveNow is what a drive shows now.
type DriveNow struct {
	Drive  platform.Drive
	Values []float64 // in the order of Headings; NaN is not known
	MilliC *int32    // nil if it is not known
	Hole   *Hole     // the last one; it may go on
	Holes  int
}

// View is what a window shows of a recording. It does not change.
type View struct {
	Running  bool
	Stopping bool
	Header   Header
	Length   time.Duration
	Samples  int
	Late     int // samples that came late or came to nothing
	Drives   []DriveNow
	CPU      []float64 // percent, in the order of CPUHeadings; NaN is not known
	Err      error     // why it ended, if not because it was stopped
	FileErr  error     // why not all of it can be made into a table
}

// Periods are those that the window offers.
func Periods() []time.Duration {
	return []time.Duration{time.Second, 100 * time.Millisecond, 10 * time.Millisecond}
}

// Recent is how much of a recording is shown in detail.
const Recent = time.Minute

// maxFile is how large the file of a recording may get: some 24 hours of a drive at 10 ms.
const maxFile = 4 << 30

// ErrFull says that a recording got so long that not all of it is kept.
var ErrFull = errors.New("the recording is longer than is kept")

// oldAfter is when a file that a program left behind that died is removed.
const oldAfter = 24 * time.Hour

// Watcher makes one recording after the other in the background, and keeps the last one. What is shown of
// it takes bounded memory; all of it is in a file until the next one begins, or Close.
type Watcher struct {
	host   platform.Host
	app    string
	folder string

	closing sync.Mutex // held while the file is closed, or waited for; before mu

	mu     sync.Mutex // never held while a disk is waited for, except to begin
	view   View
	trend  *Trend
	recent [2]*Trend // the older one holds Recent at least, once there is so much
	file   *File
	path   string
	cancel context.CancelFunc
	done   chan struct{}
}

// NewWatcher makes one for the version app of the program, whose files lie in a folder.
func NewWatcher(host platform.Host, app, folder string) *Watcher {
	return &Watcher{host: host, app: app, folder: folder}
}

// Drives lists the drives that can be watched.
func (w *Watcher) Drives(ctx context.Context) ([]platform.Drive, error) { return w.host.Drives(ctx) }

// Start begins a recording, in place of the last. It does nothing while one goes on. It may take as long as
// the system needs to describe itself, so not on the UI goroutine.
func (w *Watcher) Start(ctx context.Context, drives []platform.Drive, period time.Duration) error {
	system, err := w.host.System(ctx)
	if err != nil {
		return err
	}
	h := Header{App: w.app, Started: time.Now(), Period: period, System: system, Drives: drives}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.view.Running {
		return nil
	}
	fault := w.open(h)
	w.view = View{Running: true, Header: h, FileErr: fault}
	w.trend, w.recent = NewTrend(h), [2]*Trend{NewTrend(h)}
	running, cancel := context.WithCancel(context.Background())
	w.cancel, w.done = cancel, make(chan struct{})
	go w.run(running, h, w.done)
	return nil
}

// open makes the file, in place of the last one.
func (w *Watcher) open(h Header) error {
	w.remove()
	if err := os.MkdirAll(w.folder, 0o755); err != nil {
		return safefile.Fault("make folder", w.folder, err)
	}
	old, err := filepath.Glob(filepath.Join(w.folder, "live-*"+Extension))
	for _, name := range old {
		if info, e := os.Stat(name); e == nil && time.Since(info.ModTime()) > oldAfter {
			err = errors.Join(err, os.Remove(name))
		}
	}
	if err != nil { // it will be tried again
		return safefile.Fault("tidy", w.folder, err)
	}
	tmp, err := os.CreateTemp(w.folder, "live-*"+Extension)
	if err != nil {
		return safefile.Fault("write to folder", w.folder, err)
	}
	if err := tmp.Close(); err != nil {
		return safefile.Fault("write", tmp.Name(), err)
	}
	w.path = tmp.Name()
	w.file, err = Create(w.path, h)
	return err
}

// remove removes the file of the last recording. One that cannot be removed is old some day.
func (w *Watcher) remove() {
	if w.path != "" {
		os.Remove(w.path)
		w.path = ""
	}
}

func (w *Watcher) run(ctx context.Context, h Header, done chan struct{}) {
	defer close(done)
	err := monitor.Run(ctx, w.host, monitor.Config{Drives: h.Drives, Period: h.Period}, w.add)
	w.closing.Lock() // no table may be waiting for the file
	w.mu.Lock()
	file, end := w.file, End{At: w.trend.Length, Reason: ReasonOf(err)}
	w.file = nil
	w.mu.Unlock()
	var fault error
	if file != nil {
		fault = file.Close(end)
	}
	w.closing.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.view.FileErr == nil {
		w.view.FileErr = fault
	}
	w.view.Running, w.view.Stopping, w.view.Err = false, false, err
}

// add takes a sample from the goroutine of the monitor.
func (w *Watcher) add(s monitor.Sample) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trend.Add(s)
	w.recent[0].Add(s)
	switch {
	case w.recent[1] != nil:
		w.recent[1].Add(s)
		if w.recent[1].Samples > 1 && s.At-w.recent[1].from >= Recent {
			w.recent[0], w.recent[1] = w.recent[1], nil
		}
	case s.At-w.recent[0].from >= Recent:
		w.recent[1] = NewTrend(w.trend.Header)
		w.recent[1].Add(s)
	}
	if w.file == nil || w.view.FileErr != nil {
		return
	}
	if w.view.FileErr = w.file.Add(s); w.view.FileErr == nil && w.file.Size() > maxFile {
		w.view.FileErr = ErrFull
	}
}

// Stop ends a recording soon.
func (w *Watcher) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.view.Running {
		w.view.Stopping = true
		w.cancel()
	}
}

// Close ends a recording, waits for its end, and forgets it.
func (w *Watcher) Close() {
	w.Stop()
	w.mu.Lock()
	done := w.done
	w.mu.Unlock()
	if done != nil {
		<-done
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove()
}

// View is what there is now.
func (w *Watcher) View() View {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := w.view
	if w.trend == nil {
		return v
	}
	t := w.trend
	v.Length, v.Samples, v.Late = t.Length, t.Samples, t.Late
	v.CPU = nil
	for _, c := range monitor.CPUList() {
		v.CPU = append(v.CPU, orNaN(c.Of(t.shares)))
	}
	v.Drives = nil
	for i, d := range t.Header.Drives {
		v.Drives = append(v.Drives, t.now(i, d))
	}
	return v
}

// now is what drive i shows in the last sample.
func (t *Trend) now(i int, d platform.Drive) DriveNow {
	now := DriveNow{Drive: d, Holes: len(t.Drives[i].holes) + t.Drives[i].More}
	var c *monitor.Columns
	if i < len(t.row.Drives) {
		c = t.row.Drives[i]
	}
	for _, col := range monitor.List() {
		now.Values = append(now.Values, orNaN(col.Of(c)))
	}
	if i < len(t.last.Drives) && len(t.last.Drives[i].Temperatures) > 0 && !t.last.Drives[i].Gone {
		now.MilliC = &t.last.Drives[i].Temperatures[0].MilliC
	}
	if n := len(t.Drives[i].holes); n > 0 {
		h := t.Drives[i].holes[n-1]
		now.Hole = &h
	}
	return now
}

func orNaN(v float64, known bool) float64 {
	if !known {
		return math.NaN()
	}
	return v
}

// Trend is what a picture is made of: all of the recording, or the last minute in detail. It is a copy, and
// nil before the first recording.
func (w *Watcher) Trend(recent bool) *Trend {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.trend == nil:
		return nil
	case recent:
		return w.recent[0].clone()
	}
	return w.trend.clone()
}

// WriteTable makes a table of the last recording, until now, in a file. It reads the recording's own file,
// so it takes little memory and some time.
func (w *Watcher) WriteTable(name string) error {
	w.closing.Lock()
	w.mu.Lock()
	path, file, err := w.path, w.file, error(nil)
	w.mu.Unlock()
	if file != nil {
		err = file.Flush()
	}
	w.closing.Unlock()
	if err != nil {
		return err
	}
	in, err := os.Open(path)
	if err != nil {
		return safefile.Fault("open", path, err)
	}
	defer in.Close() // only read
	r, err := NewReader(in)
	if err != nil {
		return &platform.OpError{Op: "open", Object: path, Err: err}
	}
	return safefile.Fault("write", name, writeTable(name, r))
}
