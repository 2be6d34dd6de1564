package main

import (
	"encoding/json"
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
