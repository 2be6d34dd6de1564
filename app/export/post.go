package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/bench"
)

// grid is a table as people read it. The first column is names, the others are numbers.
type grid struct {
	Caption string
	Head    []string
	Rows    [][]cell
}

// cell is a text, and the worst doubt about it.
type cell struct {
	Text  string
	Level bench.Level // empty without a doubt
	Quiet bool        // its neighbour has the sign already
}

// Struck says whether a number does not hold.
func (c cell) Struck() bool { return c.Level == bench.LevelInvalid }

// Sign is the sign of the doubt, for who does not see colours; the same as in the window.
func (c cell) Sign() string {
	if c.Quiet {
		return ""
	}
	return signs[c.Level]
}

var signs = map[bench.Level]string{bench.LevelNote: "○", bench.LevelDoubt: "△", bench.LevelInvalid: "✕"}

// levelWords are the IDs of the words for levels.
var levelWords = map[bench.Level]string{
	bench.LevelNote: "report.level-note", bench.LevelDoubt: "report.level-doubt", bench.LevelInvalid: "report.level-invalid",
}

// doubt is a doubt in words.
type doubt struct {
	Level            bench.Level
	Word, Title      string
	Sentence, Advice string
}

// Sign is as that of a cell.
func (d doubt) Sign() string { return signs[d.Level] }

// grids are the numbers of a run.
func (t *teller) grids() []grid {
	if t.r.Plan.Profile.Filling != nil {
		return t.fillGrids()
	}
	if t.r.Plan.Profile.Copying != nil {
		return t.copyGrids()
	}
	if t.r.Plan.Profile.Thermal != nil {
		return t.thermalGrids()
	}
	outcomes := t.r.Outcomes()
	if !slices.ContainsFunc(outcomes, func(o bench.Outcome) bool { return o.Bytes.N > 0 }) {
		return nil
	}
	if t.r.Imported != nil {
		return t.givenGrids(outcomes)
	}
	return []grid{t.best(outcomes), t.medians(outcomes)}
}

// level is the worst doubt about a workload, notes left out: they take nothing from a number.
func (t *teller) level(workload string) bench.Level {
	var worst bench.Level
	for _, m := range explain.Marks(t.w, t.r, workload) {
		if m.Level == bench.LevelInvalid || m.Level == bench.LevelDoubt && worst == "" {
			worst = m.Level
		}
	}
	return worst
}

// best is the table as the window shows it: rows by shape, columns by direction, the best of all loops.
func (t *teller) best(outcomes []bench.Outcome) grid {
	p := t.r.Plan.Profile
	g := grid{Caption: t.w.T("report.best"), Head: []string{t.w.T("report.test")}}
	var columns []bench.Direction
	for _, d := range bench.Directions() {
		if p.Has(d) {
			columns = append(columns, d)
			g.Head = append(g.Head, t.head(d))
		}
	}
	for _, row := range p.Rows {
		unit := row.Unit
		if unit == bench.UnitUser {
			unit = bench.UnitMBs
		}
		cells := []cell{{Text: row.Shape.Label() + ", " + string(unit)}}
		there := false
		for _, d := range columns {
			c := cell{Text: format.Unknown}
			if w, ok := p.Find(row.Shape, d); ok {
				there = true
				c = t.number(outcomes, w.ID, unit)
			}
			cells = append(cells, c)
		}
		if there { // a part of the test was run
			g.Rows = append(g.Rows, cells)
		}
	}
	return g
}

// number is the best of a workload in a unit.
func (t *teller) number(outcomes []bench.Outcome, workload string, unit bench.Unit) cell {
	for _, o := range outcomes {
		if o.Workload.ID != workload || o.Bytes.N == 0 {
			continue
		}
		e, u := o.Bytes, format.MBPerSecond
		switch unit {
		case bench.UnitGBs:
			u = format.GBPerSecond
		case bench.UnitIOPS:
			e, u = o.IOPS, format.IOPS
		case bench.UnitUS:
			e, u = o.Latency, format.Microseconds
		}
		if e.N == 0 { // a report of another program may be without
			break
		}
		return cell{Text: u.Value(e.Best, t.l), Level: t.level(workload)}
	}
	return cell{Text: format.Unknown}
}

