// Command testsum sums up the output of go test -json: how many tests of each package passed, failed
// and were skipped, what failed tests printed, and why the skipped ones were skipped.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
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
	ImportPath                    string  // of a build
}

// test is what became of one test; of the package itself, if it has no name.
type test struct {
	pkg, name string
	action    string // pass, fail or skip; empty while it runs
	seconds   float64
	output    []string
	parent    bool // has tests of its own, which count in its place
}

// run returns the exit status: 0 all passed or were skipped, 1 some failed, or there were none.
func run(in io.Reader, out io.Writer) int {
	tests, rest, err := read(in)
	for _, line := range rest {
		fmt.Fprint(out, line)
	}
	if err != nil {
		fmt.Fprintln(out, "testsum:", err)
		return 1
	}
	return sum(tests, len(rest) == 0, out)
}

// read gathers the tests in the order in which they began, and lines that belong to none: what the
// compiler complains about.
func read(in io.Reader) (tests []*test, rest []string, err error) {
	byName := map[[2]string]*test{}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return tests, rest, nil
		}
		if err != nil && err != io.EOF {
			return tests, rest, err
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			rest = append(rest, strings.TrimRight(line, "\n")+"\n")
			continue
		}
		if e.Package == "" {
			if e.Output != "" {
				rest = append(rest, e.Output)
			}
			continue
		}
		t := byName[[2]string{e.Package, e.Test}]
		if t == nil {
			t = &test{pkg: e.Package, name: e.Test}
			byName[[2]string{e.Package, e.Test}] = t
			tests = append(tests, t)
			if i := strings.LastIndex(e.Test, "/"); i > 0 {
				if p := byName[[2]string{e.Package, e.Test[:i]}]; p != nil {
					p.parent = true
				}
			}
		}
		switch e.Action {
		case "output":
			t.output = append(t.output, e.Output)
		case "pass", "fail", "skip":
			t.action, t.seconds = e.Action, e.Elapsed
		}
	}
}

// sum prints the failures, then a line for each package with the reasons of what it skipped.
func sum(tests []*test, built bool, out io.Writer) int {
	var packages []string
	good, ran := built, 0
	for _, t := range tests {
		if !slices.Contains(packages, t.pkg) {
			packages = append(packages, t.pkg)
		}
		if t.action == "fail" || t.action == "" {
			good = false
			fmt.Fprintf(out, "FAILED %s %s\n%s", t.pkg, t.name, strings.Join(t.output, ""))
		}
	}
	slices.Sort(packages)
	for _, p := range packages {
		counts, seconds, reasons := map[string]int{}, 0.0, []string{}
		for _, t := range tests {
			switch {
			case t.pkg != p:
			case t.name == "":
				seconds = t.seconds
			case t.action == "skip":
				counts["skip"]++
				reasons = append(reasons, fmt.Sprintf("    %s: %s", t.name, reason(t.output)))
			case !t.parent:
				counts[either(t.action, "fail")]++
			}
		}
		ran += counts["pass"] + counts["fail"]
		if counts["pass"]+counts["fail"]+counts["skip"] == 0 {
			continue // a package without tests
		}
		fmt.Fprintf(out, "%-44s %4d passed %3d failed %3d skipped %6.1f s\n", p, counts["pass"], counts["fail"], counts["skip"], seconds)
		for _, r := range reasons {
			fmt.Fprintln(out, r)
		}
	}
	if !good || ran == 0 {
		return 1
	}
	return 0
}

// either is s, or other if there is none: a test that never ended failed.
func either(s, other string) string {
	if s == "" {
		return other
	}
	return s
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
