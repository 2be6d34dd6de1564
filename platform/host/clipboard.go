package host

import (
	"bytes"
	"encoding/binary"
	"fmt"
	stdimage "image"
	"image/color"
	"image/png"

	"cachecliff/platform"
)

// copyOp is what a failed copy to the clipboard attempted.
const copyOp = "copy to the clipboard"

// copier is a program that takes a PNG picture on its standard input and serves it as the clipboard, until somebody
// else copies something.
type copier struct {
	display string // the variable of the environment that says where
	name    string
	args    []string
}

// copiers are tried in this order: where both displays are there, the X11 one is a guest of the other.
var copiers = []copier{
	{"WAYLAND_DISPLAY", "wl-copy", []string{"--type", "image/png"}},
	{"DISPLAY", "xclip", []string{"-selection", "clipboard", "-target", "image/png", "-in"}},
}

// findCopier finds the program for the display there is, and its path. The error is platform.ErrNoClipboard and names
// what is missing.
func findCopier(getenv func(string) string, find func(string) (string, error)) (c copier, path string, err error) {
	missing := copiers[len(copiers)-1].name
	for i := len(copiers) - 1; i >= 0; i-- {
		if getenv(copiers[i].display) != "" {
			missing = copiers[i].name
		}
	}
	for _, c := range copiers {
		if getenv(c.display) == "" {
			continue
		}
		if path, err := find(c.name); err == nil {
			return c, path, nil
		}
	}
	return copier{}, "", &platform.OpError{Op: copyOp, Object: missing, Reason: platform.ErrNoClipboard}
}

// dibHead is the size in bytes of a BITMAPINFOHEADER (wingdi.h).
const dibHead = 40

// dib is a PNG picture as the clipboard format CF_DIB: a BITMAPINFOHEADER, then the lines of pixels from the lowest
// up, four bytes each: blue, green, red, nothing. What is transparent lies on white.
func dib(picture []byte) ([]byte, error) {
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("the picture to copy: %w", err)
	}
	size := img.Bounds().Size()
	out := binary.LittleEndian.AppendUint32(nil, dibHead)
	out = binary.LittleEndian.AppendUint32(out, uint32(size.X))
	out = binary.LittleEndian.AppendUint32(out, uint32(size.Y))
	out = binary.LittleEndian.AppendUint16(out, 1)  // planes
	out = binary.LittleEndian.AppendUint16(out, 32) // bits a pixel
	out = append(out, make([]byte, dibHead-len(out))...)
	return appendPixels(out, img), nil
}

func appendPixels(out []byte, img stdimage.Image) []byte {
	b := img.Bounds()
	for y := b.Max.Y - 1; y >= b.Min.Y; y-- {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			over := func(v uint8) byte { return byte((int(v)*int(c.A) + 255*(255-int(c.A))) / 255) }
			out = append(out, over(c.B), over(c.G), over(c.R), 0)
		}
	}
	return out
}
