package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseArgs(t *testing.T) {
	for _, c := range []struct {
		args string
		rest string
		on   bool
		text string
		size int64
		n    int
		time time.Duration
		err  string // the sentence, if it is wrong
	}{
		{args: "", rest: ""},
		{args: "a b", rest: "a b"},
		{args: "a --on b --text x c", rest: "a b c", on: true, text: "x"},
		{args: "-on -text=x", on: true, text: "x"},
		{args: "--text=--on", text: "--on"},
		{args: "--text --on", text: "--on"},
		{args: "--text -- -- --on", text: "--", rest: "--on"},
		{args: "- a", rest: "- a"},
		{args: "--size 1GiB --n 7 --time 1500ms", size: 1 << 30, n: 7, time: 1500 * time.Millisecond},
		{args: "--on=yes", err: `--on takes no value, so leave out "=yes".`},
		{args: "a --text", err: "--text needs a value: --text WORD."},
		{args: "--text=", err: "--text needs a value: --text WORD."},
		{args: "--txet x", err: "There is no option --txet here; did you mean --text?"},
		{args: "--quite-other", err: "There is no option --quite-other here; there are --on, --text, --size, --n, --time."},
		{args: "--size 1KiB", err: `--size takes a size from 16MiB to 16TiB, such as 512MiB or 1GiB, not "1KiB".`},
		{args: "--size -1", err: `--size takes a size from 16MiB to 16TiB, such as 512MiB or 1GiB, not "-1".`},
		{args: "--n 0", err: `--n takes a number from 1 to 9, not "0".`},
		{args: "--n many", err: `--n takes a number from 1 to 9, not "many".`},
		{args: "--time 5", err: `--time takes a time from 10 ms to 1 min with its unit, such as 500ms or 5s, not "5".`},
		{args: "--time 1h", err: `--time takes a time from 10 ms to 1 min with its unit, such as 500ms or 5s, not "1h".`},
	} {
		on, text, size, n, took := false, "", int64(0), 0, time.Duration(0)
		rest, err := parseArgs([]option{
			flagTo(&on, "on", ""), stringTo(&text, "text", "WORD", ""), sizeTo(&size, "size", ""),
			countTo(&n, "n", 1, 9, ""), timeTo(&took, "time", 10*time.Millisecond, time.Minute, ""),
		}, strings.Fields(c.args))
		if c.err != "" {
			if err == nil || plain(err.Error()) != c.err || status(err) != exitUsage {
				t.Errorf("%q: error %v, want %q", c.args, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		if !slices.Equal(rest, strings.Fields(c.rest)) || on != c.on || text != c.text || size != c.size || n != c.n || took != c.time {
			t.Errorf("%q: rest %q, on %t, text %q, size %d, n %d, time %s", c.args, rest, on, text, size, n, took)
		}
	}
}

// plain turns the spaces that no line break may part into common ones.
func plain(s string) string { return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s) }

func TestNearest(t *testing.T) {
	names := []string{"drives", "tests", "run", "results", "show", "export"}
	for typed, want := range map[string]string{
		"drive": "drives", "Tests": "tests", "rnu": "run", "reslut": "results", "exprot": "export", "result": "results",
		"benchmark": "", "x": "", "": "", "port": "export",
	} {
		if got := nearest(typed, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", typed, got, want)
		}
	}
}
