package plot

import (
	"errors"
	"image/color"
	"math"
	"testing"
)

// three charts whose labels differ in width.
func three() Stack {
	x := []float64{0, 10, 20, 30, 40, 50, 60}
	line := func(top float64) []Series {
		return []Series{{Name: "a", X: x, Y: []float64{0, top, 0, top, 0, top, top / 2}, Color: color.NRGBA{R: 255, A: 255}}}
	}
	return Stack{Charts: []Chart{
		{YLabel: "MB/s", Series: line(7_000_000), Legend: true, Time: true, XRange: Range{0, 60}, Dark: true, XFormat: func(v float64) string { return plain(v) + " s" }},
		{YLabel: "ms", Series: line(.5)},
		{YLabel: "°C", Empty: "no sensor"},
	}}
}

// The plots of a stack lie exactly above each other, on the same axis, with numbers below the last only.
func TestStackIsAligned(t *testing.T) {
	for _, size := range [][2]int{{800, 600}, {300, 200}, {2560, 1440}, {40, 30}, {1, 1}} {
		frames, err := three().frames(size[0], size[1], 1)
		if err != nil {
			t.Fatal(err)
		}
		height := 0
		for i, f := range frames {
			height += f.ph
			if f.area.left != frames[0].area.left || f.area.right != frames[0].area.right {
				t.Errorf("%v: plot %d from %d to %d, the first from %d to %d", size, i, f.area.left, f.area.right, frames[0].area.left, frames[0].area.right)
			}
			if f.x.min != 0 || f.x.max != 60 || len(f.x.ticks) != len(frames[0].x.ticks) {
				t.Errorf("%v: X of plot %d is %v with %d ticks", size, i, f.x, len(f.x.ticks))
			}
			for _, tick := range f.x.ticks {
				if (tick.label != "") != (i == 2) {
					t.Errorf("%v: plot %d has the number %q", size, i, tick.label)
				}
			}
			if f.x.domain != f.area.width() || f.y.domain != f.area.height() {
				t.Errorf("%v: plot %d of %d × %d has axes of %d and %d", size, i, f.area.width(), f.area.height(), f.x.domain, f.y.domain)
			}
		}
		if size[1] > 100 && height != size[1] {
			t.Errorf("%v: %d high", size, height)
		}
	}
	frames, _ := three().frames(800, 600, 1)
	if d := frames[0].area.height() - frames[2].area.height(); d < -30 || d > 30 {
		t.Errorf("plots are %d and %d high", frames[0].area.height(), frames[2].area.height())
	}
}

func TestStackRender(t *testing.T) {
	img, err := three().Render(400, 300, 2)
	if err != nil || img.Bounds().Dx() != 800 || img.Bounds().Dy() != 600 {
		t.Fatalf("%v, %v", img, err)
	}
	red := 0
	for y := range 600 {
		for x := range 800 {
			if r, g, b, _ := img.At(x, y).RGBA(); r > 0xc000 && g < 0x4000 && b < 0x4000 {
				if y > 420 {
					t.Fatalf("a curve at %d, %d, in the chart that has none", x, y)
				}
				red++
			}
		}
	}
	if red < 500 {
		t.Errorf("%d pixels of the curves", red)
	}
	for _, bad := range [][3]float64{{0, 10, 1}, {10, 10, 0}, {10, 10, math.NaN()}, {1e6, 1e6, 1}} {
		if _, err := three().Render(int(bad[0]), int(bad[1]), bad[2]); !errors.Is(err, ErrSize) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := (Stack{}).Render(100, 100, 1); err != nil {
		t.Errorf("nothing: %v", err)
	}
	s := three()
	s.Charts[1].YFormat = func(float64) string { panic("no") }
	if _, err := s.Render(100, 100, 1); err == nil {
		t.Error("a formatter that panics goes unnoticed")
	}
}
