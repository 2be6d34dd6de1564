package tests

import (
	"sync"
	"time"

	"cachecliff/app/fillchart"
	"cachecliff/app/format"
	"cachecliff/app/plot"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/ui/chart"
	"cachecliff/ui/part"
)

// chartKey says when a chart has to be drawn anew.
type chartKey struct {
	id, lang string
	samples  int
	ended    bool
	level    bool
}

// scope says when a chart is another one, which is seen whole again.
type scope struct {
	id    string
	level bool
}

// chartPause is the least time between two pictures of a run that goes on.
const chartPause = 500 * time.Millisecond

// manySamples are some hours.
const manySamples = 20_000

// The heights below which a chart has smaller text, and no room for names.
const (
	lowChart    = 180
	lowestChart = 120
)

// Chart is that of a filling: over the bytes written, or over the fill level.
func Chart(w *words.Words, r *bench.Result, l format.Locale, level, live bool) part.View {
	result := *r
	source := sync.OnceValue(func() *fillchart.Source { return fillchart.From(&result) })
	v := part.View{
		Key:   chartKey{r.ID, w.Lang(), samples(r), !live, level},
		Scope: scope{r.ID, level},
		Draw: func(f chart.Frame, x plot.Range) part.Drawn {
			look := fillchart.Look{
				Words: w, Locale: l, Dark: f.Dark, Level: level, Zoom: x, Columns: max(f.Width, 1), Live: live,
			}
			if f.Height < lowChart {
				look.TextSize = 10
			}
			look.Small = f.Height < lowestChart
			p := source().Draw(look)
			return part.Drawn{Chart: p.Chart, Whole: p.Whole, Read: func(x float64) []part.ReadOff { return read(&p, x, l) }}
		},
	}
	if live { // of a long run little changes in half a second, and to find its borders takes longer
		v.Every = chartPause * time.Duration(1+samples(r)/manySamples)
	}
	return v
}

// read is what stands beside the pointer: where it is, and what each curve shows there.
func read(p *fillchart.Picture, x float64, l format.Locale) []part.ReadOff {
	out := []part.ReadOff{{Text: p.Where(x, l)}}
	for _, r := range p.Read(x, l) {
		out = append(out, part.ReadOff{Text: r.Name + "  " + r.Text, Colour: r.Colour})
	}
	return out
}

func samples(r *bench.Result) int {
	n := 0
	for _, m := range r.Measurements {
		n += len(m.Series)
	}
	return n
}

// chart is that of the run that is shown.
func (s State) chart() part.View {
	r := s.Shown()
	if r == nil {
		r = &bench.Result{}
	}
	return Chart(s.Words, r, s.Locale, s.Level, s.View.Running())
}
