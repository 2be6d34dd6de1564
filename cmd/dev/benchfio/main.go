// Command benchfio measures with cachecliff-cli run and with fio, in turn, and prints the ratios. It is a
// tool of the project: it answers whether the engine may be trusted, and is not a benchmark of the drive.
//
// A round runs fio, ours, where it is asked for fio set up like ours (registered buffers), and fio again, in
// an order that changes from round to round. The second plain fio against the first is the noise floor: what
// differs less than that is not a difference. All ratios are medians over the rounds of the ratio within a
// round. A row about which the noise lets nothing be said is measured again, a few times at most.
//
// What is asked for depends on the device (device.go). Finished rows are kept in a file, so that a comparison
// which was stopped goes on with the next row.
//
// Processor time is that of the process that measures, all its threads and the kernel's workers for it
// counted, by the number of its I/Os. From fio's the time of a run with a single I/O is taken off, which is
// its start and its end. Ours is what the measuring process tells in the result: from when its workers are
// let go until the measurement is complete, with its queues closed. The process that shows progress beside
// it is not counted; it has no part in an I/O.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// options are the command line.
type options struct {
	devices []device // one, but for a summary
	dir     string
	cli     string
	rounds  int
	rest    time.Duration
	tries   int
	engine  platform.Engine
	filter  []filter
	stat    string
	state   string
	fresh   bool
	left    bool
	summary bool
	loads   []float64 // shares of the most to ask for; empty compares with fio
}

// The exit statuses.
const (
	exitPass         = 0
	exitFail         = 1 // a row has failed, or could not be measured
	exitUsage        = 2
	exitInconclusive = 3 // no row has failed, but nothing can be said of some
)

func main() {
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfio:", err)
		os.Exit(exitUsage)
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	sum, err := o.do(ctx, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfio:", err)
		os.Exit(exitFail)
	}
	os.Exit(sum.status())
}

func (c count) status() int {
	switch {
	case c[fail] > 0:
		return exitFail
	case c[inconclusive] > 0:
		return exitInconclusive
	}
	return exitPass
}

// flags are options as they are typed.
type flags struct {
	options
	device, size, engine, rows, limitRate, loads string
	limitIOPS                                    float64
	measure, ramp                                time.Duration
}

func parse(args []string, help io.Writer) (options, error) {
	var f flags
	set := flag.NewFlagSet("benchfio", flag.ContinueOnError)
	set.SetOutput(help)
	set.StringVar(&f.device, "device", "drive", "what the folder lies on, and with it what is asked for: `name` drive, loop, throttled or delayfs; several with commas for -summary")
	set.StringVar(&f.dir, "dir", "", "`folder` on the device")
	set.StringVar(&f.cli, "cli", "bin/cachecliff-cli", "`program` of ours")
	set.StringVar(&f.size, "size", "", "`size` of the test file instead of the device's")
	set.IntVar(&f.rounds, "rounds", 7, "rounds")
	set.DurationVar(&f.measure, "time", 0, "measured time of each run instead of the device's")
	set.DurationVar(&f.ramp, "ramp", -1, "time that runs before it and is not counted, instead of the device's")
	set.DurationVar(&f.rest, "rest", 300*time.Millisecond, "pause before each run")
	set.IntVar(&f.tries, "tries", 3, "how often a row is measured as long as it is inconclusive")
	set.StringVar(&f.engine, "engine", string(platform.EngineURing), "how both submit: io_uring or libaio")
	set.StringVar(&f.rows, "rows", "", "only these `specs`, with commas between; without R in all directions")
	set.StringVar(&f.stat, "stat", "", "counters of the block device: a `file` like /sys/block/sda/stat; the size of requests is compared, too")
	set.Float64Var(&f.limitIOPS, "limit-iops", 0, "known limit of the device in I/Os per second, each way, instead of the device's")
	set.StringVar(&f.limitRate, "limit-rate", "", "the same in bytes per second: `size`")
	set.StringVar(&f.state, "state", "", "`file` that keeps the finished rows")
	set.StringVar(&f.loads, "loads", "", "instead of the comparison ask ours for rates: `percentages` of the most, with commas between")
	set.BoolVar(&f.fresh, "fresh", false, "forget the rows asked for that are finished, and measure them again")
	set.BoolVar(&f.left, "left", false, "only say how many rows are left to measure")
	set.BoolVar(&f.summary, "summary", false, "only print the tables of what was measured")
	if err := set.Parse(args); err != nil {
		return f.options, err
	}
	if set.NArg() > 0 || f.rounds < 1 || f.tries < 1 || (f.dir == "" && !f.summary && !f.left) {
		return f.options, errors.New("say where: benchfio -dir FOLDER")
	}
	return f.check()
}

