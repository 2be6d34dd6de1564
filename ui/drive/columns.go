package drive

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"cachecliff/ui/part"
)

// The measures of the page, in pixels.
const (
	gap         = 8
	barWidth    = 14  // of the scroll bar
	leastColumn = 380 // what a column of facts needs to be read
	leastWide   = 620 // what a table needs
	mostColumns = 4
)

// sheet lays papers out: first those with facts side by side, each where there is most room, then those
// with tables, which take the width of more columns.
type sheet struct {
	papers []*paper
	wide   map[*paper]bool
	width  float32
}

// MinSize implements fyne.Layout.
func (s *sheet) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, s.place(func(*paper, fyne.Position, fyne.Size) {}))
}

// Layout implements fyne.Layout.
func (s *sheet) Layout([]fyne.CanvasObject, fyne.Size) {
	s.place(func(p *paper, at fyne.Position, size fyne.Size) {
		p.Move(at)
		p.Resize(size)
	})
}

// place tells where each paper that says anything belongs, and returns the height of all.
func (s *sheet) place(put func(*paper, fyne.Position, fyne.Size)) float32 {
	if s.width <= 0 {
		return 0
	}
	y := s.flow(false, leastColumn, 0, put)
	return s.flow(true, leastWide, y, put)
}

// count is how many papers of a kind there are to see.
func (s *sheet) count(wide bool) int {
	n := 0
	for _, p := range s.papers {
		if s.wide[p] == wide && p.Visible() {
			n++
		}
	}
	return n
}

// flow puts the papers of a kind into columns from a height on, and returns the height where they end.
func (s *sheet) flow(wide bool, least, top float32, put func(*paper, fyne.Position, fyne.Size)) float32 {
	n := max(1, min(mostColumns, int((s.width+gap)/(least+gap)), s.count(wide)))
	width := (s.width - gap*float32(n-1)) / float32(n)
	ends := make([]float32, n)
	for i := range ends {
		ends[i] = top
	}
	for _, p := range s.papers {
		if s.wide[p] != wide || !p.Visible() {
			continue
		}
		at := 0
		for i := range ends {
			if ends[i] < ends[at] {
				at = i
			}
		}
		h := p.height(width)
		put(p, fyne.NewPos(float32(at)*(width+gap), ends[at]), fyne.NewSize(width, h))
		ends[at] += h + gap
	}
	bottom := top
	for _, e := range ends {
		bottom = max(bottom, e)
	}
	return bottom
}

// scroller is a view of a sheet that scrolls by mouse and, having the focus, by keyboard.
type scroller struct {
	container.Scroll
	keys    part.Keys
	sheet   *sheet
	content *fyne.Container
	frame   *canvas.Rectangle
}

var _ fyne.Focusable = (*scroller)(nil)

// newScroller makes a view of papers; those named wide have tables.
func newScroller(keys part.Keys, papers []*paper, wide map[*paper]bool) *scroller {
	s := &scroller{keys: keys, sheet: &sheet{papers: papers, wide: wide}, frame: &canvas.Rectangle{CornerRadius: 6}}
	s.content = container.New(s.sheet)
	for _, p := range papers {
		s.content.Add(p)
	}
	s.Content, s.Direction = s.content, container.ScrollVerticalOnly
	s.ExtendBaseWidget(s)
	return s
}

// Resize implements fyne.CanvasObject: how high the sheet is depends on how wide it is.
func (s *scroller) Resize(size fyne.Size) {
	s.sheet.width = size.Width - barWidth
	s.Scroll.Resize(size)
	s.again()
}

// again lays the sheet out anew.
func (s *scroller) again() {
	s.content.Layout.Layout(nil, s.content.Size())
	s.Scroll.Refresh()
}

// FocusGained implements fyne.Focusable.
func (s *scroller) FocusGained() { s.outline(true) }

// FocusLost implements fyne.Focusable.
func (s *scroller) FocusLost() { s.outline(false) }

func (s *scroller) outline(on bool) {
	s.frame.StrokeWidth = 0
	if on {
		s.frame.StrokeColor, s.frame.StrokeWidth = part.Palette().Accent, 2
	}
	s.frame.Refresh()
}

// TypedRune implements fyne.Focusable.
func (s *scroller) TypedRune(rune) {}

// lineScroll is how far an arrow key scrolls.
const lineScroll = 48

// TypedKey implements fyne.Focusable.
func (s *scroller) TypedKey(e *fyne.KeyEvent) {
	if s.keys.Handle(e) {
		return
	}
	page := s.Size().Height - lineScroll
	by := map[fyne.KeyName]float32{
		fyne.KeyDown: lineScroll, fyne.KeyUp: -lineScroll, fyne.KeyPageDown: page, fyne.KeySpace: page, fyne.KeyPageUp: -page,
		fyne.KeyHome: -s.content.Size().Height, fyne.KeyEnd: s.content.Size().Height,
	}[e.Name]
	if by != 0 {
		s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -by)}) // not past the ends
	}
}
