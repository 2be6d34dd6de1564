package chart

import (
	"image"
	"image/color"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// painter draws a picture of one colour in a given (virtual) time and remembers what it was asked.
type painter struct {
	mu     sync.Mutex
	frames []Frame
	names  []string
	atOnce int
	most   int
}

func (p *painter) draw(name string, c color.Color, takes time.Duration) RenderFunc {
	return func(f Frame) image.Image {
		p.mu.Lock()
		p.frames, p.names = append(p.frames, f), append(p.names, name)
		p.atOnce++
		p.most = max(p.most, p.atOnce)
		p.mu.Unlock()
		time.Sleep(takes) // virtual: inside a synctest bubble
		p.mu.Lock()
		p.atOnce--
		p.mu.Unlock()
		img := image.NewRGBA(image.Rect(0, 0, int(float64(f.Width)*f.Scale), int(float64(f.Height)*f.Scale)))
		for i := range img.Pix {
			r, g, b, a := c.RGBA()
			img.Pix[i] = [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}[i%4]
		}
		return img
	}
}

func (p *painter) drawn() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.names
}

func (p *painter) last() Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.frames) == 0 {
		return Frame{}
	}
	return p.frames[len(p.frames)-1]
}

var (
	red  = color.NRGBA{R: 0xff, A: 0xff}
	blue = color.NRGBA{B: 0xff, A: 0xff}
)

// loop stands for the UI goroutine's queue: what is delivered waits until settle runs it.
type loop struct {
	mu    sync.Mutex
	queue []func()
	most  int
}

func (u *loop) do(f func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.queue = append(u.queue, f)
	u.most = max(u.most, len(u.queue))
}

// settle lets time pass and runs what is delivered until nothing more comes.
func (u *loop) settle() {
	for {
		time.Sleep(time.Minute)
		synctest.Wait()
		u.mu.Lock()
		queue := u.queue
		u.queue = nil
		u.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, f := range queue {
			f()
		}
	}
}

// live runs f with a widget in a window, in virtual time.
func live(t *testing.T, f func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop)) {
	synctest.Test(t, func(t *testing.T) {
		test.NewTempApp(t)
		l, u := NewLive(fyne.NewSize(80, 40)), &loop{}
		l.Deliver = u.do
		w := test.NewTempWindow(t, l)
		w.SetPadded(false)
		w.Resize(fyne.NewSize(200, 100))
		f(t, l, w, &painter{}, u)
		l.Close()
	})
}

// centre is the colour in the middle of the window.
func centre(w fyne.Window) color.NRGBA {
	img := w.Canvas().Capture()
	b := img.Bounds()
	return color.NRGBAModel.Convert(img.At(b.Dx()/2, b.Dy()/2)).(color.NRGBA)
}

func TestLiveShowsWhatWasDrawn(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Draw(p.draw("red", red, time.Second))
		if centre(w) == red {
			t.Error("drawn on the UI goroutine")
		}
		u.settle()
		if got := centre(w); got != red {
			t.Errorf("got %v", got)
		}
		if got := p.last(); got.Width != 200 || got.Height != 100 || got.Scale != float64(w.Canvas().Scale()) {
			t.Errorf("asked for %+v", got)
		}
		if l.MinSize() != fyne.NewSize(80, 40) {
			t.Errorf("min size %v", l.MinSize())
		}
	})
}

func TestLiveLatestWins(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Draw(p.draw("first", red, time.Second))
		synctest.Wait() // first is being drawn
		for range 50 {
			l.Draw(p.draw("dropped", red, time.Second))
		}
		l.Draw(p.draw("last", blue, time.Second))
		u.settle()
		if got := p.drawn(); len(got) != 2 || got[0] != "first" || got[1] != "last" {
			t.Errorf("drawn: %v", got)
		}
		if got := centre(w); got != blue {
			t.Errorf("got %v", got)
		}
		if p.most != 1 {
			t.Errorf("%d at once", p.most)
		}
	})
}

