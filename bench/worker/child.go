package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"

	"cachecliff/bench"
	"cachecliff/platform"
)

// memoryLimit is when the garbage collector runs after all. A step allocates a few KB per sample, so
// that only tests of many hours come near.
const memoryLimit = 256 << 20

// Main is the measuring process: it reads a Job from in, measures it on host, and answers on out. It
// returns the exit status: 0 if an answer was given, else 1.
func Main(host platform.Host, in io.Reader, out, errs io.Writer) int {
	if err := serve(host, in, out); err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	return 0
}

func serve(host platform.Host, in io.Reader, out io.Writer) error {
	// Ctrl-C may reach the whole group; the parent says when to stop. Taken and not read: Windows ends a process
	// that merely ignores it.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("read the step to measure: %w", err)
	}
	var job bench.Job
	if err := json.Unmarshal(line, &job); err != nil {
		return fmt.Errorf("read the step to measure: %w", err)
	}
	quiet(job.Step.Spec.Threads)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	job.Gate = new(bench.Gate)
	go func() {
		obey(lines, job.Gate) // its end, or any error, means that nobody waits for us
		cancel()
	}()
	answers := json.NewEncoder(out)
	var broken error
	m, _ := bench.Local{Host: host}.Measure(ctx, job, func(s bench.Sample) {
		if err := answers.Encode(message{Sample: &s}); err != nil {
			broken = err
			cancel()
		}
	}) // the error travels as m.Failure
	if broken != nil {
		return fmt.Errorf("answer with a sample: %w", broken)
	}
	if err := answers.Encode(message{Done: &m}); err != nil {
		return fmt.Errorf("answer with the measurement: %w", err)
	}
	return nil
}

// What the parent may say after the job, one a line.
const sayHold, sayGoOn = "hold\n", "go on\n"

// obey holds the gate and opens it as the parent says, until the parent is gone.
func obey(lines *bufio.Reader, gate *bench.Gate) {
	for {
		switch line, err := lines.ReadString('\n'); {
		case err != nil:
			return
		case line == sayHold:
			gate.Hold(true)
		case line == sayGoOn:
			gate.Hold(false)
		}
	}
}

// quiet keeps Go's runtime out of the way: no garbage collection, and a processor for each worker,
// since a worker's system calls hold theirs.
func quiet(threads int) {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
	runtime.GOMAXPROCS(max(threads, 1) + 2)
}
