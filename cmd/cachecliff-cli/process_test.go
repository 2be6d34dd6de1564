package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/platform/host"
)

// asProgram is set in the environment of processes that are to be the program, not its tests. Measuring
// processes inherit it.
const asProgram = "CACHECLIFF_CLI_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	english = words.For(words.English, words.Linux) // nor on which system
	time.Local = time.UTC                           // what is printed does not depend on where the tests run
	os.Exit(m.Run())
}

// deadline is how long a process may take that should be over at once.
const deadline = 20 * time.Second

// process is the program at work in a process of its own.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	events *bufio.Reader
	said   bytes.Buffer // lines that until has read
	stderr bytes.Buffer
	alive  *os.File // open for writing in the program and in all its children; nil where none can be handed on
	folder string   // where it tests
}

// realFolder is a folder on a file system that takes direct I/O.
func realFolder(t *testing.T) string {
	t.Helper()
	h, err := host.New(host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var faults []error
	for _, parent := range []string{"", "/var/tmp", "."} {
		dir, err := os.MkdirTemp(parent, "cachecliff-cli-*")
		if err == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			dir, err = filepath.Abs(dir)
		}
		var target platform.Target
		if err == nil {
			target, err = h.Resolve(t.Context(), dir)
		}
		if err == nil && target.Refusal != platform.Usable {
			err = errors.New(string(target.Refusal))
		}
		var f platform.File
		if err == nil {
			f, err = h.Create(target, platform.CreateOptions{Size: bench.MinFileSize})
		}
		if err == nil {
			err = f.Close()
		}
		if err == nil {
			return dir
		}
		faults = append(faults, err)
	}
	t.Skipf("no folder to test in: %v", errors.Join(faults...))
	return ""
}

// start starts the program on a folder, with its results beside it.
func start(t *testing.T, args string) *process {
	t.Helper()
	p := &process{t: t, folder: realFolder(t)}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.alive = reader
	t.Cleanup(func() { reader.Close() })
	all := line(args, "--json", "--target", p.folder, "--data", t.TempDir())
	err = p.begin(exe, all, writer)
	if errors.Is(err, errors.ErrUnsupported) { // Windows hands on the three usual files only
		p.alive = nil
		err = p.begin(exe, all)
	}
	if err := errors.Join(err, writer.Close()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() }) // fails if it has ended, as it should
	return p
}

// begin starts the program with files that it hands on to its children.
func (p *process) begin(exe string, args []string, files ...*os.File) error {
	p.cmd = exec.Command(exe, args...)
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	p.cmd.Stderr = &p.stderr
	p.cmd.ExtraFiles = files
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	p.events = bufio.NewReader(out)
	return err
}

// until reads events until one has text in it.
func (p *process) until(text string) {
	p.t.Helper()
	for {
		s, err := p.events.ReadString('\n')
		p.said.WriteString(s)
		if err != nil {
			p.t.Fatalf("ended before %s: %v: %s", text, err, p.stderr.String())
		}
		if strings.Contains(s, text) {
			return
		}
	}
}

// wait waits for the end and gives all that was printed.
func (p *process) wait() (status int, stdout string) {
	p.t.Helper()
	if _, err := io.Copy(&p.said, p.events); err != nil {
		p.t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode(), p.said.String()
}

// nothingLeft waits until the program and all its children are gone, and looks for files.
func (p *process) nothingLeft() {
	p.t.Helper()
	patience := time.After(deadline)
	if p.alive != nil {
		if err := p.alive.SetReadDeadline(time.Now().Add(deadline)); err != nil {
			p.t.Fatal(err)
		}
		if n, err := p.alive.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			p.t.Errorf("a process is left: %v", err)
		}
	}
	for {
		left, err := os.ReadDir(p.folder)
		if err == nil && len(left) == 0 {
			return
		}
		if p.alive == nil { // the file goes with the last process that has it open
			select {
			case <-time.After(10 * time.Millisecond):
				continue
			case <-patience:
			}
		}
		p.t.Errorf("left in the folder: %v (%v)", left, err)
		return
	}
}

