package run

import (
	"time"

	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/ui/chart"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
	"cachecliff/ui/sheet"
)

// curveKey says when a chart has to be drawn anew.
type curveKey struct {
	id, lang string
	samples  int
	ended    bool
}

// Curve is the chart of a result: rates over time, and the temperature on an axis of its own.
func Curve(w *words.Words, r *bench.Result, l format.Locale) part.Drawing {
	result := *r
	return part.Drawing{
		Key:   curveKey{r.ID, w.Lang(), samples(r), r.Reason != bench.ReasonInterrupted},
		Chart: func(f chart.Frame) plot.Chart { return curve(w, &result, l, f) },
	}
}

// The heights below which a chart has smaller text, and no room for names.
const (
	lowChart    = 140
	lowestChart = 72
)

func samples(r *bench.Result) int {
	n := 0
	for _, m := range r.Measurements {
		n += len(m.Series)
	}
	return n
}

// The least time between two pictures of a chart: twice a second, and once while one I/O at a time is
// measured, where the window's share of the processor could be seen in the numbers.
const (
	chartPause     = 500 * time.Millisecond
	chartPauseCalm = time.Second
)

// Calm says whether a view's step is easily disturbed: one I/O at a time.
func Calm(v *app.View) bool {
	return v.Step != nil && v.Step.Kind == bench.StepLoad && v.Step.Spec.Depth*v.Step.Spec.Threads == 1
}

func (s State) curve() part.Drawing {
	r := s.Shown()
	if r == nil {
		r = &bench.Result{}
	}
	d := Curve(s.Words, r, s.Locale)
	if s.View.Running() {
		d.Every = chartPause
		if Calm(&s.View) {
			d.Every = chartPauseCalm
		}
	}
	return d
}

func curve(w *words.Words, r *bench.Result, l format.Locale, f chart.Frame) plot.Chart {
	p := sheet.Rates(r.Measurements, r.Between, r.Plan.Profile.Rest)
	mega := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i := range v {
			out[i] = v[i] / 1e6
		}
		return out
	}
	lines := look.Lines(f.Dark)
	tick := func(v float64) string { return format.Tick(v, l) }
	c := plot.Chart{
		Dark: f.Dark, YLabel: "MB/s", Empty: w.T("run.chart-empty"), Time: true, Legend: true, MaxPoints: plot.LivePoints,
		Series: []plot.Series{
			{Name: w.T("direction.read"), X: p.Seconds, Y: mega(p.Read), Color: lines[0].Colour, Dash: lines[0].Dash},
			{Name: w.T("direction.write"), X: p.Seconds, Y: mega(p.Write), Color: lines[1].Colour, Dash: lines[1].Dash, Marks: lines[1].Marks},
		},
		XFormat: func(v float64) string { return format.AxisTime(v, l) }, YFormat: tick, Y2Format: tick,
	}
	if len(p.TempC) > 0 {
		c.Y2Label = "°C"
		c.Series = append(c.Series, plot.Series{
			Name: w.T("run.temperature"), X: p.TempSeconds, Y: p.TempC, Axis: plot.Right, Color: lines[3].Colour, Dash: lines[3].Dash,
		})
	}
	if f.Height < lowChart { // room for the curve itself
		c.TextSize = 10
	}
	if f.Height < lowestChart {
		c.YLabel, c.Y2Label, c.Legend = "", "", false
	}
	return c
}
