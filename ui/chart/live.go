package chart

import (
	"image"
	"image/color"
	"math"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Frame is what a picture is drawn for: a size in units of Scale pixels each, on a dark or a light
// background.
type Frame struct {
	Width, Height int
	Scale         float64
	Dark          bool
}

// RenderFunc draws one picture. It is called on the widget's own goroutine, never twice at a time,
// and must not touch widgets or data that others change. A nil picture leaves the last one.
type RenderFunc func(Frame) image.Image

// Live shows a picture that is drawn on a goroutine of its own, so that the UI goroutine never waits
// for it. The latest wins: while one picture is being drawn all but the last of what is asked for
// meanwhile are dropped. It is drawn again when size, theme or pixel density change.
//
// All methods belong to the UI goroutine. Close ends the goroutine.
type Live struct {
	widget.BaseWidget

	// Deliver brings a finished picture to the UI goroutine; nil is fyne.Do, which only queues. Tests
	// may put a queue of their own here, for Fyne's test driver runs what it is given at once, on the
	// goroutine that draws. Set it before the first Draw.
	Deliver func(func())

	min     fyne.Size
	picture *canvas.Image
	asked   Frame // of the last job handed over

	mu      sync.Mutex
	next    job
	waiting bool // next has not been taken yet
	epoch   int  // counts Clear; a picture of an earlier epoch is not shown

	render  RenderFunc
	wake    chan struct{}
	closed  chan struct{}
	started bool
}

type job struct {
	render RenderFunc
	frame  Frame
	epoch  int
}

var _ fyne.Widget = (*Live)(nil)

// NewLive makes a widget that shows nothing yet and is never smaller than min.
func NewLive(min fyne.Size) *Live {
	l := &Live{min: min, picture: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScaleFastest},
		wake: make(chan struct{}, 1), closed: make(chan struct{})}
	l.ExtendBaseWidget(l)
	return l
}

// Draw asks for a new picture. The last one stays until it is ready.
func (l *Live) Draw(render RenderFunc) {
	l.render = render
	l.request()
}

// Clear takes the picture away at once. One that is being drawn will not appear.
func (l *Live) Clear() {
	l.mu.Lock()
	l.epoch++
	l.waiting = false
	l.mu.Unlock()
	l.render, l.asked = nil, Frame{}
	l.picture.Image = nil
	l.picture.Refresh()
}

// Close ends the goroutine; what it is drawing is thrown away. The widget stays as it looks, and may
// be closed again.
func (l *Live) Close() {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
}

// Show makes the widget visible and catches up with what was asked for while it was hidden.
func (l *Live) Show() {
	if l.Visible() {
		return
	}
	l.BaseWidget.Show()
	l.request()
}

// frame is what a picture would be drawn for now.
func (l *Live) frame() Frame {
	size, scale := l.Size(), float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(l); c != nil {
		scale = c.Scale()
	}
	return Frame{
		Width:  int(math.Round(float64(size.Width))),
		Height: int(math.Round(float64(size.Height))),
		Scale:  float64(scale),
		Dark:   dark(l.Theme().Color(theme.ColorNameBackground, variant())),
	}
}

// variant is what the desktop prefers.
func variant() fyne.ThemeVariant { return fyne.CurrentApp().Settings().ThemeVariant() }

// dark tells whether white reads better than black on c.
func dark(c color.Color) bool {
	return color.GrayModel.Convert(c).(color.Gray).Y < 128
}

// request hands the present wish to the goroutine, in place of an earlier one that still waits.
func (l *Live) request() {
	f := l.frame()
	if l.render == nil || !l.Visible() || f.Width < 1 || f.Height < 1 {
		return
	}
	l.asked = f
	l.mu.Lock()
	l.next, l.waiting = job{l.render, f, l.epoch}, true
	l.mu.Unlock()
	if !l.started {
		l.started = true
		deliver := l.Deliver
		if deliver == nil {
			deliver = fyne.Do
		}
		go l.work(deliver)
	}
	select {
	case l.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// changed asks for a new picture if size, theme or density are not those of the last one.
func (l *Live) changed() {
	if l.render != nil && l.frame() != l.asked {
		l.request()
	}
}

// work is the goroutine: it takes the latest job, draws it, hands it over and waits until it is on
// the screen, so that a busy window gets no queue of pictures.
func (l *Live) work(deliver func(func())) {
	shown := make(chan struct{}, 1)
	for {
		select {
		case <-l.closed:
			return
		case <-l.wake:
		}
		j, ok := l.take()
		if !ok {
			continue
		}
		img := j.render(j.frame)
		deliver(func() {
			l.display(img, j)
			shown <- struct{}{} // has room: there is one picture under way at most
		})
		select {
		case <-shown:
		case <-l.closed:
			return
		}
	}
}

func (l *Live) take() (job, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ok := l.waiting
	l.waiting = false
	return l.next, ok
}

// display shows a finished picture. It runs on the UI goroutine.
func (l *Live) display(img image.Image, j job) {
	select {
	case <-l.closed:
		return
	default:
	}
	l.mu.Lock()
	old := j.epoch != l.epoch
	l.mu.Unlock()
	if old {
		return
	}
	if img != nil {
		l.picture.Image = img
		l.picture.Refresh()
	}
	l.changed()
}

// CreateRenderer implements fyne.Widget.
func (l *Live) CreateRenderer() fyne.WidgetRenderer { return &liveRenderer{l} }

type liveRenderer struct{ l *Live }

func (r *liveRenderer) Destroy()                     {}
func (r *liveRenderer) MinSize() fyne.Size           { return r.l.min }
func (r *liveRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.l.picture} }

func (r *liveRenderer) Layout(size fyne.Size) {
	r.l.picture.Resize(size)
	r.l.changed()
}

// Refresh is also how Fyne tells that theme or density changed.
func (r *liveRenderer) Refresh() {
	r.l.changed()
	canvas.Refresh(r.l)
}
