package host

import (
	"bytes"
	"errors"
	stdimage "image"
	"image/color"
	"image/png"
	"os/exec"
	"strings"
	"testing"

	"cachecliff/platform"
)

// The program for the display that is there copies; without it the answer names what is missing.
func TestFindCopier(t *testing.T) {
	for _, c := range []struct{ displays, installed, use, missing string }{
		{"DISPLAY", "xclip wl-copy", "xclip", ""},
		{"WAYLAND_DISPLAY", "xclip wl-copy", "wl-copy", ""},
		{"DISPLAY WAYLAND_DISPLAY", "xclip wl-copy", "wl-copy", ""},
		{"DISPLAY WAYLAND_DISPLAY", "xclip", "xclip", ""},
		{"DISPLAY", "wl-copy", "", "xclip"},
		{"DISPLAY WAYLAND_DISPLAY", "", "", "wl-copy"},
		{"WAYLAND_DISPLAY", "xclip", "", "wl-copy"},
		{"", "xclip wl-copy", "", "xclip"},
	} {
		has := func(list, s string) bool { return strings.Contains(" "+list+" ", " "+s+" ") }
		getenv := func(s string) string {
			if has(c.displays, s) {
				return ":0"
			}
			return ""
		}
		find := func(s string) (string, error) {
			if has(c.installed, s) {
				return "/usr/bin/" + s, nil
			}
			return "", exec.ErrNotFound
		}
		got, path, err := findCopier(getenv, find)
		var op *platform.OpError
		switch {
		case c.missing != "" && (!errors.Is(err, platform.ErrNoClipboard) || !errors.As(err, &op) || op.Object != c.missing):
			t.Errorf("%+v: %v", c, err)
		case c.missing == "" && (err != nil || got.name != c.use || path != "/usr/bin/"+c.use):
			t.Errorf("%+v: %s, %v", c, path, err)
		}
	}
}

// A picture of two by two pixels in the form that Windows takes, worked out by hand.
func TestDIB(t *testing.T) {
	img := stdimage.NewNRGBA(stdimage.Rect(5, 5, 7, 7)) // not at the origin
	img.Set(5, 5, color.NRGBA{1, 2, 3, 255})
	img.Set(6, 5, color.NRGBA{255, 0, 0, 255})
	img.Set(5, 6, color.NRGBA{0, 0, 0, 0})
	img.Set(6, 6, color.NRGBA{0, 0, 255, 51})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	got, err := dib(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := append([]byte{40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 32, 0}, make([]byte, 24)...)
	want = append(want, 255, 255, 255, 0, 255, 204, 204, 0, 3, 2, 1, 0, 0, 0, 255, 0)
	if !bytes.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if _, err := dib([]byte("no picture")); err == nil {
		t.Error("took what is no picture")
	}
}
