package main

import (
	"bytes"
	"strings"
	"testing"

	"cachecliff/platform/host"
)

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
		status := run(c.args, func(string) string { return "" }, &out, &errs)
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
	if status := run(nil, func(string) string { return "" }, &out, &errs); status != 1 {
		t.Errorf("status %d", status)
	}
	if s := errs.String(); strings.Count(s, "\n") != 1 || !strings.Contains(s, "cachecliff-cli") {
		t.Errorf("said %q", s)
	}
}
