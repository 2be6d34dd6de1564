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

// Picker shows what is chosen, in a strong line and a small one, and opens a menu of its own making.
type Picker struct {
	widget.DisableableWidget
	keys           Keys
	tapped         func()
	title, detail  string
	focused, hover bool
}

// NewPicker makes a picker; tapped opens the menu.
func NewPicker(keys Keys, tapped func()) *Picker {
	p := &Picker{keys: keys, tapped: tapped}
	p.ExtendBaseWidget(p)
	return p
}

// Set sets both lines.
func (p *Picker) Set(title, detail string) {
	if p.title == title && p.detail == detail {
		return
	}
	p.title, p.detail = title, detail
	p.Refresh()
}

// Title is the strong line; Detail the small one.
func (p *Picker) Title() string { return p.title }

// Detail is the small line.
func (p *Picker) Detail() string { return p.detail }

// EnableIf sets whether the menu can be opened.
func (p *Picker) EnableIf(on bool) {
	switch {
	case on && p.Disabled():
		p.Enable()
	case !on && !p.Disabled():
		p.Disable()
	}
}

// Tapped implements fyne.Tappable.
func (p *Picker) Tapped(*fyne.PointEvent) {
	if !p.Disabled() {
		p.tapped()
	}
}

// FocusGained implements fyne.Focusable.
func (p *Picker) FocusGained() { p.focused = true; p.Refresh() }

// FocusLost implements fyne.Focusable.
func (p *Picker) FocusLost() { p.focused = false; p.Refresh() }

// TypedRune implements fyne.Focusable.
func (p *Picker) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (p *Picker) TypedKey(e *fyne.KeyEvent) {
	if p.keys.Handle(e) {
		return
	}
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown:
		p.Tapped(nil)
	}
}

// MouseIn implements desktop.Hoverable.
func (p *Picker) MouseIn(*desktop.MouseEvent) { p.hover = true; p.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (p *Picker) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (p *Picker) MouseOut() { p.hover = false; p.Refresh() }

// CreateRenderer implements fyne.Widget.
func (p *Picker) CreateRenderer() fyne.WidgetRenderer {
	r := &pickerRenderer{
		p: p, back: &canvas.Rectangle{CornerRadius: 6}, veil: &canvas.Rectangle{CornerRadius: 6},
		title: look.Strong.Text("", Palette()), detail: look.Secondary.Text("", Palette()),
		arrow: widget.NewIcon(theme.MenuDropDownIcon()),
	}
	r.Refresh()
	return r
}

type pickerRenderer struct {
	p             *Picker
	back, veil    *canvas.Rectangle
	title, detail *canvas.Text
	arrow         *widget.Icon
	size          fyne.Size
}

const pickerHeight = 44

func (r *pickerRenderer) MinSize() fyne.Size { return fyne.NewSize(200, pickerHeight) }

func (r *pickerRenderer) Layout(size fyne.Size) {
	r.size = size
	r.back.Resize(size)
	r.veil.Resize(size)
	r.arrow.Resize(fyne.NewSize(20, 20))
	r.arrow.Move(fyne.NewPos(size.Width-28, (size.Height-20)/2))
	width := size.Width - 10 - 36
	r.title.Move(fyne.NewPos(10, 3))
	r.title.Resize(fyne.NewSize(width, 20))
	r.detail.Move(fyne.NewPos(10, 23))
	r.detail.Resize(fyne.NewSize(width, 16))
	r.Refresh()
}

func (r *pickerRenderer) Refresh() {
	pal := Palette()
	look.Strong.Paint(r.title, pal)
	look.Secondary.Paint(r.detail, pal)
	r.title.Text, r.detail.Text = r.p.title, r.p.detail
	if r.size.Width > 0 {
		r.title.Text = Fit(look.Strong, r.p.title, r.size.Width-46)
		r.detail.Text = Fit(look.Secondary, r.p.detail, r.size.Width-46)
	}
	r.arrow.Hidden = r.p.Disabled()
	r.back.FillColor = pal.Surface
	r.back.StrokeWidth, r.back.StrokeColor = 1, pal.Border
	r.veil.FillColor = color.Transparent
	th := r.p.Theme()
	v := fyne.CurrentApp().Settings().ThemeVariant()
	switch {
	case r.p.Disabled():
	case r.p.focused:
		r.veil.FillColor = th.Color(theme.ColorNameFocus, v)
	case r.p.hover:
		r.veil.FillColor = th.Color(theme.ColorNameHover, v)
	}
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *pickerRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.veil, r.title, r.detail, r.arrow}
}

func (r *pickerRenderer) Destroy() {}
