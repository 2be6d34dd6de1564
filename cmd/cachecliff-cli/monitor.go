package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cachecliff/app/format"
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
With --json the first line is an object of "type" monitor, then each line one of "type" sample: counts since the
computer started, with the time of each reading in nanoseconds, and in "columns" the columns of each drive. A sample that came late has "late", how late it was,
and "missed", how many came to nothing.`

// monitorOrder is what the user asked to be watched.
type monitorOrder struct {
	every, length time.Duration
	asJSON        bool
}

func (c *cli) monitorVerb() verb {
	o := monitorOrder{every: monitor.DefaultPeriod}
	return verb{
		name: "monitor", args: "[DRIVE...]", about: "watch drives and processors, in the columns of iostat", notes: monitorNotes,
		options: []option{
			timeTo(&o.every, "every", monitor.MinPeriod, monitor.MaxPeriod, "how often to look: 10ms to 1m (1s)"),
			timeTo(&o.length, "for", monitor.MinPeriod, 30*24*time.Hour, "end after this time; without it, Ctrl-C ends it"),
			flagTo(&o.asJSON, "json", "print JSON: what was counted, one sample a line"),
		},
		run: func(ctx context.Context, args []string) error {
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
	for _, d := range all {
		if strings.EqualFold(d.Name, strings.TrimPrefix(name, "/dev/")) || d.Key == name {
			return []platform.Drive{d}, nil
		}
		names = append(names, d.Name)
	}
	if !strings.ContainsAny(name, `/\`) && name != "." && name != ".." {
		return nil, usagef("There is no drive %q; there are %s. A folder is given with its path, such as ./%s.", name, strings.Join(names, ", "), name)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, &platform.OpError{Op: "look up", Object: name, Err: err}
	}
	t, err := c.host.Resolve(ctx, path)
	if err != nil {
		return nil, err
	}
	if len(t.Drives) == 0 {
		return nil, &platform.OpError{Op: "find the drive of", Object: t.Path, Reason: platform.ErrUnsupported}
	}
	return t.Drives, nil
}

// monitorJSON is how a recording begins.
type monitorJSON struct {
	Started time.Time        `json:"started"`
	Period  time.Duration    `json:"period"`
	System  platform.System  `json:"system"`
	Drives  []platform.Drive `json:"drives"`
}

// monitor watches until ctx ends, which is a stop, the time is over, which is not, or nobody reads.
func (c *cli) monitor(ctx context.Context, drives []platform.Drive, o monitorOrder) error {
	system, err := c.host.System(ctx)
	if err != nil {
		return err
	}
	if o.asJSON {
		if err := c.writeJSON("monitor", "monitor", monitorJSON{time.Now().UTC(), o.every, system, drives}); err != nil {
			return err
		}
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	table := monitorTable{w: c.stdout, drives: drives}
	var follow monitor.Follower
	late, fault := 0, error(nil)
	err = monitor.Run(limited, c.host, monitor.Config{Drives: drives, Period: o.every}, func(s monitor.Sample) {
		if s.Late > 0 {
			late += 1 + s.Missed
		}
		if o.asJSON {
			fault = c.writeMonitorJSON(s, follow.Add(s))
		} else {
			fault = table.add(s)
		}
		if fault != nil || o.length > 0 && s.At+o.every/2 >= o.length {
			cancel()
		}
	})
	if late > 0 {
		fmt.Fprintf(c.stderr, "%s samples were late or came to nothing: this computer had no time for them.\n", format.Integer(int64(late), format.EN))
	}
	switch {
	case fault != nil:
		return fault
	case err != nil:
		return err
	}
	return ctx.Err()
}

// monitorLine is a sample, and what it says since the one before: columns by their names with units.
type monitorLine struct {
	Type    string               `json:"type"`
	Sample  monitor.Sample       `json:"sample"`
	Columns []map[string]float64 `json:"columns"` // of each drive, null where nothing can be said; what is not known is left out
	CPU     map[string]float64   `json:"cpu,omitempty"`
}

func (c *cli) writeMonitorJSON(s monitor.Sample, row monitor.Row) error {
	line := monitorLine{Type: "sample", Sample: s, CPU: cpuByName(row.CPU)}
	for _, d := range row.Drives {
		line.Columns = append(line.Columns, columnsByName(d))
	}
	data, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("encode sample: %w", err)
	}
	_, err = c.rawOut.Write(append(data, '\n'))
	return err
}

func columnsByName(c *monitor.Columns) map[string]float64 {
	if c == nil {
		return nil
	}
	out := map[string]float64{}
	for _, col := range monitor.List() {
		if v, known := col.Of(c); known {
			out[col.Head()] = v
		}
	}
	return out
}

func cpuByName(s *monitor.CPUShares) map[string]float64 {
	if s == nil {
		return nil
	}
	out := map[string]float64{}
	for _, col := range monitor.CPUList() {
		if v, known := col.Of(s); known {
			out[col.Name] = v
		}
	}
	return out
}
