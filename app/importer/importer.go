// Package importer reads results from files: reports of CrystalDiskMark and KDiskMark, JSON of fio, and results
// of this program, whatever its version, also those inside pictures. It takes nothing as a number that is none, refuses a file as a whole
// where a line of it cannot be right, and says which line. It keeps nothing and compares nothing.
//
// A report of another program becomes a bench.Result with Imported in the place of measurements: its figures
// with what that program made of its loops, and doubts for what is known of how it works.
package importer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"cachecliff/app/pngrun"
	"cachecliff/app/store"
	"cachecliff/bench"
)

// The errors of a reader; tested with errors.Is.
var (
	ErrUnknown = errors.New("no report that can be read")
	ErrRefused = errors.New("the report is damaged or was changed")
)

// MaxReport is the size in bytes of the largest report of another program that is read. JSON+ of fio with a
// hundred jobs takes some ten megabytes. Results of this program may be as large as store.MaxSize.
const MaxReport = 256 << 20

// SyntaxError is what is wrong with a file, and where. It is ErrRefused, or ErrUnknown if the file is of no
// kind that can be read.
type SyntaxError struct {
	Line int    // from 1 on; 0 is no line in particular
	Text string // what is wrong, in English, without a full stop
	kind error
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Text)
}

// Unwrap is ErrRefused or ErrUnknown.
func (e *SyntaxError) Unwrap() error { return e.kind }

// refuse is a SyntaxError about a line, or the whole file if that is 0.
func refuse(line int, text string, args ...any) error {
	return &SyntaxError{Line: line, Text: fmt.Sprintf(text, args...), kind: ErrRefused}
}

func unknown(text string, args ...any) error {
	return &SyntaxError{Text: fmt.Sprintf(text, args...), kind: ErrUnknown}
}

// Read reads a result. Dates without a time zone, as reports have them, are of the zone; nil is UTC. It fails
// with a SyntaxError, an error of store.Decode or pngrun.Extract, or the reader's.
func Read(from io.Reader, zone *time.Location) (bench.Result, error) {
	data, err := io.ReadAll(io.LimitReader(from, store.MaxSize+1))
	if err != nil {
		return bench.Result{}, err
	}
	if zone == nil {
		zone = time.UTC
	}
	switch head := bytes.TrimLeft(data[:min(len(data), 1<<16)], "\xef\xbb\xbf \t\r\n"); {
	case len(head) == 0:
		return bench.Result{}, unknown("the file is empty")
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return pngrun.Extract(bytes.NewReader(data))
	case isFio(data):
		return readFio(data, zone)
	case head[0] == '{':
		return readOwn(bytes.TrimLeft(data, "\xef\xbb\xbf \t\r\n"))
	}
	if len(data) > MaxReport {
		return bench.Result{}, unknown("%d bytes are too much for a report", len(data))
	}
	text, err := decodeText(data)
	if err != nil {
		return bench.Result{}, err
	}
	return readReport(text, zone)
}

// name gives an imported result its ID: the time in the report and a digest of its text, so that the same report
// is the same result wherever and however often it is imported.
func name(r *bench.Result, stamp string, text []byte) {
	sum := sha256.Sum256(text)
	r.ID = stamp + "-" + hex.EncodeToString(sum[:])[:8] + "-imported"
}

// finish checks a result as the store will, so that nothing is handed out that cannot be kept.
func finish(r bench.Result) (bench.Result, error) {
	if err := r.Imported.Validate(r.Plan.Profile); err != nil {
		return bench.Result{}, refuse(0, "%s", firstLine(err.Error()))
	}
	if len(r.Imported.Figures) == 0 {
		return bench.Result{}, refuse(0, "no test of the report has a number")
	}
	return r, nil
}

func firstLine(s string) string {
	first, _, _ := bytes.Cut([]byte(s), []byte("\n"))
	return string(first)
}