// medians are what comparisons are made with, a row for each workload with numbers.
func (t *teller) medians(outcomes []bench.Outcome) grid {
	g := grid{Caption: t.w.T("report.medians"), Head: []string{
		t.w.T("report.test"), t.w.T("report.median"), t.w.T("report.range"), "IOPS", t.w.T("report.latency"), t.w.T("report.p99"),
	}}
	rate := func(v float64) string { return format.MBPerSecond.Value(v, t.l) }
	for _, o := range outcomes {
		if o.Bytes.N == 0 {
			continue
		}
		level, p99, spread := t.level(o.Workload.ID), format.Unknown, format.Unknown
		if o.Hist != nil && o.Hist.N() > 0 {
			p99 = format.Microseconds.Value(float64(o.Hist.Quantile(0.99)), t.l)
		}
		if o.Bytes.N > 1 {
			spread = rate(o.Bytes.Lo) + "–" + rate(o.Bytes.Hi)
		}
		g.Rows = append(g.Rows, []cell{
			{Text: o.Workload.Spec.Label() + " " + t.head(o.Workload.Spec.Direction())},
			{rate(o.Bytes.Median), level, false}, {spread, level, true}, {format.IOPS.Value(o.IOPS.Median, t.l), level, true},
			{format.Microseconds.Value(o.Latency.Median, t.l), level, true}, {p99, level, true},
		})
	}
	return g
}

// fillGrids are the size of the write cache and the stages of each pass.
func (t *teller) fillGrids() []grid {
	passes := t.r.FillPasses()
	level := t.level("")
	size := func(n int64) string { return format.Written(n, t.l) }
	caches := grid{Caption: t.w.T("report.cache"), Head: []string{t.w.T("report.pass"), t.w.T("report.cache-size"), t.w.T("report.share")}}
	for _, c := range bench.Caches(passes) {
		row := []cell{{Text: fmt.Sprint(c.Pass)}, {Text: format.Unknown}, {Text: format.Unknown}}
		if border, ok := c.Size(); ok {
			row[1] = cell{Text: size(border.At), Level: level}
			if least, most, apart := c.Disagree(); apart {
				row[1].Text = size(least) + " – " + size(most)
			} else if capacity := bench.Capacity(t.r.Plan.Target); capacity > 0 {
				row[2] = cell{Text: format.Percent(float64(border.At)/float64(capacity), t.l), Level: level, Quiet: true}
			}
		} else if len(c.Unseen) > 0 {
			row[1] = cell{Text: t.w.T("report.no-cliff", "Bytes", size(c.UpTo())), Level: level}
		}
		caches.Rows = append(caches.Rows, row)
	}
	stages := grid{Caption: t.w.T("report.stages"), Head: []string{t.w.T("report.pass"), t.w.T("report.from"), t.w.T("report.to"), "MB/s"}}
	for _, p := range passes {
		name := fmt.Sprint(p.Pass)
		if t.r.Plan.Profile.Loops > 1 {
			name = t.w.T("report.run-pass", "Run", p.Loop, "Pass", p.Pass)
		}
		for _, s := range p.Found.Stages {
			stages.Rows = append(stages.Rows, []cell{{Text: name}, {Text: size(s.From)}, {Text: size(s.To)}, {Text: format.MBPerSecond.Value(s.Rate, t.l), Level: level}})
		}
	}
	return []grid{caches, stages}
}

// doubts are all doubts in words.
func (t *teller) doubts() []doubt {
	var out []doubt
	for _, m := range explain.Doubts(t.w, t.r.Warnings) {
		out = append(out, doubt{m.Level, t.w.T(levelWords[m.Level]), m.Title, m.Sentence, m.Advice})
	}
	return out
}

// ending says how a run ended that is not complete; empty for one that is.
func (t *teller) ending() string {
	if t.r.Reason == bench.ReasonDone {
		return ""
	}
	text := t.w.T("report.incomplete", "Reason", explain.Reason(t.w, t.r.Reason))
	if fault := explain.Failure(t.w, t.r.Failure).String(); fault != "" {
		text += ". " + fault
	}
	return text
}

// plainLine is a text in one line, without what a browser or terminal obeys. The spaces that keep a number together stay.
func plainLine(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' && unicode.IsSpace(r) })
	return format.PlainLine(strings.Join(words, " "))
}
