package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/bench/monitor"
	"cachecliff/platform/platformtest"
)

func TestMonitorTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		if status := s.run(t.Context(), "monitor", "--for", "2s", "--every", "500ms"); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		lines := strings.Split(strings.TrimRight(s.stdout.String(), "\n"), "\n")
		if len(lines) != 5 {
			t.Fatalf("not a head and four rows:\n%s", s.stdout.String())
		}
		head := strings.Fields(lines[0])
		for i, line := range lines[1:] {
			cells := strings.Fields(line)
			if len(cells) != len(head) {
				t.Errorf("%d cells below a head of %d: %s", len(cells), len(head), line)
			}
			if want := []string{"0.50", "1.00", "1.50", "2.00"}[i]; cells[0] != want || cells[1] != s.fake.Drive().Name {
				t.Errorf("row %d begins with %s %s", i, cells[0], cells[1])
			}
		}
	})
}

func TestMonitorJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		if status := s.run(t.Context(), "monitor", "/fake", "--json", "--for", "1s", "--every", "10ms"); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		lines := strings.Split(strings.TrimRight(s.stdout.String(), "\n"), "\n")
		if len(lines) != 102 || !strings.HasPrefix(lines[0], `{"type":"monitor","monitor":{"started":"`) {
			t.Fatalf("%d lines, the first %s", len(lines), lines[0])
		}
		for i, line := range lines[1:] {
			var got struct {
				Type    string
				Sample  monitor.Sample
				Columns []map[string]float64
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatal(err)
			}
			if got.Type != "sample" || got.Sample.At != time.Duration(i)*10*time.Millisecond || got.Sample.Drives[0].Counters == nil {
				t.Fatalf("line %d: %s", i, line)
			}
			_, has := got.Columns[0]["rkB/s"]
			if len(got.Columns) != 1 || has != (i > 0) {
				t.Fatalf("line %d has columns %v", i, got.Columns)
			}
		}
	})
}

func TestMonitorWrong(t *testing.T) {
	for _, tt := range []struct {
		args   string
		status int
		says   string
	}{
		{"monitor nix", exitUsage, `There is no drive "nix"; there are fake0n1. A folder is given with its path, such as ./nix.`},
		{"monitor --every 9ms", exitUsage, "--every takes a time from 10"},
		{"monitor /nowhere", exitFailed, "/nowhere"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			status := s.run(t.Context(), strings.Fields(tt.args)...)
			if status != tt.status || !strings.Contains(s.stderr.String(), tt.says) {
				t.Errorf("%s: status %d, %s", tt.args, status, s.stderr.String())
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s := stageOn(t, platformtest.Options{})
		s.full = 3
		if status := s.run(t.Context(), "monitor", "--json"); status != exitFailed || s.stderr.Len() == 0 {
			t.Errorf("output that takes no more: status %d, %q", status, s.stderr.String())
		}
	})
}

// What was saved shows the same rows again, and makes a table and a picture.
func TestMonitorSaveAndOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		dir := t.TempDir()
		file := func(name string) string { return filepath.Join(dir, name) }
		if status := s.run(t.Context(), "monitor", "--for", "2s", "--every", "100ms", "--save", file("a.jsonl"), "--csv", file("live.csv"), "--png", file("live.png")); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		live := s.stdout.String()
		s.stdout.Reset()
		if status := s.run(t.Context(), "monitor", "--open", file("a.jsonl")); status != exitDone || s.stdout.String() != live {
			t.Errorf("status %d: opened it is\n%s%snot\n%s", status, s.stdout.String(), s.stderr.String(), live)
		}
		s.stdout.Reset()
		if status := s.run(t.Context(), "monitor", "--open", file("a.jsonl"), "--csv", file("b.csv"), "--png", file("b.png")); status != exitDone || s.stdout.Len() > 0 {
			t.Errorf("status %d, printed %q", status, s.stdout.String())
		}
		read := func(name string) []byte {
			t.Helper()
			data, err := os.ReadFile(file(name))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		if n := bytes.Count(read("b.csv"), []byte("\r\n")); n != 22 || !bytes.Equal(read("b.csv"), read("live.csv")) {
			t.Errorf("the table has %d lines, or is another than that made at once", n)
		}
		if !bytes.Equal(read("b.png"), read("live.png")) {
			t.Error("the picture is another than that made at once")
		}
		img, err := png.Decode(bytes.NewReader(read("b.png")))
		if err != nil || img.Bounds().Dx() != 2000 {
			t.Fatalf("no picture 2000 wide: %v", err)
		}
	})
}

func TestMonitorOpenWrong(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--open", filepath.Join(dir, "none")}, exitFailed, "none"},
		{[]string{"--open", bad}, exitFailed, "is damaged or not a recording"},
		{[]string{"fake0n1", "--open", bad}, exitUsage, "neither a drive"},
		{[]string{"--for", "1s", "--save", filepath.Join(bad, "x")}, exitFailed, "bad"},
		{[]string{"--for", "1s", "--csv", filepath.Join(bad, "x")}, exitFailed, "bad"},
		{[]string{"--for", "1s", "--png", filepath.Join(bad, "x")}, exitFailed, "bad"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			status := s.run(t.Context(), append([]string{"monitor"}, tt.args...)...)
			if status != tt.status || !strings.Contains(s.stderr.String(), tt.says) {
				t.Errorf("%v: status %d, %s", tt.args, status, s.stderr.String())
			}
		})
	}
}
