// Command benchfio measures the same file with this project's measuring process and with fio, in turn,
// and prints the ratios. It is a tool of the project: it answers whether the engine may be trusted on a
// drive, and is not a benchmark of the drive.
//
// One file is written in full and measured by all. A round runs fio, ours, fio set up like ours
// (registered buffers) and fio again, in an order that changes from round to round. The second plain fio
// against the first is the noise floor: what differs less than that is not a difference. All ratios are
// medians over the rounds of the ratio within a round.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/worker"
	"cachecliff/platform"
	"cachecliff/platform/host"
)

// options are the command line.
type options struct {
	dir     string
	size    int64 // bytes of the test file
	rounds  int
	measure time.Duration // per run
	ramp    time.Duration // before it, not counted
	rest    time.Duration // before each run
	engine  platform.Engine
	rows    []bench.Spec
	stat    string // counters of the block device, a file like /sys/block/sda/stat; empty is none
	limit   limit
}

func main() {
	h, err := host.New(host.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfio:", err)
		os.Exit(2)
	}
	if len(os.Args) > 1 && os.Args[1] == worker.Arg {
		os.Exit(worker.Main(h, os.Stdin, os.Stdout, os.Stderr))
	}
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfio:", err)
		os.Exit(2)
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	ok, err := compare(ctx, h, o, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfio:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func parse(args []string, help io.Writer) (options, error) {
	var o options
	var size, rate, engine, rows string
	f := flag.NewFlagSet("benchfio", flag.ContinueOnError)
	f.SetOutput(help)
	f.StringVar(&o.dir, "dir", "", "`folder` on the drive to measure")
	f.StringVar(&size, "size", "1GiB", "`size` of the test file")
	f.IntVar(&o.rounds, "rounds", 5, "rounds")
	f.DurationVar(&o.measure, "time", 5*time.Second, "measured time of each run")
	f.DurationVar(&o.ramp, "ramp", 0, "time that runs before it and is not counted")
	f.DurationVar(&o.rest, "rest", 300*time.Millisecond, "pause before each run")
	f.StringVar(&engine, "engine", string(platform.EngineURing), "how both submit: io_uring or libaio")
	f.StringVar(&rows, "rows", "", "only these `specs`, with commas between; empty is all rows of the profiles Default and NVMe SSD")
	f.StringVar(&o.stat, "stat", "", "counters of the block device: a `file` like /sys/block/sda/stat; the size of requests is printed, too")
	f.Float64Var(&o.limit.iops, "limit-iops", 0, "known limit of the device in I/Os per second: rows that reach it must have fio's rate, not less and not more")
	f.StringVar(&rate, "limit-rate", "", "the same in bytes per second: `size`")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.engine = platform.Engine(engine)
	if o.dir == "" || f.NArg() > 0 || o.rounds < 1 {
		return o, errors.New("say where: benchfio -dir FOLDER")
	}
	var err error
	if o.size, err = bench.ParseSize(size); err != nil {
		return o, err
	}
	if o.size < bench.MinFileSize || o.size > bench.MaxFileSize {
		return o, errors.New("the test file has 16 MiB to 16 TiB")
	}
	if rate != "" {
		n, err := bench.ParseSize(rate)
		if err != nil {
			return o, err
		}
		o.limit.rate = float64(n)
	}
	o.rows, err = chooseRows(rows)
	return o, err
}

// chooseRows reads specs, or takes each test of the two profiles once.
func chooseRows(text string) ([]bench.Spec, error) {
	var out []bench.Spec
	if text != "" {
		for _, t := range strings.Split(text, ",") {
			s, err := bench.ParseSpec(strings.TrimSpace(t))
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
		return out, nil
	}
	for _, id := range []string{"cdm-default", "cdm-nvme"} {
		p, ok := bench.ByID(id)
		if !ok {
			return nil, fmt.Errorf("there is no profile %s", id)
		}
		for _, w := range p.Workloads {
			if !slices.Contains(out, w.Spec) {
				out = append(out, w.Spec)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b bench.Spec) int { return b.ReadPct - a.ReadPct }) // reads first
	return out, nil
}

// compare is the whole job. It says whether no row failed.
func compare(ctx context.Context, h platform.Host, o options, out, progress io.Writer) (ok bool, err error) {
	exe, err := os.Executable()
	if err != nil {
		return false, err
	}
	target, err := h.Resolve(ctx, o.dir)
	if err != nil {
		return false, err
	}
	if target.Refusal != platform.Usable {
		return false, fmt.Errorf("test in %s: %s", o.dir, target.Refusal)
	}
	file, err := h.Create(target, platform.CreateOptions{Size: o.size})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	us := ours{exe: exe, file: file.Name(), size: o.size, engine: o.engine}
	fmt.Fprintln(progress, "Writing the test file in full.")
	if err := us.fill(ctx, file); err != nil {
		return false, fmt.Errorf("write the test file: %w", err)
	}
	version, err := fioVersion(ctx)
	if err != nil {
		return false, err
	}
	plain := fio{file: file.Name(), size: o.size, engine: o.engine}
	like := plain
	like.registered = true
	c := contest{options: o, progress: progress, sides: [sides]contender{fioA: plain, own: us, fioLike: like, fioB: plain}}
	fmt.Fprintf(out, "%s against %s with %s, file of %d MiB in %s, %d rounds of %v (%v before not counted).\n",
		"benchfio", version, o.engine, o.size>>20, o.dir, o.rounds, o.measure, o.ramp)
	fmt.Fprintln(out, explanation)
	awake, err := keepAwake()
	if err != nil {
		fmt.Fprintf(out, "Processors may sleep between two I/Os, which makes rows with one I/O in flight noisy: %v\n\n", err)
	} else {
		defer func() { err = errors.Join(err, awake.Close()) }()
	}
	return c.all(ctx, out)
}

// keepAwake forbids processors to sleep until the file is closed. Waking one up takes longer than a fast
// I/O, and whether one falls asleep between two I/Os depends on what ran before. Needs root.
func keepAwake() (io.Closer, error) {
	f, err := os.OpenFile("/dev/cpu_dma_latency", os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(make([]byte, 4)); err != nil { // a latency of 0 µs
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
