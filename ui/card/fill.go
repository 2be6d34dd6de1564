package card

import (
	"image"
	"image/draw"
	"strings"

	"cachecliff/app/explain"
	"cachecliff/app/fillchart"
	"cachecliff/app/plot"
	"cachecliff/bench"
	"cachecliff/ui/facts"
)

const (
	chartTop     = 166
	mostFindings = 5 // lines
)

// filling draws chart and sentences of a fill test in place of a table, and returns where they end.
func (p *pen) filling(r *bench.Result, o Options) (bottom int) {
	width := Width - 2*margin
	var lines []string
	if !o.Going {
		lines = p.wrap(explain.Fill(o.Words, r), regular(textSize), width, mostFindings)
	}
	bottom = footLine - 10
	if r.Reason != bench.ReasonDone || len(r.Warnings) > 0 {
		bottom -= doubtLines * lineStep
	}
	y := bottom - len(lines)*lineStep
	p.chart(r, o, y-8)
	for _, line := range lines {
		p.text(margin, y, width, regular(textSize), p.colour.Text, line)
		y += lineStep
	}
	return bottom
}

// chart draws the chart of a fill test down to a height.
func (p *pen) chart(r *bench.Result, o Options, bottom int) {
	width, height := Width-2*margin, bottom-chartTop
	c := fillchart.From(r).Draw(fillchart.Look{
		Words: o.Words, Locale: o.Locale, Dark: o.Dark, Columns: width, TextSize: textSize, Live: o.Going,
	}).Chart
	img, err := plot.Render(c, width, height, 1)
	if err != nil {
		if p.err == nil {
			p.err = err
		}
		return
	}
	draw.Draw(p.img, image.Rect(margin, chartTop, margin+width, bottom), img, image.Point{}, draw.Src)
}

// wrap breaks a text into at most so many lines of a width; the last takes what is left.
func (p *pen) wrap(text string, s style, width, most int) []string {
	var out []string
	line := ""
	words := strings.Split(text, " ")
	for i, word := range words {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && p.width(s, longer) > width {
			if len(out) == most-1 {
				return append(out, line+" "+strings.Join(words[i:], " "))
			}
			out, line = append(out, line), word
			continue
		}
		line = longer
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// written is what the samples of a run that goes on have shown to be written, bytes.
func written(r *bench.Result) int64 {
	var sum int64
	for _, m := range r.Measurements {
		for _, s := range m.Series {
			sum += s.Write.Bytes
		}
	}
	return sum
}

// fillLine says how a fill test was made.
func fillLine(r *bench.Result, o Options) string {
	p := r.Plan.Profile
	repeats := ""
	if p.Loops > 1 {
		repeats = o.Words.N("tests.loops", p.Loops)
	}
	return facts.Join(facts.ProfileName(o.Words, p), facts.FileSize(o.Words, p.FileSize, true, o.Locale),
		o.Words.N("tests.passes", len(p.Filling.Again)+1), repeats, facts.Access(o.Words, &r.Plan))
}
