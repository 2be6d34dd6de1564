package compare

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	comparing "cachecliff/app/compare"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/reference"
	"cachecliff/ui/chart"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// curveKey says when the curves have to be drawn anew.
type curveKey struct {
	version int
	kind    reference.CurveKind
	share   bool
	lang    string
}

// line is one curve with what it is called.
type line struct {
	comparing.Line
	name   string
	tag    string
	drive  int // place among the drives that have curves
	colour color.Color
}

// lines are the curves of the chosen drives, over GB or over the share of the capacity.
func (s State) lines() []line {
	var out []line
	share := s.share()
	drives := map[string]int{}
	for _, l := range comparing.Lines(s.chosen(), s.own(), s.curve()) {
		if share {
			d := s.find(l.ID)
			if d == nil || d.CapacityGB == 0 {
				continue
			}
			l.X = scaled(l.X, 100/d.CapacityGB)
		}
		if _, ok := drives[l.ID]; !ok {
			drives[l.ID] = len(drives)
		}
		out = append(out, line{Line: l, drive: drives[l.ID]})
	}
	for i := range out {
		out[i].name, out[i].tag = s.lineName(out[i], out)
	}
	return out
}

// share says whether a fill is drawn over the share of the capacity.
func (s State) share() bool { return s.Choice.Share && s.curve() == reference.CurveFill }

func scaled(v []float64, by float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] * by
	}
	return out
}

// lineName is the drive, the level a pass began at where it has several, and which repeat it is.
func (s State) lineName(l line, all []line) (name, tag string) {
	passes, loops, same := false, false, 0
	for _, o := range all {
		if o.ID == l.ID {
			passes, loops = passes || o.Pass != l.Pass, loops || o.Loop != l.Loop
			same++
		}
	}
	parts, short := []string{l.Name}, []string{l.Name}
	if passes {
		from := s.Words.T("fill.from", "Share", format.Percent(math.Round(l.Start*100)/100, s.Locale))
		parts, short = append(parts, from), append(short, from)
	}
	if loops {
		parts = append(parts, fmt.Sprint(l.Loop))
	}
	if l.Steps {
		parts = append(parts, explain.FromSteps(s.Words))
	}
	if same > 1 && !passes {
		short = append(short, fmt.Sprint(l.Loop))
	}
	return strings.Join(parts, " · "), strings.Join(short, " · ")
}

// Dashes: a curve that nobody recorded is dashed, and the passes of a run differ by their dashes.
var (
	stepDash   = []float64{7, 5}
	passDashes = [][]float64{nil, {14, 4}, {2, 3}, {10, 3, 2, 3}}
)

// view is the chart of the curves.
func (s State) view() part.View {
	key := curveKey{s.Version, s.curve(), s.share(), s.Words.Lang()}
	lines := s.lines()
	return part.View{
		Key: key, Scope: key,
		Draw: func(f chart.Frame, x plot.Range) part.Drawn {
			all := slices.Clone(lines)
			for i := range all {
				all[i].colour = look.Lines(f.Dark)[all[i].drive%len(look.Lines(f.Dark))].Colour
			}
			c, whole := s.curves(all, f, x)
			return part.Drawn{Chart: c, Whole: whole, Read: func(at float64) []part.ReadOff { return s.read(all, at) }}
		},
	}
}