func TestLiveDrawsAgain(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Draw(p.draw("one", red, time.Millisecond))
		u.settle()

		w.Resize(fyne.NewSize(320, 140))
		u.settle()
		if got := p.last(); got.Width != 320 || got.Height != 140 {
			t.Errorf("after a new size: %+v", got)
		}

		w.Canvas().(test.WindowlessCanvas).SetScale(2)
		l.Refresh()
		u.settle()
		if got := p.last(); got.Scale != 2 || got.Width != int(l.Size().Width) {
			t.Errorf("after a new density: %+v, size %v", got, l.Size())
		}

		for _, dark := range []bool{false, true, false} {
			variant := theme.VariantLight
			if dark {
				variant = theme.VariantDark
			}
			fyne.CurrentApp().Settings().SetTheme(forced{theme.DefaultTheme(), variant})
			l.Refresh()
			u.settle()
			if got := p.last(); got.Dark != dark {
				t.Errorf("theme with dark %v: %+v", dark, got)
			}
		}

		before := len(p.drawn())
		l.Refresh()
		u.settle()
		if len(p.drawn()) != before {
			t.Error("drawn again though nothing changed")
		}
	})
}

type forced struct {
	fyne.Theme
	variant fyne.ThemeVariant
}

func (f forced) Color(n fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return f.Theme.Color(n, f.variant)
}

// The density may change while a picture is drawn, without anything telling the widget.
func TestLiveNoticesWhatChangedMeanwhile(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Draw(p.draw("red", red, time.Second))
		synctest.Wait()
		w.Canvas().(test.WindowlessCanvas).SetScale(2)
		u.settle()
		if got := p.last(); got.Scale != 2 {
			t.Errorf("%+v", got)
		}
	})
}

// A window that is busy for long finds one picture waiting, not a queue.
func TestLiveBusyWindowGetsNoQueue(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		for range 100 {
			l.Draw(p.draw("red", red, time.Millisecond))
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if got := p.drawn(); len(got) != 1 || u.most != 1 {
			t.Errorf("%d drawn, %d waiting", len(got), u.most)
		}
		u.settle()
		if got := p.drawn(); len(got) != 2 {
			t.Errorf("%d drawn in the end, want the first and the last", len(got))
		}
	})
}

// Without a queue of one's own pictures come by fyne.Do.
func TestLiveDeliversByFyneDo(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Deliver = nil
		l.Draw(p.draw("red", red, time.Second))
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := centre(w); got != red {
			t.Errorf("got %v", got)
		}
	})
}

func TestLiveClearShowsNothingStale(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Draw(p.draw("red", red, time.Second))
		synctest.Wait()
		l.Clear()
		u.settle()
		if centre(w) == red {
			t.Error("a picture from before Clear is shown")
		}
		l.Draw(p.draw("blue", blue, time.Second))
		u.settle()
		if got := centre(w); got != blue {
			t.Errorf("after Clear: %v", got)
		}
		l.Clear()
		if centre(w) == blue {
			t.Error("Clear leaves the picture")
		}
	})
}

func TestLiveHiddenDrawsNothing(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Hide()
		l.Draw(p.draw("red", red, time.Second))
		u.settle()
		if got := p.drawn(); len(got) != 0 {
			t.Errorf("hidden, yet drawn: %v", got)
		}
		l.Show()
		u.settle()
		if got := centre(w); got != red {
			t.Errorf("shown again: %v", got)
		}
	})
}

// A bubble ends only when all its goroutines have: this test hangs and fails if Close leaves one.
func TestLiveCloseEndsTheGoroutine(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Draw(p.draw("red", red, time.Second))
		synctest.Wait()
		l.Close()
		l.Close()
		u.settle()
		if centre(w) == red {
			t.Error("shown after Close")
		}
		l.Draw(p.draw("blue", blue, time.Second))
		u.settle()
		if got := p.drawn(); len(got) != 1 {
			t.Errorf("drawn after Close: %v", got)
		}
	})
}

func TestLiveKeepsThePictureIfNoneIsDrawn(t *testing.T) {
	live(t, func(t *testing.T, l *Live, w fyne.Window, p *painter, u *loop) {
		l.Draw(p.draw("red", red, 0))
		u.settle()
		l.Draw(func(Frame) image.Image { return nil })
		u.settle()
		if got := centre(w); got != red {
			t.Errorf("got %v", got)
		}
	})
}
