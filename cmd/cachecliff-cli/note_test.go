package main

import (
	"strings"
	"testing"
)

// TestNotes files a result under tags and notes something on it.
func TestNotes(t *testing.T) {
	inStage(t, func(t *testing.T, s *stage) {
		for _, c := range []struct {
			args   []string
			status int
			out    string // is in what is printed, or in what is said
		}{
			{line("tag latest"), exitDone, "has no tag."},
			{append(line("tag latest add heatsink"), "second  case"), exitDone, ": heatsink, second case\n"},
			{line("tag latest add HEATSINK"), exitDone, ": heatsink, second case\n"},
			{line("results --tag Heatsink"), exitDone, "[heatsink, second case]"},
			{line("results --tag heatsink --tag none"), exitFailed, "has the tag"},
			{line("results second"), exitDone, "heatsink"},
			{line("tag latest remove Second"), exitDone, ": heatsink, second case\n"},
			{append(line("tag latest remove"), "Second Case"), exitDone, ": heatsink\n"},
			{line("tag latest remove heatsink"), exitDone, "has no tag."},
			{line("tag latest add a,b"), exitUsage, "cannot be a tag"},
			{line("tag latest add"), exitUsage, "tag takes a result"},
			{line("tag latest drop x"), exitUsage, "tag takes a result"},
			{line("tag 1999 add x"), exitFailed, "There is no result"},
			{line("comment latest"), exitDone, "has no comment."},
			{append(line("comment latest"), "in a  USB case"), exitDone, ": in a  USB case\n"},
			{line("results"), exitDone, `"in a  USB case"`},
			{append(line("comment latest"), ""), exitDone, "has no comment."},
			{line("comment"), exitUsage, "comment takes a result"},
		} {
			status := s.run(t.Context(), c.args...)
			if got := s.stdout.String() + s.stderr.String(); status != c.status || !strings.Contains(got, c.out) {
				t.Errorf("%q: status %d, says %q, wanted %d and %q", c.args, status, got, c.status, c.out)
			}
		}
	})
}
