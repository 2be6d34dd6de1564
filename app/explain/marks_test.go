package explain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"cachecliff/app/words"
	"cachecliff/bench"
)

// A row has its own doubts and those about the whole run, the worst first; not those of other rows.
func TestMarks(t *testing.T) {
	r := &bench.Result{Warnings: []bench.Warning{
		{Code: bench.WarnBattery},
		{Code: bench.WarnNoisy, Workload: "one", Value: 0.2},
		{Code: bench.WarnCached, Workload: "two", Value: 0.1},
		{Code: bench.WarnShort, Workload: "one", Value: 3},
		{Code: bench.WarnBattery},
	}}
	for _, c := range []struct {
		workload, want string
	}{
		{"one", "invalid too short; doubt noisy; note on battery"},
		{"two", "invalid from memory; note on battery"},
		{"", "note on battery"},
	} {
		var got []string
		for _, m := range Marks(words.New(words.English), r, c.workload) {
			got = append(got, string(m.Level)+" "+m.Title)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%q: %s, want %s", c.workload, s, c.want)
		}
	}
	noisy := Marks(words.New(words.German), r, "one")[1]
	if want := "Die Durchgänge unterscheiden sich um bis zu 20\u202f%"; noisy.Sentence != want || noisy.Value != 0.2 || noisy.Code != bench.WarnNoisy {
		t.Errorf("got %+v", noisy)
	}
}

// Every code has a level, and a badge, a sentence and an advice in both languages.
func TestEveryCodeCanBeShown(t *testing.T) {
	for _, code := range codes(t, "bench", "WarningCode") {
		for _, w := range languages() {
			r := &bench.Result{Warnings: []bench.Warning{{Code: bench.WarningCode(code), Value: 0.5, Text: "a text"}}}
			m := Marks(w, r, "")[0]
			checkMessage(t, code, Message{Title: m.Sentence, Advice: m.Advice})
			if m.Title == "" || m.Title == w.T("doubt.unknown") || len(strings.Fields(m.Title)) > 4 {
				t.Errorf("%s has the badge %q", code, m.Title)
			}
			if first, _ := utf8.DecodeRuneInString(m.Sentence); unicode.IsLower(first) {
				t.Errorf("%s: %q does not begin like a sentence", code, m.Sentence)
			}
			if rank(m.Level) < 0 {
				t.Errorf("%s is a %q", code, m.Level)
			}
		}
	}
}
