package part

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Keys are the window's own keys. Fyne gives a key to the focused widget only, so every control that can
// have the focus asks here first.
type Keys struct {
	Key      func(*fyne.KeyEvent) bool // says whether it was one of the window's
	Shortcut func(fyne.Shortcut) bool
}

// Handle gives the window a key first, and says whether it took it.
func (k Keys) Handle(e *fyne.KeyEvent) bool  { return k.Key != nil && k.Key(e) }
func (k Keys) shortcut(s fyne.Shortcut) bool { return k.Shortcut != nil && k.Shortcut(s) }

// Button is a button that passes the window's keys on.
type Button struct {
	widget.Button
	keys Keys
}

// NewButton makes a button; icon may be nil.
func NewButton(keys Keys, label string, icon fyne.Resource, tapped func()) *Button {
	b := &Button{keys: keys}
	b.Text, b.Icon, b.OnTapped = label, icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey implements fyne.Focusable. Return presses a button, as the space bar does.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	if b.keys.Handle(e) {
		return
	}
	if (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && !b.Disabled() {
		b.Tapped(nil)
		return
	}
	b.Button.TypedKey(e)
}

// EnableIf sets whether the button can be used; it costs nothing if nothing changes.
func (b *Button) EnableIf(on bool) {
	switch {
	case on && b.Disabled():
		b.Enable()
	case !on && !b.Disabled():
		b.Disable()
	}
}

// Label changes the button's text; it costs nothing if nothing changes.
func (b *Button) Label(s string) {
	if b.Text != s {
		b.SetText(s)
	}
}

// Style changes text, icon and importance; it costs nothing if nothing changes.
func (b *Button) Style(label string, icon fyne.Resource, importance widget.Importance) {
	if b.Text == label && b.Icon == icon && b.Importance == importance {
		return
	}
	b.Text, b.Icon, b.Importance = label, icon, importance
	b.Refresh()
}

// ShowIf shows or hides an object; it costs nothing if nothing changes.
func ShowIf(o fyne.CanvasObject, visible bool) {
	switch {
	case visible && !o.Visible():
		o.Show()
	case !visible && o.Visible():
		o.Hide()
	}
}

// Select is a list to choose from, of a fixed least width.
type Select struct {
	widget.Select
	keys  Keys
	width float32
	pick  func(int)
}

// NewSelect makes a list; pick is told what the user chose, not what Show sets.
func NewSelect(keys Keys, width float32, pick func(index int)) *Select {
	s := &Select{keys: keys, width: width, pick: pick}
	s.PlaceHolder = "–"
	s.ExtendBaseWidget(s)
	return s
}

// ShowChoice sets the options and the chosen one; -1 chooses none.
func (s *Select) ShowChoice(options []string, chosen int) {
	selected := ""
	if chosen >= 0 && chosen < len(options) {
		selected = options[chosen]
	}
	if selected == s.Selected && slices.Equal(options, s.Options) {
		return
	}
	s.OnChanged = nil
	s.Options, s.Selected = options, selected
	s.OnChanged = func(string) {
		if i := s.SelectedIndex(); i >= 0 && s.pick != nil {
			s.pick(i)
		}
	}
	s.Refresh()
}

// Tapped implements fyne.Tappable: it opens the list, in which the present choice is marked.
func (s *Select) Tapped(*fyne.PointEvent) {
	if s.Disabled() {
		return
	}
	items := make([]*fyne.MenuItem, len(s.Options))
	for i, text := range s.Options {
		items[i] = fyne.NewMenuItem(text, func() { s.SetSelectedIndex(i) })
		items[i].Checked = text == s.Selected
	}
	driver := fyne.CurrentApp().Driver()
	m := widget.NewPopUpMenu(fyne.NewMenu("", items...), driver.CanvasForObject(s))
	m.Resize(fyne.NewSize(max(m.MinSize().Width, s.Size().Width), m.MinSize().Height))
	m.ShowAtPosition(driver.AbsolutePositionForObject(s).AddXY(0, s.Size().Height))
}

// EnableIf sets whether the list can be used.
func (s *Select) EnableIf(on bool) {
	switch {
	case on && s.Disabled():
		s.Enable()
	case !on && !s.Disabled():
		s.Disable()
	}
}

// MinSize is the fixed least width.
func (s *Select) MinSize() fyne.Size {
	s.ExtendBaseWidget(s)
	m := s.BaseWidget.MinSize()
	m.Width = s.width
	return m
}

// TypedKey implements fyne.Focusable.
func (s *Select) TypedKey(e *fyne.KeyEvent) {
	if s.keys.Handle(e) || s.Disabled() {
		return
	}
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyUp, fyne.KeyDown:
		s.Tapped(nil)
	default:
		s.Select.TypedKey(e)
	}
}

// Entry is a field for a line of text.
type Entry struct {
	widget.Entry
	keys Keys
}

// NewEntry makes a field; changed is told what the user typed, not what ShowText sets.
func NewEntry(keys Keys, placeHolder string, changed func(string)) *Entry {
	e := &Entry{keys: keys}
	e.PlaceHolder = placeHolder
	e.Wrapping = fyne.TextWrapOff
	e.Scroll = fyne.ScrollHorizontalOnly
	e.OnChanged = changed
	e.ExtendBaseWidget(e)
	return e
}

// ShowText sets the text; it costs nothing if nothing changes.
func (e *Entry) ShowText(s string) {
	if e.Text == s {
		return
	}
	changed := e.OnChanged
	e.OnChanged = nil
	e.SetText(s)
	e.OnChanged = changed
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if !e.keys.Handle(k) {
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable: what is not about editing belongs to the window.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if _, custom := s.(*desktop.CustomShortcut); custom && e.keys.shortcut(s) {
		return
	}
	e.Entry.TypedShortcut(s)
}
