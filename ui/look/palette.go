package look

import "image/color"

// Palette is the set of colours of one variant. Every text colour keeps a contrast of at least
// 4.5:1 on Background, Surface, Raised and Overlay.
type Palette struct {
	Background color.NRGBA // the window
	Surface    color.NRGBA // rows, input fields, cards
	Raised     color.NRGBA // buttons, tracks of bars
	Overlay    color.NRGBA // menus and dialogs
	Line       color.NRGBA // separators; decoration only
	Border     color.NRGBA // outlines that tell where a control is, at least 3:1

	Text     color.NRGBA
	Dim      color.NRGBA // secondary text
	Disabled color.NRGBA // text of what cannot be used; still to be read, for the reason stands there
	Accent   color.NRGBA // links, focus, the prominent button. No class has this hue
	Good     color.NRGBA
	Doubt    color.NRGBA
	Invalid  color.NRGBA

	OnAccent color.NRGBA // text on a field of Accent
	OnGood   color.NRGBA
	OnDoubt  color.NRGBA
	OnBad    color.NRGBA // text on a field of Invalid
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// Colours is the palette for dark or light.
func Colours(dark bool) Palette {
	if dark {
		return Palette{
			Background: rgb(0x15171A), Surface: rgb(0x1C1F23), Raised: rgb(0x2A2E34), Overlay: rgb(0x202327),
			Line: rgb(0x343A41), Border: rgb(0x717A85),
			Text: rgb(0xECEFF2), Dim: rgb(0xA9B1BB), Disabled: rgb(0x949CA6), Accent: rgb(0x3CC6CC),
			Good: rgb(0x63C98A), Doubt: rgb(0xF2B84B), Invalid: rgb(0xFF8A86),
			OnAccent: rgb(0x0C1517), OnGood: rgb(0x0C1517), OnDoubt: rgb(0x0C1517), OnBad: rgb(0x0C1517),
		}
	}
	return Palette{
		Background: rgb(0xFFFFFF), Surface: rgb(0xF5F6F8), Raised: rgb(0xE9ECF0), Overlay: rgb(0xFFFFFF),
		Line: rgb(0xD5DAE0), Border: rgb(0x7C858F),
		Text: rgb(0x16191D), Dim: rgb(0x525B66), Disabled: rgb(0x5F6873), Accent: rgb(0x0B6B7C),
		Good: rgb(0x1A7340), Doubt: rgb(0x855400), Invalid: rgb(0xB3261E),
		OnAccent: rgb(0xFFFFFF), OnGood: rgb(0xFFFFFF), OnDoubt: rgb(0xFFFFFF), OnBad: rgb(0xFFFFFF),
	}
}

// Class is a class of drives that reviews give a colour of its own.
type Class int

// The classes. ClassUnknown is drawn in the colour of secondary text.
const (
	ClassUnknown Class = iota
	ClassPCIe5
	ClassPCIe4
	ClassPCIe3
	ClassExternal
	ClassSATA
	ClassHardDisk
)

// ClassColour is the colour of a drive's bars. It belongs to bars only, never to text or controls.
func ClassColour(c Class, dark bool) color.NRGBA {
	pair := map[Class][2]uint32{ // dark, light
		ClassPCIe5:    {0xB58CF5, 0x7A4FD0},
		ClassPCIe4:    {0xF0565B, 0xC9252D},
		ClassPCIe3:    {0x4C9BFF, 0x1F6FD6},
		ClassExternal: {0x3FB871, 0x1E8449},
		ClassSATA:     {0xF2A33A, 0xA65E00},
		ClassHardDisk: {0x9AA0A8, 0x6B7280},
	}
	p, ok := pair[c]
	switch {
	case !ok:
		return Colours(dark).Dim
	case dark:
		return rgb(p[0])
	}
	return rgb(p[1])
}

// Line is how one curve of a chart is drawn: colour, dash and marks go together, so that curves can be told
// apart without seeing colours. Dash is in pixels, drawn and left out in turn; empty is solid. Marks are
// squares on the curve: a dense curve with dashes would look as if there were samples missing.
type Line struct {
	Colour color.NRGBA
	Dash   []float64
	Marks  bool
}

// Lines are the curves of a chart in the order in which to use them.
func Lines(dark bool) []Line {
	colours := []uint32{0x0B6B7C, 0xA65E00, 0x7A4FD0, 0xB3261E, 0x1A7340, 0x525B66}
	if dark {
		colours = []uint32{0x3CC6CC, 0xF2B84B, 0xB58CF5, 0xFF8A86, 0x63C98A, 0xA9B1BB}
	}
	dashes := [][]float64{nil, nil, {2, 3}, {10, 3, 2, 3}, {14, 5}, {4, 2}}
	lines := make([]Line, len(colours))
	for i := range lines {
		lines[i] = Line{Colour: rgb(colours[i]), Dash: dashes[i], Marks: i == 1}
	}
	return lines
}
