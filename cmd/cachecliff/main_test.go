package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"cachecliff/platform/host"
)

func noEnvironment(string) string { return "" }

// noBox is for what ought to be said on the terminal.
func noBox(t *testing.T) alert {
	return func(_, text string, _ bool) bool {
		t.Errorf("in a box: %q", text)
		return true
	}
}

// deaf is a terminal that is not there.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, os.ErrInvalid }

func TestWithoutATerminal(t *testing.T) {
	for _, c := range []struct {
		args []string
		text string // part of what the box says
	}{
		{[]string{"-version"}, "cachecliff development\n"},
		{[]string{"-help"}, "-target"},
		{[]string{"-lang", "fr"}, `-lang is en or de, not "fr"`},
	} {
		boxes := 0
		status := run(c.args, noEnvironment, deaf{}, deaf{}, func(title, text string, wrong bool) bool {
			boxes++
			if title != "Cachecliff" || !strings.Contains(text, c.text) || wrong != (c.args[0] == "-lang") {
				t.Errorf("%v: a box says %q, %q, %t", c.args, title, text, wrong)
			}
			return true
		})
		if boxes != 1 || (status != 0) != (c.args[0] == "-lang") {
			t.Errorf("%v: %d boxes, status %d", c.args, boxes, status)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args     []string
		status   int
		out, err string // parts of what is printed
	}{
		{[]string{"-version"}, 0, "cachecliff development", ""},
		{[]string{"-help"}, 0, "", "-target"},
		{[]string{"-lang", "fr"}, 2, "", `-lang is en or de, not "fr"`},
		{[]string{"-theme", "pink"}, 2, "", "-theme is dark or light"},
		{[]string{"/mnt"}, 2, "", `"/mnt" is not understood`},
		{[]string{"-nonsense"}, 2, "", "nonsense"},
	} {
		var out, errs bytes.Buffer
		status := run(c.args, noEnvironment, &out, &errs, noBox(t))
		if status != c.status || !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.err) {
			t.Errorf("%v: status %d, %q, %q", c.args, status, out.String(), errs.String())
		}
	}
}

func TestWithoutADisplayTheCommandLineIsNamed(t *testing.T) {
	if len(host.DisplayVariables()) == 0 {
		t.Skip("this system always has a place for a window")
	}
	var out, errs bytes.Buffer
	if status := run(nil, noEnvironment, &out, &errs, noBox(t)); status != 1 {
		t.Errorf("status %d", status)
	}
	if s := errs.String(); strings.Count(s, "\n") != 1 || !strings.Contains(s, "cachecliff-cli") {
		t.Errorf("said %q", s)
	}
}
