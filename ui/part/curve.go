package part

import (
	"image"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"cachecliff/app/plot"
	"cachecliff/ui/chart"
)

// Drawing is a chart that can be drawn when there is time for it.
type Drawing struct {
	Key   any                            // comparable; the same key is the same picture
	Chart func(f chart.Frame) plot.Chart // collects the points; called off the UI goroutine
	Stack func(f chart.Frame) plot.Stack // instead of Chart: several above each other
	Every time.Duration                  // least time between two pictures while the key keeps changing
}

// Curve shows a chart. It is drawn off the UI goroutine; frames that come too fast are left out.
type Curve struct {
	Object fyne.CanvasObject
	live   *chart.Live
	box    *fyne.Container
	shown  Drawing
	at     time.Time
}

// minCurve is the least size of a chart that can be read.
var minCurve = fyne.NewSize(200, 84)

// NewCurve makes an empty chart.
func NewCurve() *Curve {
	c := &Curve{live: chart.NewLive(minCurve)}
	c.box = container.NewStack(c.live)
	c.Object = c.box
	return c
}

// Set shows a drawing.
func (c *Curve) Set(d Drawing) {
	if c.shown.Key == d.Key || time.Since(c.at) < d.Every {
		return
	}
	c.shown, c.at = d, time.Now()
	c.live.Draw(func(f chart.Frame) image.Image { return render(d, f) })
}

// Still draws the present chart at once, for a picture of the window at a scale. The curve must have
// its size.
func (c *Curve) Still(scale float32) {
	size := c.live.Size()
	if c.shown.Chart == nil && c.shown.Stack == nil || size.Width < 1 || size.Height < 1 {
		return
	}
	img := render(c.shown, chart.Frame{Width: int(size.Width), Height: int(size.Height), Scale: float64(scale), Dark: Dark()})
	if img == nil {
		return
	}
	still := canvas.NewImageFromImage(img)
	still.FillMode, still.ScaleMode = canvas.ImageFillStretch, canvas.ImageScaleFastest
	c.box.Objects = []fyne.CanvasObject{still}
	c.box.Refresh()
}

// Close ends the chart's goroutine.
func (c *Curve) Close() { c.live.Close() }

// render draws a chart, or nothing if it cannot be drawn: the numbers stand in the table all the same.
func render(d Drawing, f chart.Frame) image.Image {
	var img *image.RGBA
	var err error
	if d.Stack != nil {
		img, err = d.Stack(f).Render(f.Width, f.Height, f.Scale)
	} else {
		img, err = plot.Render(d.Chart(f), f.Width, f.Height, f.Scale)
	}
	if err != nil {
		return nil
	}
	return img
}
