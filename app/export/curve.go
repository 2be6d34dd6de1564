package export

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"cachecliff/app/fillchart"
	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/thermalchart"
	"cachecliff/bench"
)

// The size of a chart in units, and of its text, so that it reads where it is shown 900 wide.
const (
	chartWidth  = 1000
	chartHeight = 360
	chartText   = 16
)

// drawing is a chart with its name and its height.
type drawing struct {
	name string
	plot.Chart
	height int
}

// drawings are the charts of a run: the rate over what was written for a fill; rate and temperatures for a
// test of the temperature; else rate, with the temperature, and
// latency over time.
func (t *teller) drawings(dark bool) []drawing {
	if t.r.Plan.Profile.Filling != nil {
		look := fillchart.Look{Words: t.w, Locale: t.l, Dark: dark, Columns: chartWidth, TextSize: chartText}
		return []drawing{{t.w.T("report.rate"), fillchart.From(t.r).Draw(look).Chart, chartHeight + 80}}
	}
	if t.r.Plan.Profile.Thermal != nil {
		look := thermalchart.Look{Words: t.w, Locale: t.l, Dark: dark, TextSize: chartText}
		return []drawing{{t.w.T("report.thermal"), thermalchart.From(t.r).Draw(look).Chart, chartHeight + 80}}
	}
	c := t.curves()
	if len(c.x) == 0 {
		return nil
	}
	rate, latency := t.frame("MB/s", dark), t.frame(t.w.T("report.p99"), dark)
	latency.Log = true
	for i, d := range []bench.Direction{bench.DirRead, bench.DirWrite} {
		one := plot.Series{Name: t.w.T("direction." + string(d)), X: c.x, Color: plot.Palette(dark)[i], Marks: i == 1}
		one.Y = c.rate[i]
		rate.Series = append(rate.Series, one)
		one.Y = c.p99[i]
		latency.Series = append(latency.Series, one)
	}
	if len(c.warmX) > 0 {
		rate.Y2Label = "°C"
		rate.Series = append(rate.Series, plot.Series{Name: t.w.T("run.temperature"), X: c.warmX, Y: c.warmY, Axis: plot.Right, Color: plot.Palette(dark)[3], Dash: []float64{2, 3}})
	}
	out := []drawing{{t.w.T("report.rate"), rate, chartHeight}}
	if c.timed {
		out = append(out, drawing{t.w.T("report.latencies"), latency, chartHeight})
	}
	return out
}

// frame is a chart over time without curves.
func (t *teller) frame(unit string, dark bool) plot.Chart {
	tick := func(v float64) string { return format.Tick(v, t.l) }
	return plot.Chart{
		YLabel: unit, Dark: dark, Time: true, Legend: true, TextSize: chartText, MaxPoints: 2 * plot.LivePoints,
		XFormat: func(v float64) string { return format.AxisTime(v, t.l) }, YFormat: tick, Y2Format: tick,
	}
}

// curves are a run over time: seconds since the first step, for reads and writes the rate in MB/s and the 99th
// percentile of the latency in microseconds, and the temperature of the first drive that tells one.
type curves struct {
	x            []float64
	rate, p99    [2][]float64
	timed        bool // there is a latency
	warmX, warmY []float64
}

// add adds a point of reads and writes. NaN is a gap.
func (c *curves) add(at time.Duration, rate, p99 [2]float64) {
	c.x = append(c.x, at.Seconds())
	for i := range rate {
		c.rate[i], c.p99[i] = append(c.rate[i], rate[i]), append(c.p99[i], p99[i])
		c.timed = c.timed || !math.IsNaN(p99[i])
	}
}

func (t *teller) curves() *curves {
	c := &curves{}
	nan := [2]float64{math.NaN(), math.NaN()}
	var zero, end time.Duration
	for i, m := range t.r.Measurements {
		began := m.Began
		if i == 0 {
			zero = began
		}
		if began == 0 && i > 0 { // it goes on, or was broken off: the time is not known
			began = end
		}
		for _, s := range m.Series {
			end = began + s.At
			rate, p99 := nan, nan
			for k, tally := range []bench.Tally{s.Read, s.Write} {
				if asked := m.Step.Spec.ReadPct; k == 0 && asked == 0 || k == 1 && asked == 100 {
					continue
				}
				rate[k] = format.PerSecond(tally.Bytes, s.Took) / 1e6
				if tally.P99 > 0 {
					p99[k] = float64(tally.P99) / 1e3
				}
			}
			c.add(end-zero, rate, p99)
		}
		if len(m.Series) > 0 {
			c.add(end-zero, nan, nan)
		}
	}
	c.warm(t.r, zero)
	return c
}

// warm takes the temperatures, each once and when it was read.
func (c *curves) warm(r *bench.Result, zero time.Duration) {
	drive, last := "", time.Duration(-1)
	for _, d := range r.Readings() {
		at := d.Since - d.TempAge - zero
		if len(d.Temperatures) == 0 || drive != "" && d.Drive != drive || at <= last {
			continue
		}
		drive, last = d.Drive, at
		c.warmX, c.warmY = append(c.warmX, at.Seconds()), append(c.warmY, float64(d.Temperatures[0].MilliC)/1000)
	}
}

// writeSVG writes the charts of a run below each other, with the drive and the run code above.
func writeSVG(b *bytes.Buffer, r bench.Result, o Options) error {
	t := newTeller(&r, o)
	all := t.drawings(o.Dark)
	if len(all) == 0 {
		all = []drawing{{"", plot.Chart{Empty: t.w.T("run.chart-empty"), Dark: o.Dark, TextSize: chartText}, chartHeight}}
	}
	all[0].Title = plainLine(join(between, t.model(), t.profile(), t.date(), t.code()))
	all[0].height += 2 * chartText
	height := 0
	for _, d := range all {
		height += d.height
	}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d">`+"\n", chartWidth, height)
	y := 0
	for _, d := range all {
		svg, err := plot.SVG(d.Chart, chartWidth, d.height)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, `<svg y="%d" width="%d" height="%d">%s</svg>`+"\n", y, chartWidth, d.height, svg)
		y += d.height
	}
	b.WriteString("</svg>\n")
	return nil
}
