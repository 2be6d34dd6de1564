package monitor

import "time"

// Column is one of the columns, by the name that iostat -x gives it.
type Column struct {
	Name   string // r/s, r_await, %util
	Unit   string // where the name does not tell it: "ms", or "kB", which is 1024 bytes as with iostat
	Digits int    // behind the decimal point, where there is room for few
	Value  func(*Columns) (v float64, known bool)
}

// Head is the name with its unit: r/s, r_await_ms.
func (c Column) Head() string { return head(c.Name, c.Unit) }

func head(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + "_" + unit
}

// Of is the column's value; not known if c is nil.
func (c Column) Of(all *Columns) (v float64, known bool) {
	if all == nil {
		return 0, false
	}
	return c.Value(all)
}

// CPUColumn is one of the columns of the processors, which iostat shows above the drives: all in percent.
type CPUColumn struct {
	Name  string
	Share func(*CPUShares) *float64 // 0 to 1; nil is not told
}

// Of is the column's value in percent; not known if s is nil.
func (c CPUColumn) Of(s *CPUShares) (percent float64, known bool) {
	if s == nil {
		return 0, false
	}
	share := c.Share(s)
	if share == nil {
		return 0, false
	}
	return 100 * *share, true
}

const kilobyte = 1024.0

// List is all columns of a drive, in the order of iostat.
func List() []Column {
	read := func(c *Columns) *Way { return &c.Read }
	write := func(c *Columns) *Way { return &c.Write }
	discard := func(c *Columns) *Way { return &c.Discard }
	out := append(wayColumns("r", read), wayColumns("w", write)...)
	out = append(out, wayColumns("d", discard)...)
	return append(out,
		Column{"f/s", "", 1, func(c *Columns) (float64, bool) { return c.Flushes, true }},
		Column{"f_await", "ms", 2, func(c *Columns) (float64, bool) { return millis(c.FlushAwait) }},
		Column{"aqu-sz", "", 2, func(c *Columns) (float64, bool) { return c.Queue, c.AwaitsOver > 0 }},
		Column{"%util", "", 1, func(c *Columns) (float64, bool) { return 100 * c.Busy, c.AwaitsOver > 0 }},
	)
}

// wayColumns are the columns of one way, whose names begin with a letter.
func wayColumns(letter string, of func(*Columns) *Way) []Column {
	plain := func(name, unit string, digits int, v func(*Way) float64) Column {
		return Column{name, unit, digits, func(c *Columns) (float64, bool) { return v(of(c)), true }}
	}
	return []Column{
		plain(letter+"/s", "", 1, func(w *Way) float64 { return w.PerSecond }),
		plain(letter+"kB/s", "", 1, func(w *Way) float64 { return w.BytesPerSec / kilobyte }),
		plain(letter+"rqm/s", "", 1, func(w *Way) float64 { return w.Merged }),
		plain("%"+letter+"rqm", "", 1, func(w *Way) float64 { return 100 * w.MergedShare }),
		{letter + "_await", "ms", 2, func(c *Columns) (float64, bool) { return millis(of(c).Await) }},
		plain(letter+"areq-sz", "kB", 2, func(w *Way) float64 { return w.Size / kilobyte }),
	}
}

func millis(a *Await) (float64, bool) {
	if a == nil {
		return 0, false
	}
	return float64(*a) / float64(time.Millisecond), true
}

// CPUList is all columns of the processors, in the order of iostat.
func CPUList() []CPUColumn {
	return []CPUColumn{
		{"%user", func(s *CPUShares) *float64 { return &s.User }},
		{"%nice", func(s *CPUShares) *float64 { return s.Nice }},
		{"%system", func(s *CPUShares) *float64 { return &s.System }},
		{"%iowait", func(s *CPUShares) *float64 { return s.IOWait }},
		{"%steal", func(s *CPUShares) *float64 { return s.Steal }},
		{"%idle", func(s *CPUShares) *float64 { return &s.Idle }},
	}
}
