package part

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/plot"
	"cachecliff/ui/chart"
)

// explorer is one with a chart of 0 to 100, drawn at once as often as it is asked for.
func explorer(t *testing.T) (e *Explorer, drawn func() plot.Range) {
	t.Helper()
	test.NewTempApp(t)
	e = NewExplorer(Keys{})
	e.live.Deliver = func(func()) {} // pictures come when the test wants them
	var mu sync.Mutex
	var last plot.Range
	e.Set(View{Key: 1, Scope: 1, Draw: func(_ chart.Frame, x plot.Range) Drawn {
		mu.Lock()
		last = x
		mu.Unlock()
		c := plot.Chart{XRange: plot.Range{Min: 0, Max: 100}, Series: []plot.Series{{X: []float64{0, 100}, Y: []float64{1, 1}}}}
		if x != (plot.Range{}) {
			c.XRange = x
		}
		return Drawn{Chart: c, Whole: plot.Range{Min: 0, Max: 100}, Read: func(x float64) []ReadOff {
			return []ReadOff{{Text: fmt.Sprintf("at %.0f", x)}}
		}}
	}})
	e.Resize(fyne.NewSize(600, 300))
	t.Cleanup(e.Close)
	drawn = func() plot.Range { // what the goroutine that draws will have done
		e.render(e.view, e.zoom, chart.Frame{Width: 600, Height: 300, Scale: 1})
		mu.Lock()
		defer mu.Unlock()
		return last
	}
	drawn()
	return e, drawn
}

// readOff is what stands beside the pointer.
func readOff(e *Explorer) string {
	var out []string
	for _, o := range test.WidgetRenderer(e).Objects() {
		if text, ok := o.(*canvas.Text); ok && text.Visible() {
			out = append(out, text.Text)
		}
	}
	return strings.Join(out, ", ")
}

func near(a, b plot.Range) bool { return math.Abs(a.Min-b.Min) < 0.5 && math.Abs(a.Max-b.Max) < 0.5 }

// placeOf is where a value lies on the widget.
func placeOf(e *Explorer, x float64) fyne.Position {
	return fyne.NewPos(e.seen.Load().place(x), 100)
}

func TestExplorerReadsOff(t *testing.T) {
	e, _ := explorer(t)
	if got := readOff(e); got != "" {
		t.Errorf("without a pointer: %q", got)
	}
	e.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: placeOf(e, 40)}})
	if got := readOff(e); got != "at 40" {
		t.Errorf("got %q", got)
	}
	e.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(599, 0)}})
	if got := readOff(e); got != "at 100" {
		t.Errorf("beside the plot: %q", got)
	}
	e.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: placeOf(e, 40)}})
	e.zoom = plot.Range{Min: 30, Max: 130} // what a run that goes on does to its axis
	e.render(e.view, e.zoom, chart.Frame{Width: 600, Height: 300, Scale: 1})
	e.redrawn()
	if got := readOff(e); got != "at 70" {
		t.Errorf("another picture under the same pointer: %q", got)
	}
	e.MouseOut()
	if got := readOff(e); got != "" {
		t.Errorf("the pointer is gone: %q", got)
	}
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if got := readOff(e); got != "at 79" {
		t.Errorf("one step left of the middle, by keys: %q", got)
	}
}

func TestExplorerZooms(t *testing.T) {
	e, drawn := explorer(t)
	var told []bool
	e.Zoomed = func(on bool) { told = append(told, on) }
	drag := func(from, to float64) {
		a, b := placeOf(e, from), placeOf(e, to)
		e.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: b}, Dragged: fyne.NewDelta(b.X-a.X, 0)})
		e.DragEnd()
	}
	all := plot.Range{}
	for _, c := range []struct {
		name string
		do   func()
		want plot.Range
	}{
		{"dragged from right to left", func() { drag(60, 20) }, plot.Range{Min: 20, Max: 60}},
		{"a click is no drag", func() { drag(30, 30.01) }, plot.Range{Min: 20, Max: 60}},
		{"one page on", func() { e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) }, plot.Range{Min: 40, Max: 80}},
		{"not beyond the end", func() { e.pan(10) }, plot.Range{Min: 60, Max: 100}},
		{"plus", func() { e.cursor = nil; e.TypedRune('+') }, plot.Range{Min: 70, Max: 90}},
		{"minus", func() { e.TypedRune('-') }, plot.Range{Min: 60, Max: 100}},
		{"wheel keeps the place", func() {
			e.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: placeOf(e, 60)}, Scrolled: fyne.NewDelta(0, 25)})
		}, plot.Range{Min: 60, Max: 60 + 40/math.Pow(wheelStep, 25)}},
		{"double click", func() { e.DoubleTapped(nil) }, all},
		{"less than all", func() { e.TypedRune('-') }, all},
		{"as close as it goes", func() {
			for range 100 {
				e.zoomBy(0.5, 50)
				drawn()
			}
		}, plot.Range{Min: 50 - 50*closest, Max: 50 + 50*closest}},
		{"zero", func() { e.TypedRune('0') }, all},
	} {
		c.do()
		if got := drawn(); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if fmt.Sprint(told) != "[true false true false]" {
		t.Errorf("told %v", told)
	}
}

// Another run is seen whole again; more of the same run is not.
func TestExplorerKeepsItsPart(t *testing.T) {
	e, _ := explorer(t)
	e.show(plot.Range{Min: 10, Max: 20})
	v := e.view
	v.Key = 2
	e.Set(v)
	if !e.IsZoomed() {
		t.Error("more of a run shows all of it")
	}
	v.Scope = 2
	e.Set(v)
	if e.IsZoomed() {
		t.Error("another run is not seen whole")
	}
}
