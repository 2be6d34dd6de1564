package recording

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// Look is how a picture of a recording looks.
type Look struct {
	Words    *words.Words
	Locale   format.Locale
	Dark     bool
	Title    bool    // say what was watched, and when
	TextSize float64 // pixels before scaling; 0 is that of all charts
	Live     bool    // drawn again and again: fewer points
	Recent   bool    // the last minute only
	Zone     *time.Location
}

// panel is one chart of the stack.
type panel struct {
	name  string // message ID
	pair  bool   // of reads and writes: of and the quantity after it
	of    Quantity
	scale float64 // what one unit on the axis is
	top   float64 // of the axis; 0: as the data say
}

// panels are the charts from top to bottom; that of the processors follows.
var panels = []panel{
	{"monitor.panel-rate", true, ReadRate, 1e6, 0},
	{"monitor.panel-iops", true, ReadOps, 1, 0},
	{"monitor.panel-await", true, ReadAwait, float64(time.Millisecond), 0},
	{"monitor.panel-queue", false, QueueSize, 1, 0},
	{"monitor.panel-use", false, Use, .01, 100},
	{"monitor.panel-temperature", false, Temperature, 1, 0},
}

// Stack is the picture: rates, I/Os a second, awaits, queue, use, temperature, if any is known, and processors
// on one time axis. A hole is marked where it begins, with its reason. One drive has a colour for reads and one for
// writes; several have a colour each. Writes have squares on their curve.
func (t *Trend) Stack(l Look) plot.Stack {
	var s plot.Stack
	from, end := time.Duration(0), max(t.Length, t.Header.Period)
	if l.Recent {
		from = max(0, end-Recent)
	}
	tick := func(v float64) string { return format.Tick(v, l.Locale) }
	for i, p := range panels {
		c := t.chart(p, l)
		if p.of == Temperature && !t.warm() {
			continue
		}
		c.Marks = t.marks(l, i == 0)
		s.Charts = append(s.Charts, c)
	}
	s.Charts[0].Legend = true
	if l.Title {
		s.Charts[0].Title = t.title(l)
	}
	x, y := t.CPU()
	cpu := plot.Chart{YLabel: l.Words.T("monitor.panel-cpu"), YRange: plot.Range{Max: 100}, Empty: l.Words.T("monitor.chart-empty")}
	cpu.Series = []plot.Series{{X: x, Y: over(y, .01), Color: plot.Palette(l.Dark)[5]}}
	cpu.Marks = t.marks(l, false)
	s.Charts = append(s.Charts, cpu)
	for i := range s.Charts {
		c := &s.Charts[i]
		c.XRange, c.Time, c.Dark, c.TextSize, c.YFormat = plot.Range{Min: from.Seconds(), Max: end.Seconds()}, true, l.Dark, l.TextSize, tick
		c.XFormat = func(v float64) string { return format.AxisTime(v, l.Locale) }
		if l.Live {
			c.MaxPoints = plot.LivePoints
		}
	}
	return s
}

// The size of a picture, in units of pictureScale pixels.
const (
	pictureWidth  = 1000
	picturePanel  = 160
	pictureScale  = 2
	pictureMargin = 60
)

// Picture is the stack with a title, as PNG, 2000 pixels wide.
func (t *Trend) Picture(l Look) ([]byte, error) {
	l.Title = true
	stack := t.Stack(l)
	img, err := stack.Render(pictureWidth, picturePanel*len(stack.Charts)+pictureMargin, pictureScale)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return b.Bytes(), nil
}

// chart is one panel with its curves.
func (t *Trend) chart(p panel, l Look) plot.Chart {
	c := plot.Chart{YLabel: l.Words.T(p.name), Empty: l.Words.T("monitor.chart-empty"), YRange: plot.Range{Max: p.top}, Floating: p.of == Temperature}
	colours := plot.Palette(l.Dark)
	for i := range t.Drives {
		one := t.series(p, i, p.of)
		one.Color = colours[i%len(colours)]
		if len(t.Drives) > 1 {
			one.Name = t.Header.Drives[i].Name
		}
		if !p.pair {
			if len(t.Drives) == 1 {
				one.Color = single(p.of, colours)
			}
			c.Series = append(c.Series, one)
			continue
		}
		other := t.series(p, i, p.of+1)
		if len(t.Drives) == 1 {
			one.Name, other.Name = l.Words.T("direction.read"), l.Words.T("direction.write")
			other.Color = colours[1]
		} else {
			other.Name = one.Name + " " + l.Words.T("direction.write")
			one.Name += " " + l.Words.T("direction.read")
			other.Color = one.Color
		}
		other.Marks = true // a dense curve hides dashes
		c.Series = append(c.Series, one, other)
	}
	return c
}

// warm says whether a temperature of a drive is known.
func (t *Trend) warm() bool {
	for i := range t.Drives {
		if len(t.Drives[i].curves[Temperature].all) > 0 {
			return true
		}
	}
	return false
}

// single is the colour of what is neither read nor written, where there is one drive.
func single(q Quantity, colours []color.Color) color.Color {
	return map[Quantity]color.Color{QueueSize: colours[2], Use: colours[4], Temperature: colours[3]}[q]
}

func (t *Trend) series(p panel, drive int, q Quantity) plot.Series {
	x, y := t.Curve(drive, q)
	return plot.Series{X: x, Y: over(y, p.scale)}
}

// over divides values by one unit of an axis.
func over(values []float64, unit float64) []float64 {
	for i := range values {
		values[i] /= unit
	}
	return values
}

// mostMarks is how many holes can be marked so that the curves are still to be seen.
const mostMarks = 40

// marks are the beginnings of the holes, labelled in one panel only.
func (t *Trend) marks(l Look, labelled bool) []plot.Mark {
	var out []plot.Mark
	for i := range t.Drives {
		for _, h := range t.Drives[i].Holes() {
			if len(out) == mostMarks {
				return out
			}
			m := plot.Mark{X: h.From.Seconds()}
			if labelled {
				m.Label = t.HoleText(l.Words, i, h)
			}
			out = append(out, m)
		}
	}
	return out
}

// HoleText says which drive did not answer, and why.
func (t *Trend) HoleText(w *words.Words, drive int, h Hole) string {
	return t.Header.Drives[drive].Name + ": " + w.T(HoleWord(h.Why))
}

// HoleWord is the message for the reason of a hole.
func HoleWord(why string) string {
	switch why {
	case string(WhyGone):
		return "monitor.hole-gone"
	case string(platform.WhyNotReported):
		return "monitor.hole-uncounted"
	case string(platform.WhyRights):
		return "monitor.hole-rights"
	}
	return "monitor.hole-failed"
}

// title says what was watched.
func (t *Trend) title(l Look) string {
	zone := l.Zone
	if zone == nil {
		zone = time.UTC
	}
	names := ""
	for i, d := range t.Header.Drives {
		if i > 0 {
			names += " + "
		}
		names += d.Name
		if d.Model != "" {
			names += " (" + d.Model + ")"
		}
	}
	return l.Words.T("monitor.title", "Drives", names, "At", t.Header.Started.In(zone).Format("2006-01-02 15:04:05"),
		"Period", format.Duration(t.Header.Period, l.Locale), "Length", format.Duration(t.Length, l.Locale))
}
