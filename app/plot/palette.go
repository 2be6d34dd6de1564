package plot

import (
	"image/color"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// Palette is the colours of curves, in the order in which to use them: those of the window (ui/look), which
// keep a contrast of 4.5:1 on the background of a chart.
func Palette(dark bool) []color.Color {
	hex := []string{"0B6B7C", "A65E00", "7A4FD0", "B3261E", "1A7340", "525B66"}
	if dark {
		hex = []string{"3CC6CC", "F2B84B", "B58CF5", "FF8A86", "63C98A", "A9B1BB"}
	}
	var out []color.Color
	for _, h := range hex {
		c := drawing.ColorFromHex(h)
		out = append(out, color.NRGBA{R: c.R, G: c.G, B: c.B, A: c.A})
	}
	return out
}
