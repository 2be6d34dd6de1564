// Command cachecliff-cli is Cachecliff without a window: the same tests, results and exports, as text or
// as JSON. It needs no display, no OpenGL and no C library. It holds no logic of its own beside reading
// the command line and printing.
//
// Started with worker.Arg it is the measuring process. Each verb has a file of its own; cli.go finds the verb and turns its error into an exit status.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"cachecliff/bench/worker"
	"cachecliff/platform/host"
)

// version is set by the linker.
var version = "development"

func main() {
	measures := len(os.Args) > 1 && os.Args[1] == worker.Arg
	if measures {
		// A signal to the whole group, such as Ctrl-C or the end of a session, is for the parent alone: it says
		// when to stop by closing standard input.
		// Taken and not read: Windows ends a process that merely ignores it.
		signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	}
	h, err := host.New(host.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, sentence(err))
		os.Exit(exitFailed)
	}
	if measures {
		os.Exit(worker.Main(h, os.Stdin, os.Stdout, os.Stderr))
	}
	// Who reads standard output may go away: that is an error of a write, not the end of a run.
	signal.Ignore(syscall.SIGPIPE)
	exe, err := host.Program()
	if err != nil {
		fmt.Fprintln(os.Stderr, sentence(fmt.Errorf("find this program, which measures in a process of its own: %w", err)))
		os.Exit(exitFailed)
	}
	c := &cli{
		host: h, locks: h, measurer: worker.Process{Exe: exe, Setup: host.Apart, Started: host.Tie, Why: host.WhyNot}, version: version,
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		stdinTTY: host.IsTerminal(os.Stdin), outTTY: host.IsTerminal(os.Stdout), stderrTTY: host.IsTerminal(os.Stderr),
	}
	ctx := untilSignal(os.Stderr)
	os.Exit(c.run(ctx, os.Args[1:]))
}

// untilSignal is a context that ends with the first signal to stop. The second one ends the process.
func untilSignal(stderr io.Writer) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants the run to go on
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals
		cancel()
		<-signals
		fmt.Fprintln(stderr, "Ended at once; the result of this run may be incomplete.")
		os.Exit(exitStopped)
	}()
	return ctx
}
