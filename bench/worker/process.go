package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// How long the child may take to answer once it was told to stop, and to end once it was killed.
const (
	stopPatience = 700 * time.Millisecond
	killPatience = 200 * time.Millisecond
	exitPatience = 5 * time.Second // to end by itself after its answer, when nobody waits for a stop
)

// Process is a bench.Measurer that starts one measuring process per step.
type Process struct {
	Exe  string   // the program to start
	Args []string // its arguments; nil is Arg alone
	Env  []string // its environment; nil is this process's. GODEBUG is added to it
	// Setup, if not nil, is given the command before it starts. The system's back end sets the child
	// apart from signals to the group, such as Ctrl-C: the parent says when to stop.
	Setup func(*exec.Cmd)
	// Started, if not nil, is given the child before it gets anything to do. The system's back end has the
	// system end it with this process, where the system can.
	Started func(*os.Process)
	// Why, if not nil, is the reason of the platform for an error of the system when the process is started, nil
	// if there is none.
	Why func(error) error
	// Ended, if not nil, is told how each measuring process ended, which includes the processor time
	// that it took in all.
	Ended func(*os.ProcessState)
}

// child is a measuring process at work.
type child struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	messages chan message     // closed at the end of its output
	gone     chan struct{}    // closed when nobody listens any more
	ended    chan error       // what Wait says
	state    *os.ProcessState // once it has ended
	errs     ends
	m        bench.Measurement // what is known so far
}

// Measure implements bench.Measurer.
func (p Process) Measure(ctx context.Context, job bench.Job, sample func(bench.Sample)) (bench.Measurement, error) {
	m := bench.Measurement{Step: job.Step, Engine: job.Engine, Stopped: true}
	if ctx.Err() != nil {
		return m, nil
	}
	c, err := p.start(job)
	if err != nil {
		m.Failure = bench.NewFailure(err)
		return m, err
	}
	c.m = m
	answered := c.listen(ctx, job.Gate, sample)
	ended := c.end(answered, ctx.Err() != nil)
	if p.Ended != nil && c.state != nil {
		p.Ended(c.state)
	}
	switch {
	case answered:
		return c.m, c.m.Failure.Err()
	case errors.Is(ended, platform.ErrStalled):
		err = ended
	case ctx.Err() == nil:
		err = c.died(ended)
	}
	c.m.Failure = bench.NewFailure(err)
	return c.m, err
}

// start starts the child and gives it the job.
func (p Process) start(job bench.Job) (*child, error) {
	args, env := p.Args, p.Env
	if args == nil {
		args = []string{Arg}
	}
	if env == nil {
		env = os.Environ()
	}
	line, err := json.Marshal(job)
	if err != nil {
		return nil, fmt.Errorf("hand over the step: %w", err)
	}
	c := &child{cmd: exec.Command(p.Exe, args...), messages: make(chan message, 16), gone: make(chan struct{}), ended: make(chan error, 1)}
	c.cmd.Env = append(env, "GODEBUG="+debugSettings(env))
	c.cmd.Stderr = &c.errs
	if p.Setup != nil {
		p.Setup(c.cmd)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err == nil {
		c.stdin, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		e := &platform.OpError{Op: "start the measuring process", Object: p.Exe, Err: err}
		if p.Why != nil {
			e.Reason = p.Why(err)
		}
		return nil, e
	}
	if p.Started != nil {
		p.Started(c.cmd.Process)
	}
	go c.read(stdout)
	if _, err := c.stdin.Write(append(line, '\n')); err != nil {
		return nil, c.died(c.end(false, false))
	}
	return c, nil
}

// debugSettings are the GODEBUG of env with preemption signals switched off: they would interrupt the
// system calls of the workers hundreds of times a second.
func debugSettings(env []string) string {
	const quiet = "asyncpreemptoff=1"
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], "GODEBUG="); ok && v != "" {
			return v + "," + quiet
		}
	}
	return quiet
}

// read turns the child's output into messages and waits for its end.
func (c *child) read(stdout io.Reader) {
	lines := bufio.NewReaderSize(stdout, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var msg message
		if json.Unmarshal(line, &msg) != nil {
			c.errs.Write(line) // not ours: it says why the child dies
			continue
		}
		select {
		case c.messages <- msg:
		case <-c.gone:
		}
	}
	close(c.messages)
	c.ended <- c.cmd.Wait()
}

