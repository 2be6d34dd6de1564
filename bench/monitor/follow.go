package monitor

import (
	"cachecliff/platform"
)

// Row is a sample in columns.
type Row struct {
	Drives []*Columns // in the order of Config.Drives; nil where nothing can be said
	CPU    *CPUShares // nil where nothing can be said, and between the times at which the processors are read
}

// Follower turns samples, one after the other, into rows. It remembers no more than AwaitSpan of them. The
// zero value is ready.
type Follower struct {
	drives [][]Reading // of each drive the oldest that is still needed first
	cpu    *platform.CPUTimes
}

// Add takes the next sample. Rates are reckoned from the reading before, awaits, Queue and Busy from the
// latest one that lies AwaitSpan back. The first sample gives none.
func (f *Follower) Add(s Sample) Row {
	row := Row{Drives: make([]*Columns, len(s.Drives))}
	if f.drives == nil {
		f.drives = make([][]Reading, len(s.Drives))
	}
	for i, now := range s.Drives {
		if now.Counters == nil {
			continue
		}
		row.Drives[i] = columns(f.drives[i], now)
		f.drives[i] = append(needed(f.drives[i], now), now)
	}
	if s.CPU != nil {
		if f.cpu != nil {
			if c, ok := CPUBetween(*f.cpu, *s.CPU); ok {
				row.CPU = &c
			}
		}
		f.cpu = s.CPU
	}
	return row
}

// columns are those of a drive from what was read before; nil if that says nothing.
func columns(before []Reading, now Reading) *Columns {
	if len(before) == 0 {
		return nil
	}
	c, ok := Between(before[len(before)-1], now)
	if !ok {
		return nil
	}
	if c.AwaitsOver > 0 {
		return &c
	}
	for i := len(before) - 1; i >= 0; i-- {
		long, ok := Between(before[i], now)
		if !ok || long.AwaitsOver == 0 {
			continue
		}
		c.Read.Await, c.Write.Await, c.Discard.Await, c.FlushAwait = long.Read.Await, long.Write.Await, long.Discard.Await, long.FlushAwait
		c.AwaitsOver, c.Queue, c.Busy = long.AwaitsOver, long.Queue, long.Busy
		break
	}
	return &c
}

// needed drops the readings that a later one makes superfluous: all but the latest that lies AwaitSpan back.
func needed(before []Reading, now Reading) []Reading {
	first := 0
	for i := range before {
		if now.At-before[i].At >= AwaitSpan {
			first = i
		}
	}
	return append(before[:0], before[first:]...)
}