// check turns what was typed into options.
func (f *flags) check() (options, error) {
	f.options.engine = platform.Engine(f.engine)
	names := strings.Split(f.device, ",")
	if len(names) > 1 && !f.options.summary {
		return f.options, errors.New("one device at a time")
	}
	for _, n := range names {
		d, err := deviceByName(n)
		if err == nil {
			err = f.change(&d)
		}
		if err != nil {
			return f.options, err
		}
		f.options.devices = append(f.options.devices, d)
	}
	var err error
	if f.loads != "" {
		if f.options.loads, err = parseShares(f.loads); err != nil {
			return f.options, err
		}
	}
	f.options.filter, err = parseFilter(f.rows)
	return f.options, err
}

// change puts what was typed in the place of a device's own settings.
func (f *flags) change(d *device) error {
	if f.size != "" {
		n, err := bench.ParseSize(f.size)
		if err != nil || n < bench.MinFileSize || n > bench.MaxFileSize || n%mib != 0 {
			return errors.New("the test file has 16 MiB to 16 TiB, in whole MiB")
		}
		d.size = n
	}
	if f.limitRate != "" {
		n, err := bench.ParseSize(f.limitRate)
		if err != nil {
			return err
		}
		d.limit.rate = float64(n)
	}
	if f.limitIOPS > 0 {
		d.limit.iops = f.limitIOPS
	}
	if f.measure > 0 {
		d.measure, d.slow = f.measure, 0
	}
	if f.ramp >= 0 {
		d.ramp = f.ramp
	}
	return nil
}

// do is the whole job: what is left is measured, and what is known is printed.
func (o *options) do(ctx context.Context, out, progress io.Writer) (count, error) {
	s, err := openState(o.state)
	if err != nil {
		return nil, err
	}
	if o.summary {
		return o.summaries(out, s)
	}
	d := &o.devices[0]
	specs, err := d.specs(o.filter)
	if err != nil {
		return nil, err
	}
	if len(o.loads) > 0 {
		j := job{options: o, device: d, specs: specs, out: out, progress: progress}
		return j.runLoads(ctx)
	}
	version, err := fioVersion(ctx)
	if err != nil {
		return nil, err
	}
	if o.fresh && !o.left {
		if err := s.forget(d.name, specs); err != nil {
			return nil, err
		}
	}
	j := job{options: o, device: d, state: s, version: version, specs: specs, out: out, progress: progress}
	if o.left {
		fmt.Fprintln(out, len(j.ahead()))
		return nil, nil
	}
	return j.run(ctx)
}

// summaries prints the tables of several devices.
func (o *options) summaries(out io.Writer, s *state) (count, error) {
	build, err := buildOf(o.cli)
	if err != nil {
		return nil, err
	}
	all := count{}
	for i := range o.devices {
		d := &o.devices[i]
		specs, err := d.specs(o.filter)
		if err != nil {
			return nil, err
		}
		if len(specs) == 0 {
			continue
		}
		if i == 0 {
			fmt.Fprintln(out, legend)
		}
		fmt.Fprintln(out)
		for v, n := range summary(out, d, specs, s, build) {
			all[v] += n
		}
	}
	return all, nil
}
