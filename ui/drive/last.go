package drive

import (
	"time"

	"cachecliff/app/condition"
	"cachecliff/app/format"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// Last is the last run on a drive, as far as it says what the drive counted.
type Last struct {
	At            time.Time // when it began
	Test          bench.Profile
	Before, After *platform.Health // nil if the drive did not tell
	Written       *int64           // bytes that the test wrote; nil if it wrote to other drives as well
}

// LastOf is what a run says of a drive; nil if it was on others only.
func LastOf(r *bench.Result, d platform.Drive) *Last {
	drives := r.Plan.Target.Drives
	known := false
	for _, o := range drives { // the key alone may be a name such as vda, which many drives have
		known = known || o.Key == d.Key && o.Serial == d.Serial && o.Model == d.Model && o.Capacity == d.Capacity
	}
	if !known {
		return nil
	}
	l := &Last{At: r.At, Test: r.Plan.Profile, Before: healthIn(r.Before, d.Key), After: healthIn(r.After, d.Key)}
	if len(drives) == 1 {
		n := r.Moved().WriteBytes
		l.Written = &n
	}
	return l
}

func healthIn(p *bench.Probe, key string) *platform.Health {
	if p == nil {
		return nil
	}
	for _, d := range p.Drives {
		if d.Drive == key {
			return d.Health
		}
	}
	return nil
}

// since is what the drive counted in the last run, and after it.
func (s *State) since() Section {
	w, last := s.Words, s.Last
	if s.Drive() == nil || last == nil {
		return Section{}
	}
	c := Section{Title: w.T("drive.since")}
	when := facts.Join(last.At.Local().Format(w.T("fact.date")), facts.ProfileName(w, last.Test))
	c.Lead = []part.Span{{Text: w.T("drive.last-run", "Run", when)}}
	in, after := difference(last.Before, last.After), difference(last.After, s.Health)
	rows := s.moved(in, after)
	if len(rows) == 0 && in == nil && after == nil {
		c.Lead = append(c.Lead, part.Span{Text: w.T("drive.since-unknown"), Tone: part.Dim})
		return c
	}
	if last.Written != nil && in != nil {
		rows = append([][]Cell{{{Text: w.T("drive.written-test")}, {Text: format.VolumeSize(*last.Written, s.Locale)}, {Text: format.Unknown}}}, rows...)
	}
	c.Table = Table{Rows: rows, Columns: []Column{
		{Title: w.T("drive.counter"), Wide: true}, {Title: w.T("drive.in-run"), Right: true}, {Title: w.T("drive.after-run"), Right: true},
	}}
	c.Notes = []part.Span{{Text: w.T("drive.since-note"), Tone: part.Dim}}
	if more := last.more(in); more > 0 {
		c.Notes = append(c.Notes, part.Span{Text: w.T("drive.written-more", "Bytes", format.VolumeSize(more, s.Locale))})
	}
	return c
}

func difference(before, after *platform.Health) []condition.Delta {
	if before == nil || after == nil {
		return nil
	}
	return condition.Difference(*before, *after)
}

// moved are the counters that moved in the run or after it. The data written stand there in any case: one wants to
// see them beside what the test wrote.
func (s *State) moved(in, after []condition.Delta) [][]Cell {
	var rows [][]Cell
	find := func(all []condition.Delta, d condition.Delta) condition.Delta {
		for _, o := range all {
			if o.Part == d.Part && o.Attr == d.Attr {
				return o
			}
		}
		return condition.Delta{}
	}
	var names platform.Health // of the attributes
	for _, h := range []*platform.Health{s.Last.After, s.Health} {
		if h != nil {
			names = *h
		}
	}
	all := in
	for _, d := range after {
		if o := find(in, d); o.Part == "" && o.Attr == 0 {
			all = append(all[:len(all):len(all)], d)
		}
	}
	for _, d := range all {
		x, y := find(in, d), find(after, d)
		if !x.Moved() && !y.Moved() && (d.Part != platform.PartHostWrites || x.By == nil && y.By == nil) {
			continue
		}
		rows = append(rows, []Cell{{Text: d.Name(s.Words, names, s.Locale)}, s.change(x), s.change(y)})
	}
	return rows
}

// grave are counters that should not move.
var grave = map[platform.Part]bool{platform.PartMediaErrors: true, platform.PartCriticalTemp: true}

func (s *State) change(d condition.Delta) Cell {
	switch {
	case d.By == nil:
		return Cell{Text: format.Unknown, Tone: part.Dim}
	case d.Moved() && (grave[d.Part] || d.Attr != 0):
		return Cell{Text: d.Text(s.Locale), Tone: part.Doubt}
	}
	return Cell{Text: d.Text(s.Locale)}
}

// Drives count in steps of half a megabyte to a gibibyte, and the file system writes of its own: less than this share
// and this much is not worth a word.
const (
	moreShare = 20 // a twentieth
	moreBytes = 2 << 30
)

// more is how many bytes the drive counted in the run beyond what the test wrote; 0 if that says nothing.
func (l *Last) more(in []condition.Delta) int64 {
	for _, d := range in {
		if d.Part != platform.PartHostWrites || d.By == nil || l.Written == nil {
			continue
		}
		if n := *d.By - *l.Written; n > moreBytes && n > *l.Written/moreShare {
			return n
		}
	}
	return 0
}
