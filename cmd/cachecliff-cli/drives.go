package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// sensorTime is how long a drive may take to tell its temperature.
const sensorTime = 2 * time.Second

// driveLineJSON is a drive as "drives --json" prints it.
type driveJSON struct {
	platform.Drive
	TempMilliC *int32 `json:"temp_millic,omitempty"` // thousandths of a degree; nil if unknown
}

func (c *cli) drivesVerb() verb {
	asJSON := false
	return verb{
		name: "drives", about: "list drives and the volumes on them that can be tested",
		notes: "With --json each line is an object of \"type\" drive or target. A target names its drives by their \"key\";\n" +
			"it can be tested if it has no \"refusal\".",
		options: []option{flagTo(&asJSON, "json", "print JSON, one object a line")},
		run: func(ctx context.Context, args []string) error {
			if err := noArgs("drives", args); err != nil {
				return err
			}
			drives, targets, err := c.inventory(ctx)
			if err != nil {
				return err
			}
			if asJSON {
				return c.drivesAsJSON(drives, targets)
			}
			c.printDrives(drives, targets)
			return nil
		},
	}
}

// inventory asks for all drives, with the temperatures that they tell, and all targets.
func (c *cli) inventory(ctx context.Context) ([]driveJSON, []platform.Target, error) {
	found, err := c.host.Drives(ctx)
	if err != nil {
		return nil, nil, err
	}
	targets, err := c.host.Targets(ctx)
	if err != nil {
		return nil, nil, err
	}
	var drives []driveJSON
	for _, d := range found {
		t, err := c.temperature(ctx, d)
		if err != nil {
			return nil, nil, err
		}
		drives = append(drives, driveJSON{d, t})
	}
	return drives, targets, nil
}

// temperature is what a drive's first sensor shows, nil if it tells none. It fails only when ctx ends.
func (c *cli) temperature(ctx context.Context, d platform.Drive) (*int32, error) {
	limited, cancel := context.WithTimeout(ctx, sensorTime)
	defer cancel()
	s, err := c.host.Sensors(limited, d)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	// A drive without a sensor is common, and a temperature that is not known is shown as such.
	if err != nil || len(s.Temperatures) == 0 {
		return nil, nil
	}
	return &s.Temperatures[0].MilliC, nil
}

func (c *cli) drivesAsJSON(drives []driveJSON, targets []platform.Target) error {
	var errs []error
	for _, d := range drives {
		errs = append(errs, c.writeJSON("drive", "drive", d))
	}
	for _, t := range targets {
		errs = append(errs, c.writeJSON("target", "target", t))
	}
	return errors.Join(errs...)
}

func (c *cli) printDrives(drives []driveJSON, targets []platform.Target) {
	for i, d := range drives {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		line := d.Name + ": " + driveLine(d.Drive)
		if d.TempMilliC != nil {
			line += ", " + format.Temperature(*d.TempMilliC)
		}
		fmt.Fprintln(c.stdout, row(line))
		here := slices.DeleteFunc(slices.Clone(targets), func(t platform.Target) bool {
			return !slices.ContainsFunc(t.Drives, func(o platform.Drive) bool { return o.Key == d.Key })
		})
		if len(here) == 0 {
			fmt.Fprintln(c.stdout, "  no volume of it is mounted")
		}
		printTargets(c.stdout, here)
	}
	if len(drives) == 0 {
		fmt.Fprintln(c.stdout, "no drive found")
	}
	known := func(t platform.Target) bool {
		return slices.ContainsFunc(t.Drives, func(o platform.Drive) bool {
			return slices.ContainsFunc(drives, func(d driveJSON) bool { return d.Key == o.Key })
		})
	}
	if rest := slices.DeleteFunc(slices.Clone(targets), known); len(rest) > 0 {
		fmt.Fprintln(c.stdout, "\nWithout a drive of this computer:")
		printTargets(c.stdout, rest)
	}
}

// refusalWords says why a target cannot be used.
func refusalWords(t platform.Target) string {
	return explain.Refusal(words.New(words.English), t).Title
}

// printTargets prints volumes in columns.
func printTargets(w io.Writer, targets []platform.Target) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, t := range targets {
		free := format.VolumeSize(t.Volume.Free, format.EN) + " free of " + format.VolumeSize(t.Volume.Size, format.EN)
		if share, ok := t.Volume.Fill(t.Volume.Free); ok {
			free += ", " + format.Percent(share, format.EN) + " full"
		}
		place := t.Path
		if t.Volume.Mount != t.Path {
			place += " (on " + t.Volume.Mount + ")"
		}
		cells := []string{"  " + place, t.Volume.FS, free}
		var notes []string
		if w := layerWords(t.Layers); w != "" {
			notes = append(notes, w)
		}
		if len(t.Drives) > 1 {
			notes = append(notes, fmt.Sprintf("on %d drives", len(t.Drives)))
		}
		if t.Volume.System {
			notes = append(notes, "system")
		}
		if t.Refusal != platform.Usable {
			notes = append(notes, "cannot be tested: "+refusalWords(t))
		}
		fmt.Fprintln(tw, row(append(cells, strings.Join(notes, ", "))...))
	}
	tw.Flush()
}
