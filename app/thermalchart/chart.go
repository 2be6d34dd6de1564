package thermalchart

import (
	"image/color"
	"math"
	"slices"
	"time"

	"cachecliff/app/fillchart"
	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/words"
)

// Look is how a chart looks.
type Look struct {
	Words    *words.Words
	Locale   format.Locale
	Dark     bool
	Zoom     plot.Range // of the seconds that are shown; the zero value is all of them
	Live     bool       // the run goes on: room is left for what comes
	Small    bool       // no room for words around the chart
	TextSize float64    // pixels before scaling; 0 is that of all charts
	Title    string
}

// Picture is a chart with what can be read off it.
type Picture struct {
	Chart plot.Chart
	Whole plot.Range // seconds
	lines []drawn
	by    float64 // how far from a point it can still be read
}

// drawn is a line with what it is called.
type drawn struct {
	line
	name   string
	colour color.Color
	warm   bool // degrees, not a rate
}

// The colours and dashes of curves. Rates are solid, temperatures never are.
var (
	ofRuns    = []int{0, 3, 4, 2, 1, 5} // of plot.Palette: of each run, where there are several
	ofSensors = []int{3, 4, 1, 2, 5}    // of each sensor, where there is one run
	dashes    = [][]float64{{7, 3}, {2, 3}, {12, 3, 2, 3}, {4, 4}, {10, 5}}
)

// Draw makes the chart.
func (s *Source) Draw(l Look) Picture {
	t := l.Words.T
	tick := func(v float64) string { return format.Tick(v, l.Locale) }
	p := Picture{Chart: plot.Chart{
		Title: l.Title, Dark: l.Dark, Legend: !l.Small, TextSize: l.TextSize, Empty: t("thermal.chart-empty"), Time: true,
		YLabel: "MB/s", Y2Label: "°C", XLabel: s.below(l), YFormat: tick, Y2Format: tick,
		XFormat: func(v float64) string { return format.AxisTime(v, l.Locale) },
	}}
	c := &p.Chart
	if l.Small {
		c.XLabel = ""
	}
	p.Whole = s.span(l)
	shown := l.Zoom
	if !(shown.Max > shown.Min) {
		shown = p.Whole
	}
	if shown.Max > shown.Min {
		c.XRange = shown
	}
	p.by = (shown.Max - shown.Min) / 50
	s.scales(c)
	if len(s.loads) > 1 {
		c.Y2Label = t("thermal.dashed")
	}
	for i := range s.loads {
		s.draw(&p, i, l)
	}
	return p
}

// below is what stands below the chart: what its X axis is, and what the curves alone do not tell.
func (s *Source) below(l Look) string {
	t := l.Words.T
	text := t("thermal.x")
	if s.waits {
		text = t("thermal.x-waiting")
	}
	none := len(s.loads) > 0 && !slices.ContainsFunc(s.loads, func(d load) bool { return d.known })
	if none && s.loads[0].pass.Took > 0 {
		text += " · " + t("thermal.no-sensor")
	}
	if d := s.Difference(l.Words); d != "" {
		text += " · " + d
	}
	return text
}

// Difference says how much cooler the one of two loads kept the drive than the other; empty where there are not two
// with a temperature.
func (s *Source) Difference(w *words.Words) string {
	if len(s.loads) != 2 {
		return ""
	}
	a, b := s.loads[0], s.loads[1]
	one, ok := a.top()
	two, also := b.top()
	if !ok || !also {
		return ""
	}
	if one > two {
		a, b, one, two = b, a, two, one
	}
	kelvin := format.Kelvin(two, one)
	if kelvin == format.Kelvin(0, 0) {
		return w.T("thermal.as-warm", "Top", format.Temperature(one))
	}
	return w.T("thermal.cooler", "Name", a.name(w), "Other", b.name(w), "Difference", kelvin)
}

// span is all of the X axis.
func (s *Source) span(l Look) plot.Range {
	r := plot.Range{}
	for _, d := range s.loads {
		r.Max = math.Max(r.Max, d.pass.Took.Seconds())
	}
	switch {
	case l.Live && !s.waits && s.live > 0:
		r.Max = math.Max(r.Max, s.live.Seconds())
	case l.Live:
		r.Max = fillchart.RoundUp(math.Max(r.Max, 60))
	}
	return r
}

