package part

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/look"
)

// RailButton opens a room: an icon with its name below. The room that is open is marked.
type RailButton struct {
	widget.BaseWidget
	keys    Keys
	icon    fyne.Resource
	name    string
	open    bool
	focused bool
	hovered bool
	tapped  func()
}

// NewRailButton makes a button of the rail.
func NewRailButton(keys Keys, icon fyne.Resource, tapped func()) *RailButton {
	b := &RailButton{keys: keys, icon: icon, tapped: tapped}
	b.ExtendBaseWidget(b)
	return b
}

// Set sets name and mark.
func (b *RailButton) Set(name string, open bool) {
	if b.name == name && b.open == open {
		return
	}
	b.name, b.open = name, open
	b.Refresh()
}

// Tapped implements fyne.Tappable.
func (b *RailButton) Tapped(*fyne.PointEvent) { b.tapped() }

// FocusGained implements fyne.Focusable.
func (b *RailButton) FocusGained() { b.focused = true; b.Refresh() }

// FocusLost implements fyne.Focusable.
func (b *RailButton) FocusLost() { b.focused = false; b.Refresh() }

// TypedRune implements fyne.Focusable.
func (b *RailButton) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (b *RailButton) TypedKey(e *fyne.KeyEvent) {
	if b.keys.Handle(e) {
		return
	}
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.tapped()
	}
}

// MouseIn implements desktop.Hoverable.
func (b *RailButton) MouseIn(*desktop.MouseEvent) { b.hovered = true; b.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (b *RailButton) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *RailButton) MouseOut() { b.hovered = false; b.Refresh() }

// CreateRenderer implements fyne.Widget.
func (b *RailButton) CreateRenderer() fyne.WidgetRenderer {
	r := &railRenderer{
		b: b, back: &canvas.Rectangle{CornerRadius: 6}, mark: &canvas.Rectangle{CornerRadius: 1.5},
		icon: widget.NewIcon(b.icon), name: &canvas.Text{Alignment: fyne.TextAlignCenter},
	}
	r.Refresh()
	return r
}

type railRenderer struct {
	b          *RailButton
	back, mark *canvas.Rectangle
	icon       *widget.Icon
	name       *canvas.Text
}

const (
	railWidth  = 92
	railHeight = 60
	railIcon   = 22
)

func (r *railRenderer) MinSize() fyne.Size { return fyne.NewSize(railWidth, railHeight) }

func (r *railRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.mark.Move(fyne.NewPos(0, 14))
	r.mark.Resize(fyne.NewSize(3, size.Height-28))
	r.icon.Move(fyne.NewPos((size.Width-railIcon)/2, 10))
	r.icon.Resize(fyne.NewSize(railIcon, railIcon))
	r.name.Move(fyne.NewPos(0, 36))
	r.name.Resize(fyne.NewSize(size.Width, 16))
}

func (r *railRenderer) Refresh() {
	p := Palette()
	look.Secondary.Paint(r.name, p)
	r.name.Text = r.b.name
	r.back.FillColor = color.Transparent
	th := r.b.Theme()
	v := fyne.CurrentApp().Settings().ThemeVariant()
	switch {
	case r.b.focused:
		r.back.FillColor = th.Color(theme.ColorNameFocus, v)
	case r.b.open:
		r.back.FillColor = p.Raised
	case r.b.hovered:
		r.back.FillColor = th.Color(theme.ColorNameHover, v)
	}
	if r.b.open {
		r.name.Color = p.Text
		r.name.TextStyle.Bold = true
	}
	r.mark.FillColor = p.Accent
	r.mark.Hidden = !r.b.open
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *railRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.mark, r.icon, r.name}
}

func (r *railRenderer) Destroy() {}
