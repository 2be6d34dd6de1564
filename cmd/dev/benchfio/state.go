package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cachecliff/app/safefile"
	"cachecliff/bench"
)

// state is what was measured so far, so that a long comparison can go on where it stopped.
type state struct {
	path string
	Rows []record `json:"rows"`
}

// record is a row that was measured with all its rounds.
type record struct {
	Device  string               `json:"device"`
	Spec    string               `json:"spec"`
	Options string               `json:"options"` // how it was measured; with other options it must be measured again
	Build   string               `json:"build"`   // which program of ours it was
	At      time.Time            `json:"at"`
	Tries   int                  `json:"tries"` // how often it was measured until two runs of fio were alike
	Start   [sides]time.Duration `json:"start"`
	Rounds  [][sides]figures     `json:"rounds"`
}

// openState reads a state file; one that is not there is empty, and so is one without a name, which is
// never written.
func openState(path string) (*state, error) {
	s := &state{path: path}
	if path == "" {
		return s, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err != nil {
		return nil, fmt.Errorf("read what was measured before: %w", err)
	}
	return s, nil
}

// find gives the record of a row, or nil.
func (s *state) find(device, spec string) *record {
	i := slices.IndexFunc(s.Rows, func(r record) bool { return r.Device == device && r.Spec == spec })
	if i < 0 {
		return nil
	}
	return &s.Rows[i]
}

// put keeps a record in place of the one of the same row.
func (s *state) put(r record) error {
	if old := s.find(r.Device, r.Spec); old != nil {
		*old = r
	} else {
		s.Rows = append(s.Rows, r)
	}
	return s.save()
}

// forget drops the rows of a device.
func (s *state) forget(device string, specs []bench.Spec) error {
	s.Rows = slices.DeleteFunc(s.Rows, func(r record) bool {
		return r.Device == device && slices.ContainsFunc(specs, func(x bench.Spec) bool { return x.String() == r.Spec })
	})
	return s.save()
}

// save writes the file in one step, so that an end in the middle leaves the old one.
func (s *state) save() error {
	if s.path == "" {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	return safefile.Write(s.path, append(data, '\n'), 0o644)
}

// result is the row of a record.
func (r *record) result(d *device, spec bench.Spec) result {
	return result{device: d, spec: spec, start: r.Start, rounds: r.Rounds}
}

// finished gives what is known of a row and need not be measured again: one that was measured with the
// same options and about which something can be said.
func (s *state) finished(d *device, spec bench.Spec, options string) (*record, bool) {
	r := s.find(d.name, spec.String())
	if r == nil || r.Options != options || len(r.Rounds) == 0 {
		return nil, false
	}
	row := r.result(d, spec)
	return r, row.verdict() != inconclusive
}

// buildOf is a short name for the contents of a program.
func buildOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}
