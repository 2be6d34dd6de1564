package recording

import (
	"bufio"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cachecliff/app/safefile"
	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// Table writes a recording as RFC 4180 has it: commas, a head with units, lines that end in CR LF. There is
// a row for each drive of each sample. What was counted comes first, in base units and as it was read, then
// the columns of iostat under their names, with kilobytes of 1024 bytes. What is not known is empty.
type Table struct {
	w       *csv.Writer
	header  Header
	follow  monitor.Follower
	columns []monitor.Column
	cpu     []monitor.CPUColumn
}

// NewTable writes the head.
func NewTable(w io.Writer, h Header) (*Table, error) {
	t := &Table{w: csv.NewWriter(w), header: h, columns: monitor.List(), cpu: monitor.CPUList()}
	t.w.UseCRLF = true
	head := []string{"time", "at_ns", "drive", "model", "read_at_ns", "late_ns", "missed", "hole"}
	for _, c := range counts {
		head = append(head, c.name)
	}
	head = append(head, "temperature_millic", "temperature_age_ns", "sensors_millic")
	for _, c := range cpuTimes {
		head = append(head, c.name)
	}
	head = append(head, "span_ns", "awaits_over_ns")
	for _, c := range t.columns {
		head = append(head, c.Head())
	}
	for _, c := range t.cpu {
		head = append(head, c.Name)
	}
	return t, t.w.Write(head)
}

// counts are what is counted of a drive.
var counts = []struct {
	name string
	of   func(*platform.Counters) uint64
}{
	{"read_ops", func(c *platform.Counters) uint64 { return c.ReadOps }},
	{"read_merges", func(c *platform.Counters) uint64 { return c.ReadMerges }},
	{"read_bytes", func(c *platform.Counters) uint64 { return c.ReadBytes }},
	{"read_ticks_ms", func(c *platform.Counters) uint64 { return c.ReadTicks }},
	{"write_ops", func(c *platform.Counters) uint64 { return c.WriteOps }},
	{"write_merges", func(c *platform.Counters) uint64 { return c.WriteMerges }},
	{"write_bytes", func(c *platform.Counters) uint64 { return c.WriteBytes }},
	{"write_ticks_ms", func(c *platform.Counters) uint64 { return c.WriteTicks }},
	{"in_flight", func(c *platform.Counters) uint64 { return c.InFlight }},
	{"busy_ticks_ms", func(c *platform.Counters) uint64 { return c.BusyTicks }},
	{"queue_ticks_ms", func(c *platform.Counters) uint64 { return c.QueueTicks }},
	{"discard_ops", func(c *platform.Counters) uint64 { return c.DiscardOps }},
	{"discard_merges", func(c *platform.Counters) uint64 { return c.DiscardMerges }},
	{"discard_bytes", func(c *platform.Counters) uint64 { return c.DiscardBytes }},
	{"discard_ticks_ms", func(c *platform.Counters) uint64 { return c.DiscardTicks }},
	{"flush_ops", func(c *platform.Counters) uint64 { return c.FlushOps }},
	{"flush_ticks_ms", func(c *platform.Counters) uint64 { return c.FlushTicks }},
}

// cpuTimes are what is counted of the processors.
var cpuTimes = []struct {
	name string
	of   func(*platform.CPUTimes) *time.Duration
}{
	{"cpu_user_ns", func(c *platform.CPUTimes) *time.Duration { return &c.User }},
	{"cpu_nice_ns", func(c *platform.CPUTimes) *time.Duration { return c.Nice }},
	{"cpu_system_ns", func(c *platform.CPUTimes) *time.Duration { return &c.System }},
	{"cpu_iowait_ns", func(c *platform.CPUTimes) *time.Duration { return c.IOWait }},
	{"cpu_steal_ns", func(c *platform.CPUTimes) *time.Duration { return c.Steal }},
	{"cpu_idle_ns", func(c *platform.CPUTimes) *time.Duration { return &c.Idle }},
}

// Add writes the rows of a sample.
func (t *Table) Add(s monitor.Sample) error {
	row := t.follow.Add(s)
	at := t.header.Started.Add(s.At).UTC().Format("2006-01-02T15:04:05.000000Z")
	for i, d := range s.Drives {
		drive := t.header.Drives[i]
		cells := []string{at, whole(s.At), drive.Name, drive.Model, whole(d.At), "", "", string(HoleOf(d))}
		if s.Late > 0 {
			cells[5], cells[6] = whole(s.Late), strconv.Itoa(s.Missed)
		}
		cells = append(cells, raw(s, d)...)
		cells = append(cells, t.derived(row.Drives[i], row.CPU)...)
		if err := t.w.Write(cells); err != nil {
			return err
		}
	}
	return nil
}

// Close writes what was held back.
func (t *Table) Close() error {
	t.w.Flush()
	return t.w.Error()
}

func whole(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }

// raw are the cells with what was read.
func raw(s monitor.Sample, d monitor.Reading) []string {
	var cells []string
	for _, c := range counts {
		if d.Counters == nil {
			cells = append(cells, "")
			continue
		}
		cells = append(cells, strconv.FormatUint(c.of(d.Counters), 10))
	}
	if len(d.Temperatures) == 0 {
		cells = append(cells, "", "", "")
	} else {
		var all []string
		for _, r := range d.Temperatures {
			all = append(all, fmt.Sprintf("%s=%d", r.Label, r.MilliC))
		}
		cells = append(cells, strconv.Itoa(int(d.Temperatures[0].MilliC)), whole(d.TempAge), strings.Join(all, "; "))
	}
	for _, c := range cpuTimes {
		cell := ""
		if s.CPU != nil {
			if v := c.of(s.CPU); v != nil {
				cell = whole(*v)
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

// derived are the cells with what was reckoned.
func (t *Table) derived(c *monitor.Columns, cpu *monitor.CPUShares) []string {
	cells := []string{"", ""}
	if c != nil {
		cells[0] = whole(c.Span)
		if c.AwaitsOver > 0 {
			cells[1] = whole(c.AwaitsOver)
		}
	}
	cell := func(v float64, known bool) {
		text := ""
		if known {
			text = strconv.FormatFloat(v, 'f', -1, 64)
		}
		cells = append(cells, text)
	}
	for _, col := range t.columns {
		cell(col.Of(c))
	}
	for _, col := range t.cpu {
		cell(col.Of(cpu))
	}
	return cells
}

// HoleOf is why there are no counts in a reading; empty if there are.
func HoleOf(d monitor.Reading) platform.Why {
	switch {
	case d.Counters != nil:
		return ""
	case d.Gone:
		return WhyGone
	case d.NoCounters == "":
		return platform.WhyFailed
	}
	return d.NoCounters
}

// WhyGone is the reason of a hole where the drive is no longer there.
const WhyGone = platform.Why("gone")

// writeTable makes a table of a recording in a new file, in place of one that is there once it is complete.
func writeTable(name string, r *Reader) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"-"+rand.Text()+".tmp"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, safefile.Shared)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	buffer := bufio.NewWriterSize(file, 1<<16)
	err = copyTable(buffer, r)
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

func copyTable(to io.Writer, r *Reader) error {
	t, err := NewTable(to, r.Header)
	for err == nil {
		var s monitor.Sample
		if s, err = r.Next(); err == nil {
			err = t.Add(s)
		}
	}
	if err != io.EOF {
		return err
	}
	return t.Close()
}
