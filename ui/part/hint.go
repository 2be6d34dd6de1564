package part

import (
	"image/color"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Hint is an area of the window that explains itself: a tip is shown when the mouse rests on it, when it gets
// the focus, and when it is clicked. It lies over or under what it explains, which draws itself. An area
// with nothing to explain is hidden and takes no focus.
type Hint struct {
	widget.BaseWidget
	// Focused, if set, is called when the area gets the focus, before its tip is shown: to bring it into sight.
	Focused func()

	keys    Keys
	tips    *Tips
	notes   []Note
	focused bool
	hovered bool
	wait    *time.Timer // until the tip is shown; nil if it is not awaited
}

var (
	_ desktop.Hoverable = (*Hint)(nil)
	_ fyne.Focusable    = (*Hint)(nil)
	_ fyne.Tappable     = (*Hint)(nil)
)

// hintDelay is how long the mouse rests on an area before its tip is shown: one that only crosses a table
// must not set off a firework.
const hintDelay = 350 * time.Millisecond

// NewHint makes an area with nothing to explain, whose tips are shown on a layer.
func NewHint(keys Keys, tips *Tips) *Hint {
	h := &Hint{keys: keys, tips: tips}
	h.ExtendBaseWidget(h)
	h.Hide()
	return h
}

// Set changes what is explained. It costs nothing if nothing changes.
func (h *Hint) Set(notes []Note) {
	if slices.Equal(h.notes, notes) {
		return
	}
	h.notes = slices.Clone(notes)
	h.tips.close(h)
	ShowIf(h, len(notes) > 0)
}

// Notes are what is explained.
func (h *Hint) Notes() []Note { return h.notes }

// MouseIn implements desktop.Hoverable.
func (h *Hint) MouseIn(*desktop.MouseEvent) {
	h.hovered = true
	h.Refresh()
	h.forget()
	var wait *time.Timer
	wait = time.AfterFunc(hintDelay, func() {
		fyne.Do(func() {
			if h.wait == wait {
				h.wait = nil
				h.tips.open(h)
			}
		})
	})
	h.wait = wait
}

// MouseMoved implements desktop.Hoverable.
func (h *Hint) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *Hint) MouseOut() {
	h.hovered = false
	h.Refresh()
	h.tips.close(h)
	h.forget()
}

// forget gives up waiting.
func (h *Hint) forget() {
	if h.wait != nil {
		h.wait.Stop()
		h.wait = nil
	}
}

// Tapped implements fyne.Tappable. A click on an area whose tip is there takes it away.
func (h *Hint) Tapped(*fyne.PointEvent) {
	if h.tips.owner == h {
		h.tips.Close()
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(h); c != nil {
		c.Focus(h)
	}
	h.tips.open(h)
}

// FocusGained implements fyne.Focusable.
func (h *Hint) FocusGained() {
	h.focused = true
	h.Refresh()
	if h.Focused != nil {
		h.Focused()
	}
	h.tips.open(h)
}

// FocusLost implements fyne.Focusable.
func (h *Hint) FocusLost() {
	h.focused = false
	h.Refresh()
	h.tips.close(h)
}

// TypedRune implements fyne.Focusable.
func (h *Hint) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (h *Hint) TypedKey(e *fyne.KeyEvent) {
	if h.keys.Handle(e) {
		return
	}
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		h.Tapped(nil)
	}
}

// Hide implements fyne.CanvasObject. What is hidden is not told when the mouse leaves it.
func (h *Hint) Hide() {
	h.BaseWidget.Hide()
	h.hovered = false
	h.forget()
	h.tips.close(h)
}

// CreateRenderer implements fyne.Widget.
func (h *Hint) CreateRenderer() fyne.WidgetRenderer {
	r := &hintRenderer{h: h, veil: &canvas.Rectangle{CornerRadius: 6}}
	r.Refresh()
	return r
}

type hintRenderer struct {
	h    *Hint
	veil *canvas.Rectangle
}

func (r *hintRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *hintRenderer) Destroy()                     {}
func (r *hintRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.veil} }
func (r *hintRenderer) Layout(size fyne.Size)        { r.veil.Resize(size) }

func (r *hintRenderer) Refresh() {
	v := fyne.CurrentApp().Settings().ThemeVariant()
	r.veil.FillColor, r.veil.StrokeColor, r.veil.StrokeWidth = color.Transparent, color.Transparent, 0
	if r.h.hovered || r.h.focused {
		r.veil.FillColor = r.h.Theme().Color(theme.ColorNameHover, v)
	}
	if r.h.focused { // a frame: small dim text could not be read on the colour of the focus
		r.veil.StrokeColor, r.veil.StrokeWidth = Palette().Accent, 2
	}
	r.veil.Refresh()
}
