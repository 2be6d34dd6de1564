// Package settings remembers what the user chose last, in a JSON file of its own in the configuration
// folder. It neither applies nor checks the choices: a profile ID may be one that is gone.
package settings

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"cachecliff/app/safefile"
	"cachecliff/bench"
	"cachecliff/platform"
)

// ErrDamaged is when the file could not be read as settings; the OpError around it names the copy that
// was kept.
var ErrDamaged = errors.New("the settings file is damaged")

// Theme is the look of the window.
type Theme string

// The themes.
const (
	ThemeSystem Theme = ""
	ThemeDark   Theme = "dark"
	ThemeLight  Theme = "light"
)

// Settings are all choices that are remembered. The zero value of a field is its default unless
// Default says otherwise.
type Settings struct {
	Language string     `json:"language,omitempty"` // of package words; empty follows the system
	Theme    Theme      `json:"theme,omitempty"`
	Width    int        `json:"width,omitempty"`
	Height   int        `json:"height,omitempty"` // of the window, in its own units; 0 leaves it to the toolkit
	Unit     bench.Unit `json:"unit"`
	Profile  string     `json:"profile"`             // ID
	FileSize int64      `json:"file_size,omitempty"` // bytes; 0 is the profile's
	Loops    int        `json:"loops,omitempty"`     // 0 is the profile's
	MixPct   int        `json:"mix_pct,omitempty"`   // share of reads in percent; 0 is the profile's
	Target   string     `json:"target,omitempty"`    // folder tested last; empty is the home folder
	Comment  string     `json:"comment,omitempty"`
	Through  bool       `json:"write_through,omitempty"` // each write is on the medium before it counts as done
	Test     string     `json:"test,omitempty"`          // ID of the long test; empty is the first of them
	Fill     Fill       `json:"fill,omitzero"`
}

// Fill is what was changed of a filling. A zero field is the test's own value.
type Fill struct {
	FileSize int64 `json:"file_size,omitempty"` // bytes
	Passes   int   `json:"passes,omitempty"`
	Pause    int   `json:"pause,omitempty"` // minutes; -1 is none
	Loops    int   `json:"loops,omitempty"`
	Most     int   `json:"most,omitempty"` // of the capacity, percent; -1 is up to the reserve
	Cached   bool  `json:"cached,omitempty"`
	Level    bool  `json:"level,omitempty"` // the chart is over the fill level
}

// Default is what a new user starts with.
func Default() Settings {
	return Settings{Unit: bench.UnitMBs, Profile: "cdm-default"}
}

// Store is the settings file.
type Store struct{ path string }

// New is the store in a configuration folder (platform.Folders.Config). It does not touch the disk.
func New(config string) *Store { return &Store{path: filepath.Join(config, "settings.json")} }

// Path is the file.
func (s *Store) Path() string { return s.path }

// Load reads the settings. It always returns some that can be used. Without a file they are the
// defaults. A damaged file is renamed to end in ".bad", so that Save does not overwrite it, and the
// error is ErrDamaged with the new name. Any other error is a platform.OpError.
func (s *Store) Load() (Settings, error) {
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), safefile.Fault("read settings", s.path, err)
	}
	set := Default()
	if err := json.Unmarshal(data, &set); err != nil {
		bad := s.path + ".bad"
		return Default(), errors.Join(
			&platform.OpError{Op: "read settings", Object: bad, Reason: ErrDamaged, Err: err},
			safefile.Fault("keep damaged settings", bad, os.Rename(s.path, bad)))
	}
	return set.repaired(), nil
}

// Save writes the settings. Fields of a newer version, which this one does not know, are kept.
func (s *Store) Save(set Settings) error {
	fields := map[string]json.RawMessage{}
	if old, err := os.ReadFile(s.path); err == nil {
		// A file that is damaged has no fields to keep.
		if json.Unmarshal(old, &fields) != nil {
			fields = map[string]json.RawMessage{}
		}
	}
	for _, name := range names() {
		delete(fields, name)
	}
	data, err := json.Marshal(set.repaired())
	if err == nil {
		err = json.Unmarshal(data, &fields)
	}
	if err == nil {
		data, err = json.MarshalIndent(fields, "", "  ")
	}
	if err != nil {
		return &platform.OpError{Op: "write settings", Object: s.path, Err: err}
	}
	return safefile.Write(s.path, append(data, '\n'), safefile.Private)
}

// repaired replaces values that a window could not bear; the rest is checked where it is used.
func (s Settings) repaired() Settings {
	if s.Theme != ThemeDark && s.Theme != ThemeLight {
		s.Theme = ThemeSystem
	}
	s.Width, s.Height = clamp(s.Width, 20000), clamp(s.Height, 20000)
	s.Loops, s.MixPct = clamp(s.Loops, bench.MaxLoops), clamp(s.MixPct, 100)
	if s.FileSize < 0 || s.FileSize > bench.MaxFileSize {
		s.FileSize = 0
	}
	f := &s.Fill
	if f.FileSize < 0 || f.FileSize > bench.MaxFileSize {
		f.FileSize = 0
	}
	f.Passes, f.Loops = clamp(f.Passes, maxPasses), clamp(f.Loops, bench.MaxLoops)
	if f.Pause != -1 {
		f.Pause = clamp(f.Pause, int(bench.MaxRest/time.Minute))
	}
	if f.Most != -1 {
		f.Most = clamp(f.Most, 100)
	}
	return s
}

// maxPasses is more than anybody needs; what a test takes is checked where it is used.
const maxPasses = 10

// clamp is n, or 0 if it is out of bounds.
func clamp(n, most int) int {
	if n < 0 || n > most {
		return 0
	}
	return n
}

// names are the fields that this version knows.
func names() []string {
	var out []string
	for f := range reflect.TypeFor[Settings]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}
