package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"cachecliff/app/store"
	"cachecliff/platform"
)

// TestNothingSteersTheTerminal prints a result and names that were made to do so.
func TestNothingSteersTheTerminal(t *testing.T) {
	const evil = "a\x1b[2J\x1b]0;x\x07\u009b31m\u202eb\nc\td\xff"
	inStage(t, func(t *testing.T, s *stage) {
		for _, name := range s.results(t) {
			r, err := store.LoadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r.Comment, r.Plan.Profile.Title, r.Plan.Target.Path = evil, evil, evil
			r.App.Version, r.Machine.OS, r.Machine.CPU = evil, evil, evil
			r.Plan.Target.Volume.FS = evil
			r.Plan.Target.Drives = []platform.Drive{{Key: evil, Name: evil, Model: evil, Firmware: evil}}
			r.Plan.Profile.ID = "own"
			var b bytes.Buffer
			if err := store.Encode(&b, r); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			err = os.WriteFile(filepath.Join(s.data, "results", "e\x1b[2Jvil.json"), []byte("{"), 0o600)
			if err != nil { // a file cannot have such a name here
				err = os.WriteFile(filepath.Join(s.data, "results", "evil.json"), []byte("{"), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		s.tty = true
		s.host = leftHost{Host: s.host, left: []string{"/fake/" + evil}}
		for _, c := range []struct {
			args  []string
			lines int // of both outputs; 0 is any
		}{
			{[]string{"results"}, 3},
			{[]string{"show", "latest"}, 0},
			{[]string{"export", "latest"}, 0},
			{[]string{"export", "latest", "--format", "csv"}, 0},
			{[]string{"show", evil}, 0},
			{[]string{"run", evil, "--target", "/fake"}, 0},
			{[]string{"run", "cdm-demo", "--target", "/" + evil}, 1},
			{[]string{"run", "cdm-demo", "--target", "/fake", "--comment", evil}, 0},
		} {
			s.stdin = strings.NewReader("n\nn\n")
			s.run(t.Context(), c.args...)
			both := s.stdout.String() + s.stderr.String()
			if i := strings.IndexFunc(both, func(r rune) bool {
				return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
			}); i >= 0 {
				t.Errorf("%q prints %q", c.args, both[max(i-20, 0):min(i+20, len(both))])
			}
			if n := strings.Count(both, "\n"); c.lines > 0 && n != c.lines {
				t.Errorf("%q prints %d lines: %q", c.args, n, both)
			}
		}
	})
}
