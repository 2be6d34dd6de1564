package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app/reference"
)

func TestReferenceDrives(t *testing.T) {
	for _, c := range []struct{ name, args string }{
		{"reference-list", "reference list --class hdd"},
		{"reference-show", "reference show crucial_p1_2tb"},
		{"compare-two", "compare crucial_p5_2tb crucial_p5_1tb"},
		{"compare-share", "compare crucial_p5_2tb --metric slc_cache_gb_fill0 --share --class pcie3"},
		{"compare-rated", "compare crucial_t700_2000gb --metric seq_read_max --class pcie5"},
		{"compare-three", "compare crucial_p5_2tb crucial_p5_1tb wd_sn550_1tb"},
	} {
		s := newStage(t)
		if status := s.run(t.Context(), line(c.args)...); status != exitDone || s.stderr.Len() > 0 {
			t.Errorf("%s: status %d: %s", c.args, status, s.stderr.String())
		}
		golden(t, c.name, s.stdout.String())
	}
}

// A run becomes a reference drive, travels as a file, and is the same elsewhere.
func TestReferenceOfARun(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		do := func(args string, status int, want string) string {
			t.Helper()
			if got := s.run(t.Context(), line(args)...); got != status {
				t.Fatalf("%s: status %d: %s", args, got, s.stderr.String())
			}
			out := s.stdout.String() + s.stderr.String()
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is not in %q", args, want, out)
			}
			return s.stdout.String()
		}
		do("reference add latest --label cooled", exitDone, "(cooled) is the reference drive run-")
		id := strings.Fields(strings.SplitAfter(do("reference list", exitDone, "you"), "\n")[1])[0]
		file := filepath.Join(t.TempDir(), "run.json")
		do("reference export "+id+" --out "+file, exitDone, "")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "SN-SECRET") || strings.Contains(string(text), "/fake") {
			t.Errorf("names a serial number or a folder: %s", text)
		}
		other := t.TempDir()
		do("reference import "+file+" --data "+other, exitDone, "was added as "+id)
		do("reference import "+file+" --data "+other, exitDone, "is there already")
		if again := do("reference export "+id+" --data "+other, exitDone, ""); again != string(text) {
			t.Error("exported again it differs")
		}
		do("reference show "+id, exitDone, "SEQ1M Q8T1")
		do("reference remove "+id, exitDone, "was removed")
		do("reference remove "+id, exitFailed, "There is no reference drive")
		do("reference remove crucial_p5_2tb", exitFailed, "stays")
		do("reference show crucial_p5_2gb", exitFailed, "did you mean crucial_p5_2tb?")
		bad := filepath.Join(other, "reference", "bad.json")
		if err := os.WriteFile(bad, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		do("reference list --data "+other, exitDone, "bad.json is damaged or not a reference drive")
		do("reference import "+bad+" "+file+" --data "+other, exitFailed, "is damaged")
		do("reference import "+bad+" "+bad, exitFailed, "2 of 2 files")
	})
}

// Two runs on the same drive are set beside each other, and one is judged.
func TestCompareRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		for range 2 {
			if status := s.run(t.Context(), line("run RND4K Q1T1 TIME=1s --target /fake --size 64MiB")...); status != exitDone {
				t.Fatal(s.stderr.String())
			}
			time.Sleep(time.Minute) // results are told apart by their time
		}
		if status := s.run(t.Context(), line("results --json")...); status != exitDone {
			t.Fatal(s.stderr.String())
		}
		var ids []string
		for _, l := range strings.Split(strings.TrimSpace(s.stdout.String()), "\n") {
			var got struct{ Summary struct{ ID string } }
			if err := json.Unmarshal([]byte(l), &got); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, got.Summary.ID)
		}
		if status := s.run(t.Context(), "compare", ids[0], ids[1]); status != exitDone || !strings.Contains(s.stdout.String(), "RND4K Q1T1 Read, rate") {
			t.Errorf("status %d: %s%s", status, s.stdout.String(), s.stderr.String())
		}
		if status := s.run(t.Context(), "compare", ids[0], ids[1], "--json"); status != exitDone {
			t.Fatal(s.stderr.String())
		}
		var got struct {
			Type       string
			Comparison struct {
				Drives      []struct{ ID string }
				Differences struct {
					Rows []struct {
						A, B         reference.Value
						Significance string
						Reasons      []string
					}
				}
			}
		}
		if err := json.Unmarshal(s.stdout.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Type != "comparison" || len(got.Comparison.Drives) != 2 || len(got.Comparison.Differences.Rows) != 4 {
			t.Errorf("%s", s.stdout.String())
		}
		for _, r := range got.Comparison.Differences.Rows {
			if len(r.Reasons) > 0 || r.A.Value <= 0 {
				t.Errorf("%+v", r)
			}
		}
		if status := s.run(t.Context(), "compare", "latest"); status != exitDone || !strings.Contains(s.stdout.String(), "class") {
			t.Errorf("status %d: %s%s", status, s.stdout.String(), s.stderr.String())
		}
	})
}

func TestCompareUsage(t *testing.T) {
	for args, want := range map[string]string{
		"compare":                               "takes one result or reference drive",
		"compare crucial_p5_2tb crucial_p5_2tb": "is there twice",
		"compare nobody":                        "There is no result",
		"compare crucial_p5_2tb --metric speed": "--metric takes one of seq_read_max",
		"compare crucial_p5_2tb --class fast":   "--class takes one of pcie5",
		"compare crucial_p5_2tb --capacity 5-1": "--capacity takes a number of GB",
		"compare crucial_p5_2tb --kind guessed": "--kind takes measured or rated",
		"reference":                             "reference takes list",
		"reference list all":                    "reference takes list",
		"reference show":                        "reference takes list",
		"reference burn crucial_p5_2tb":         "reference takes list",
		"reference import /nowhere/x.json":      "/nowhere/x.json",
	} {
		s := newStage(t)
		if status := s.run(t.Context(), line(args)...); status == exitDone || !strings.Contains(s.stderr.String(), want) {
			t.Errorf("%s: status %d: %q, want %q", args, status, s.stderr.String(), want)
		}
	}
}
