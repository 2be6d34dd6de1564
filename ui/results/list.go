package results

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// list is the list of runs. Return opens the run that has the focus.
type list struct {
	widget.List
	keys  part.Keys
	count int
	line  func(index int) line // writes a line when it is scrolled to
	open  func(index int)
}

func newList(keys part.Keys, open func(index int)) *list {
	l := &list{keys: keys, open: open}
	l.Length = func() int { return l.count }
	l.CreateItem = func() fyne.CanvasObject { return newItem().object }
	l.UpdateItem = func(id widget.ListItemID, o fyne.CanvasObject) {
		if id < l.count {
			itemOf(o).show(l.line(id))
		}
	}
	l.OnSelected = func(id widget.ListItemID) {
		l.UnselectAll()
		l.open(id)
	}
	l.ExtendBaseWidget(l)
	return l
}

// show shows another list.
func (l *list) show(count int, line func(index int) line) {
	l.count, l.line = count, line
	l.Refresh()
}

// TypedKey implements fyne.Focusable.
func (l *list) TypedKey(e *fyne.KeyEvent) {
	if l.keys.Handle(e) {
		return
	}
	if e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter {
		e = &fyne.KeyEvent{Name: fyne.KeySpace}
	}
	l.List.TypedKey(e)
}

// item is the widgets of one line.
type item struct {
	object                      *fyne.Container
	title, detail, numbers, end *part.Text
}

func newItem() *item {
	i := &item{
		title: part.NewText(look.Strong, ""), detail: part.NewText(look.Secondary, ""),
		numbers: part.NewRigid(look.Label, ""), end: part.NewRigid(look.Secondary, ""),
	}
	i.numbers.Align, i.end.Align = fyne.TextAlignTrailing, fyne.TextAlignTrailing
	none := layout.NewCustomPaddedVBoxLayout(0)
	right := container.New(none, i.numbers, i.end)
	left := container.New(none, i.title, i.detail)
	inner := part.Border(nil, nil, nil, right, left)
	i.object = container.New(layout.NewCustomPaddedLayout(8, 8, 10, 10), inner)
	return i
}

// itemOf finds the widgets of a line again.
func itemOf(o fyne.CanvasObject) *item {
	inner := o.(*fyne.Container).Objects[0].(*fyne.Container)
	left, right := inner.Objects[0].(*fyne.Container), inner.Objects[1].(*fyne.Container)
	return &item{
		title: left.Objects[0].(*part.Text), detail: left.Objects[1].(*part.Text),
		numbers: right.Objects[0].(*part.Text), end: right.Objects[1].(*part.Text),
	}
}

func (i *item) show(l line) {
	i.title.Set(l.title)
	i.detail.Set(l.detail)
	i.numbers.Set(l.numbers)
	tone := part.Doubt
	if l.bad {
		tone = part.Bad
	}
	i.end.SetToned(l.end, tone)
}
