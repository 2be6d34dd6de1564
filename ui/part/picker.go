package part

import (
	"image/color"
	"slices"

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
	marks          []Mark
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

// Mark is a short text at the end of a Picker: a sign of the monospaced face, if any, and a word.
type Mark struct {
	Sign, Text string
	Tone       Tone
}

// mostMarks is how many marks have room, one below the other.
const mostMarks = 2

// SetMarks sets what stands at the end, of which two have room. It costs nothing if nothing changes.
func (p *Picker) SetMarks(marks []Mark) {
	if slices.Equal(p.marks, marks) {
		return
	}
	p.marks = slices.Clone(marks)
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
	for i := range r.marks {
		r.marks[i], r.signs[i] = look.Strong.Text("", Palette()), look.Secondary.Text("", Palette())
	}
	r.Refresh()
	return r
}

type pickerRenderer struct {
	p             *Picker
	back, veil    *canvas.Rectangle
	title, detail *canvas.Text
	arrow         *widget.Icon
	marks, signs  [mostMarks]*canvas.Text
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
	r.title.Move(fyne.NewPos(10, 3))
	r.detail.Move(fyne.NewPos(10, 23))
	r.Refresh()
}

func (r *pickerRenderer) Refresh() {
	pal := Palette()
	look.Strong.Paint(r.title, pal)
	look.Secondary.Paint(r.detail, pal)
	r.title.Text, r.detail.Text = r.p.title, r.p.detail
	width := r.size.Width - 46 - r.setMarks(pal)
	if r.size.Width > 0 {
		r.title.Text = Fit(look.Strong, r.p.title, width)
		r.detail.Text = Fit(look.Secondary, r.p.detail, width)
		r.title.Resize(fyne.NewSize(width, 20))
		r.detail.Resize(fyne.NewSize(width, 16))
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

// markSign is the size of the signs, which are small for it.
const markSign = 16

// setMarks puts the marks before the arrow, flush right, and returns the width that they take: all there is, for
// they are what the eye looks for. A single mark stands in the middle.
func (r *pickerRenderer) setMarks(pal look.Palette) float32 {
	end, taken := r.size.Width-38, float32(0)
	n := min(len(r.p.marks), mostMarks)
	for i := range r.marks {
		text, sign := r.marks[i], r.signs[i]
		text.Hidden, sign.Hidden = i >= n, i >= n
		if i >= n {
			continue
		}
		m := r.p.marks[i]
		role, y, height := look.Strong, float32(3), float32(20)
		switch {
		case n == 1:
			y = 12
		case i > 0:
			role, y, height = look.Secondary, 23, 16
		}
		role.Dim = false
		role.Paint(text, pal)
		text.Text, text.Color = m.Text, m.Tone.Colour(pal, pal.Text)
		width := Measure(role, m.Text).Width
		text.Move(fyne.NewPos(end-width, y))
		text.Resize(fyne.NewSize(width, height))
		sign.Text, sign.Color, sign.TextSize, sign.TextStyle = m.Sign, text.Color, markSign, fyne.TextStyle{Monospace: true}
		if m.Sign != "" {
			s := sign.MinSize()
			sign.Move(fyne.NewPos(end-width-s.Width-3, y+(height-s.Height)/2))
			sign.Resize(s)
			width += s.Width + 3
		}
		taken = max(taken, width+16)
	}
	return taken
}

func (r *pickerRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.back, r.veil, r.title, r.detail, r.arrow}
	for i := range r.marks {
		out = append(out, r.marks[i], r.signs[i])
	}
	return out
}

func (r *pickerRenderer) Destroy() {}
