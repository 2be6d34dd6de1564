package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Sizes in Fyne's device-independent pixels.
const (
	NumberSize    float32 = 30
	UnitSize      float32 = 13
	SecondarySize float32 = 12
	LabelSize     float32 = 14

	Grid       float32 = 8
	RowHeight  float32 = 64
	PillHeight float32 = 20
)

// Role is what a piece of text is for; size, weight and colour follow from it.
type Role struct {
	Size float32
	Bold bool
	Dim  bool
}

// The roles.
var (
	Number    = Role{Size: NumberSize, Bold: true}
	Unit      = Role{Size: UnitSize, Dim: true}
	Secondary = Role{Size: SecondarySize, Dim: true}
	Label     = Role{Size: LabelSize}
	Strong    = Role{Size: LabelSize, Bold: true}
)

// Text makes the text object of a role in the colours of p. A canvas text keeps its colour: whoever
// owns it calls Paint again when the theme changes.
func (r Role) Text(s string, p Palette) *canvas.Text {
	t := canvas.NewText(s, p.Text)
	r.Paint(t, p)
	return t
}

// Paint gives t size, weight and colour of the role. It does not refresh t.
func (r Role) Paint(t *canvas.Text, p Palette) {
	t.TextSize = r.Size
	t.TextStyle = fyne.TextStyle{Bold: r.Bold}
	t.Color = p.Text
	if r.Dim {
		t.Color = p.Dim
	}
}
