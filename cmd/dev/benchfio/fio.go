package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// fio measures with the program of that name, in a file that it makes and writes in full when it is not there.
type fio struct {
	file       string
	size       int64
	engine     platform.Engine
	registered bool // buffers and file known to the kernel
}

func fioVersion(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "fio", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("ask fio for its version: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// args asks for what a spec says. Random offsets repeat, as ours do, and the latency is counted from
// before the submission, as ours is.
func (f fio) args(s bench.Spec) []string {
	rw := map[bench.Access]string{bench.Random: "rand"}[s.Access]
	out := []string{
		"--name=row", f.filename(), fmt.Sprint("--size=", f.size), "--allow_file_create=0",
		fmt.Sprint("--bs=", s.Block), fmt.Sprint("--iodepth=", s.Depth), fmt.Sprint("--numjobs=", s.Threads),
		"--thread", "--group_reporting", "--ioengine=" + string(f.engine), "--direct=1",
		"--norandommap=1", "--randrepeat=0", "--lat_percentiles=1", "--clat_percentiles=0", "--percentile_list=50:99:99.9",
		"--unified_rw_reporting=mixed", "--output-format=json",
	}
	switch s.Direction() {
	case bench.DirRead:
		out = append(out, "--rw="+rw+"read")
	case bench.DirWrite:
		out = append(out, "--rw="+rw+"write")
	case bench.DirMix:
		out = append(out, "--rw="+rw+"rw", fmt.Sprint("--rwmixread=", s.ReadPct))
	}
	if f.registered {
		out = append(out, "--fixedbufs=1", "--registerfiles=1")
	}
	return out
}

// filename names the file; a colon would part two of them.
func (f fio) filename() string { return "--filename=" + strings.ReplaceAll(f.file, ":", `\:`) }

// fill makes the file as ours is made: in blocks of 1 MiB, eight in flight, data that cannot be
// compressed, made durable at the end. Nothing is left unwritten, which would not reach the drive.
func (f fio) fill(ctx context.Context) error {
	_, _, err := f.call(ctx, []string{
		"--name=fill", f.filename(), fmt.Sprint("--size=", f.size), "--rw=write", "--bs=1M", "--iodepth=8",
		"--ioengine=" + string(f.engine), "--direct=1", "--refill_buffers", "--end_fsync=1", "--output-format=json",
	})
	return err
}

// ready makes the file if it is not there.
func (f fio) ready(ctx context.Context) error {
	switch _, err := os.Lstat(f.file); {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return f.fill(ctx)
	default:
		return err
	}
}

// drop removes the file, if it is there.
func (f fio) drop() error {
	if err := os.Remove(f.file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// call runs fio and tells the processor time of its process.
func (f fio) call(ctx context.Context, args []string) (out []byte, took time.Duration, err error) {
	cmd := exec.CommandContext(ctx, "fio", args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err = cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("fio %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func (f fio) start(ctx context.Context, s bench.Spec) (time.Duration, error) {
	if err := f.ready(ctx); err != nil {
		return 0, err
	}
	_, took, err := f.call(ctx, append(f.args(s), "--number_ios=1"))
	return took, err
}

func (f fio) run(ctx context.Context, s bench.Spec) (figures, error) {
	args := append(f.args(s), "--time_based", "--runtime="+millis(s.Measure))
	if s.Warmup > 0 {
		args = append(args, "--ramp_time="+millis(s.Warmup))
	}
	out, took, err := f.call(ctx, args)
	if err != nil {
		return figures{}, err
	}
	r, err := parseFio(out)
	r.Processor, r.Registered = took, f.registered
	// The I/Os of the ramp are not told, but cost processor time: they are taken to be as many a second.
	r.Ops *= float64(s.Warmup+s.Measure) / float64(s.Measure)
	return r, err
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) + "ms" }

// parseFio reads fio's answer.
func parseFio(out []byte) (figures, error) {
	var doc struct {
		Jobs []struct {
			Error int `json:"error"`
			Mixed struct {
				Bytes   float64 `json:"io_bytes"`
				Ops     float64 `json:"total_ios"`
				Runtime float64 `json:"runtime"` // milliseconds, the drain of the queue included
				Lat     struct {
					N          float64            `json:"N"`
					Percentile map[string]float64 `json:"percentile"` // nanoseconds
				} `json:"lat_ns"`
			} `json:"mixed"` // reads and writes together
		} `json:"jobs"`
	}
	// Warnings come before the answer.
	if i := bytes.IndexByte(out, '{'); i > 0 {
		out = out[i:]
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return figures{}, fmt.Errorf("read fio's answer: %w", err)
	}
	if len(doc.Jobs) != 1 || doc.Jobs[0].Error != 0 || doc.Jobs[0].Mixed.Ops == 0 || doc.Jobs[0].Mixed.Lat.N == 0 || doc.Jobs[0].Mixed.Runtime == 0 {
		return figures{}, fmt.Errorf("fio failed: %.300s", out)
	}
	m := doc.Jobs[0].Mixed
	sec := m.Runtime / 1000
	// Of the I/Os in flight when the ramp ends fio counts the latency, but neither the I/O nor its bytes: a
	// whole queue is missing, which is 1 % of a short run. Ours counts what completes.
	ops := m.Lat.N
	return figures{
		Rate: m.Bytes / m.Ops * ops / sec, IOPS: ops / sec, Ops: ops,
		P50: m.Lat.Percentile["50.000000"], P99: m.Lat.Percentile["99.000000"], P999: m.Lat.Percentile["99.900000"],
	}, nil
}
