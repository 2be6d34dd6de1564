package thermalchart

import (
	"bytes"
	"fmt"
	"image/png"

	"cachecliff/app/plot"
)

// The size of a picture in pixels, and of its text, so that it can be read where a forum shows it 900 pixels wide.
const (
	pictureWidth  = 1200
	pictureHeight = 600
	pictureText   = 19
)

// chart is the chart of a picture.
func (s *Source) chart(l Look) plot.Chart {
	l.TextSize = pictureText
	return s.Draw(l).Chart
}

// PNG is the chart as a picture of 1200 × 600 pixels.
func (s *Source) PNG(l Look) ([]byte, error) {
	img, err := plot.Render(s.chart(l), pictureWidth, pictureHeight, 1)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode chart: %w", err)
	}
	return b.Bytes(), nil
}

// SVG is the same as a drawing.
func (s *Source) SVG(l Look) ([]byte, error) {
	return plot.SVG(s.chart(l), pictureWidth, pictureHeight)
}
