package results

import (
	"strings"
	"testing"

	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
)

// The list names what a run found: reads and writes, and a mix where there is nothing else.
func TestNumbersOfALine(t *testing.T) {
	read := store.Headline{Direction: bench.DirRead, Best: 2e9}
	write := store.Headline{Direction: bench.DirWrite, Best: 1e9}
	mix := store.Headline{Direction: bench.DirMix, Best: 3e8}
	void := store.Headline{Direction: bench.DirRead, Best: 9e9, Invalid: true}
	s := State{Words: words.New("en"), Locale: format.EN}
	for _, c := range []struct {
		name string
		in   []store.Headline
		want string
	}{
		{"nothing", nil, ""},
		{"read", []store.Headline{read}, "Read 2\u202f000\u00a0MB/s"},
		{"read and write", []store.Headline{read, write}, "Read 2\u202f000\u00a0MB/s · Write 1\u202f000\u00a0MB/s"},
		{"with a mix", []store.Headline{read, write, mix}, "Read 2\u202f000\u00a0MB/s · Write 1\u202f000\u00a0MB/s"},
		{"mix", []store.Headline{mix}, "Mix 300.0\u00a0MB/s"},
		{"invalid", []store.Headline{void}, "Read invalid"},
	} {
		if got := s.line(store.Entry{Summary: store.Summary{Headlines: c.in, Reason: bench.ReasonDone}}).numbers; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What a fill test found stands in the list in a few words.
func TestCacheOfALine(t *testing.T) {
	s := State{Words: words.New("en"), Locale: format.EN}
	for want, f := range map[string]store.FillSummary{
		"Cache 160\u00a0GB":                     {Cache: 160e9, Written: 400e9},
		"Cache 60\u00a0GB to 80\u00a0GB":        {Cache: 70e9, Least: 60e9, Most: 80e9, Written: 400e9},
		"No end of the cache up to 400\u00a0GB": {Written: 400e9},
		"invalid":                               {Cache: 160e9, Invalid: true},
	} {
		e := store.Entry{Summary: store.Summary{Profile: "fill", Size: 10e9, Fill: &f, Reason: bench.ReasonDone}}
		l := s.line(e)
		if l.numbers != want {
			t.Errorf("%q, want %q", l.numbers, want)
		}
		if !strings.HasSuffix(l.detail, "Files of 10\u00a0GB") {
			t.Errorf("detail %q", l.detail)
		}
	}
}
