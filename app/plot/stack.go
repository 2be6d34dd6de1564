package plot

import (
	"image"
	imagedraw "image/draw"
	"math"

	gochart "github.com/wcharczuk/go-chart/v2"
)

// Stack is charts above each other on one X axis, whose numbers stand below the last.
type Stack struct {
	Charts []Chart // XRange, XLabel, XFormat, Time, Dark and TextSize are those of the first
}

// Render draws it as Render does a chart. Each chart gets its share of the height.
func (s Stack) Render(w, h int, scale float64) (*image.RGBA, error) {
	if len(s.Charts) == 0 {
		return Render(Chart{}, w, h, scale)
	}
	if !(scale > 0) || scale > maxSide {
		return nil, ErrSize
	}
	pw, ph := float64(w)*scale, float64(h)*scale
	if err := checkSize(pw, ph); err != nil {
		return nil, err
	}
	out := image.NewRGBA(image.Rect(0, 0, int(math.Round(pw)), int(math.Round(ph))))
	return out, s.drawOn(out, scale)
}

// drawOn draws each chart and puts it in its place. A panic in a formatter of the caller's comes back as an
// error.
func (s Stack) drawOn(out *image.RGBA, scale float64) (err error) {
	defer recoverTo(&err)
	frames, err := s.frames(out.Bounds().Dx(), out.Bounds().Dy(), scale)
	if err != nil {
		return err
	}
	y := 0
	for _, f := range frames {
		var one collector
		chart := f.chart()
		if err := chart.Render(gochart.PNG, &one); err != nil {
			return err
		}
		if one.image != nil {
			imagedraw.Draw(out, image.Rect(0, y, f.pw, y+f.ph), one.image, image.Point{}, imagedraw.Src)
		}
		y += f.ph
	}
	return nil
}

// frames lays the charts out: each of them as high as the others, the last higher by the numbers below it,
// all with their plots between the same left and right edge.
func (s Stack) frames(pw, ph int, scale float64) ([]*frame, error) {
	face, err := font()
	if err != nil {
		return nil, err
	}
	first := s.Charts[0]
	if !(first.TextSize >= 4 && first.TextSize <= 200) {
		first.TextSize = 12
	}
	n := len(s.Charts)
	foot := numbersRow(first.TextSize, scale)
	if first.XLabel != "" {
		foot += int(first.TextSize * 1.4 * scale)
	}
	each := max(1, (ph-foot)/n)
	var out []*frame
	left, right := 0, pw
	for i, c := range s.Charts {
		c.XRange, c.XLabel, c.XFormat, c.Time = first.XRange, first.XLabel, first.XFormat, first.Time
		c.Dark, c.TextSize = first.Dark, first.TextSize
		c.packed = true
		height, spare := each, 0
		if i == n-1 {
			height = max(1, ph-each*(n-1))
		} else { // the row of numbers below it is not needed
			c.XLabel, spare = "", numbersRow(first.TextSize, scale)
		}
		f, err := newFrame(c, pw, height+spare, scale, face, false)
		if err != nil {
			return nil, err
		}
		f.ph = height
		out, left, right = append(out, f), max(left, f.area.left), min(right, f.area.right)
	}
	for i, f := range out {
		f.align(left, right, i == n-1)
	}
	return out, nil
}

// numbersRow is how high the numbers below a chart are in pixels.
func numbersRow(size, scale float64) int { return int(math.Round(size * 1.7 * scale)) }

// align puts the plot between two edges, and takes the numbers off an X axis that is not the last.
func (f *frame) align(left, right int, last bool) {
	f.area.left, f.area.right = left, right
	f.clampArea()
	xs := span{f.x.min, f.x.max}
	apart := f.pen.px(f.c.TextSize * 1.5)
	f.x = horizontal(xs, f.c.Time, f.c.XFormat, func(ts []tick) bool {
		return (f.widest(ts)+apart)*(len(ts)-1) <= f.area.width()
	})
	f.silence()
	if !last {
		for i := range f.x.ticks {
			f.x.ticks[i].label = ""
		}
	}
	f.x.domain, f.y.domain, f.y2.domain = f.area.width(), f.area.height(), f.area.height()
}
