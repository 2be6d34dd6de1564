package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"cachecliff/app/format"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/host"
)

// The exit statuses.
const (
	exitDone    = 0
	exitFailed  = 1   // could not run, or failed
	exitUsage   = 2   // the command line is wrong
	exitStopped = 130 // stopped by the user; what was measured until then is kept
)

// program is what the help calls this program.
const program = "cachecliff-cli"

// errStopped says that the user stopped what was going on.
var errStopped = errors.New("stopped")

// cli is the program without its process: all it touches is handed to it.
type cli struct {
	host     platform.Host
	locks    platform.Locker
	measurer bench.Measurer
	version  string

	stdin                       io.Reader
	lines                       *bufio.Reader // of stdin, once something was asked
	stdout, stderr              io.Writer     // for text: run puts a plainWriter around them
	rawOut, rawErr              io.Writer     // the same as they are, for JSON, pictures and the line of progress
	stdinTTY, outTTY, stderrTTY bool          // whether a person sits there
}

// verb is what the program can do.
type verb struct {
	name    string
	args    string // what follows the name, for the help
	about   string // one line
	notes   string // more, for the help of this verb alone
	options []option
	run     func(ctx context.Context, args []string) error
}

// verbs lists all verbs in the order of the help.
func (c *cli) verbs() []verb {
	return []verb{
		c.drivesVerb(), c.smartVerb(), c.monitorVerb(), c.testsVerb(), c.runVerb(), c.resultsVerb(), c.tagVerb(), c.commentVerb(), c.showVerb(), c.compareVerb(), c.referenceVerb(), c.exportVerb(), c.importVerb(),
		c.versionVerb(), c.helpVerb(),
	}
}

// run does what args ask for and gives the exit status. It is over when ctx is.
func (c *cli) run(ctx context.Context, args []string) int {
	out := &keeper{w: c.stdout}
	c.rawOut, c.rawErr = out, c.stderr
	c.stdout, c.stderr = plainWriter{c.rawOut}, plainWriter{c.rawErr}
	err := c.dispatch(ctx, args)
	if out.err != nil && (err == nil || errors.Is(err, out.err)) {
		err = &outputError{out.err}
	}
	if nobodyReads(err) { // who read the output has had enough: not worth a word, but what else went wrong is
		if err = besides(err); err == nil {
			return exitFailed
		}
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errStopped), ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return exitStopped
	}
	fmt.Fprintln(c.stderr, sentence(err))
	return status(err)
}

// notConnected is ERROR_PIPE_NOT_CONNECTED of Windows, and a number that no error of Linux has.
const notConnected = syscall.Errno(233)

// nobodyReads says whether a write failed because who read has gone away. A named pipe that was taken down from the
// other side is told in another way than one that was closed.
func nobodyReads(err error) bool { return host.NobodyReads(err) || errors.Is(err, notConnected) }

// besides is what is left of an error without the branches that say that nobody reads.
func besides(err error) error {
	many, joined := err.(interface{ Unwrap() []error })
	if _, one := err.(*platform.OpError); joined && !one { // that has a reason beside its cause
		var rest []error
		for _, e := range many.Unwrap() {
			rest = append(rest, besides(e))
		}
		return errors.Join(rest...)
	}
	if nobodyReads(err) {
		return nil
	}
	return err
}

func (c *cli) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usagef("Say what to do, for example %s run cdm-default --target DIR; %s help lists everything.", program, program)
	}
	name := args[0]
	switch name {
	case "--help", "-help", "-h":
		name = "help"
	case "--version", "-version":
		name = "version"
	}
	v, err := c.findVerb(name)
	if err != nil {
		return err
	}
	asked := false
	options := append(v.options, flagTo(&asked, "help", "print this"), flagTo(&asked, "h", ""))
	rest, err := parseArgs(options, args[1:])
	if err != nil {
		return err
	}
	if asked {
		c.printVerb(v)
		return nil
	}
	return v.run(ctx, rest)
}

func (c *cli) findVerb(name string) (verb, error) {
	var names []string
	for _, v := range c.verbs() {
		if v.name == name {
			return v, nil
		}
		names = append(names, v.name)
	}
	if strings.HasPrefix(name, "-") {
		return verb{}, usagef("A verb comes first, then its options: one of %s, and then %s.", strings.Join(names, ", "), name)
	}
	if near := nearest(name, names); near != "" {
		return verb{}, usagef("There is no verb %q; did you mean %s?", name, near)
	}
	return verb{}, usagef("There is no verb %q; there are %s.", name, strings.Join(names, ", "))
}

// noArgs is the error of a verb that takes no arguments and got some.
func noArgs(v string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%s takes no argument, so leave out %q.", v, strings.Join(args, " "))
}

// writeJSON prints one line: v as a JSON object whose first member "type" is kind.
func (c *cli) writeJSON(kind, member string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", kind, err)
	}
	_, err = fmt.Fprintf(c.rawOut, "{\"type\":%q,%q:%s}\n", kind, member, body)
	return err
}

// plainWriter keeps a terminal from being steered by what is printed: names, comments and files are not
// this program's own, and may hold any character. It is to be given whole characters.
type plainWriter struct{ w io.Writer }

func (p plainWriter) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.w, format.Plain(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// keeper is a writer that keeps its first error and writes nothing more, so that not each line that is
// printed has to be checked.
type keeper struct {
	w   io.Writer
	err error
}

func (k *keeper) Write(p []byte) (int, error) {
	if k.err != nil {
		return 0, k.err
	}
	n, err := k.w.Write(p)
	k.err = err
	return n, err
}
