package part

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// Border is container.NewBorder, except that the Tab key goes through it as one reads: top, left, centre,
// right, bottom. Each may be nil.
func Border(top, bottom, left, right, centre fyne.CanvasObject) *fyne.Container {
	objects := []fyne.CanvasObject{top, left, centre, right, bottom}
	objects = slices.DeleteFunc(objects, func(o fyne.CanvasObject) bool { return o == nil })
	return container.New(layout.NewBorderLayout(top, bottom, left, right), objects...)
}
