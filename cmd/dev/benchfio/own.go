package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
)

// ours measures as any user does: with cachecliff-cli run, which makes its test file, writes it in full,
// runs the row once for nothing and once that counts, and removes the file.
type ours struct {
	cli    string
	dir    string
	size   int64
	engine platform.Engine
	drain  bool // count what was in flight at the end, with the time that it took, as fio does
}

func (u ours) args(s bench.Spec) []string {
	return []string{
		"run", s.String(), "--target", u.dir, "--size", fmt.Sprintf("%dMiB", u.size>>20), "--engine", string(u.engine),
		"--loops", "1", "--pause", "0s", "--json", "--no-save", "--yes",
	}
}

// start is nothing: the processor time that the measuring process tells starts when its workers do.
func (u ours) start(context.Context, bench.Spec) (time.Duration, error) { return 0, nil }

func (u ours) run(ctx context.Context, s bench.Spec) (figures, error) {
	cmd := exec.CommandContext(ctx, u.cli, u.args(s)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it removes its test file
	cmd.WaitDelay = 10 * time.Second
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return figures{}, err
	}
	if err := cmd.Start(); err != nil {
		return figures{}, err
	}
	r, readErr := lastResult(out)
	if err := errors.Join(readErr, cmd.Wait()); err != nil {
		return figures{}, fmt.Errorf("%s %s: %w: %s", u.cli, strings.Join(u.args(s), " "), err, strings.TrimSpace(errs.String()))
	}
	return ownFigures(r, u.drain)
}

// lastResult reads what run --json prints to its end, and gives the result in its last line.
func lastResult(from io.Reader) (bench.Result, error) {
	var last []byte
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			last = line
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return bench.Result{}, err
		}
	}
	var doc struct {
		Type   string       `json:"type"`
		Result bench.Result `json:"result"`
	}
	if err := json.Unmarshal(last, &doc); err != nil || doc.Type != "result" {
		return bench.Result{}, errors.Join(errors.New("the run ended without a result"), err)
	}
	return doc.Result, nil
}

// ownFigures takes the loop that counts out of a result.
func ownFigures(r bench.Result, drain bool) (figures, error) {
	for _, m := range r.Measurements {
		if m.Step.Loop != 1 {
			continue
		}
		if m.Stopped || m.CPU == nil || m.Moved == (bench.Moved{}) {
			return figures{}, fmt.Errorf("the row was not measured to its end, or without its processor time: %v", m.Failure.Err())
		}
		return figuresOf(m, drain), nil
	}
	return figures{}, errors.New("the result has no loop that counts")
}

// figuresOf gives the rate that the program shows, which is that of the exact measuring time. With drain it
// counts as fio does: what was in flight at the end is waited for, and counts with the time that it took. Where
// that is long beside the run and as long for both, as with programmed latency, the two differ by it. Where
// it is chance, as on a device that answers in bursts, fio has none of it: its time begins with a burst, as it
// looks at the clock when something completes, and so it ends with one.
//
// The I/Os of the ramp cost processor time, so that is by all I/Os of the step.
func figuresOf(m bench.Measurement, drain bool) figures {
	ops, bytes := m.Moved.ReadOps+m.Moved.WriteOps, m.Moved.ReadBytes+m.Moved.WriteBytes
	var warmOps, warmBytes int64
	for _, s := range m.Series {
		if s.Warm {
			warmOps += s.Read.Ops + s.Write.Ops
			warmBytes += s.Read.Bytes + s.Write.Bytes
		}
	}
	h := m.Hist()
	if h == nil {
		h = new(hist.H)
	}
	counted, countedBytes, _ := m.Total()
	sec := m.Elapsed.Seconds()
	if drain {
		counted, countedBytes = ops-warmOps, bytes-warmBytes
		sec = (m.Elapsed + m.Drain).Seconds()
	}
	return figures{
		Rate: float64(countedBytes) / sec, IOPS: float64(counted) / sec,
		P50: coarse(h, 0.5), P99: coarse(h, 0.99), P999: coarse(h, 0.999),
		Ops: float64(ops), Processor: m.CPU.User + m.CPU.System, Registered: m.Registered,
		Request: requestOf(m.Devices),
	}
}

// requestOf is the mean size of the requests that reached the drives; 0 if they do not count.
func requestOf(devices []bench.DeviceCount) float64 {
	var requests, bytes uint64
	for _, d := range devices {
		requests += d.After.ReadOps - d.Before.ReadOps + d.After.WriteOps - d.Before.WriteOps
		bytes += d.After.ReadBytes - d.Before.ReadBytes + d.After.WriteBytes - d.Before.WriteBytes
	}
	if requests == 0 {
		return 0
	}
	return float64(bytes) / float64(requests)
}

// coarse is a percentile as fio would tell it: the middle of the bucket that it lies in. Two equal
// distributions must give equal numbers, and the histogram here is finer.
func coarse(h *hist.H, p float64) float64 {
	want := p * float64(h.N())
	var seen int64
	value := 0.0
	for at, n := range h.All() {
		value = middle(bucket(float64(at)))
		if seen += n; float64(seen) >= want {
			break
		}
	}
	return value
}
