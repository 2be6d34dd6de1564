package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"

	"cachecliff/app/words"
)

// errNoDisplay says why there is no window where there is nothing to open one on.
var errNoDisplay = errors.New("the display cannot be reached; cachecliff-cli runs the same tests without one")

// noWindowError says that there is a display, but that the toolkit cannot draw on it.
type noWindowError struct{ why string } // in the words of the toolkit, for who asks for help; may be empty

func (*noWindowError) Error() string {
	return "the display has no OpenGL, so no window can be opened; cachecliff-cli runs the same tests without one"
}

// explain says at length what is missing and what can be done.
func (e *noWindowError) explain(w *words.Words) string {
	text := w.T("opening.no-opengl")
	if e.why != "" {
		text += "\n\n(" + e.why + ")"
	}
	return text
}

// opening is the time until the window is there. The toolkit reports a display that it cannot use to the
// log and goes on without a window, or panics. So the log is held back until it is clear which.
type opening struct {
	errs   io.Writer
	log    bytes.Buffer
	over   bool // the window is there, or cannot be
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
	o.over = true
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
	said := fmt.Sprint(panicked)
	switch {
	case strings.Contains(said, "GLFW library is not initialized"):
		return errNoDisplay
	case !o.over && noOpenGL.MatchString(said):
		return &noWindowError{firstLine(said)}
	}
	fmt.Fprint(o.errs, o.log.String())
	panic(panicked)
}

// result is the error of a start that went on without a window.
func (o *opening) result() error {
	if !o.failed {
		return nil
	}
	return &noWindowError{strings.TrimSpace(noOpenGL.FindString(o.log.String()))}
}

// noOpenGL fits what the toolkit says of a driver that it cannot use: GLFW names its kind of error and the
// interface of the system, the painter names OpenGL.
var noOpenGL = regexp.MustCompile(`[A-Za-z]+: (WGL|GLX|EGL|NSGL|OSMesa): .*|\w+Unavailable: .*|failed to (compile|link) OpenGL .*`)

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
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
