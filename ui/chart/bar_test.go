package chart

import (
	"image"
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

func TestFraction(t *testing.T) {
	for v, want := range map[float64]float64{
		BarMin: 0, BarMax: 1, math.Sqrt(BarMin * BarMax): 0.5, 0: 0, -5: 0, 0.5: 0, 1e9: 1,
		math.Inf(1): 1, math.Inf(-1): 0,
	} {
		if got := Fraction(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %v, want %v", v, got, want)
		}
	}
	if got := Fraction(math.NaN()); got != 0 {
		t.Errorf("NaN: %v", got)
	}
}

// drawn renders a widget at a size, one pixel a unit.
func drawn(t *testing.T, o fyne.CanvasObject, size fyne.Size) image.Image {
	t.Helper()
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(size)
	return w.Canvas().Capture()
}

// extent is the horizontal extent of pixels near a colour in row y.
func extent(img image.Image, y int, want color.NRGBA) (from, to int) {
	from, to = -1, -1
	for x := range img.Bounds().Dx() {
		got := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
		if diff(got.R, want.R)+diff(got.G, want.G)+diff(got.B, want.B) < 30 {
			if from < 0 {
				from = x
			}
			to = x
		}
	}
	return from, to
}

func diff(a, b uint8) int { return int(math.Abs(float64(a) - float64(b))) }

func TestBarLengthIsLogarithmic(t *testing.T) {
	test.NewTempApp(t)
	for v, want := range map[float64]int{math.Sqrt(BarMin * BarMax): 200, BarMax: 400, 1e12: 400, 0.5: 2, BarMin: 2} {
		b := NewBar()
		img := drawn(t, b, fyne.NewSize(400, 20))
		b.Set(v, 0, red)
		img = drawn(t, b, fyne.NewSize(400, 20))
		_, to := extent(img, 10, red)
		if to+1 < want-3 || to+1 > want+1 {
			t.Errorf("%v: red ends at %d, want %d", v, to+1, want)
		}
	}
	for _, v := range []float64{0, -1, math.NaN()} {
		b := NewBar()
		b.Set(v, math.NaN(), red)
		if from, _ := extent(drawn(t, b, fyne.NewSize(400, 20)), 10, red); from >= 0 {
			t.Errorf("%v is drawn", v)
		}
	}
}

func TestBarShowsTrackAndRated(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(forced{theme.DefaultTheme(), theme.VariantLight})
	at := func(rated float64) (from, to int) {
		b := NewBar()
		b.Set(10, rated, red)
		img := drawn(t, b, fyne.NewSize(400, 20))
		track := color.NRGBAModel.Convert(theme.DefaultTheme().Color(theme.ColorNameButton, theme.VariantLight)).(color.NRGBA)
		if from, to := extent(img, 10, track); from > 200 || to < 380 {
			t.Errorf("track from %d to %d", from, to)
		}
		ink := color.NRGBAModel.Convert(theme.DefaultTheme().Color(theme.ColorNameForeground, theme.VariantLight)).(color.NRGBA)
		return extentNear(img, ink)
	}
	if from, _ := at(0); from >= 0 {
		t.Errorf("no rated value, yet ink at %d", from)
	}
	if from, to := at(math.Sqrt(BarMin * BarMax)); from < 194 || to > 206 || to-from < 4 {
		t.Errorf("rated tick from %d to %d, want it around 200", from, to)
	}
	if from, to := at(1e9); from < 390 || to > 399 {
		t.Errorf("rated tick from %d to %d, want it at the end and inside", from, to)
	}
}

// extentNear is the horizontal extent of dark ink over all rows; lines have soft edges.
func extentNear(img image.Image, ink color.NRGBA) (from, to int) {
	from, to = -1, -1
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			got := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if diff(got.R, ink.R)+diff(got.G, ink.G)+diff(got.B, ink.B) < 150 {
				if from < 0 || x < from {
					from = x
				}
				to = max(to, x)
			}
		}
	}
	return from, to
}
