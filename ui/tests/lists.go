package tests

import (
	"slices"
	"time"

	"cachecliff/app/format"
	"cachecliff/ui/facts"
)

// list is one list of choices with the values behind them.
type list[T comparable] struct {
	values []T
	texts  []string
	chosen int
}

// choices makes a list; a value that is not offered was set by hand and stands at the end.
func choices[T comparable](offered []T, chosen T, text func(T) string) list[T] {
	l := list[T]{values: slices.Clone(offered)}
	if !slices.Contains(l.values, chosen) {
		l.values = append(l.values, chosen)
	}
	for _, v := range l.values {
		l.texts = append(l.texts, text(v))
	}
	l.chosen = slices.Index(l.values, chosen)
	return l
}

// lists are all choices of the page.
type lists struct {
	test          list[string]
	size          list[int64]
	passes, loops list[int]
	pause         list[time.Duration]
	cached        list[bool]
	most          list[int]
	level         list[bool]
}

// fileSizes are those that are offered, in whole MiB.
func fileSizes() []int64 {
	var out []int64
	for _, gb := range []int64{1, 2, 5, 10, 20, 50} {
		out = append(out, gb*1e9/(1<<20)*(1<<20))
	}
	return out
}

var pauses = []time.Duration{0, time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour}

func (s State) lists() lists {
	w, c := s.Words, s.Choice
	var ids []string
	for _, p := range Tests() {
		ids = append(ids, p.ID)
	}
	either := func(yes, no string) func(bool) string {
		return func(on bool) string {
			if on {
				return w.T(yes)
			}
			return w.T(no)
		}
	}
	return lists{
		test:   choices(ids, c.Test, func(id string) string { return w.T("profile." + id) }),
		size:   choices(fileSizes(), c.FileSize, func(n int64) string { return facts.FileSize(w, n, true, s.Locale) }),
		passes: choices([]int{1, 2, 3}, c.Passes, func(n int) string { return w.N("tests.passes", n) }),
		loops:  choices([]int{1, 2, 3, 4}, c.Loops, func(n int) string { return w.N("tests.loops", n) }),
		pause:  choices(pauses, c.Pause, s.pauseText),
		cached: choices([]bool{false, true}, c.Cached, either("tests.cached", "tests.direct")),
		most:   choices([]int{1, 5, 10, 20, 40, 60, 80, 0}, c.Most, s.mostText),
		level:  choices([]bool{false, true}, s.Level, either("tests.over-level", "tests.over-written")),
	}
}

func (s State) pauseText(d time.Duration) string {
	if d == 0 {
		return s.Words.T("tests.no-pause")
	}
	return s.Words.T("tests.pause", "Time", format.Duration(d, s.Locale))
}

func (s State) mostText(share int) string {
	if share == 0 {
		return s.Words.T("tests.to-reserve")
	}
	return s.Words.T("tests.most", "Share", format.Percent(float64(share)/100, s.Locale))
}