// child is the measuring process.
func (p *process) child() *os.Process {
	p.t.Helper()
	var pids []string
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, name := range tasks {
		b, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) { // a thread may have ended
			p.t.Fatal(err)
		}
		pids = append(pids, strings.Fields(string(b))...)
	}
	if len(pids) != 1 {
		p.t.Skipf("children %q: this system does not list them", pids)
	}
	pid, err := strconv.Atoi(pids[0])
	if err != nil {
		p.t.Fatal(err)
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		p.t.Fatal(err)
	}
	return child
}

// lengthy is a run that is stopped before its end.
const lengthy = "run cdm-default --size 64MiB --time 3s --loops 1 --pause 3s"

func TestProcessEngines(t *testing.T) {
	for _, engine := range []platform.Engine{platform.EngineURing, platform.EngineAIO, platform.EngineThreads, platform.EngineIOCP} {
		t.Run(string(engine), func(t *testing.T) {
			p := start(t, "run RND4K Q4T2 R50 TIME=0s LIMIT=2M --size 16MiB --loops 1 --engine "+string(engine))
			status, stdout := p.wait()
			p.nothingLeft()
			if !slices.Contains(engines[words.Here()], engine) {
				if want := fmt.Sprintf(" on this system, not %q.\n", engine); status != exitUsage || !strings.HasSuffix(p.stderr.String(), want) || stdout != "" {
					t.Errorf("status %d: %s", status, p.stderr.String())
				}
				return
			}
			if status == exitFailed && strings.Contains(p.stderr.String(), "does not work here") {
				t.Skip(p.stderr.String())
			}
			if status != exitDone {
				t.Fatalf("status %d: %s", status, p.stderr.String())
			}
			r := decodeRun(t, stdout)
			for _, m := range r.Measurements {
				if m.Engine != engine || m.Read.Ops == 0 || m.Write.Ops == 0 ||
					m.Read.Bytes != m.Read.Ops*4096 || m.Read.Bytes+m.Write.Bytes != 2<<20 {
					t.Errorf("loop %d: engine %s, %d reads of %d bytes, %d writes", m.Step.Loop, m.Engine, m.Read.Ops, m.Read.Bytes, m.Write.Ops)
				}
			}
			if r.File == nil || !r.File.Direct || r.File.Moved.WriteBytes != 16<<20 || len(r.Measurements) != 2 {
				t.Errorf("file %+v, %d measurements", r.File, len(r.Measurements))
			}
		})
	}
}

func TestProcessSignal(t *testing.T) {
	for _, at := range []string{`"preparing"`, `"step_started"`, `"sampled"`} {
		t.Run(at, func(t *testing.T) {
			p := start(t, lengthy)
			p.until(at)
			began := time.Now()
			err := p.cmd.Process.Signal(os.Interrupt)
			if errors.Is(err, errors.ErrUnsupported) {
				t.Skip("this system sends no signals, it has a console for Ctrl-C")
			}
			if err != nil {
				t.Fatal(err)
			}
			status, stdout := p.wait()
			if took := time.Since(began); status != exitStopped || took > time.Second {
				t.Errorf("status %d after %s: %s", status, took, p.stderr.String())
			}
			if r := decodeRun(t, stdout); r.Reason != bench.ReasonStopped {
				t.Errorf("reason %s", r.Reason)
			}
			p.nothingLeft()
		})
	}
}

func TestProcessKilled(t *testing.T) {
	for _, at := range []string{`"started"`, `"preparing"`, `"step_started"`, `"sampled"`} {
		t.Run(at, func(t *testing.T) {
			p := start(t, lengthy)
			p.until(at)
			if err := p.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.wait()
			p.nothingLeft()
		})
	}
}

// TestChildKilled kills the measuring process: the run fails and says so.
func TestChildKilled(t *testing.T) {
	p := start(t, lengthy)
	p.until(`"sampled"`)
	if err := p.child().Kill(); err != nil {
		t.Fatal(err)
	}
	status, stdout := p.wait()
	if want := "The measuring process has ended without an answer. "; status != exitFailed || !strings.HasPrefix(p.stderr.String(), want) {
		t.Errorf("status %d: %s", status, p.stderr.String())
	}
	r := decodeRun(t, stdout)
	if r.Reason != bench.ReasonFailed || len(r.Measurements) != 1 || len(r.Measurements[0].Series) == 0 {
		t.Errorf("reason %s, %d measurements", r.Reason, len(r.Measurements))
	}
	p.nothingLeft()
}
