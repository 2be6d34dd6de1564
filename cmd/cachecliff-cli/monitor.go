package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"cachecliff/app/recording"
	"cachecliff/app/safefile"
	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// monitorNotes say what the columns are.
const monitorNotes = `DRIVE is a name as "drives" lists it, or a folder, which stands for the drives below it; without one all
drives are watched. The columns are those of iostat -x: requests and kibibytes a second, requests a second that were
joined to others and their share in percent (rqm), milliseconds from the queue to the answer (await), kibibytes of a
request (areq-sz), for reads (r), writes (w) and discards (d); flushes a second (f/s), requests in flight on average
(aqu-sz), percent of the time with one in flight (%util). "-" is not known. Awaits, aqu-sz and %util are over 100 ms at least, as the system
counts whole milliseconds. Then follow the temperature and the processors in percent.
--save keeps what was counted in a file, a JSON object a line, from which --open makes everything again, tables and
pictures; --csv writes a table with a row for each drive of each look, --png a picture of it all over time. With --open
the rows are printed unless --csv or --png is given.
With --json the first line is an object of "type" monitor, then each line one of "type" sample: counts since the
computer started, with the time of each reading in nanoseconds, and in "columns" the columns of each drive. A sample that came late has "late", how late it was,
and "missed", how many came to nothing.`

// monitorOrder is what the user asked to be watched.
type monitorOrder struct {
	every, length time.Duration
	asJSON        bool
	open          string // a recording to read instead of watching
	save          string // files to write
	csv, png      string
}

func (c *cli) monitorVerb() verb {
	o := monitorOrder{every: monitor.DefaultPeriod}
	return verb{
		name: "monitor", args: "[DRIVE...]", about: "watch drives and processors, in the columns of iostat", notes: monitorNotes,
		options: []option{
			timeTo(&o.every, "every", monitor.MinPeriod, monitor.MaxPeriod, "how often to look: 10ms to 1m (1s)"),
			timeTo(&o.length, "for", monitor.MinPeriod, 30*24*time.Hour, "end after this time; without it, Ctrl-C ends it"),
			flagTo(&o.asJSON, "json", "print JSON: what was counted, one sample a line"),
			stringTo(&o.save, "save", "FILE", "write a recording"),
			stringTo(&o.csv, "csv", "FILE", "write a table"),
			stringTo(&o.png, "png", "FILE", "write a picture"),
			stringTo(&o.open, "open", "FILE", "read a recording instead of watching"),
		},
		run: func(ctx context.Context, args []string) error {
			if o.open != "" {
				return c.openRecording(ctx, args, o)
			}
			drives, err := c.findDrives(ctx, args)
			if err != nil {
				return err
			}
			return c.monitor(ctx, drives, o)
		},
	}
}

// findDrives gives the drives that were named, each once, or all.
func (c *cli) findDrives(ctx context.Context, names []string) ([]platform.Drive, error) {
	all, err := c.host.Drives(ctx)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		if len(all) == 0 {
			return nil, &platform.OpError{Op: "watch", Object: "drives", Reason: platform.ErrNotExist}
		}
		return all, nil
	}
	var out []platform.Drive
	for _, name := range names {
		found, err := c.findDrive(ctx, all, name)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if !slices.ContainsFunc(out, func(o platform.Drive) bool { return o.Key == d.Key && o.Name == d.Name }) {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// findDrive gives the drive of a name, or the drives below a folder.
func (c *cli) findDrive(ctx context.Context, all []platform.Drive, name string) ([]platform.Drive, error) {
	var names []string
	device := strings.TrimPrefix(strings.TrimPrefix(name, "/dev/"), `\\.\`)
	for _, d := range all {
		if strings.EqualFold(d.Name, device) || d.Key == name {
			return []platform.Drive{d}, nil
		}
		names = append(names, d.Name)
	}
	if !strings.ContainsAny(name, `/\`) && name != "." && name != ".." {
		return nil, usagef("There is no drive %q; there are %s. A folder is given with its path, such as ./%s.", name, strings.Join(names, ", "), name)
	}
	t, err := c.host.Resolve(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(t.Drives) == 0 {
		return nil, &platform.OpError{Op: "find the drive of", Object: t.Path, Reason: platform.ErrUnsupported}
	}
	return t.Drives, nil
}

// monitor watches until ctx ends, which is a stop, the time is over, which is not, or nobody reads.
func (c *cli) monitor(ctx context.Context, drives []platform.Drive, o monitorOrder) error {
	system, err := c.host.System(ctx)
	if err != nil {
		return err
	}
	out, err := c.newMonitorOut(recording.Header{
		App: c.version, Started: time.Now().UTC(), Period: o.every, System: system, Drives: drives,
	}, o, true)
	if err != nil {
		return err
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	fault, last := error(nil), time.Duration(0)
	err = monitor.Run(limited, c.host, monitor.Config{Drives: drives, Period: o.every}, func(s monitor.Sample) {
		last = s.At
		if fault == nil {
			fault = out.add(s)
		}
		if fault != nil || o.length > 0 && s.At+o.every/2 >= o.length {
			cancel()
		}
	})
	closed := out.close(recording.End{At: last, Reason: recording.ReasonOf(err)})
	switch {
	case fault != nil:
		return fault
	case closed != nil:
		return closed
	case err != nil:
		return err
	}
	return ctx.Err()
}

// openRecording shows a recording as if it went on now.
func (c *cli) openRecording(ctx context.Context, args []string, o monitorOrder) error {
	if len(args) > 0 || o.save != "" || o.length > 0 {
		return usagef("--open reads a recording, so give neither a drive nor --save nor --for with it.")
	}
	file, err := os.Open(o.open)
	if err != nil {
		return safefile.Fault("open", o.open, err)
	}
	defer file.Close() // only read
	in, err := recording.NewReader(file)
	if err != nil {
		return &platform.OpError{Op: "open", Object: o.open, Err: err}
	}
	out, err := c.newMonitorOut(in.Header, o, o.csv == "" && o.png == "" || o.asJSON)
	if err != nil {
		return err
	}
	var fault error
	for fault == nil && ctx.Err() == nil {
		s, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fault = &platform.OpError{Op: "open", Object: o.open, Err: err}
			break
		}
		fault = out.add(s)
	}
	if err := out.close(recording.End{}); fault == nil { // what was read until a fault is kept
		fault = err
	}
	if fault != nil {
		return fault
	}
	switch end := in.End(); {
	case ctx.Err() != nil:
		return ctx.Err()
	case end == nil:
		fmt.Fprintln(c.stderr, "The recording was cut off; it is complete until there.")
	case end.Reason == recording.Gone:
		fmt.Fprintln(c.stderr, "The recording ended when the last of its drives was gone.")
	}
	return nil
}
