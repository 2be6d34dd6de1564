// Package sheet turns a run into the text of its table: which rows and columns there are and what
// stands in each cell. The window and the card show the same sheet. It draws nothing and holds no
// words of a language.
package sheet

import (
	"slices"
	"strings"
	"time"

	"cachecliff/app/format"
	"cachecliff/bench"
)

// Sheet is a table ready to be drawn.
type Sheet struct {
	Columns []bench.Direction
	Rows    []Row
}

// Row is one line: a test shape in one unit.
type Row struct {
	Name      string     // "RND4K"
	Load      string     // "Q32T1"
	Unit      bench.Unit // never UnitUser
	Workloads []string   // IDs of what its button runs
	Cells     []Cell     // one per column
}

// LowerIsBetter says whether the smaller number wins.
func (r Row) LowerIsBetter() bool { return r.Unit == bench.UnitUS }

// State is how far a cell is.
type State int

// The states of a cell.
const (
	Empty   State = iota // not measured
	Running              // its workload is being measured; numbers of complete loops may be there
	Done                 // all that was measured is there
	Earlier              // the numbers are of a run before
)

// Cell is one number with what stands beside it. Texts are empty where nothing is known.
type Cell struct {
	Workload string // ID; empty if the profile has no such test
	State    State
	Number   string  // the best loop
	Median   string  // over the loops, in the same unit
	Spread   string  // the range of the loops as a share of the median
	P99      string  // of the latencies of all loops
	Rate     float64 // the best loop in bytes per second, whatever the unit; 0 if not known

	Doubts []bench.Warning // about the number: its own and those about the whole run
	Judged bool            // the run has ended: a number without doubts is valid
}

// Level is the worst level of the doubts about a number; empty if there are none.
func (c Cell) Level() bench.Level {
	var worst bench.Level
	for _, x := range c.Doubts {
		switch l := x.Code.Level(); {
		case l == bench.LevelInvalid:
			return l
		case l == bench.LevelDoubt, worst == "":
			worst = l
		}
	}
	return worst
}

// Valid says whether a number is the drive's for all that is known.
func (c Cell) Valid() bool {
	l := c.Level()
	return c.Number != "" && c.Judged && (l == "" || l == bench.LevelNote)
}

// Struck says whether a number does not hold; it is shown struck through.
func (c Cell) Struck() bool { return c.Level() == bench.LevelInvalid }

// Same says whether two cells look the same.
func (c Cell) Same(d Cell) bool {
	return c.Workload == d.Workload && c.State == d.State && c.Number == d.Number && c.Median == d.Median &&
		c.Spread == d.Spread && c.P99 == d.P99 && c.Rate == d.Rate && c.Judged == d.Judged && slices.Equal(c.Doubts, d.Doubts)
}

// Make lays out a profile's table. Outcomes are those of a run of it or of a part of it; running is the
// workload being measured, or empty.
func Make(p bench.Profile, outcomes []bench.Outcome, unit bench.Unit, running string, l format.Locale) Sheet {
	var s Sheet
	for _, d := range bench.Directions() {
		if p.Has(d) {
			s.Columns = append(s.Columns, d)
		}
	}
	for _, r := range p.Rows {
		s.Rows = append(s.Rows, row(p, r, s.Columns, outcomes, unit, running, l))
	}
	return s
}

func row(p bench.Profile, r bench.Row, columns []bench.Direction, outcomes []bench.Outcome, unit bench.Unit, running string, l format.Locale) Row {
	name, load, _ := strings.Cut(r.Shape.Label(), " ")
	out := Row{Name: name, Load: load, Unit: unit}
	if r.Unit != bench.UnitUser {
		out.Unit = r.Unit
	}
	for _, d := range columns {
		w, ok := p.Find(r.Shape, d)
		if !ok {
			out.Cells = append(out.Cells, Cell{})
			continue
		}
		out.Workloads = append(out.Workloads, w.ID)
		c := Cell{Workload: w.ID}
		if i := slices.IndexFunc(outcomes, func(o bench.Outcome) bool { return o.Workload.ID == w.ID }); i >= 0 {
			c = fill(c, outcomes[i], out.Unit, l)
		}
		if w.ID == running {
			c.State = Running
		}
		out.Cells = append(out.Cells, c)
	}
	return out
}

// fill writes the numbers of an outcome.
func fill(c Cell, o bench.Outcome, unit bench.Unit, l format.Locale) Cell {
	e, u := o.Bytes, format.MBPerSecond
	switch unit {
	case bench.UnitGBs:
		u = format.GBPerSecond
	case bench.UnitIOPS:
		e, u = o.IOPS, format.IOPS
	case bench.UnitUS:
		e, u = o.Latency, format.Microseconds
	}
	if e.N == 0 {
		return c
	}
	c.State = Done
	c.Number, c.Rate = u.Value(e.Best, l), o.Bytes.Best
	if e.N > 1 {
		c.Median, c.Spread = u.Value(e.Median, l), format.Percent(e.Spread(), l)
	}
	if o.Hist != nil && o.Hist.N() > 0 {
		c.P99 = format.Latency(o.Hist.Quantile(0.99), l)
	}
	return c
}

// SetLive puts what a workload does now into its cell as long as no loop of it is complete.
func (s *Sheet) SetLive(workload string, bytes, ops int64, latency, took time.Duration, l format.Locale) {
	for _, r := range s.Rows {
		for i := range r.Cells {
			c := &r.Cells[i]
			if c.Workload != workload || c.Number != "" {
				continue
			}
			c.Rate = format.PerSecond(bytes, took)
			switch r.Unit {
			case bench.UnitIOPS:
				c.Number = format.IOPS.Value(format.PerSecond(ops, took), l)
			case bench.UnitUS:
				if ops > 0 {
					c.Number = format.Microseconds.Value(float64(latency)/float64(ops), l)
				}
			case bench.UnitGBs:
				c.Number = format.GBPerSecond.Value(format.PerSecond(bytes, took), l)
			default:
				c.Number = format.MBPerSecond.Value(format.PerSecond(bytes, took), l)
			}
		}
	}
}

// Judge gives each number the doubts that a result has about it.
func (s *Sheet) Judge(r *bench.Result) {
	for _, row := range s.Rows {
		for i := range row.Cells {
			c := &row.Cells[i]
			if c.Number == "" {
				continue
			}
			c.Judged = r.Reason != bench.ReasonInterrupted
			for _, x := range r.Warnings {
				if (x.Workload == "" || x.Workload == c.Workload) && !slices.Contains(c.Doubts, x) {
					c.Doubts = append(c.Doubts, x)
				}
			}
		}
	}
}

// Fill puts the numbers of an earlier run into cells that have none. Both sheets are of one profile.
func (s *Sheet) Fill(earlier Sheet) {
	for i, row := range s.Rows {
		for k := range row.Cells {
			if c := earlier.Rows[i].Cells[k]; row.Cells[k].Number == "" && row.Cells[k].State == Empty && c.Number != "" {
				c.State = Earlier
				row.Cells[k] = c
			}
		}
	}
}