// curves lays the lines over each other.
func (s State) curves(all []line, f chart.Frame, x plot.Range) (plot.Chart, plot.Range) {
	w := s.Words
	tick := func(v float64) string { return format.Tick(v, s.Locale) }
	c := plot.Chart{Dark: f.Dark, Legend: true, YLabel: "MB/s", XLabel: w.T("fill.x-written"), XFormat: tick, YFormat: tick, Empty: w.T("compare.no-curves"), XRange: x}
	switch s.curve() {
	case reference.CurveTemperature:
		c.YLabel, c.Floating = "°C", true
	case reference.CurveFill:
	}
	if s.share() {
		c.XLabel = w.T("compare.x-share")
	}
	if s.curve() != reference.CurveFill {
		c.XLabel, c.Time = w.T("compare.x-time"), true
		c.XFormat = func(v float64) string { return format.AxisTime(v, s.Locale) }
	}
	whole := plot.Range{}
	for i, l := range all {
		series := plot.Series{Name: l.name, Tag: l.tag, X: l.X, Y: l.Y, Color: l.colour, Dash: passDashes[max(l.Pass-1, 0)%len(passDashes)]}
		if i > 0 && all[i-1].ID == l.ID && all[i-1].Pass == l.Pass { // a repeat: its name stands there
			series.Name = ""
		}
		if l.Steps {
			series.Dash = stepDash
		}
		if len(all) == 1 {
			series.Tag = ""
		}
		if len(l.X) > 0 {
			whole.Max = math.Max(whole.Max, l.X[len(l.X)-1])
		}
		c.Series = append(c.Series, series)
	}
	if !(x.Max > x.Min) && whole.Max > 0 {
		c.XRange = whole
	}
	return c, whole
}

// read is what stands beside the pointer.
func (s State) read(all []line, x float64) []part.ReadOff {
	unit := "MB/s"
	where := explain.Amount(s.Words, math.Round(x*10)/10, "GB")
	switch {
	case s.share():
		where = explain.Amount(s.Words, math.Round(x*10)/10, "%")
	case s.curve() != reference.CurveFill:
		where = format.AxisTime(x, s.Locale)
	}
	if s.curve() == reference.CurveTemperature {
		unit = "°C"
	}
	out := []part.ReadOff{{Text: where}}
	for _, l := range all {
		i, ok := slices.BinarySearch(l.X, x) // X is the end of each stretch
		if !ok && (i >= len(l.X) || len(l.X) == 0) || i < len(l.X) && i < len(l.Y) && math.IsNaN(l.Y[i]) {
			continue
		}
		out = append(out, part.ReadOff{Text: l.tag + "  " + explain.Amount(s.Words, l.Y[i], unit), Colour: l.colour})
	}
	return out
}

// curveLines is what has to be said about the curves: why there are none, and what they do not show.
func (s State) curveLines() []part.Span {
	var out []part.Span
	all := s.lines()
	with := map[string]bool{}
	for _, l := range all {
		with[l.ID] = true
		if l.Open {
			out = append(out, part.Span{Text: s.Words.T("compare.open", "Name", l.Name), Tone: part.Dim})
		}
		for _, v := range l.Unplaced {
			out = append(out, part.Span{Text: s.Words.T("compare.unplaced", "Name", l.Name, "Value", explain.Value(s.Words, v)), Tone: part.Dim})
		}
	}
	var without []string
	for _, d := range s.chosen() {
		if !with[d.ID] {
			without = append(without, d.Title())
		}
	}
	if len(without) > 0 && len(all) > 0 {
		out = append(out, part.Span{Text: s.Words.T("compare.without-curve", "Names", strings.Join(without, ", ")), Tone: part.Dim})
	}
	return append(out, s.unlikeCurves(all)...)
}

// unlikeCurves says which curves were not made in the way of the first one.
func (s State) unlikeCurves(all []line) []part.Span {
	own := s.Own()
	if own == nil {
		return nil
	}
	var out []part.Span
	told := map[string]bool{own.ID: true}
	for _, l := range all {
		d := s.find(l.ID)
		if told[l.ID] || d == nil || d.Setup == nil {
			continue
		}
		told[l.ID] = true
		if reasons := unlikeRuns(*own, *d); len(reasons) > 0 {
			out = append(out, part.Span{Text: s.Words.T("compare.unlike-curve", "Name", l.Name, "Reasons", s.reasons(reasons)), Tone: part.Doubt})
		}
	}
	return out
}

// unlikeRuns are all reasons why values that both have are not alike. That of fill levels is told by the curves.
func unlikeRuns(a, b reference.Drive) []comparing.Reason {
	var out []comparing.Reason
	for _, r := range comparing.Differences(a, b).Rows {
		for _, reason := range r.Reasons {
			if reason != comparing.ReasonLevel && !slices.Contains(out, reason) {
				out = append(out, reason)
			}
		}
	}
	return out
}
