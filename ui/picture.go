package ui

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"

	"cachecliff/app/safefile"
	"cachecliff/bench"
	"cachecliff/ui/card"
	"cachecliff/ui/part"
)

// capture draws the window as it looks: a second frame with the same state, on a canvas in memory of the
// same size and scale. (The canvas of the real window cannot be read back with every driver.)
func (w *Window) capture() image.Image {
	f := newFrame(part.Keys{}, nobody{})
	defer f.Close()
	f.Show(w.pictured())
	real := w.win.Canvas()
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(real.Scale())
	c.Resize(real.Size())
	c.SetContent(f.object)
	f.Still(w.state.Room, real.Scale())
	return c.Capture()
}

// pictured is what a picture of the window shows: all but the serial number, for pictures are shown around.
func (w *Window) pictured() State {
	s := w.state
	s.Drive.Serial = false
	return s
}

// Still draws the chart of a room at once.
func (f *frame) Still(r Room, scale float32) {
	switch r {
	case Tests:
		f.tests.Still(scale)
	case Monitor:
		f.monitor.Still(scale)
	case Results:
		f.results.Still(scale)
		f.compare.Still(scale)
	default:
		f.run.Still(scale)
	}
}

// SavePicture implements run.Actions: it saves the window as it looks and, if a run is shown, its card.
func (w *Window) SavePicture() {
	r := w.shownResult()
	if r == nil && (w.state.Room == Benchmark || w.state.Room == Tests) {
		return // there are no numbers to be shown around
	}
	w.hush()
	room, window := w.state.Room, w.capture()
	name := "cachecliff-" + time.Now().Format("20060102-150405")
	if w.state.comparing() {
		name = "cachecliff-compare-" + time.Now().Format("20060102-150405")
	}
	var o card.Options
	if r != nil {
		name = "cachecliff-" + r.ID
		o = w.cardOptions()
		o.Going = room != Results && w.state.Run.View.Running()
		copied := *r
		r = &copied
	}
	w.Go(func() {
		windowPath, cardPath, err := w.writePictures(name, window, r, o)
		fyne.Do(func() {
			folder := w.Pictures
			switch {
			case err != nil:
				w.sayError(room, part.Bad, err)
			case cardPath != "":
				w.sayMessage(room, part.Plain, "run.saved-pictures", "Folder", folder, "Window", filepath.Base(windowPath), "Card", filepath.Base(cardPath))
			default:
				w.sayMessage(room, part.Plain, "run.saved-picture", "Folder", folder, "Window", filepath.Base(windowPath))
			}
			w.show()
		})
	})
}

func (w *Window) cardOptions() card.Options {
	s := w.state.Run
	return card.Options{
		Words: w.words, Locale: s.Locale, Unit: s.Choice.Unit, Dark: part.Dark(),
	}
}

// writePictures writes what there is to write. It runs off the UI goroutine.
func (w *Window) writePictures(name string, window image.Image, r *bench.Result, o card.Options) (windowPath, cardPath string, err error) {
	var b bytes.Buffer
	if err := png.Encode(&b, window); err != nil {
		return "", "", err
	}
	if windowPath, err = w.writePicture(name+"-window.png", b.Bytes()); err != nil || r == nil {
		return windowPath, "", err
	}
	var c bytes.Buffer
	if err := card.Write(&c, r, o); err != nil {
		return windowPath, "", err
	}
	cardPath, err = w.writePicture(name+"-card.png", c.Bytes())
	return windowPath, cardPath, err
}

func (w *Window) writePicture(name string, data []byte) (string, error) {
	path, err := freeName(filepath.Join(w.Pictures, name))
	if err != nil {
		return "", err
	}
	return path, safefile.Write(path, data, safefile.Shared)
}
