package recording

import (
	"bufio"
	"errors"
	"os"
	"sync"
	"time"

	"cachecliff/app/safefile"
	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// flushEvery is how much of a recording is lost at most when the program is killed.
const flushEvery = time.Second

// waiting is how many samples may wait for a disk that is slow: 40 seconds of them at 10 ms.
const waiting = 4096

// File is a recording that is being written to a file, from a goroutine of its own: the disk may be the one
// that is watched, and busy, and samples must not come late for it.
type File struct {
	name   string
	queue  chan job
	done   chan struct{} // closed when the goroutine has ended
	file   *os.File
	buffer *bufio.Writer
	w      *Writer
	since  time.Duration // the sample up to which all is in the file

	mu   sync.Mutex
	size int64
	err  error // of the last write
}

// job is a sample to be written, or the wish for all to be in the file.
type job struct {
	sample  *monitor.Sample
	flushed chan struct{}
}

// Create begins a recording in a file, in place of one that is there. The error is a platform.OpError.
func Create(name string, h Header) (*File, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, safefile.Shared)
	if err != nil {
		return nil, safefile.Fault("write", name, err)
	}
	f := &File{name: name, file: file, buffer: bufio.NewWriterSize(file, 1<<16), queue: make(chan job, waiting), done: make(chan struct{})}
	f.w, err = NewWriter(f.buffer, h)
	if err == nil {
		err = f.buffer.Flush()
	}
	if err != nil {
		return nil, safefile.Fault("write", name, errors.Join(err, file.Close()))
	}
	go f.work()
	return f, nil
}

func (f *File) work() {
	defer close(f.done)
	for j := range f.queue {
		err := error(nil)
		if j.sample != nil {
			err = f.w.Add(*j.sample)
		}
		if err == nil && (j.flushed != nil || j.sample.At-f.since >= flushEvery) {
			if j.sample != nil {
				f.since = j.sample.At
			}
			err = f.buffer.Flush()
		}
		f.mu.Lock()
		f.size = f.w.Size()
		if f.err == nil {
			f.err = safefile.Fault("write", f.name, err)
		}
		f.mu.Unlock()
		if j.flushed != nil {
			close(j.flushed)
		}
	}
}

// Add takes a sample and returns at once; it reaches the file within a second of samples. It fails with the
// error of the last write, and with platform.ErrStalled when too many wait; then nothing more is taken.
func (f *File) Add(s monitor.Sample) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	select {
	case f.queue <- job{sample: &s}:
	default:
		f.err = &platform.OpError{Op: "write", Object: f.name, Reason: platform.ErrStalled}
	}
	return f.err
}

// Size is how many bytes were written.
func (f *File) Size() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.size
}

// Flush waits until all samples are in the file.
func (f *File) Flush() error {
	j := job{flushed: make(chan struct{})}
	f.queue <- j
	<-j.flushed
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Close waits for what has come in, writes how it ended, and closes the file. Nothing may be called after it
// or at the same time.
func (f *File) Close(e End) error {
	close(f.queue)
	<-f.done
	err := f.w.End(e)
	if err == nil {
		err = f.buffer.Flush()
	}
	if err == nil {
		err = f.file.Sync()
	}
	err = safefile.Fault("write", f.name, errors.Join(err, f.file.Close()))
	if f.err != nil {
		return f.err
	}
	return err
}
