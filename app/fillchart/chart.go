package fillchart

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/bench/stages"
	"cachecliff/platform"
)

// Look is how a chart looks.
type Look struct {
	Words    *words.Words
	Locale   format.Locale
	Dark     bool
	Level    bool       // X is the fill level of the volume in percent, not GB written
	Zoom     plot.Range // of X that is shown; the zero value is all of it
	Columns  int        // how many columns of pixels there are to draw on
	Live     bool       // the run goes on: room is left for what comes, and only the cache is named
	Small    bool       // no room for words around the chart
	TextSize float64    // pixels before scaling; 0 is that of all charts
	Title    string
}

// Source is the passes of a run, from which charts are drawn.
type Source struct {
	passes []bench.FillPass
	volume platform.Volume
	loops  int
}

// From takes the passes of a run. That takes some milliseconds for each of them: do it off the UI goroutine.
func From(r *bench.Result) *Source {
	return &Source{passes: r.FillPasses(), volume: r.Plan.Target.Volume, loops: r.Plan.Profile.Loops}
}

// Picture is a chart with what can be read off it.
type Picture struct {
	Chart plot.Chart
	Unit  string     // of X: "GB" or "%"
	Whole plot.Range // of X
	lines []drawn
	by    float64 // how far from a point it can still be read
}

// drawn is a line with what it is called.
type drawn struct {
	Line
	name   string
	tag    string // the same, where there is little room
	colour color.Color
}

// Draw makes the chart.
func (s *Source) Draw(l Look) Picture {
	t := l.Words.T
	tick := func(v float64) string { return format.Tick(v, l.Locale) }
	p := Picture{Unit: "GB", Chart: plot.Chart{
		Title: l.Title, Dark: l.Dark, Legend: true, TextSize: l.TextSize, Empty: t("fill.chart-empty"),
		YLabel: "MB/s", XLabel: t("fill.x-written"), XFormat: tick, YFormat: tick,
	}}
	if l.Level {
		p.Unit, p.Chart.XLabel = "%", t("fill.x-level")
	}
	c := &p.Chart
	if l.Small {
		c.Legend, c.XLabel = false, ""
	}
	all := s.span(l)
	shown := l.Zoom
	if !(shown.Max > shown.Min) {
		shown = all
	}
	if shown.Max > shown.Min {
		c.XRange = shown
	}
	p.Whole = all
	p.by = (shown.Max - shown.Min) / 50
	for i, pass := range s.passes {
		line := Reduce(pass.Points, s.scale(pass, l), shown.Min, shown.Max, l.Columns)
		d := drawn{line, s.name(pass, l), s.tag(pass, l), shade(pass, l.Dark)}
		p.lines = append(p.lines, d)
		c.Series = append(c.Series, s.series(d, pass, l))
		c.Marks = append(c.Marks, s.marks(i, d, l)...)
	}
	if len(s.passes) == 1 {
		c.Series[0].Tag = "" // there is nothing to tell it from
	}
	return p
}

// span is all of the X axis.
func (s *Source) span(l Look) plot.Range {
	r := plot.Range{}
	for i, pass := range s.passes {
		sc := s.scale(pass, l)
		if i == 0 {
			r.Min = sc.Base
		}
		r.Min, r.Max = math.Min(r.Min, sc.Base), math.Max(r.Max, sc.at(pass.Found.Bytes))
	}
	if l.Live {
		r.Max = r.Min + RoundUp(r.Max-r.Min)
	}
	return r
}

// RoundUp is a round number that is not less, so that a chart that grows does not move with each sample.
func RoundUp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if m*power >= v {
			return m * power
		}
	}
	return 10 * power
}

// fillUnit is an amount of bytes that tells how much of a volume a byte is: small, and more than a rounding.
const fillUnit = 1 << 20

func (s *Source) scale(p bench.FillPass, l Look) Scale {
	full, _ := s.volume.Fill(0)
	left, _ := s.volume.Fill(fillUnit)
	if l.Level && full > left {
		return Scale{Base: p.Start * 100, PerByte: 100 * (full - left) / fillUnit}
	}
	return Scale{PerByte: 1e-9}
}

// level is the fill level that a pass began at.
func level(p bench.FillPass, l Look) string {
	return format.Percent(math.Round(p.Start*100)/100, l.Locale)
}

// start says where a pass began, and which it is if that does not tell it from others.
func (s *Source) start(p bench.FillPass, l Look) string {
	from := l.Words.T("fill.from", "Share", level(p, l))
	if s.alike(p, l) {
		return l.Words.T("fill.pass", "Pass", p.Pass, "From", from)
	}
	return from
}

// alike says whether another pass began at the same level.
func (s *Source) alike(p bench.FillPass, l Look) bool {
	return slices.ContainsFunc(s.passes, func(o bench.FillPass) bool { return o.Pass != p.Pass && level(o, l) == level(p, l) })
}

