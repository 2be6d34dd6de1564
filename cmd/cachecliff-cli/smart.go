package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"cachecliff/app/condition"
	"cachecliff/app/format"
	"cachecliff/platform"
)

// smartNotes say what is shown and how to read it.
const smartNotes = `DRIVE is a name as "drives" lists it, or a folder, which stands for the drives below it; without one all drives are
shown. Health is good, caution or bad, with the reasons; it is unknown where nothing was read that a verdict can rest
on. A drive that sleeps is not woken. Most systems show health to administrators only.
The marks of attributes (value, worst, threshold) are the drive's own, from 253 down: at its threshold or below it a
mark is bad. Raw values are in a unit of the maker's choice; those in hexadecimal hold several numbers.
With --json each line is an object of "type" smart: "health_grade" and "reasons", and in "health" what the drive tells, in
bytes, minutes, hours, percent and thousandths of a degree Celsius. What is unknown is not there, and "absent" says
why; where nothing could be read "health" is null, and "no_health" says why. The "key" of a drive may hold its serial
number, so both are there only with --serial.
Exit status: 1 if the health of a drive that was named could not be read.`

// smartJSON is a drive as "smart --json" prints it.
type smartJSON struct {
	platform.Drive
	Key         string           `json:"key,omitempty"` // in place of the one of Drive, which is always there
	TempMilliC  *int32           `json:"temp_millic,omitempty"`
	NoTemp      platform.Why     `json:"no_temp,omitempty"`
	HealthGrade condition.Grade  `json:"health_grade"`
	Reasons     []reasonJSON     `json:"reasons,omitempty"`
	Health      *platform.Health `json:"health"`
	NoHealth    platform.Why     `json:"no_health,omitempty"`
}

// reasonJSON is a reason with its sentence.
type reasonJSON struct {
	condition.Reason
	Text string `json:"text"`
}

func (c *cli) smartVerb() verb {
	asJSON, serial := false, false
	return verb{
		name: "smart", args: "[DRIVE...]", about: "show the health of drives, and what they count (SMART)", notes: smartNotes,
		options: []option{
			flagTo(&asJSON, "json", "print JSON, one drive a line"),
			flagTo(&serial, "serial", "show serial numbers"),
		},
		run: func(ctx context.Context, args []string) error {
			all, err := c.inspectNamed(ctx, args)
			if err != nil {
				return err
			}
			for i, x := range all {
				if !serial {
					x.drive.Key, x.drive.Serial = "", ""
				}
				if asJSON {
					if err := c.writeJSON("smart", "smart", x.json()); err != nil {
						return err
					}
					continue
				}
				if i > 0 {
					fmt.Fprintln(c.stdout)
				}
				printSmart(c.stdout, x)
			}
			if len(all) == 0 && !asJSON {
				fmt.Fprintln(c.stdout, "no drive found")
			}
			return unread(args, all)
		},
	}
}

// inspectNamed inspects the drives that were named, or all.
func (c *cli) inspectNamed(ctx context.Context, names []string) ([]inspected, error) {
	find := c.host.Drives
	if len(names) > 0 {
		find = func(ctx context.Context) ([]platform.Drive, error) { return c.findDrives(ctx, names) }
	}
	drives, err := find(ctx)
	if err != nil {
		return nil, err
	}
	return c.inspect(ctx, drives)
}

// unread is the error of drives that were named and told nothing.
func unread(names []string, all []inspected) error {
	var parts []string
	for _, x := range all {
		if x.health == nil {
			parts = append(parts, "No health was read from "+x.drive.Name+": "+x.noHealthWords())
		}
	}
	if len(names) == 0 || len(parts) == 0 {
		return nil
	}
	return failf("%s", strings.Join(parts, " "))
}

func (x inspected) json() smartJSON {
	out := smartJSON{
		Drive: x.drive, Key: x.drive.Key, TempMilliC: x.milliC, NoTemp: x.noTemp,
		HealthGrade: x.condition.Grade, Health: x.health, NoHealth: x.noHealth,
	}
	for i, text := range x.reasonWords() {
		out.Reasons = append(out.Reasons, reasonJSON{x.condition.Reasons[i], text})
	}
	return out
}

// printSmart prints a drive: what it is, how it is and why, what it counts, and what it does not tell.
func printSmart(w io.Writer, x inspected) {
	fmt.Fprintln(w, row(x.drive.Name+": "+driveLine(x.drive)))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fact := func(name, value string) {
		if value != "" {
			fmt.Fprintln(tw, row("  "+name, value))
		}
	}
	fact(english.T("drive.serial"), x.drive.Serial)
	fact(english.T("drive.adapter"), strings.TrimSpace(x.drive.Adapter+" "+x.drive.USBID))
	fact(english.T("drive.health"), condition.Name(english, x.condition.Grade))
	for _, text := range append(x.reasonWords(), condition.Advice(english, x.condition.Grade)) {
		fact("", text)
	}
	if x.condition.Grade == condition.Unknown {
		fact("", x.noHealthWords())
	}
	if x.health == nil || x.health.TempMilliC == nil {
		fact(english.T("drive.temperature"), cmp.Or(temperatureWords(x), x.noTempWords()))
	}
	if x.health == nil {
		tw.Flush()
		return
	}
	for _, f := range condition.Facts(english, *x.health, format.EN) {
		fact(f.Name, f.Text)
	}
	tw.Flush()
	printAttributes(w, x.health.Attributes)
	for _, text := range condition.Absent(english, *x.health) {
		fmt.Fprintln(w, row("  "+text))
	}
	if x.health.Source != "" {
		fmt.Fprintln(w, row("  "+english.T("drive.read-from", "Source", x.health.Source)))
	}
}

func temperatureWords(x inspected) string {
	if x.milliC == nil {
		return ""
	}
	return format.Temperature(*x.milliC)
}

// printAttributes prints the table of an ATA drive.
func printAttributes(w io.Writer, all []platform.Attribute) {
	if len(all) == 0 {
		return
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, row("  "+english.T("smart.id"), english.T("smart.attribute"), english.T("smart.value"), english.T("smart.worst"),
		english.T("smart.threshold"), english.T("smart.raw"), english.T("smart.meaning")))
	for _, a := range all {
		limit := format.Unknown
		if a.Threshold != nil {
			limit = fmt.Sprint(*a.Threshold)
		}
		fmt.Fprintln(tw, row("  "+fmt.Sprint(a.ID), cmp.Or(a.Name, english.T("smart.unnamed")), fmt.Sprint(a.Normalized), fmt.Sprint(a.Worst), limit,
			condition.Raw(a.Raw, format.EN), condition.Meaning(english, a)))
	}
	tw.Flush()
}
