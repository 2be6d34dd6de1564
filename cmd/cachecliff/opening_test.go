package main

import (
	"bytes"
	"errors"
	"log"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/test"
)

// native is a window of the system, if handle is not 0.
type native struct {
	fyne.Window
	handle uintptr
}

func (n native) RunNative(f func(any)) { f(driver.X11WindowContext{WindowHandle: n.handle}) }

// oneWindow is a driver with one window.
type oneWindow struct {
	fyne.Driver
	window fyne.Window
}

func (d oneWindow) AllWindows() []fyne.Window { return []fyne.Window{d.window} }

// shown is a program with one window.
type shown struct {
	fyne.App
	window fyne.Window
	ended  bool
}

func (s *shown) Driver() fyne.Driver { return oneWindow{s.App.Driver(), s.window} }
func (s *shown) Quit()               { s.ended = true }

func TestOpening(t *testing.T) {
	defer log.SetOutput(log.Writer())
	a := test.NewTempApp(t)
	w := a.NewWindow("")
	for _, c := range []struct {
		name   string
		window fyne.Window
		fails  bool
	}{
		{"window of the system", native{w, 1}, false},
		{"no window", native{w, 0}, true},
		{"cannot be asked", w, false},
	} {
		var errs bytes.Buffer
		o := begin(&errs)
		log.Print("early")
		if errs.Len() != 0 {
			t.Errorf("%s: said too early: %q", c.name, errs.String())
		}
		s := &shown{App: a, window: c.window}
		o.end(s)
		log.Print("late")
		if o.failed != c.fails || s.ended != c.fails {
			t.Errorf("%s: failed %t, ended %t", c.name, o.failed, s.ended)
		}
		if said := errs.String(); strings.Contains(said, "early") == c.fails || !strings.Contains(said, "late") {
			t.Errorf("%s: said %q", c.name, said)
		}
	}
}

func TestOpeningPanics(t *testing.T) {
	defer log.SetOutput(log.Writer())
	var errs bytes.Buffer
	if err := begin(&errs).caught(nil); err != nil {
		t.Errorf("without a panic: %v", err)
	}
	display := errors.New("NotInitialized: The GLFW library is not initialized")
	if err := begin(&errs).caught(display); err != errNoDisplay || errs.Len() != 0 {
		t.Errorf("no display: %v, said %q", err, errs.String())
	}
	defer func() {
		if v := recover(); v != "other" || !strings.Contains(errs.String(), "why") {
			t.Errorf("another panic became %v, said %q", v, errs.String())
		}
	}()
	o := begin(&errs)
	log.Print("why")
	t.Errorf("another panic became %v", o.caught("other"))
}
