package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cachecliff/app/format"
	"cachecliff/bench"
)

// option is one "--name" of a verb.
type option struct {
	name string             // without the dashes
	arg  string             // what its value is called in the help; empty for a switch, which takes none
	help string             // one line
	set  func(string) error // takes the value, which is empty for a switch; its error says what is allowed
}

// flagTo is a switch that sets *p.
func flagTo(p *bool, name, help string) option {
	return option{name: name, help: help, set: func(string) error { *p = true; return nil }}
}

// stringTo is an option whose value goes to *p as it stands.
func stringTo(p *string, name, arg, help string) option {
	return option{name: name, arg: arg, help: help, set: func(v string) error { *p = v; return nil }}
}

// sizeTo is an option for a size of a test file in bytes.
func sizeTo(p *int64, name, help string) option {
	return option{name: name, arg: "SIZE", help: help, set: func(v string) error {
		n, err := bench.ParseSize(v)
		if err != nil || n < bench.MinFileSize || n > bench.MaxFileSize {
			return errors.New("a size from 16MiB to 16TiB, such as 512MiB or 1GiB")
		}
		*p = n
		return nil
	}}
}

// countTo is an option for a number from lo to hi.
func countTo(p *int, name string, lo, hi int, help string) option {
	return option{name: name, arg: "N", help: help, set: func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < lo || n > hi {
			return fmt.Errorf("a number from %d to %d", lo, hi)
		}
		*p = n
		return nil
	}}
}

// timeTo is an option for a time from lo to hi.
func timeTo(p *time.Duration, name string, lo, hi time.Duration, help string) option {
	return option{name: name, arg: "TIME", help: help, set: func(v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < lo || d > hi {
			return fmt.Errorf("a time from %s to %s with its unit, such as 500ms or 5s", format.Duration(lo, format.EN), format.Duration(hi, format.EN))
		}
		*p = d
		return nil
	}}
}

// parseArgs takes the options out of args, wherever they stand, and gives what is left. A value follows
// its option or is joined to it by "="; behind "--" nothing is an option. One dash is as good as two.
// The error is an answer.
func parseArgs(options []option, args []string) ([]string, error) {
	var rest []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(rest, args[i+1:]...), nil
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		name, value, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
		o, err := findOption(options, name)
		if err != nil {
			return nil, err
		}
		if o.arg == "" && joined {
			return nil, usagef("--%s takes no value, so leave out %q.", o.name, "="+value)
		}
		if o.arg != "" && !joined && i+1 < len(args) {
			i++
			value = args[i]
		}
		if o.arg != "" && value == "" {
			return nil, usagef("--%s needs a value: --%s %s.", o.name, o.name, o.arg)
		}
		if err := o.set(value); err != nil {
			return nil, usagef("--%s takes %v, not %q.", o.name, err, value)
		}
	}
	return rest, nil
}

// findOption gives the option of a name, or an error with the nearest one there is.
func findOption(options []option, name string) (option, error) {
	var names []string
	for _, o := range options {
		if o.name == name {
			return o, nil
		}
		if o.name != "h" { // it is --help, which is told
			names = append(names, o.name)
		}
	}
	if near := nearest(name, names); near != "" {
		return option{}, usagef("There is no option --%s here; did you mean --%s?", name, near)
	}
	if len(names) == 0 {
		return option{}, usagef("There is no option --%s here: this verb takes none.", name)
	}
	are := "are"
	if len(names) == 1 {
		are = "is"
	}
	return option{}, usagef("There is no option --%s here; there %s --%s.", name, are, strings.Join(names, ", --"))
}

// nearest is the one of names that was probably meant, or "" if none is near enough.
func nearest(typed string, names []string) string {
	best, least := "", min(max(2, len(typed)/2), 3)+1
	for _, n := range names {
		if d := distance(strings.ToLower(typed), strings.ToLower(n)); d < least {
			best, least = n, d
		}
	}
	if best == "" && len(typed) >= 3 {
		if i := slices.IndexFunc(names, func(n string) bool { return strings.Contains(n, strings.ToLower(typed)) }); i >= 0 {
			best = names[i]
		}
	}
	return best
}

// distance is how many letters must be put in, taken out or changed to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
