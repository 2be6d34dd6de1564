package results

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// list is the list of runs.
type list struct {
	*part.List
	count int
	line  func(index int) line // writes a line when it is scrolled to
}

func newList(keys part.Keys, open func(index int)) *list {
	l := &list{}
	l.List = part.NewList(keys, func() int { return l.count }, func() fyne.CanvasObject { return newItem().object },
		func(i int, o fyne.CanvasObject) { itemOf(o).show(l.line(i)) }, open)
	return l
}

// show shows another list.
func (l *list) show(count int, line func(index int) line) {
	l.count, l.line = count, line
	l.Refresh()
}

// item is the widgets of one line.
type item struct {
	object                      *fyne.Container
	below                       *fyne.Container // ending and detail
	title, detail, numbers, end *part.Text
}

func newItem() *item {
	i := &item{
		title: part.NewText(look.Strong, ""), detail: part.NewText(look.Secondary, ""),
		numbers: part.NewRigid(look.Label, ""), end: part.NewRigid(look.Secondary, ""),
	}
	i.numbers.Align = fyne.TextAlignTrailing
	i.below = container.New(layout.NewBorderLayout(nil, nil, i.end, nil), i.end, i.detail)
	left := container.New(layout.NewCustomPaddedVBoxLayout(0), i.title, i.below)
	inner := part.Border(nil, nil, nil, i.numbers, left)
	i.object = container.New(layout.NewCustomPaddedLayout(8, 8, 10, 10), inner)
	return i
}

// itemOf finds the widgets of a line again.
func itemOf(o fyne.CanvasObject) *item {
	inner := o.(*fyne.Container).Objects[0].(*fyne.Container)
	left := inner.Objects[0].(*fyne.Container)
	below := left.Objects[1].(*fyne.Container)
	return &item{
		below: below, title: left.Objects[0].(*part.Text), numbers: inner.Objects[1].(*part.Text),
		end: below.Objects[0].(*part.Text), detail: below.Objects[1].(*part.Text),
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
	part.ShowIf(i.end, l.end != "")
	i.below.Layout.Layout(i.below.Objects, i.below.Size())
}
