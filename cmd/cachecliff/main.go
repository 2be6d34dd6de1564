// Command cachecliff is the window. It reads the command line, joins the operating system, the store and
// the window, and holds no logic of its own. Started with worker.Arg it is the measuring process.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"cachecliff/app/words"
	"cachecliff/bench/worker"
	"cachecliff/platform/host"
)

const title = "Cachecliff"

// version is set by the linker.
var version = "development"

func main() { os.Exit(run(os.Args[1:], os.Getenv, os.Stdout, os.Stderr, host.Alert)) }

// alert shows a text in a box of the system; it says whether the system has one.
type alert func(title, text string, wrong bool) bool

// options are what the command line may say.
type options struct {
	lang, theme, target, data string
	layout                    string
	version                   bool
}

// run is the program; it returns the exit status: 0 done, 1 could not run, 2 wrong usage. What nobody can
// read, because the program was not started on a terminal, is shown in a box.
func run(args []string, getenv func(string) string, out, errs io.Writer, box alert) int {
	if len(args) > 0 && args[0] == worker.Arg {
		h, err := host.New(host.Options{})
		if err != nil {
			fmt.Fprintln(errs, "cachecliff:", err)
			return 1
		}
		return worker.Main(h, os.Stdin, out, errs)
	}
	var unread bytes.Buffer
	status := window(args, getenv, speaker{out, &unread}, speaker{errs, &unread}, box)
	if unread.Len() > 0 {
		box(title, unread.String(), status != 0)
	}
	return status
}

// speaker writes to a terminal or a file; what that cannot take is kept.
type speaker struct {
	to     io.Writer
	unread *bytes.Buffer
}

func (s speaker) Write(p []byte) (int, error) {
	if n, err := s.to.Write(p); err == nil {
		return n, nil
	}
	return s.unread.Write(p)
}

// window opens the window, unless the command line asks for something else.
func window(args []string, getenv func(string) string, out, errs speaker, box alert) int {
	o, err := parse(args, errs)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case o.version:
		fmt.Fprintln(out, "cachecliff", version)
		return 0
	}
	if names := host.DisplayVariables(); len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return getenv(n) != "" }) {
		fmt.Fprintln(errs, "cachecliff: there is no display to open a window on; cachecliff-cli runs the same tests without one.")
		return 1
	}
	h, err := host.New(host.Options{})
	if err == nil {
		err = open(h, o, getenv, errs.to) // what the toolkit has to say later is for the terminal only
	}
	if err == nil {
		return 0
	}
	var none *noWindowError
	if !errors.As(err, &none) || !box(title, none.explain(words.New(language(o, getenv))), true) {
		fmt.Fprintln(errs, "cachecliff:", err)
	}
	return 1
}

// language is the one that the program speaks before it knows its settings.
func language(o options, getenv func(string) string) string {
	if o.lang != "" {
		return o.lang
	}
	return words.Detect(getenv, host.Language())
}

// parse reads the command line; what is wrong with it was said on errs.
func parse(args []string, errs io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("cachecliff", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&o.lang, "lang", "", "`language` of the window: en or de")
	f.StringVar(&o.theme, "theme", "", "`look` of the window: dark or light")
	f.StringVar(&o.target, "target", "", "`folder` to test")
	f.StringVar(&o.data, "data", "", "`folder` for results, settings and pictures in place of the user's own")
	f.StringVar(&o.layout, "print-layout", "", "write to this `file` where the controls are, for tests that click")
	f.BoolVar(&o.version, "version", false, "print the version and end")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for _, c := range []struct {
		name, value string
		allowed     []string
	}{
		{"lang", o.lang, []string{"", "en", "de"}}, {"theme", o.theme, []string{"", "dark", "light"}},
	} {
		if !slices.Contains(c.allowed, c.value) {
			err := fmt.Errorf("-%s is %s or %s, not %q", c.name, c.allowed[1], c.allowed[2], c.value)
			fmt.Fprintln(errs, "cachecliff:", err)
			return o, err
		}
	}
	if f.NArg() > 0 {
		err := fmt.Errorf("%q is not understood; the folder to test follows -target", f.Arg(0))
		fmt.Fprintln(errs, "cachecliff:", err)
		return o, err
	}
	return o, nil
}