// scales sets both Y axes: rates from zero, temperatures in whole steps of ten degrees with their limit.
func (s *Source) scales(c *plot.Chart) {
	top := 0.0
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, d := range s.loads {
		top = math.Max(top, highest(d.rate.y))
		for _, x := range d.sensors {
			for _, v := range x.y {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
		if limit := d.pass.Limit; limit != nil && d.known {
			hi = math.Max(hi, float64(*limit)/1000)
		}
	}
	if top > 0 {
		c.YRange = plot.Range{Max: fillchart.RoundUp(1.02 * top)}
	}
	warm := &c.Y2Range
	if s.waits {
		warm, c.YLabel = &c.YRange, c.Y2Label
	}
	if lo <= hi {
		*warm = plot.Range{Min: math.Floor((lo-2)/10) * 10, Max: math.Ceil((hi+2)/10) * 10}
	}
}

// draw adds a load: where heat slowed it down, its limit, its temperatures and its rate.
func (s *Source) draw(p *Picture, i int, l Look) {
	d, palette, several := s.loads[i], plot.Palette(l.Dark), len(s.loads) > 1
	colour := palette[ofRuns[i%len(ofRuns)]]
	name := d.name(l.Words)
	c := &p.Chart
	if heat := d.heat(c.YRange.Max); len(heat.X) > 0 {
		heat.Color = palette[1]
		if several {
			heat.Color = colour
		}
		c.Series = append(c.Series, heat)
		from := d.pass.Slowed[0].From
		c.Marks = append(c.Marks, plot.Mark{X: from.Seconds(), Color: heat.Color, Label: l.Words.T("thermal.throttled", "Time", format.Duration(from.Round(time.Second), l.Locale))})
	}
	if limit := d.pass.Limit; limit != nil && d.known && (i == 0 || *limit != *s.loads[0].limit()) {
		at := float64(*limit) / 1000
		c.Series = append(c.Series, plot.Series{X: []float64{p.Whole.Min, p.Whole.Max}, Y: []float64{at, at}, Axis: plot.Right, Dash: []float64{1, 3},
			Tag: l.Words.T("thermal.limit", "Temperature", format.Temperature(*limit)), Color: palette[5]})
	}
	drawn1 := drawn{d.rate, name, colour, false}
	rate := plot.Series{Name: name, X: d.rate.x, Y: d.rate.y, Color: colour, Marks: i%2 == 1}
	if !several {
		drawn1.name = l.Words.T("thermal.rate")
		rate.Name = drawn1.name
	}
	if len(d.rate.x) > 0 {
		c.Series = append(c.Series, rate)
		p.lines = append(p.lines, drawn1)
	}
	for k, x := range d.sensors {
		if several && !x.first {
			continue // there is room for those of whole drives
		}
		one := plot.Series{X: x.x, Y: x.y, Axis: plot.Right, Color: colour, Dash: dashes[k%len(dashes)]}
		label := x.label
		if label == "" {
			label = l.Words.T("run.temperature")
		}
		if several {
			label = name
			one.Tag = l.Words.T("thermal.up-to", "Top", format.Temperature(int32(1000*highest(x.y))))
			one.Dash = dashes[i%len(dashes)]
		} else {
			one.Color, one.Name = palette[ofSensors[k%len(ofSensors)]], label
		}
		if s.waits { // there is no rate to share the picture with
			one.Axis = plot.Left
		}
		c.Series = append(c.Series, one)
		p.lines = append(p.lines, drawn{x.line, label, one.Color, true})
	}
}

// limit is that of a load, or none that any could be.
func (d load) limit() *int32 {
	if d.pass.Limit == nil {
		return new(int32)
	}
	return d.pass.Limit
}

// heat tints the stretches in which heat slowed a load down, over the whole height.
func (d load) heat(top float64) plot.Series {
	var out plot.Series
	for _, s := range d.pass.Slowed {
		from, to := s.From.Seconds(), s.To.Seconds()
		out.X = append(out.X, from, to, to)
		out.Lo, out.Hi = append(out.Lo, 0, 0, math.NaN()), append(out.Hi, top, top, math.NaN())
	}
	return out
}

// Where names a place on the X axis.
func (p *Picture) Where(x float64, l format.Locale) string {
	return format.Duration(time.Duration(math.Round(math.Max(x, 0)))*time.Second, l)
}

// Reading is what a line shows at a place.
type Reading struct {
	Name   string
	Text   string // the rate or the temperature
	Colour color.Color
}

// Read is what the lines show at x. Those that have nothing near it are left out.
func (p *Picture) Read(x float64, l format.Locale) []Reading {
	var out []Reading
	for _, d := range p.lines {
		i, ok := d.near(x, p.by)
		if !ok {
			continue
		}
		text := format.MBPerSecond.Text(d.y[i]*1e6, l)
		if d.warm {
			text = format.Temperature(int32(math.Round(d.y[i] * 1000)))
		}
		out = append(out, Reading{d.name, text, d.colour})
	}
	return out
}

// near is the point that is nearest to x, if it is not further than by.
func (d line) near(x, by float64) (int, bool) {
	i, _ := slices.BinarySearch(d.x, x)
	if i == len(d.x) || i > 0 && x-d.x[i-1] < d.x[i]-x {
		i--
	}
	return i, i >= 0 && math.Abs(d.x[i]-x) <= by
}
