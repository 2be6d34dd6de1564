package part

import "fyne.io/fyne/v2"

// Page is the layout of a page: what is above, what is below, and between them what takes the height that
// is left. Sentences above and below grow when there is more to say, at the cost of the middle, so that
// the window never has to.
type Page struct {
	Above, Below fyne.CanvasObject // each may be nil
	Middle       fyne.CanvasObject
	Grown        func() float32 // by how much Above and Below are higher than at least
	Low          func(bool)     // told before each layout whether the page is low; may be nil
}

const (
	pageGap     = 4
	lowPage     = 610 // below this height a page is low: in a window of less than 680
	leastMiddle = 40  // what is lower is left out
)

// NewPage makes a page of that layout.
func NewPage(p *Page) *fyne.Container {
	var objects []fyne.CanvasObject
	for _, o := range []fyne.CanvasObject{p.Above, p.Middle, p.Below} {
		if o != nil {
			objects = append(objects, o)
		}
	}
	return &fyne.Container{Layout: p, Objects: objects}
}

// MinSize implements fyne.Layout.
func (p *Page) MinSize([]fyne.CanvasObject) fyne.Size {
	size := p.Middle.MinSize()
	for _, o := range []fyne.CanvasObject{p.Above, p.Below} {
		if o != nil {
			m := o.MinSize()
			size = fyne.NewSize(max(size.Width, m.Width), size.Height+m.Height+pageGap)
		}
	}
	size.Height -= p.Grown()
	return size
}

// Layout implements fyne.Layout. It looks twice: how high sentences are depends on how wide they are.
func (p *Page) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if p.Low != nil {
		p.Low(size.Height < lowPage)
	}
	var above, below float32
	for range 2 {
		above, below = 0, 0
		if p.Above != nil {
			above = p.Above.MinSize().Height
			p.Above.Move(fyne.NewPos(0, 0))
			p.Above.Resize(fyne.NewSize(size.Width, above))
			settle(p.Above)
			above += pageGap
		}
		if p.Below != nil {
			below = p.Below.MinSize().Height
			p.Below.Move(fyne.NewPos(0, size.Height-below))
			p.Below.Resize(fyne.NewSize(size.Width, below))
			settle(p.Below)
			below += pageGap
		}
	}
	rest := size.Height - above - below
	ShowIf(p.Middle, rest >= leastMiddle)
	if p.Middle.Visible() {
		p.Middle.Move(fyne.NewPos(0, above))
		p.Middle.Resize(fyne.NewSize(size.Width, rest))
	}
}

// settle lays containers out anew whose size stays while that of their parts changes.
func settle(o fyne.CanvasObject) {
	c, ok := o.(*fyne.Container)
	if !ok {
		return
	}
	if c.Layout != nil {
		c.Layout.Layout(c.Objects, c.Size())
	}
	for _, o := range c.Objects {
		settle(o)
	}
}
