package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"cachecliff/bench"
)

// emitQueue is how many lines may wait for a slow reader before the run waits for it too: minutes of
// samples, so that a pause in reading does not touch the measurement.
const emitQueue = 1 << 12

// emitter prints the events of a run as lines of JSON, from a goroutine of its own. A nil emitter prints
// nothing.
type emitter struct {
	w      io.Writer
	lines  chan []byte
	broken chan struct{} // closed when a line could not be written
	done   sync.WaitGroup
	err    error // the first error; to be read after done
	failed error // the first event that could not be encoded; belongs to the goroutine of emit
}

// newEmitter starts an emitter, which close ends.
func newEmitter(w io.Writer) *emitter {
	m := &emitter{w: w, lines: make(chan []byte, emitQueue), broken: make(chan struct{})}
	m.done.Go(func() {
		for line := range m.lines {
			if m.err != nil {
				continue // the run must not wait for a reader that is gone
			}
			if _, m.err = m.w.Write(append(line, '\n')); m.err != nil {
				close(m.broken)
			}
		}
	})
	return m
}

// emit prints an event.
func (m *emitter) emit(e bench.Event) {
	if m == nil {
		return
	}
	line, err := bench.EncodeEvent(e)
	if err != nil {
		if m.failed == nil {
			m.failed = err
		}
		return
	}
	m.lines <- line
}

// gone is closed when nobody reads the lines any more.
func (m *emitter) gone() <-chan struct{} {
	if m == nil {
		return nil
	}
	return m.broken
}

// close prints the result as the last line, and gives the first error there was. Without a result
// (no run has started) it prints none.
func (m *emitter) close(r bench.Result) error {
	if m == nil {
		return nil
	}
	if r.ID != "" && m.failed == nil {
		var body []byte
		if body, m.failed = json.Marshal(r); m.failed == nil {
			m.lines <- fmt.Appendf(nil, `{"type":"result","result":%s}`, body)
		}
	}
	close(m.lines)
	m.done.Wait()
	if m.err != nil {
		return &outputError{m.err}
	}
	return m.failed
}
