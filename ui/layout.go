package ui

import (
	"encoding/json"
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/app/safefile"
)

// Place is where a control is, in pixels of the screen from the window's top left corner.
type Place struct {
	X, Y, W, H int
}

// layoutPause is the time between two looks at where the controls are.
const layoutPause = 500 * time.Millisecond

// PrintLayout writes to a file, as JSON, where the controls are that a test clicks on, and again whenever
// they move, as long as the program runs. A test that cannot read the file fails by itself.
func (w *Window) PrintLayout(path string) {
	go func() {
		var last string
		for range time.Tick(layoutPause) {
			places := make(chan map[string]Place, 1)
			fyne.Do(func() { places <- w.places() })
			data, err := json.Marshal(<-places)
			if err != nil || string(data) == last {
				continue
			}
			if safefile.Write(path, append(data, '\n'), safefile.Private) == nil {
				last = string(data)
			}
		}
	}()
}

// places finds the controls that are visible.
func (w *Window) places() map[string]Place {
	out := map[string]Place{}
	controls := w.frame.run.Controls()
	switch w.state.Room {
	case Tests:
		controls = w.frame.tests.Controls()
	case Monitor:
		controls = w.frame.monitor.Controls()
	case Results:
		controls = w.frame.results.Controls()
		if w.state.Compare.On {
			controls = w.frame.compare.Controls()
		}
	}
	if w.state.Room == Drive {
		controls = w.frame.drive.Controls()
	}
	controls["target"], controls["room-drive"] = w.frame.target, w.frame.rail[Drive]
	for r, name := range map[Room]string{Benchmark: "room-benchmark", Tests: "room-tests", Monitor: "room-monitor", Results: "room-results"} {
		controls[name] = w.frame.rail[r]
	}
	if menu := w.win.Canvas().Overlays().Top(); menu != nil {
		controls["menu"] = menu
	}
	scale := w.win.Canvas().Scale()
	for name, o := range controls {
		if !o.Visible() {
			continue
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
		out[name] = Place{int(at.X * scale), int(at.Y * scale), int(o.Size().Width * scale), int(o.Size().Height * scale)}
	}
	return out
}
