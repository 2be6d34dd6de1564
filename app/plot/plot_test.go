package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"testing"
)

var (
	red   = color.NRGBA{R: 0xff, A: 0xff}
	green = color.NRGBA{G: 0xff, A: 0xff}
)

func render(t testing.TB, c Chart, w, h int, scale float64) *image.RGBA {
	t.Helper()
	img, err := Render(c, w, h, scale)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// areaOf is where the plot of a chart lies.
func areaOf(t testing.TB, c Chart, w, h int, scale float64) box {
	t.Helper()
	face, err := font()
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFrame(c, int(float64(w)*scale), int(float64(h)*scale), scale, face, false)
	if err != nil {
		t.Fatal(err)
	}
	return f.area
}

// ink is the smallest box around all pixels that want says yes to.
func ink(img *image.RGBA, want func(color.RGBA) bool) image.Rectangle {
	var out image.Rectangle
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if want(img.RGBAAt(x, y)) {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out
}

func isRed(c color.RGBA) bool   { return c.R > 180 && c.G < 80 && c.B < 80 }
func isGreen(c color.RGBA) bool { return c.G > 180 && c.R < 80 && c.B < 80 }

func near(a, b, by int) bool { return a-b <= by && b-a <= by }

func TestCurveLiesWhereItsValuesSay(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		c := Chart{
			YLabel: "MB/s", Y2Label: "°C", Dark: true,
			XRange: Range{0, 100}, YRange: Range{0, 1000}, Y2Range: Range{0, 100},
			Series: []Series{
				{X: []float64{0, 100}, Y: []float64{500, 500}, Color: red},
				{X: []float64{25, 75}, Y: []float64{75, 75}, Axis: Right, Color: green},
			},
		}
		img, b := render(t, c, 600, 300, scale), areaOf(t, c, 600, 300, scale)
		by := int(3 * scale)
		if got := ink(img, isRed); !near(got.Min.X, b.left, by) || !near(got.Max.X, b.right, by) ||
			!near(got.Min.Y, b.bottom-b.height()/2, by) || !near(got.Max.Y, b.bottom-b.height()/2, by) {
			t.Errorf("scale %v: red at %v, plot %+v", scale, got, b)
		}
		if got := ink(img, isGreen); !near(got.Min.X, b.left+b.width()/4, by) || !near(got.Max.X, b.left+b.width()*3/4, by) ||
			!near(got.Min.Y, b.bottom-b.height()*3/4, by) {
			t.Errorf("scale %v: green at %v, plot %+v", scale, got, b)
		}
	}
}

func TestNoCurveOutsideThePlot(t *testing.T) {
	c := Chart{
		Title: "title", YLabel: "MB/s", XRange: Range{10, 20}, YRange: Range{5, 6},
		Series: []Series{{X: []float64{-1e9, 12, 13, 14, 15, 1e12}, Y: []float64{-1e12, 1e14, -1e14, 5.5, 1e9, 0}, Color: red, Fill: true}},
	}
	img, b := render(t, c, 500, 250, 1), areaOf(t, c, 500, 250, 1)
	got := ink(img, func(c color.RGBA) bool { return int(c.R) > int(c.G)+30 }) // line and tint; texts are grey
	if got.Empty() {
		t.Fatal("nothing drawn")
	}
	line := 2 // half of the stroke and its soft edge
	if got.Min.X < b.left-line || got.Max.X > b.right+line || got.Min.Y < b.top-line || got.Max.Y > b.bottom+line {
		t.Errorf("ink %v, plot %+v", got, b)
	}
}

func TestGapsStayGaps(t *testing.T) {
	c := Chart{
		Dark: true, XRange: Range{0, 10}, YRange: Range{0, 10},
		Series: []Series{{X: []float64{0, 1, 2, 3, 8, 9, 10}, Y: []float64{5, 5, 5, math.NaN(), 5, 5, 5}, Color: red}},
	}
	img, b := render(t, c, 400, 200, 1), areaOf(t, c, 400, 200, 1)
	mid := b.left + b.width()/2
	for y := b.top; y < b.bottom; y++ {
		if isRed(img.RGBAAt(mid, y)) {
			t.Fatalf("red at %d, %d, in the gap", mid, y)
		}
	}
	if ink(img, isRed).Dx() < b.width()*9/10 {
		t.Error("both ends of the curve should be there")
	}
}

func TestSinglePointIsSeen(t *testing.T) {
	img := render(t, Chart{Dark: true, Series: []Series{{X: []float64{3}, Y: []float64{7}, Color: red}}}, 300, 150, 1)
	if got := ink(img, isRed); got.Dx() < 4 || got.Dx() > 9 {
		t.Errorf("dot %v", got)
	}
}

// A curve of zeros is a measurement and must be seen on the axis, not read as no data.
func TestZeroIsDrawn(t *testing.T) {
	img := render(t, Chart{Dark: true, Series: []Series{{X: []float64{0, 1}, Y: []float64{0, 0}, Color: red}}}, 300, 150, 1)
	if got := ink(img, isRed); got.Dx() < 200 {
		t.Errorf("zeros drawn at %v", got)
	}
}

func TestEmptyChart(t *testing.T) {
	for _, series := range [][]Series{nil, {{}}, {{X: []float64{1}}}, {{X: []float64{math.NaN()}, Y: []float64{1}}}} {
		said := render(t, Chart{Empty: "No data", Series: series}, 400, 200, 1)
		silent := render(t, Chart{Series: series}, 400, 200, 1)
		b := areaOf(t, Chart{Series: series}, 400, 200, 1)
		if bytes.Equal(said.Pix, silent.Pix) {
			t.Error("no message")
		}
		edge := silent.RGBAAt(b.left+b.width()/3, b.bottom)
		if back := silent.RGBAAt(0, 0); edge == back {
			t.Error("no axis")
		}
	}
}

func TestBackgroundAndContrast(t *testing.T) {
	for dark, want := range map[bool]color.RGBA{true: {0x15, 0x17, 0x1A, 0xff}, false: {0xff, 0xff, 0xff, 0xff}} {
		img := render(t, Chart{Dark: dark}, 100, 100, 1)
		if got := img.RGBAAt(1, 1); got != want {
			t.Errorf("dark %v: background %v", dark, got)
		}
		s := styleFor(dark)
		if c := contrast(s.text, s.back); c < 4.5 {
			t.Errorf("dark %v: text %.2f", dark, c)
		}
		if c := contrast(s.dim, s.back); c < 4.5 {
			t.Errorf("dark %v: dim %.2f", dark, c)
		}
		if c := contrast(s.line, s.back); c < 3 {
			t.Errorf("dark %v: line %.2f", dark, c)
		}
	}
}

// contrast is that of WCAG 2.
func contrast(a, b color.Color) float64 {
	luminance := func(c color.Color) float64 {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		linear := func(v uint8) float64 {
			f := float64(v) / 255
			if f <= 0.04045 {
				return f / 12.92
			}
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(n.R) + 0.7152*linear(n.G) + 0.0722*linear(n.B)
	}
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// Curves differ by dash, too: the dashed one leaves columns empty.
func TestDashes(t *testing.T) {
	covered := func(dash []float64) int {
		c := Chart{Dark: true, XRange: Range{0, 1}, YRange: Range{0, 1}, Series: []Series{{X: []float64{0, 1}, Y: []float64{.55, .55}, Color: red, Dash: dash}}}
		img, n := render(t, c, 400, 100, 1), 0
		for x := range 400 {
			for y := range 100 {
				if isRed(img.RGBAAt(x, y)) {
					n++
					break
				}
			}
		}
		return n
	}
	solid, dashed := covered(nil), covered([]float64{6, 6})
	if solid < 300 || dashed > solid*3/4 || dashed < solid/4 {
		t.Errorf("solid covers %d columns, dashed %d", solid, dashed)
	}
	for _, bad := range [][]float64{{0, 0}, {-1, 1}, {math.NaN()}, {math.Inf(1), 1}, {1, 0}} {
		if got := covered(bad); got != solid {
			t.Errorf("dash %v covers %d columns, want a solid line", bad, got)
		}
	}
}

// Noise does not hide the dashes: columns without ink are left in a curve with points everywhere.
func TestDashesOfANoisyCurve(t *testing.T) {
	s := Series{Color: red, Dash: []float64{8, 8}}
	for i := range 4000 {
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, 0.5+0.02*float64(i%2))
	}
	c := Chart{Dark: true, YRange: Range{0, 1}, Series: []Series{s}}
	img, b := render(t, c, 400, 200, 1), areaOf(t, c, 400, 200, 1)
	empty := 0
	for x := b.left; x < b.right; x++ {
		found := false
		for y := b.top; y < b.bottom; y++ {
			c := img.RGBAAt(x, y)
			found = found || int(c.R) > int(c.G)+40
		}
		if !found {
			empty++
		}
	}
	if empty < b.width()/5 || empty > b.width()*3/5 {
		t.Errorf("%d of %d columns are empty", empty, b.width())
	}
}

func TestMarksAreLabelled(t *testing.T) {
	c := Chart{XRange: Range{0, 100}, Series: []Series{{X: []float64{0, 100}, Y: []float64{1, 1}}}}
	bare := render(t, c, 400, 200, 1)
	c.Marks = []Mark{{X: 50, Label: "cache ends"}, {X: 500, Label: "outside"}, {X: math.NaN(), Label: "nowhere"}}
	marked, b := render(t, c, 400, 200, 1), areaOf(t, c, 400, 200, 1)
	var changed image.Rectangle
	for y := range 200 {
		for x := range 400 {
			if bare.RGBAAt(x, y) != marked.RGBAAt(x, y) {
				changed = changed.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	mid := b.left + b.width()/2
	if changed.Empty() || !near(changed.Min.X, mid, 2) || changed.Dx() < 30 || changed.Max.X > b.right {
		t.Errorf("change %v, mark at %d", changed, mid)
	}
}

// The font has every sign that a chart may need in English or German.
func TestFontHasOurSigns(t *testing.T) {
	face, err := font()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range "0123456789°µμ·–±×≥≤−…ÄÖÜäöüß€\u2009\u00a0" {
		if face.Index(r) == 0 {
			t.Errorf("no glyph for %q", r)
		}
	}
}

func TestSVG(t *testing.T) {
	c := Chart{
		Title: `a < b & "c"`, YLabel: "MB/s", Legend: true, YFormat: func(float64) string { return "<&>" },
		Series: []Series{{Name: "rate <1>", X: []float64{0, 1, 2}, Y: []float64{1, math.Inf(1), 3}, Color: red, Dash: []float64{4, 2}, Fill: true}},
		Marks:  []Mark{{X: 1, Label: "</svg>"}},
	}
	doc, err := SVG(c, 800, 300)
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(doc))
	var text strings.Builder
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		if cd, ok := tok.(xml.CharData); ok {
			text.Write(cd)
			text.WriteByte('\n')
		}
	}
	for _, want := range []string{`a < b & "c"`, "MB/s", "rate <1>", "</svg>", "<&>"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in %q", want, text.String())
		}
	}
	if bytes.Contains(doc, []byte("NaN")) || bytes.Contains(doc, []byte("Inf")) {
		t.Error("a number that is none got into the document")
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		scale float64
		ok    bool
	}{
		{1, 1, 1, true}, {3, 200, 1, true}, {200, 3, 1, true}, {40, 40, 2, true},
		{0, 10, 1, false}, {10, -1, 1, false}, {10, 10, 0, false}, {10, 10, math.NaN(), false}, {10, 10, math.Inf(1), false},
		{1 << 40, 10, 1, false}, {16000, 16000, 1, false}, {10, 10, 0.01, false},
	} {
		img, err := Render(Chart{Title: "t", YLabel: "y", XLabel: "x", Legend: true, Series: []Series{{Name: "n", X: []float64{1, 2}, Y: []float64{1, 2}}}}, c.w, c.h, c.scale)
		switch {
		case c.ok && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.ok && (img.Rect.Dx() != int(float64(c.w)*c.scale) || img.Rect.Dy() != int(float64(c.h)*c.scale)):
			t.Errorf("%+v: picture of %v", c, img.Rect)
		case !c.ok && !errors.Is(err, ErrSize):
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

func TestPanicOfAFormatterIsAnError(t *testing.T) {
	c := Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{1, 2}}}, YFormat: func(float64) string { panic("no") }}
	if _, err := Render(c, 100, 100, 1); err == nil {
		t.Error("no error")
	}
}

// A curve with marks has squares at some distance from each other; one without has none.
func TestMarks(t *testing.T) {
	red := color.NRGBA{R: 0xff, A: 0xff}
	squares := func(marks bool, y []float64) int {
		x := make([]float64, len(y))
		for i := range x {
			x[i] = float64(i)
		}
		img, err := Render(Chart{Series: []Series{{X: x, Y: y, Color: red, Marks: marks}}, YRange: Range{0, 10}}, 400, 200, 1)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for x := range 400 { // columns where red is higher than the line
			high := 0
			for y := range 200 {
				if c := img.RGBAAt(x, y); c.R > 200 && c.G < 100 {
					high++
				}
			}
			if high >= 5 {
				n++
			}
		}
		return n / 6 // the width of a square
	}
	flat := make([]float64, 1000)
	for i := range flat {
		flat[i] = 5
	}
	if n := squares(false, flat); n != 0 {
		t.Errorf("%d squares on a curve without marks", n)
	}
	if n := squares(true, flat); n < 3 || n > 6 {
		t.Errorf("%d squares on a long curve", n)
	}
	if n := squares(true, []float64{5, 5, math.NaN(), 5, 5, math.NaN(), 5, 5}); n < 2 || n > 6 {
		t.Errorf("%d squares on three runs", n)
	}
}

// Names and units share a row, so that the curve has the height.
func TestNamesStandBesideUnits(t *testing.T) {
	top := func(c Chart) int {
		c.Series = []Series{{Name: "n", X: []float64{1, 2}, Y: []float64{1, 2}}}
		face, err := font()
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFrame(c, 400, 200, 1, face, false)
		if err != nil {
			t.Fatal(err)
		}
		return f.area.top
	}
	one := top(Chart{YLabel: "MB/s"})
	if both := top(Chart{YLabel: "MB/s", Legend: true}); both != one || top(Chart{}) >= one {
		t.Errorf("the plot begins at %d with units, at %d with names, too", one, both)
	}
}
