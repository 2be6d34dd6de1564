package plot

import (
	"math"
	"strings"
	"unicode"

	gochart "github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// pen draws text and boxes in real pixels on a go-chart renderer, for pixels and SVG alike.
type pen struct {
	font  fontOf
	scale float64
	size  float64 // default size of text before scaling
	svg   bool
	ruler gochart.Renderer // measures; go-chart's SVG renderer is slow and wasteful at that
}

// anchor is the part of a text that is put at a place.
type anchor int

const (
	start anchor = iota
	middle
	end
)

func newPen(face fontOf, scale, size float64, svg bool) (*pen, error) {
	ruler, err := gochart.PNG(1, 1)
	if err != nil {
		return nil, err
	}
	ruler.SetDPI(72)
	ruler.SetFont(face)
	return &pen{font: face, scale: scale, size: size, svg: svg, ruler: ruler}, nil
}

// px turns a length before scaling into real pixels, at least one.
func (p *pen) px(v float64) int { return max(1, int(math.Round(v*p.scale))) }

// words makes a text drawable in one line: no control signs, at most 200 signs, and the font's thin
// space for the narrow one, which Roboto draws as wide as a normal one.
func words(s string) string {
	n := 0
	s = strings.Map(func(r rune) rune {
		n++
		switch {
		case n > 200:
			return -1
		case r == '\u202f' || r == '\u2009':
			return '\u2009'
		case !unicode.IsPrint(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.TrimSpace(s)
}

// width is how wide a text will be.
func (p *pen) width(s string, size float64) int {
	s = words(s)
	if s == "" {
		return 0
	}
	p.ruler.SetFontSize(size * p.scale)
	w := p.ruler.MeasureText(s).Width()
	if w < 0 || w > 1<<20 { // signs without an outline measure as garbage
		return 0
	}
	return w
}

// fit shortens a text to most pixels, with an ellipsis. It may leave nothing.
func (p *pen) fit(s string, size float64, most int) string {
	s = words(s)
	if p.width(s, size) <= most {
		return s
	}
	signs := []rune(s)
	for n := len(signs) - 1; n > 0; n-- {
		if short := strings.TrimSpace(string(signs[:n])) + "…"; p.width(short, size) <= most {
			return short
		}
	}
	return ""
}

// text draws one line with its middle at y.
func (p *pen) text(r gochart.Renderer, s string, x, y int, size float64, at anchor, c drawing.Color) {
	s = words(s)
	if s == "" {
		return
	}
	switch at {
	case middle:
		x -= p.width(s, size) / 2
	case end:
		x -= p.width(s, size)
	}
	if p.svg { // go-chart writes it as it is
		s = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
	}
	r.ResetStyle()
	r.SetFont(p.font)
	r.SetFontSize(size * p.scale)
	r.SetFontColor(c)
	baseline := y + int(math.Round(size*p.scale*0.36)) // half of the height of Roboto's capitals
	r.Text(s, x, baseline)
	r.ResetStyle()
}

// box fills a box. Whole pixels, so that thin lines are sharp.
func (p *pen) box(r gochart.Renderer, left, top, right, bottom int, c drawing.Color) {
	r.ResetStyle()
	r.SetFillColor(c)
	r.MoveTo(left, top)
	r.LineTo(right, top)
	r.LineTo(right, bottom)
	r.LineTo(left, bottom)
	r.Close()
	r.Fill()
}
