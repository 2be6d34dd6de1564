package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/words"
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
	for _, said := range []any{
		errors.New("FormatUnavailable: WGL: Failed to find a suitable pixel format"),
		errors.New("failed to compile OpenGL shader:\nsyntax error"),
	} {
		var none *noWindowError
		if err := begin(&errs).caught(said); !errors.As(err, &none) || strings.Contains(none.why, "\n") || !strings.Contains(fmt.Sprint(said), none.why) || errs.Len() != 0 {
			t.Errorf("%v: %v, said %q", said, err, errs.String())
		}
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

// TestOpeningIsOver: what fails while the window is there is a fault to be seen, not a missing driver.
func TestOpeningIsOver(t *testing.T) {
	defer log.SetOutput(log.Writer())
	a := test.NewTempApp(t)
	var errs bytes.Buffer
	o := begin(&errs)
	o.end(&shown{App: a, window: native{a.NewWindow(""), 1}})
	defer func() {
		if v := recover(); v != "APIUnavailable: late" {
			t.Errorf("the panic became %v", v)
		}
	}()
	t.Errorf("the panic became %v", o.caught("APIUnavailable: late"))
}

func TestNoWindowIsExplained(t *testing.T) {
	defer log.SetOutput(log.Writer())
	a := test.NewTempApp(t)
	o := begin(io.Discard)
	if err := o.result(); err != nil {
		t.Errorf("before anything happened: %v", err)
	}
	log.Print("Fyne error:  window creation error")
	log.Print("  Cause: APIUnavailable: WGL: The driver does not appear to support OpenGL")
	log.Print("  At: driver.go:147")
	o.end(&shown{App: a, window: native{a.NewWindow(""), 0}})
	var none *noWindowError
	if err := o.result(); !errors.As(err, &none) || !strings.Contains(err.Error(), "cachecliff-cli") {
		t.Fatalf("the error is %v", err)
	}
	texts := map[string]bool{}
	for _, lang := range words.Languages() {
		text := none.explain(words.New(lang))
		for _, part := range []string{"OpenGL 2.1", "opengl32.dll", "cachecliff-cli", "(APIUnavailable: WGL: The driver does not appear to support OpenGL)"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in %q", lang, part, text)
			}
		}
		texts[text] = true
	}
	if len(texts) != len(words.Languages()) {
		t.Error("two languages say the same")
	}
}