// listen hands samples on until the measurement comes, and says whether it came. When ctx ends it tells
// the child to stop and waits a moment; what was sampled until then is kept.
func (c *child) listen(ctx context.Context, gate *bench.Gate, sample func(bench.Sample)) bool {
	cancel := ctx.Done()
	held, turned := gate.State()
	c.hold(held, false)
	patience := time.NewTimer(stopPatience)
	patience.Stop()
	defer patience.Stop()
	for {
		select {
		case msg, ok := <-c.messages:
			if !ok {
				return false
			}
			if msg.Sample != nil {
				c.add(*msg.Sample)
				sample(*msg.Sample)
			}
			if msg.Done != nil {
				c.m = *msg.Done
				return true
			}
		case <-turned:
			was := held
			held, turned = gate.State()
			c.hold(held, was)
		case <-cancel:
			cancel = nil
			c.stdin.Close() // an error means that the child is gone already, which the messages show
			patience.Reset(stopPatience)
		case <-patience.C:
			return false
		}
	}
}

// hold tells the child that it is held, or not any more. A child that cannot be told is gone, which the messages show.
func (c *child) hold(held, was bool) {
	switch {
	case held && !was:
		io.WriteString(c.stdin, sayHold)
	case !held && was:
		io.WriteString(c.stdin, sayGoOn)
	}
}

// add keeps what a sample says, for a child that never sends its measurement.
func (c *child) add(s bench.Sample) {
	if s.Warm {
		return
	}
	c.m.Elapsed += s.Took
	for _, d := range []struct {
		sum *bench.Tally
		add bench.Tally
	}{{&c.m.Read, s.Read}, {&c.m.Write, s.Write}} {
		d.sum.Ops += d.add.Ops
		d.sum.Bytes += d.add.Bytes
		d.sum.SumLat += d.add.SumLat
		d.sum.Max = max(d.sum.Max, d.add.Max)
	}
	c.m.Moved = bench.Moved{
		ReadOps: c.m.Read.Ops, ReadBytes: c.m.Read.Bytes, WriteOps: c.m.Write.Ops, WriteBytes: c.m.Write.Bytes,
	}
}

// end waits for the child's end, and kills it at once unless it has answered. A child that cannot even
// be killed hangs in the kernel behind a drive that does not answer: ErrStalled.
func (c *child) end(answered, stopping bool) error {
	close(c.gone)
	c.stdin.Close() // nothing more to say; an error means that the child is gone already
	patience := exitPatience
	if !answered {
		c.cmd.Process.Kill() // an error means that it has ended
		patience = killPatience
	} else if stopping {
		patience = stopPatience
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-c.ended:
		c.state = c.cmd.ProcessState
		return err
	case <-timer.C:
	}
	c.cmd.Process.Kill() // as above
	if answered {
		return nil
	}
	return &platform.OpError{Op: "stop the measuring process", Object: c.cmd.Path, Reason: platform.ErrStalled}
}

// died makes the error for a child that ended without an answer.
func (c *child) died(wait error) error {
	detail := strings.TrimSpace(c.errs.String())
	if wait != nil {
		detail = strings.TrimSpace(detail + " " + wait.Error())
	}
	e := &platform.OpError{Op: "measure in", Object: c.cmd.Path, Reason: bench.ErrWorkerDied}
	if detail != "" {
		e.Err = fmt.Errorf("%s", detail)
	}
	return e
}

// ends keeps the first and the last bytes that were written to it: what a program that dies has to say stands
// at the head of its dump, and what killed it otherwise at the end.
type ends struct {
	mu      sync.Mutex
	head    []byte
	tail    []byte
	dropped bool // between both
}

// How much of the child's complaints is kept, in bytes.
const maxHead, maxTail = 2 << 10, 2 << 10

func (e *ends) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := min(len(p), maxHead-len(e.head))
	e.head = append(e.head, p[:first]...)
	e.tail = append(e.tail, p[first:]...)
	if over := len(e.tail) - maxTail; over > 0 {
		e.tail = append(e.tail[:0], e.tail[over:]...)
		e.dropped = true
	}
	return len(p), nil
}

func (e *ends) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dropped {
		return string(e.head) + "\n...\n" + string(e.tail)
	}
	return string(e.head) + string(e.tail)
}