// tag is a short name.
func (s *Source) tag(p bench.FillPass, l Look) string {
	if s.alike(p, l) {
		return l.Words.T("fill.pass-short", "Pass", p.Pass) + s.repeat(p)
	}
	return s.start(p, l) + s.repeat(p)
}

// repeat is what a pass is called where others began at the same level.
func (s *Source) repeat(p bench.FillPass) string {
	if s.loops > 1 {
		return " · " + Roman(p.Loop)
	}
	return ""
}

// name is what a pass is called: by the fill level it began at, and its repeat.
func (s *Source) name(p bench.FillPass, l Look) string {
	name := s.start(p, l) + s.repeat(p)
	if p.Dirty {
		name += " · " + l.Words.T("fill.not-trimmed")
	}
	return name
}

// legend is what stands above the chart: of repeats the first, for there is no room for all.
func (s *Source) legend(p bench.FillPass, l Look) string {
	if p.Loop > 1 {
		return ""
	}
	return s.start(p, l)
}

// Roman is the number of a repeat.
func Roman(n int) string {
	all := []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"}
	if n >= 1 && n <= len(all) {
		return all[n-1]
	}
	return strconv.Itoa(n)
}

// The colours of the passes: green, orange, red, then others. They are told apart by dashes too.
var (
	hues   = []int{4, 1, 3, 0, 2, 5} // of plot.Palette
	dashes = [][]float64{nil, {14, 5}, {3, 3}, {10, 3, 2, 3}, {6, 4}, {2, 2}}
)

// shade is the colour of a pass: repeats are nearer to the colour of text.
func shade(p bench.FillPass, dark bool) color.Color {
	c := color.NRGBAModel.Convert(plot.Palette(dark)[hues[max(p.Pass-1, 0)%len(hues)]]).(color.NRGBA)
	towards := 0.0
	if dark {
		towards = 255
	}
	share := math.Min(float64(max(p.Loop-1, 0))*0.22, 0.66)
	mix := func(v uint8) uint8 { return uint8(math.Round(float64(v)*(1-share) + towards*share)) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 255}
}

func (s *Source) series(d drawn, p bench.FillPass, l Look) plot.Series {
	out := plot.Series{Name: s.legend(p, l), Tag: d.tag, X: d.X, Y: mega(d.Mean), Color: d.colour, Dash: dashes[max(p.Pass-1, 0)%len(dashes)]}
	if d.Merged {
		out.Lo, out.Hi = mega(d.Lo), mega(d.Hi)
	}
	return out
}

func mega(v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] / 1e6
	}
	return out
}

// marks are the borders of a pass. Where the drive was not told what had been deleted, the place at which the rate
// falls is not the size of the cache.
func (s *Source) marks(i int, d drawn, l Look) []plot.Mark {
	pass := s.passes[i]
	var out []plot.Mark
	first := true
	for _, b := range pass.Found.Borders {
		if b.Cause == stages.CauseNone || pass.Dirty || l.Live && (b.Cause != stages.CauseCache || !first) {
			continue
		}
		size := format.About(b.At, l.Locale)
		label := size
		switch {
		case b.Cause == stages.CauseHeat:
			label = l.Words.T("fill.border-heat", "Size", size)
		case b.Cause == stages.CauseUnknown:
			label = l.Words.T("fill.border-unknown", "Size", size)
		case first:
			label, first = l.Words.T("fill.border-cache", "Size", size), false
		case i > 0: // a line is enough: there is no room for the words of all passes
			label = ""
		}
		if label != "" && len(s.passes) > 1 {
			label = d.tag + ": " + label
		}
		at := s.scale(pass, l).at(b.At)
		if shown := l.Zoom; shown.Max > shown.Min && (at < shown.Min || at > shown.Max) {
			continue
		}
		out = append(out, plot.Mark{X: at, Label: label, Color: d.colour})
	}
	return out
}

// Where names a place on the X axis: "160.2 GB", "54.1 %".
func (p *Picture) Where(x float64, l format.Locale) string {
	if p.Unit == "%" {
		return format.Column{Unit: format.Unit{Symbol: "%", Size: 1}, Decimals: 1}.Text(math.Max(x, 0), l)
	}
	return format.Gigabytes.Text(math.Max(x, 0)*1e9, l)
}

// Reading is what a line shows at a place.
type Reading struct {
	X      float64
	Name   string
	Text   string // the rate
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
		text := format.MBPerSecond.Text(d.Mean[i], l)
		if d.Merged && d.Hi[i] > d.Lo[i] {
			text += " (" + format.MBPerSecond.Value(d.Lo[i], l) + "–" + format.MBPerSecond.Value(d.Hi[i], l) + ")"
		}
		out = append(out, Reading{X: d.X[i], Name: d.name, Text: text, Colour: d.colour})
	}
	return out
}
