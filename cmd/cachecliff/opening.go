package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
)

// Why there is no window.
var (
	errNoDisplay = errors.New("the display cannot be reached; cachecliff-cli runs the same tests without one")
	errNoWindow  = errors.New("the display has no OpenGL, so no window can be opened; cachecliff-cli runs the same tests without one")
)

// opening is the time until the window is there. The toolkit reports a display that it cannot use to the
// log and goes on without a window, or panics. So the log is held back until it is clear which.
type opening struct {
	errs   io.Writer
	log    bytes.Buffer
	failed bool
}

// begin holds the log back.
func begin(errs io.Writer) *opening {
	o := &opening{errs: errs}
	log.SetOutput(&o.log)
	return o
}

// end is for the moment when the window ought to be there. Without one the program ends.
func (o *opening) end(a fyne.App) {
	log.SetOutput(o.errs)
	for _, w := range a.Driver().AllWindows() {
		if !exists(w) {
			o.failed = true
			a.Quit()
			return
		}
	}
	fmt.Fprint(o.errs, o.log.String())
}

// caught is the error that a panic of the toolkit stands for; it panics again with any other.
func (o *opening) caught(panicked any) error {
	log.SetOutput(o.errs)
	if panicked == nil {
		return nil
	}
	if strings.Contains(fmt.Sprint(panicked), "GLFW library is not initialized") {
		return errNoDisplay
	}
	fmt.Fprint(o.errs, o.log.String())
	panic(panicked)
}

// exists says whether the system has made a window. What cannot be asked is believed to exist.
func exists(w fyne.Window) bool {
	native, ok := w.(driver.NativeWindow)
	if !ok {
		return true
	}
	there := true
	native.RunNative(func(context any) {
		switch c := context.(type) {
		case driver.X11WindowContext:
			there = c.WindowHandle != 0
		case driver.WaylandWindowContext:
			there = c.WaylandSurface != 0
		case driver.WindowsWindowContext:
			there = c.HWND != 0
		}
	})
	return there
}
