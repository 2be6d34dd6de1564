package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"cachecliff/app/condition"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// driveJSON is a drive as "drives --json" prints it.
type driveJSON struct {
	platform.Drive
	TempMilliC  *int32          `json:"temp_millic,omitempty"` // thousandths of a degree; nil if unknown
	NoTemp      platform.Why    `json:"no_temp,omitempty"`     // why it is unknown
	HealthGrade condition.Grade `json:"health_grade"`
	NoHealth    platform.Why    `json:"no_health,omitempty"` // why it is unknown
}

func (c *cli) drivesVerb() verb {
	asJSON := false
	return verb{
		name: "drives", about: "list drives and the volumes on them that can be tested",
		notes: "With --json each line is an object of \"type\" drive or target. A target names its drives by their \"key\";\n" +
			"it can be tested if it has no \"refusal\". Where the temperature or the health of a drive is not known, \"no_temp\" and\n" +
			"\"no_health\" say why; \"smart\" shows more. A drive that sleeps is not woken.",
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

// inventory asks for all drives, with the temperatures and the health that they tell, and all targets.
func (c *cli) inventory(ctx context.Context) ([]inspected, []platform.Target, error) {
	found, err := c.host.Drives(ctx)
	if err != nil {
		return nil, nil, err
	}
	targets, err := c.host.Targets(ctx)
	if err != nil {
		return nil, nil, err
	}
	drives, err := c.inspect(ctx, found)
	return drives, targets, err
}

func (c *cli) drivesAsJSON(drives []inspected, targets []platform.Target) error {
	var errs []error
	for _, x := range drives {
		errs = append(errs, c.writeJSON("drive", "drive", driveJSON{x.drive, x.milliC, x.noTemp, x.condition.Grade, x.noHealth}))
	}
	for _, t := range targets {
		errs = append(errs, c.writeJSON("target", "target", t))
	}
	return errors.Join(errs...)
}

func (c *cli) printDrives(drives []inspected, targets []platform.Target) {
	for i, x := range drives {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		c.printDrive(x)
		here := slices.DeleteFunc(slices.Clone(targets), func(t platform.Target) bool {
			return !slices.ContainsFunc(t.Drives, func(o platform.Drive) bool { return o.Key == x.drive.Key })
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
			return slices.ContainsFunc(drives, func(x inspected) bool { return x.drive.Key == o.Key })
		})
	}
	if rest := slices.DeleteFunc(slices.Clone(targets), known); len(rest) > 0 {
		fmt.Fprintln(c.stdout, "\nWithout a drive of this computer:")
		printTargets(c.stdout, rest)
	}
}

// printDrive says what a drive is and how it is, and why what is not known is not.
func (c *cli) printDrive(x inspected) {
	line := x.drive.Name + ": " + driveLine(x.drive)
	if x.milliC != nil {
		line += ", " + format.Temperature(*x.milliC)
	}
	fmt.Fprintln(c.stdout, row(line+", health "+condition.Name(english, x.condition.Grade)))
	lines := x.reasonWords()
	if x.condition.Grade == condition.Unknown {
		lines = append(lines, x.noHealthWords())
	}
	if x.milliC == nil {
		lines = append(lines, x.noTempWords())
	}
	for _, text := range lines {
		fmt.Fprintln(c.stdout, row("  "+text))
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
