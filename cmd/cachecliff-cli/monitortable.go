package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

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
	cpu    *monitor.CPUShares // the last ones
}

// headEvery is after how many rows the head is printed again.
const headEvery = 24

// nameWidth is the room for a drive's name.
const nameWidth = 10

var monitorHead = []string{
	"r/s", "rkB/s", "rrqm/s", "r_await", "rareq-sz", "w/s", "wkB/s", "wrqm/s", "w_await", "wareq-sz",
	"d/s", "dkB/s", "d_await", "f/s", "f_await", "aqu-sz", "%util", "°C", "%user", "%nice", "%sys", "%iowait", "%steal", "%idle",
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
			if err := t.line("s", "drive", monitorHead); err != nil {
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
		fmt.Fprintf(&b, " %*s", max(len([]rune(monitorHead[i])), 7), cell)
	}
	_, err := fmt.Fprintln(t.w, b.String())
	return err
}

// driveCells are the cells of a drive; "-" where nothing is known.
func driveCells(c *monitor.Columns, r monitor.Reading) []string {
	temperature := "-"
	if len(r.Temperatures) > 0 {
		temperature = decimal(float64(r.Temperatures[0].MilliC)/1000, 1)
	}
	if c == nil {
		out := make([]string, 17)
		for i := range out {
			out[i] = "-"
		}
		return append(out, temperature)
	}
	out := append(wayCells(c.Read), wayCells(c.Write)...)
	out = append(out, decimal(c.Discard.PerSecond, 1), decimal(c.Discard.BytesPerSec/1024, 1), awaitCell(c.Discard.Await),
		decimal(c.Flushes, 1), awaitCell(c.FlushAwait))
	if c.AwaitsOver == 0 {
		return append(out, "-", "-", temperature)
	}
	return append(out, decimal(c.Queue, 2), decimal(100*c.Busy, 1), temperature)
}

func wayCells(w monitor.Way) []string {
	return []string{decimal(w.PerSecond, 1), decimal(w.BytesPerSec/1024, 1), decimal(w.Merged, 1), awaitCell(w.Await), decimal(w.Size/1024, 2)}
}

func awaitCell(a *monitor.Await) string {
	if a == nil {
		return "-"
	}
	return decimal(float64(*a)/float64(time.Millisecond), 2)
}

func cpuCells(c *monitor.CPUShares) []string {
	if c == nil {
		return []string{"-", "-", "-", "-", "-", "-"}
	}
	share := func(f *float64) string {
		if f == nil {
			return "-"
		}
		return decimal(100**f, 1)
	}
	return []string{share(&c.User), share(c.Nice), share(&c.System), share(c.IOWait), share(c.Steal), share(&c.Idle)}
}

func decimal(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }
