package compare

import (
	"math"
	"slices"
	"strings"

	comparing "cachecliff/app/compare"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/reference"
	"cachecliff/ui/chart"
	"cachecliff/ui/part"
)

// rowKind is what a row of bars is.
type rowKind int

const (
	ranked rowKind = iota
	unlike         // it has no rank, for reasons that are told
	rated          // what a maker promises
	heading
)

// row is one line of the bars.
type row struct {
	kind   rowKind
	name   string
	class  reference.Class
	own    bool
	amount float64
	ticks  []float64 // what the maker rates the same drive
	value  string
	reason string // why it is not ranked
	notes  []part.Note
}

// sheet is the bars of one quantity as they are drawn.
type sheet struct {
	axis  string // quantity, unit, and which way is better
	unit  string
	top   float64 // of the axis
	step  float64 // between two of its ticks
	rows  []row
	lines []part.Span // what has to be said about them
}

func (s State) class(c reference.Class) string { return explain.Class(s.Words, c) }

// sheet makes the bars of the choice.
func (s State) sheet() sheet {
	c := comparing.Bars(s.ranked(), comparing.Options{Metric: s.metric(), Share: s.Choice.Share, Own: s.own(), Filter: s.filter()})
	w := s.Words
	direction := w.T("compare.higher")
	if c.Metric.Lower {
		direction = w.T("compare.lower")
	}
	out := sheet{unit: explain.Unit(w, c.Unit)}
	out.axis = strings.Join([]string{s.metricName(c.Metric.ID), out.unit, direction}, " · ")
	ticks, rest := s.attach(c)
	add := func(kind rowKind, title string, bars []comparing.Bar) {
		if len(bars) > 0 && title != "" {
			out.rows = append(out.rows, row{kind: heading, name: title})
		}
		for _, b := range bars {
			r := s.row(c, kind, b)
			if kind != rated {
				r.rate(w.T("compare.rated"), ticks[b.ID], c, s)
			}
			out.rows = append(out.rows, r)
		}
	}
	add(ranked, "", c.Bars)
	add(unlike, w.T("compare.not-ranked"), c.Unlike)
	add(rated, w.T("compare.rated-heading"), rest)
	most := 0.0
	for _, r := range out.rows {
		most = slices.Max(append([]float64{most, r.amount}, r.ticks...))
	}
	out.top, out.step = axis(most)
	out.lines = append(out.lines, part.Span{Text: explain.Nothing(w, c.Nothing), Tone: part.Doubt})
	if c.Sources > 1 {
		out.lines = append(out.lines, part.Span{Text: w.T("compare.sources", "Count", c.Sources), Tone: part.Dim})
	}
	if c.NoCapacity > 0 {
		out.lines = append(out.lines, part.Span{Text: w.T("compare.no-capacity", "Count", c.NoCapacity), Tone: part.Dim})
	}
	return out
}

// metricName is the name of a quantity; that of a table comes from a value of it.
func (s State) metricName(id string) string {
	for _, d := range s.Drives {
		if i := slices.IndexFunc(d.Values, func(v reference.Value) bool { return v.Metric == id }); i >= 0 {
			return explain.Metric(s.Words, d.Values[i])
		}
	}
	return explain.MetricName(s.Words, id)
}

// attach gives ratings to the measurements of the same drive, and to runs on the same model. The others are left.
func (s State) attach(c comparing.Chart) (of map[string][]comparing.Bar, rest []comparing.Bar) {
	of = map[string][]comparing.Bar{}
	for _, r := range c.Rated {
		taken := false
		for _, b := range slices.Concat(c.Bars, c.Unlike) {
			same := b.ID == r.ID
			if !same {
				own, other := s.find(b.ID), s.find(r.ID)
				same = own != nil && other != nil && own.Setup != nil && len(reference.Same([]reference.Drive{*other}, *own)) > 0
			}
			if same && len(of[b.ID]) == 0 { // one of a bar: several makers' sheets say the same
				of[b.ID] = append(of[b.ID], r)
			}
			taken = taken || same
		}
		if !taken {
			rest = append(rest, r)
		}
	}
	return of, rest
}

// rate puts ratings on a bar.
func (r *row) rate(word string, ratings []comparing.Bar, c comparing.Chart, s State) {
	for _, b := range ratings {
		r.ticks = append(r.ticks, b.Amount)
		r.value += " · " + word + " " + s.amount(c, b)
		r.notes = append(r.notes, s.note(c, b, word))
	}
}

func (s State) row(c comparing.Chart, kind rowKind, b comparing.Bar) row {
	r := row{kind: kind, name: b.Name, class: b.Class, own: b.Own, amount: b.Amount, value: s.amount(c, b)}
	word := explain.Kind(s.Words, b.Value.Kind)
	r.notes = []part.Note{s.note(c, b, word)}
	if kind == rated {
		r.value = s.Words.T("compare.rated") + " " + r.value
	}
	if len(b.Reasons) > 0 {
		r.reason = s.reasons(b.Reasons)
		r.notes = append(r.notes, part.Note{Level: chart.Doubt, Word: s.Words.T("compare.not-ranked-word"), Text: r.reason})
	}
	return r
}

func (s State) reasons(all []comparing.Reason) string {
	var out []string
	for _, r := range all {
		out = append(out, explain.Unlike(s.Words, r))
	}
	return strings.Join(out, ", ")
}

// amount is the number of a bar, in percent of the capacity with the value behind it.
func (s State) amount(c comparing.Chart, b comparing.Bar) string {
	own := explain.Value(s.Words, b.Value)
	if c.Unit == b.Value.Unit {
		return own
	}
	return explain.Amount(s.Words, b.Amount, c.Unit) + " (" + own + ")"
}

// note is what a tip says about a value: conditions, and who says so.
func (s State) note(c comparing.Chart, b comparing.Bar, kind string) part.Note {
	w := s.Words
	source := b.Source.Title
	if b.Source.Address != b.Source.Title {
		source += " · " + b.Source.Address
	}
	return part.Note{
		Word: b.Name, Kind: strings.Join([]string{s.class(b.Class), kind}, ", "),
		Text:   s.amount(c, b) + " · " + b.Value.Conditions + s.loops(b.Value),
		Advice: w.T("compare.source", "Quality", explain.Quality(w, b.Source.Quality), "Source", source),
	}
}

// loops is the range of a value's loops.
func (s State) loops(v reference.Value) string {
	if v.Loops == nil || v.Loops.N < 2 {
		return ""
	}
	return " · " + s.Words.T("compare.loops", "Low", explain.Amount(s.Words, v.Loops.Lo, v.Unit), "High", explain.Amount(s.Words, v.Loops.Hi, v.Unit))
}

// axis is the end of an axis from 0 that shows a number, and the distance of its ticks.
func axis(most float64) (top, step float64) {
	if !(most > 0) || math.IsInf(most, 0) {
		return 1, 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most/5)))
	for _, m := range []float64{1, 2, 5, 10} {
		if step = m * power; most/step <= 8 {
			break
		}
	}
	return math.Max(most, step), step
}

// tick is a number of the axis.
func (s State) tick(v float64) string { return format.Tick(v, s.Locale) }
