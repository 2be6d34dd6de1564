package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// monitorTable prints samples as rows, one for each drive.
type monitorTable struct {
	w      io.Writer
	drives []platform.Drive
	follow monitor.Follower
	begun  bool
	rows   int
	widths []int
	cpu    *monitor.CPUShares // the last ones
}

// headEvery is after how many rows the head is printed again.
const headEvery = 24

// nameWidth is the room for a drive's name.
const nameWidth = 10

// monitorHead is the names of the columns, °C between those of a drive and those of the processors.
func monitorHead() []string {
	var out []string
	for _, c := range monitor.List() {
		out = append(out, c.Name)
	}
	out = append(out, "°C")
	for _, c := range monitor.CPUList() {
		out = append(out, c.Name)
	}
	return out
}

// add prints what a sample shows since the one before.
func (t *monitorTable) add(s monitor.Sample) error {
	row := t.follow.Add(s)
	if row.CPU != nil {
		t.cpu = row.CPU
	}
	if !t.begun {
		t.begun = true
		return nil // the first sample has nothing to compare with
	}
	for i, c := range row.Drives {
		if t.rows%headEvery == 0 {
			if err := t.line("s", "drive", monitorHead()); err != nil {
				return err
			}
		}
		t.rows++
		at := strconv.FormatFloat(s.At.Seconds(), 'f', 2, 64)
		if s.Late > 0 {
			at += "!"
		}
		if err := t.line(at, t.drives[i].Name, append(driveCells(c, s.Drives[i]), cpuCells(t.cpu)...)); err != nil {
			return err
		}
	}
	return nil
}

func (t *monitorTable) line(at, name string, cells []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%9s %-*s", at, nameWidth, name)
	for i, cell := range cells {
		fmt.Fprintf(&b, " %*s", t.width(i), cell)
	}
	_, err := fmt.Fprintln(t.w, b.String())
	return err
}

// width is that of a column: of its name, and of "12345.6" at least.
func (t *monitorTable) width(column int) int {
	if t.widths == nil {
		for _, name := range monitorHead() {
			t.widths = append(t.widths, max(len([]rune(name)), 7))
		}
	}
	return t.widths[column]
}

// driveCells are the cells of a drive; "-" where nothing is known.
func driveCells(c *monitor.Columns, r monitor.Reading) []string {
	var out []string
	for _, col := range monitor.List() {
		v, known := col.Of(c)
		out = append(out, decimal(v, known, col.Digits))
	}
	if len(r.Temperatures) == 0 {
		return append(out, decimal(0, false, 0))
	}
	return append(out, decimal(float64(r.Temperatures[0].MilliC)/1000, true, 1))
}

func cpuCells(c *monitor.CPUShares) []string {
	var out []string
	for _, col := range monitor.CPUList() {
		v, known := col.Of(c)
		out = append(out, decimal(v, known, 1))
	}
	return out
}

func decimal(v float64, known bool, digits int) string {
	if !known {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
