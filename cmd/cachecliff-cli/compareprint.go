package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"cachecliff/app/compare"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/reference"
)

// printComparison prints what was compared as text.
func (c *cli) printComparison(o comparison, w compareWishes) {
	for i, d := range o.Drives {
		fmt.Fprintf(c.stdout, "%s  %s, %s (%s)\n", letter(i), d.Title, explain.Class(english, d.Class), d.ID)
	}
	fmt.Fprintln(c.stdout)
	for _, s := range o.Verdict {
		fmt.Fprintln(c.stdout, s)
	}
	if o.Table != nil {
		c.printDifferences(*o.Table)
	}
	for i, chart := range o.Charts {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		c.printBars(chart)
	}
	if len(o.Verdict) == 0 && o.Table == nil && len(o.Charts) == 0 {
		fmt.Fprint(c.stdout, nothingWords(compare.NothingCommon))
	}
}

// letter names what is compared: A, B, and beyond Z by number.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprint(i + 1)
}

func (c *cli) printDifferences(t compareTable) {
	for _, x := range t.Changes {
		fmt.Fprintf(c.stdout, "%s: %s -> %s\n", explain.Changed(english, x.What), known(x.A), known(x.B))
	}
	if len(t.Changes) > 0 {
		fmt.Fprintln(c.stdout)
	}
	if t.Nothing != "" {
		fmt.Fprint(c.stdout, nothingWords(t.Nothing))
		return
	}
	tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "WHAT\tA\tB\tCHANGE\tIS IT ONE")
	for _, d := range t.Rows {
		fmt.Fprintln(tw, row(explain.Metric(english, d.A), explain.Value(english, d.A), explain.Value(english, d.B), changeWords(d), judgement(d)))
	}
	tw.Flush()
}

func known(s string) string {
	if s == "" {
		return format.Unknown
	}
	return s
}

// changeWords is how much B differs from A: "+12.3 %".
func changeWords(d compare.Difference) string {
	if d.Change == nil || math.Abs(*d.Change) > 99 {
		return format.Unknown
	}
	return fmt.Sprintf("%+.1f %%", 100**d.Change)
}

// judgement says whether a difference is one, and who is better or why that cannot be said.
func judgement(d compare.Difference) string {
	out := explain.Significance(english, d.Significance)
	switch {
	case d.Better > 0:
		out += ": B is better"
	case d.Better < 0:
		out += ": A is better"
	case len(d.Reasons) > 0:
		out += ": " + reasonWords(d.Reasons)
	case d.Significance == compare.Doubtful:
		var doubts []string
		for _, code := range d.Doubts {
			doubts = append(doubts, explain.Badge(english, code))
		}
		out += ": " + strings.Join(doubts, ", ")
	}
	return out
}

func reasonWords(rs []compare.Reason) string {
	var out []string
	for _, r := range rs {
		out = append(out, explain.Unlike(english, r))
	}
	return strings.Join(out, ", ")
}

// barWidth is how many characters the longest bar has.
const barWidth = 24

func (c *cli) printBars(chart compare.Chart) {
	m := chart.Metric
	name := explain.MetricName(english, m.ID)
	for _, list := range [][]compare.Bar{chart.Bars, chart.Unlike, chart.Rated} {
		if len(list) > 0 {
			name = explain.Metric(english, list[0].Value)
		}
	}
	direction := "higher is better"
	if m.Lower {
		direction = "lower is better"
	}
	fmt.Fprintf(c.stdout, "%s, %s, %s\n", name, explain.Unit(english, chart.Unit), direction)
	if chart.Nothing != "" {
		fmt.Fprintf(c.stdout, "  %s", nothingWords(chart.Nothing))
	}
	most := 0.0
	for _, list := range [][]compare.Bar{chart.Bars, chart.Unlike, chart.Rated} {
		for _, b := range list {
			most = max(most, b.Amount)
		}
	}
	tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, b := range chart.Bars {
		fmt.Fprintln(tw, "  "+row(marked(b), explain.Class(english, b.Class), shownAmount(chart, b), bar(b.Amount, most, "#"), from(b)))
	}
	for _, b := range chart.Unlike {
		fmt.Fprintln(tw, "  "+row(marked(b), explain.Class(english, b.Class), shownAmount(chart, b), "not ranked: "+reasonWords(b.Reasons), from(b)))
	}
	for _, b := range chart.Rated {
		fmt.Fprintln(tw, "  "+row(marked(b), explain.Class(english, b.Class), shownAmount(chart, b), bar(b.Amount, most, "/")+" rated", from(b)))
	}
	tw.Flush()
	if chart.Sources > 1 {
		fmt.Fprintf(c.stdout, "  From %d sources, which measured under different conditions.\n", chart.Sources)
	}
	if chart.NoCapacity > 0 {
		fmt.Fprintf(c.stdout, "  Left out, since the capacity is not known: %d.\n", chart.NoCapacity)
	}
}

// marked is a name, with a star if it is the own one.
func marked(b compare.Bar) string {
	if b.Own {
		return "* " + b.Name
	}
	return b.Name
}

// shownAmount is the number of a bar: that of the value, in percent of the capacity with the value behind it.
func shownAmount(chart compare.Chart, b compare.Bar) string {
	own := explain.Value(english, b.Value)
	if chart.Unit == b.Value.Unit {
		return own
	}
	return explain.Amount(english, b.Amount, chart.Unit) + " (" + own + ")"
}

func bar(amount, most float64, sign string) string {
	if most <= 0 {
		return ""
	}
	return strings.Repeat(sign, max(int(amount/most*barWidth+0.5), 1))
}

// from is where a value comes from: source and conditions, of a run its ID.
func from(b compare.Bar) string {
	if b.Source.Quality == reference.QualityOwn {
		return b.ID
	}
	return b.Source.Title + "; " + b.Value.Conditions
}
