package part

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// List is a list of lines to choose from. Return opens the line that has the focus, and nothing stays
// selected. It passes the window's keys on.
type List struct {
	widget.List
	keys Keys
}

// NewList makes a list. Length, make and show are those of widget.NewList; open is told which line was
// chosen.
func NewList(keys Keys, length func() int, make func() fyne.CanvasObject, show func(int, fyne.CanvasObject), open func(int)) *List {
	l := &List{keys: keys}
	l.Length, l.CreateItem = length, make
	l.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) {
		if i < length() {
			show(i, o)
		}
	}
	l.OnSelected = func(i widget.ListItemID) {
		l.UnselectAll()
		open(i)
	}
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey implements fyne.Focusable.
func (l *List) TypedKey(e *fyne.KeyEvent) {
	if l.keys.Handle(e) {
		return
	}
	if e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter {
		e = &fyne.KeyEvent{Name: fyne.KeySpace}
	}
	l.List.TypedKey(e)
}
