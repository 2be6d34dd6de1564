package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"cachecliff/app/store"
	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// Version is that of the files that are written.
const Version = 1

// Extension is how the names of recordings end.
const Extension = ".jsonl"

// The types of lines.
const (
	typeHeader = "recording"
	typeSample = "sample"
	typeEnd    = "end"
)

// ErrDamaged says that a file is no recording, or that there is nonsense in it.
var ErrDamaged = errors.New("not a recording, or damaged")

// Header is how a recording begins.
type Header struct {
	Version int              `json:"version"`
	App     string           `json:"app,omitempty"` // version of the program
	Started time.Time        `json:"started"`
	Period  time.Duration    `json:"period"` // between samples, in nanoseconds
	System  platform.System  `json:"system"`
	Drives  []platform.Drive `json:"drives"` // without serial numbers
}

// Reason is why a recording ended.
type Reason string

// The reasons.
const (
	Stopped Reason = "stopped" // by the user, or the time was over
	Gone    Reason = "gone"    // no drive was there any more
	Failed  Reason = "failed"
)

// End is how a recording ended.
type End struct {
	At     time.Duration `json:"at"` // since the start
	Reason Reason        `json:"reason"`
}

// ReasonOf is why monitor.Run ended with err.
func ReasonOf(err error) Reason {
	switch {
	case err == nil:
		return Stopped
	case errors.Is(err, platform.ErrGone):
		return Gone
	}
	return Failed
}

// Writer writes a recording. It holds nothing back; give it a writer with a buffer. Its first error is that
// of all that follows.
type Writer struct {
	w    io.Writer
	buf  bytes.Buffer
	size int64 // bytes so far
	err  error
}

// NewWriter writes the header: Version is this one, and what tells one drive from all others of its kind is
// left out.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Version, h.Started = Version, h.Started.UTC()
	h.Drives = slices.Clone(h.Drives)
	for i := range h.Drives {
		h.Drives[i].Key, h.Drives[i].Serial = "drive-"+strconv.Itoa(i+1), ""
	}
	out := &Writer{w: w}
	return out, out.line(struct {
		Type string `json:"type"`
		Header
	}{typeHeader, h})
}

// Add writes a sample.
func (w *Writer) Add(s monitor.Sample) error {
	return w.line(struct {
		Type   string         `json:"type"`
		Sample monitor.Sample `json:"sample"`
	}{typeSample, s})
}

// End writes how it ended.
func (w *Writer) End(e End) error {
	return w.line(struct {
		Type string `json:"type"`
		End  End    `json:"end"`
	}{typeEnd, e})
}

// Size is how many bytes were written.
func (w *Writer) Size() int64 { return w.size }

func (w *Writer) line(v any) error {
	if w.err != nil {
		return w.err
	}
	w.buf.Reset()
	if err := json.NewEncoder(&w.buf).Encode(v); err != nil {
		return fmt.Errorf("encode recording: %w", err)
	}
	w.size += int64(w.buf.Len())
	_, w.err = w.w.Write(w.buf.Bytes())
	return w.err
}

// The bounds of what is read.
const (
	maxLine   = 4 << 20
	maxDrives = 1024
	longest   = 100 * 366 * 24 * time.Hour
)

// Reader reads a recording, sample by sample.
type Reader struct {
	Header Header
	lines  *bufio.Scanner
	number int // of the line, from 1
	last   time.Duration
	end    *End
}

// NewReader reads the header. It fails with ErrDamaged, with store.ErrNewer, or as r does.
func NewReader(r io.Reader) (*Reader, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	lines.Split(wholeLines)
	out := &Reader{lines: lines}
	line, err := out.next()
	if err == io.EOF {
		return nil, out.damaged(errors.New("nothing in it"))
	}
	if err != nil {
		return nil, err
	}
	var head struct {
		Type string
		Header
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, out.damaged(err)
	}
	if head.Type != typeHeader || head.Version < 1 {
		return nil, out.damaged(errors.New("it does not begin like one"))
	}
	if head.Version > Version {
		return nil, fmt.Errorf("%w: version %d, this program knows %d", store.ErrNewer, head.Version, Version)
	}
	if n := len(head.Drives); n < 1 || n > maxDrives || head.Period < monitor.MinPeriod || head.Period > monitor.MaxPeriod {
		return nil, out.damaged(errors.New("drives or period that cannot be"))
	}
	out.Header = head.Header
	return out, nil
}

// wholeLines gives lines with their ends; what is behind the last end was cut off, and is left out.
func wholeLines(data []byte, _ bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	return 0, nil, nil
}

func (r *Reader) next() ([]byte, error) {
	r.number++
	if r.lines.Scan() {
		return r.lines.Bytes(), nil
	}
	switch err := r.lines.Err(); {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return nil, r.damaged(err)
	default:
		return nil, err
	}
}

func (r *Reader) damaged(err error) error {
	return fmt.Errorf("%w: line %d: %w", ErrDamaged, r.number, err)
}

// Next gives the next sample, and io.EOF after the last. It fails with ErrDamaged, or as the reader does.
func (r *Reader) Next() (monitor.Sample, error) {
	for r.end == nil {
		data, err := r.next()
		if err != nil {
			return monitor.Sample{}, err
		}
		var line struct {
			Type   string
			Sample *monitor.Sample
			End    *End
		}
		if err := json.Unmarshal(data, &line); err != nil {
			return monitor.Sample{}, r.damaged(err)
		}
		switch {
		case line.Type == typeSample && line.Sample != nil:
			if err := r.check(line.Sample); err != nil {
				return monitor.Sample{}, r.damaged(err)
			}
			return *line.Sample, nil
		case line.Type == typeEnd && line.End != nil:
			if line.End.At < r.last || line.End.At > longest {
				return monitor.Sample{}, r.damaged(errors.New("it ends at a time that cannot be"))
			}
			r.end = line.End
		case line.Type == typeSample || line.Type == typeEnd:
			return monitor.Sample{}, r.damaged(errors.New("an empty line of its type"))
		}
	}
	return monitor.Sample{}, io.EOF
}

// End is how the recording ended; nil until Next gave io.EOF, and if it was cut off.
func (r *Reader) End() *End { return r.end }

// check refuses what no monitor can have written, so that whoever shows a sample needs no guard.
func (r *Reader) check(s *monitor.Sample) error {
	if len(s.Drives) != len(r.Header.Drives) {
		return fmt.Errorf("%d drives, not %d", len(s.Drives), len(r.Header.Drives))
	}
	if s.At < r.last || s.At > longest || s.Late < 0 || s.Late > longest || s.Missed < 0 {
		return errors.New("a time that cannot be")
	}
	r.last = s.At
	for _, d := range s.Drives {
		if d.At < 0 || d.At > longest || d.TempAge < 0 || d.TempAge > longest {
			return errors.New("the time of a reading that cannot be")
		}
	}
	return nil
}
