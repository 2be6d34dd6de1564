package plot

import (
	"image/color"
	"math"
	"testing"
)

// A band is tinted between its edges, and the axis has room for its upper one.
func TestBand(t *testing.T) {
	c := Chart{YRange: Range{0, 100}, XRange: Range{0, 10}, Series: []Series{
		{X: []float64{0, 10}, Y: []float64{50, 50}, Lo: []float64{20, 20}, Hi: []float64{80, 80}, Color: red},
	}}
	img, area, err := RenderArea(c, 400, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	white := color.RGBA{0xff, 0xff, 0xff, 0xff}
	at := func(value float64) color.RGBA { // between two lines of the grid
		y := area.Bottom - value/100*(area.Bottom-area.Top)
		return img.RGBAAt(int(area.Left+area.Right)/2+3, int(math.Round(y)))
	}
	for _, v := range []float64{30, 70} {
		if p := at(v); p == white || isRed(p) {
			t.Errorf("at %v: %v", v, p)
		}
	}
	for _, v := range []float64{10, 90} {
		if p := at(v); p != white {
			t.Errorf("at %v: %v", v, p)
		}
	}
	c.YRange = Range{}
	c.Series[0].Hi = []float64{480, 480}
	if _, area, _ = RenderArea(c, 400, 200, 1); area.Y.Max < 480 {
		t.Errorf("the axis ends at %v", area.Y.Max)
	}
}

// What the area says is where the curve is.
func TestArea(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		c := Chart{XRange: Range{100, 200}, YRange: Range{0, 10}, Series: []Series{{X: []float64{150, 160}, Y: []float64{5, 5}, Color: red}}}
		img, area, err := RenderArea(c, 500, 300, scale)
		if err != nil {
			t.Fatal(err)
		}
		if area.X != (Range{100, 200}) || area.Y != (Range{0, 10}) {
			t.Errorf("axes %+v", area)
		}
		got := ink(img, isRed)
		left := (area.Left + (area.Right-area.Left)/2) * scale
		if math.Abs(float64(got.Min.X)-left) > 2*scale {
			t.Errorf("scale %v: curve begins at %v, want %v", scale, got.Min.X, left)
		}
	}
}

// Curves are named at their ends, beside each other if they end at one place.
func TestTags(t *testing.T) {
	line := func(c color.Color, tag string) Series {
		return Series{X: []float64{0, 10}, Y: []float64{50, 50}, Color: c, Tag: tag}
	}
	with := Chart{YRange: Range{0, 100}, Series: []Series{line(red, "MMM"), line(green, "WWW")}}
	img := render(t, with, 400, 300, 1)
	reds, greens := ink(img, isRed), ink(img, isGreen)
	if reds.Empty() || greens.Empty() || reds.Dy() < 8 {
		t.Fatalf("red %v, green %v", reds, greens)
	}
	without := Chart{YRange: Range{0, 100}, Series: []Series{line(red, ""), line(green, "")}}
	if plain := ink(render(t, without, 400, 300, 1), isGreen); greens.Dy() < plain.Dy()+8 {
		t.Errorf("the second name is not there: %v, without names %v", greens, plain)
	}
}

// Marks can have a colour of their own.
func TestMarkColour(t *testing.T) {
	c := Chart{XRange: Range{0, 10}, Marks: []Mark{{X: 5, Color: red}}, Series: []Series{{X: []float64{0, 10}, Y: []float64{1, 1}}}}
	if ink(render(t, c, 400, 200, 1), isRed).Empty() {
		t.Error("no red")
	}
}
