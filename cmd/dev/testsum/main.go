// Command testsum sums up the output of go test -json: how many tests of each package passed, failed
// and were skipped, what failed tests printed, and why the skipped ones were skipped.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Stdin, os.Stdout)) }

// event is a line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// test is what became of one test; of the package itself, if it has no name.
type test struct {
	name   string
	action string // pass, fail or skip; empty while it runs
	output []string
	parent bool // has tests of its own, which count in its place
}

// sums are the packages that are not over yet, and what became of those that are.
type sums struct {
	out      io.Writer
	packages map[string][]*test
	failed   bool
	ran      int // tests that were not skipped
}

// run returns the exit status: 0 all passed or were skipped, 1 some failed, or there were none.
func run(in io.Reader, out io.Writer) int {
	s := &sums{out: out, packages: map[string][]*test{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			s.take(line)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintln(out, "testsum:", err)
			return 1
		}
	}
	for _, p := range slices.Sorted(maps.Keys(s.packages)) {
		s.over(p, event{Action: "fail"}) // it never said so
	}
	if s.failed || s.ran == 0 {
		return 1
	}
	return 0
}

// take takes a line. What is no event of a package is what a compiler or the go command complains about.
func (s *sums) take(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		e = event{Output: strings.TrimRight(line, "\n") + "\n"}
	}
	if e.Package == "" {
		if e.Output != "" {
			fmt.Fprint(s.out, e.Output)
			s.failed = true
		}
		return
	}
	t := s.test(e.Package, e.Test)
	switch e.Action {
	case "output":
		t.output = append(t.output, e.Output)
	case "pass", "fail", "skip":
		t.action = e.Action
		if e.Test == "" {
			s.over(e.Package, e)
		}
	}
}

// test is a test of a package; a new one makes the one it belongs to a parent.
func (s *sums) test(pkg, name string) *test {
	above := name[:max(strings.LastIndex(name, "/"), 0)]
	var parent *test
	for _, t := range s.packages[pkg] {
		switch t.name {
		case name:
			return t
		case above:
			parent = t
		}
	}
	if parent != nil && above != "" {
		parent.parent = true
	}
	t := &test{name: name}
	s.packages[pkg] = append(s.packages[pkg], t)
	return t
}

// over prints what failed in a package, and then its line with the reasons of what was skipped.
func (s *sums) over(pkg string, end event) {
	counts, reasons := map[string]int{}, []string{}
	for _, t := range s.packages[pkg] {
		if t.action == "" {
			t.action = "fail" // it never ended
		}
		if t.action == "fail" {
			s.failed = true
			fmt.Fprintf(s.out, "FAILED %s %s\n%s", pkg, t.name, strings.Join(t.output, ""))
		}
		if t.name == "" || t.parent && t.action != "skip" {
			continue
		}
		counts[t.action]++
		if t.action == "skip" {
			reasons = append(reasons, fmt.Sprintf("    %s: %s\n", t.name, reason(t.output)))
		}
	}
	delete(s.packages, pkg)
	s.failed = s.failed || end.Action == "fail"
	s.ran += counts["pass"] + counts["fail"]
	if len(counts) > 0 || end.Action == "fail" {
		fmt.Fprintf(s.out, "%-36s %4d passed %3d failed %3d skipped %6.1f s\n%s", pkg,
			counts["pass"], counts["fail"], counts["skip"], end.Elapsed, strings.Join(reasons, ""))
	}
}

// place is where a message comes from: "    file.go:12: ".
var place = regexp.MustCompile(`^\s+\S+\.go:\d+: `)

// reason is what a skipped test said of why.
func reason(output []string) string {
	var said []string
	for _, line := range output {
		if place.MatchString(line) {
			said = append(said, strings.TrimSpace(place.ReplaceAllString(line, "")))
		}
	}
	if len(said) == 0 {
		return "no reason given"
	}
	return strings.Join(said, "; ")
}
