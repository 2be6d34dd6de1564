package monitor

import (
	"fyne.io/fyne/v2"

	"cachecliff/app/format"
	"cachecliff/app/recording"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// sheet is what one drive does now: a line with its name, and its columns in three rows, of reads, writes
// and discards, with what belongs to none of them at the right.
type sheet struct {
	object, line *fyne.Container
	title, hole  *part.Text
	heads        [perWay]*part.Text
	rows         [ways]*part.Text
	cells        [ways][perWay]*part.Text
	names, sides [sides]*part.Text
}

// The shape of recording.Headings.
const (
	ways   = 3
	perWay = 6
	sides  = 4
)

func newSheet() *sheet {
	s := &sheet{title: part.NewText(look.Strong, ""), hole: part.NewRigid(look.Unit, "")}
	s.hole.Align = fyne.TextAlignTrailing
	right := func(role look.Role) *part.Text {
		t := part.NewText(role, "")
		t.Align = fyne.TextAlignTrailing
		return t
	}
	g := &grid{}
	for i := range s.heads {
		s.heads[i] = right(look.Secondary)
		g.put(s.heads[i], 0, 1+i)
	}
	for y := range s.rows {
		s.rows[y] = part.NewText(look.Unit, "")
		g.put(s.rows[y], 1+y, 0)
		for x := range s.cells[y] {
			s.cells[y][x] = right(look.Label)
			g.put(s.cells[y][x], 1+y, 1+x)
		}
	}
	for i := range s.names {
		s.names[i], s.sides[i] = right(look.Secondary), right(look.Label)
		g.put(s.names[i], i, 1+perWay)
		g.put(s.sides[i], i, 2+perWay)
	}
	s.line = &fyne.Container{Layout: ends{}, Objects: []fyne.CanvasObject{s.title, s.hole}}
	s.object = part.Border(s.line, nil, nil, nil, &fyne.Container{Layout: g, Objects: g.objects})
	return s
}

// show shows a drive.
func (s *sheet) show(st *State, d recording.DriveNow) {
	title := name(d.Drive)
	if d.MilliC != nil {
		title += " · " + format.Temperature(*d.MilliC)
	}
	s.title.Set(title)
	hole, tone := st.hole(d)
	changed := hole != s.hole.Text()
	s.hole.SetToned(hole, tone)
	if changed {
		s.line.Refresh() // its parts share the width anew
	}
	all := recording.Headings()
	for i := range s.heads {
		head := all[i].Name
		if i == 3 { // %rrqm
			head = "%" + head[2:]
		} else {
			head = head[1:]
		}
		s.heads[i].Set(spaced(head, all[i].Unit))
	}
	for y, id := range []string{"monitor.reads", "monitor.writes", "monitor.discards"} {
		s.rows[y].Set(st.Words.T(id))
		for x := range s.cells[y] {
			i := y*perWay + x
			s.cells[y][x].Set(st.value(d.Values[i], all[i].Digits))
		}
	}
	for i := range s.names {
		h := all[ways*perWay+i]
		s.names[i].Set(spaced(h.Name, h.Unit))
		s.sides[i].Set(st.value(d.Values[ways*perWay+i], h.Digits))
	}
}

func spaced(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " " + unit
}

// grid is the layout of the columns: a name, six numbers, a name, a number.
type grid struct {
	objects []fyne.CanvasObject
	places  [][2]int // row and column of each
}

const (
	gridRow   = 20
	gridName  = 108
	gridSide  = 84
	gridCell  = 60
	gridCells = perWay + 1
	gridRows  = 4
)

func (g *grid) put(o fyne.CanvasObject, row, column int) {
	g.objects, g.places = append(g.objects, o), append(g.places, [2]int{row, column})
}

// MinSize implements fyne.Layout.
func (g *grid) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(gridName+gridSide+gridCells*gridCell, gridRows*gridRow)
}

// mostCell keeps numbers together in a wide window.
const mostCell = 120

// Layout implements fyne.Layout.
func (g *grid) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	cell := min((size.Width-gridName-gridSide)/gridCells, mostCell)
	for i, o := range objects {
		row, column := g.places[i][0], g.places[i][1]
		x, w := float32(0), float32(gridName)
		switch {
		case column > perWay+1:
			x, w = gridName+perWay*cell+gridSide, cell
		case column == perWay+1:
			x, w = gridName+perWay*cell, gridSide
		case column > 0:
			x, w = gridName+float32(column-1)*cell, cell
		}
		height := o.MinSize().Height
		o.Move(fyne.NewPos(x, float32(row)*gridRow+(gridRow-height)/2))
		o.Resize(fyne.NewSize(w, height))
	}
}

// ends is the layout of a line with a text at both ends, of which the right one is not cut as long as it
// leaves a third to the other.
type ends struct{}

// MinSize implements fyne.Layout.
func (ends) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, max(objects[0].MinSize().Height, objects[1].MinSize().Height))
}

// Layout implements fyne.Layout.
func (ends) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := min(objects[1].MinSize().Width, size.Width*2/3)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(max(size.Width-right-look.Grid, 0), size.Height))
	objects[1].Move(fyne.NewPos(size.Width-right, 0))
	objects[1].Resize(fyne.NewSize(right, size.Height))
}
