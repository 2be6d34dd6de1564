package card

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"cachecliff/ui/look"
)

// pen draws on a card. The first error stays, and nothing is drawn after it.
type pen struct {
	img    *image.RGBA
	colour look.Palette
	fonts  map[fyne.TextStyle]*opentype.Font
	faces  map[style]font.Face
	err    error
}

// style is how a text looks.
type style struct {
	size float64
	face fyne.TextStyle
}

func regular(size float64) style { return style{size: size} }
func bold(size float64) style    { return style{size, fyne.TextStyle{Bold: true}} }

// signs is the style of the signs of levels, which only the monospaced face has. They are small for their size.
func signs() style { return style{signSize, fyne.TextStyle{Monospace: true}} }

// newPen makes an empty card.
func newPen(dark bool) (*pen, error) {
	p := &pen{
		img:    image.NewRGBA(image.Rect(0, 0, Width, Height)),
		colour: look.Colours(dark),
		fonts:  map[fyne.TextStyle]*opentype.Font{},
		faces:  map[style]font.Face{},
	}
	for _, s := range []style{regular(0), bold(0), signs()} {
		f, err := opentype.Parse(theme.DefaultTheme().Font(s.face).Content())
		if err != nil {
			return nil, fmt.Errorf("draw card: font: %w", err)
		}
		p.fonts[s.face] = f
	}
	p.fill(0, 0, Width, Height, p.colour.Background)
	return p, nil
}

func (p *pen) fill(x, y, w, h int, c color.Color) {
	draw.Draw(p.img, image.Rect(x, y, x+w, y+h), image.NewUniform(c), image.Point{}, draw.Src)
}

// face is the font of a style, made once.
func (p *pen) face(s style) font.Face {
	if f, ok := p.faces[s]; ok {
		return f
	}
	f, err := opentype.NewFace(p.fonts[s.face], &opentype.FaceOptions{Size: s.size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		p.err = fmt.Errorf("draw card: font: %w", err)
		return nil
	}
	p.faces[s] = f
	return f
}

// text writes one line with its top left corner at x, y, shortened to width, and returns its width.
func (p *pen) text(x, y, width int, s style, c color.Color, text string) int {
	f := p.face(s)
	if f == nil || width <= 0 {
		return 0
	}
	text = fit(f, text, width)
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(c), Face: f, Dot: fixed.P(x, y+f.Metrics().Ascent.Ceil())}
	d.DrawString(text)
	return d.Dot.X.Ceil() - x
}

// ascent is how far the base line of a style lies below the top of its text.
func (p *pen) ascent(s style) int {
	if f := p.face(s); f != nil {
		return f.Metrics().Ascent.Ceil()
	}
	return 0
}

// right writes one line that ends at x.
func (p *pen) right(x, y int, s style, c color.Color, text string) {
	if f := p.face(s); f != nil {
		w := font.MeasureString(f, text).Ceil()
		p.text(x-w, y, w, s, c, text)
	}
}

// width is how wide a text is.
func (p *pen) width(s style, text string) int {
	if f := p.face(s); f != nil {
		return font.MeasureString(f, text).Ceil()
	}
	return 0
}

// fit shortens a text to a width in pixels, with an ellipsis where it is cut.
func fit(f font.Face, text string, width int) string {
	if font.MeasureString(f, text).Ceil() <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if s := string(runes[:n]) + "…"; font.MeasureString(f, s).Ceil() <= width {
			return s
		}
	}
	return ""
}
