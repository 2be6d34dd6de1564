// Package table is the table of a benchmark as a widget: heads and units, a button for each row, large
// numbers with small ones beside them, and bars. It shows a sheet.Sheet and computes nothing.
package table

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/bench"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
	"cachecliff/ui/sheet"
)

// Words are the table's words in the user's language.
type Words struct {
	Heads         map[bench.Direction]string
	Median        string // short, stands before a number
	Range         string // the same for the range of the loops
	LowerIsBetter string
	Scale         string // says what the bars mean
	Lang          string // which language these words are of

	// Explain puts the doubts about the number of a workload into words, the worst first.
	Explain func(doubts []bench.Warning, workload string) []part.Note
}

// Table is the widget. Its object goes into a page.
type Table struct {
	Object fyne.CanvasObject

	keys  part.Keys
	tips  *part.Tips
	run   func(workloads []string) // nil: rows have no buttons
	box   *fyne.Container
	heads []*part.Text
	rows  []*row
	scale *part.Text
	shape shape
	low   bool // rows are lower
}

// row is the widgets of one line.
type row struct {
	button           *part.Button // nil without run
	name, load, note *part.Text
	cells            []*cell
	workloads        []string
}

// shape is what decides how many widgets there are.
type shape struct{ rows, columns int }

// HeadWidth is the width of the column of row names, in device-independent pixels.
const HeadWidth = 124

const (
	headHeight = 22
	gap        = 4
	minCell    = 120
	scaleLine  = 16
)

// New makes an empty table, whose numbers explain their doubts on the layer of tips. With run, each row has
// a button that runs its workloads.
func New(keys part.Keys, tips *part.Tips, run func(workloads []string)) *Table {
	t := &Table{keys: keys, tips: tips, run: run, scale: part.NewText(look.Secondary, "")}
	t.box = container.New(&grid{t: t})
	t.Object = t.box
	return t
}

// Show shows a sheet; the buttons work if ready. It costs nothing where nothing changes.
func (t *Table) Show(s sheet.Sheet, w Words, class look.Class, ready bool) {
	if want := (shape{len(s.Rows), len(s.Columns)}); want != t.shape {
		t.build(want)
	}
	unit := commonUnit(s)
	for i, d := range s.Columns {
		text := w.Heads[d]
		if unit != bench.UnitUser {
			text += " · " + string(unit)
		}
		t.heads[i].Set(text)
	}
	for i, r := range s.Rows {
		t.rows[i].show(r, w, unit, class, ready)
	}
	t.scale.Set(w.Scale)
}

// commonUnit is the unit of all rows, or none.
func commonUnit(s sheet.Sheet) bench.Unit {
	var unit bench.Unit
	for i, r := range s.Rows {
		if i > 0 && r.Unit != unit {
			return bench.UnitUser
		}
		unit = r.Unit
	}
	return unit
}

func (r *row) show(s sheet.Row, w Words, common bench.Unit, class look.Class, ready bool) {
	r.workloads = s.Workloads
	r.name.Set(s.Name)
	load := s.Load
	if common == bench.UnitUser {
		load += " · " + string(s.Unit)
	}
	r.load.Set(load)
	note := ""
	if s.LowerIsBetter() {
		note = w.LowerIsBetter
	}
	r.note.Set(note)
	r.note.Hidden = note == ""
	if r.button != nil {
		r.button.EnableIf(ready)
	}
	for i, c := range s.Cells {
		r.cells[i].show(c, w, class)
	}
}

// build makes the widgets for a new shape.
func (t *Table) build(s shape) {
	t.shape = s
	t.tips.Close() // that of a cell that goes
	t.heads, t.rows = nil, nil
	objects := []fyne.CanvasObject{}
	for range s.columns {
		h := part.NewText(look.Strong, "")
		t.heads = append(t.heads, h)
		objects = append(objects, h)
	}
	for range s.rows {
		r := t.newRow(s.columns)
		t.rows = append(t.rows, r)
		if r.button != nil {
			objects = append(objects, r.button)
		}
		objects = append(objects, r.name, r.load, r.note)
		for _, c := range r.cells {
			objects = append(objects, c)
		}
	}
	t.box.Objects = append(objects, t.scale)
	t.box.Refresh()
}

func (t *Table) newRow(columns int) *row {
	r := &row{
		name: part.NewText(look.Strong, ""), load: part.NewText(look.Secondary, ""),
		note: part.NewText(look.Secondary, ""),
	}
	if t.run != nil {
		r.button = part.NewButton(t.keys, "", theme.MediaPlayIcon(), func() { t.run(slices.Clone(r.workloads)) })
		r.button.Alignment = widget.ButtonAlignLeading
	}
	for range columns {
		r.cells = append(r.cells, newCell(t.keys, t.tips))
	}
	return r
}

// lowRow is the height of a row where there is little room.
const lowRow = 56

// Low sets whether rows are lower than usual. It takes effect with the next layout.
func (t *Table) Low(low bool) { t.low = low }

// Grown is by how much the table is higher than with low rows.
func (t *Table) Grown() float32 { return float32(t.shape.rows) * (t.rowHeight() - lowRow) }

func (t *Table) rowHeight() float32 {
	if t.low {
		return lowRow
	}
	return look.RowHeight
}

// grid lays the table out.
type grid struct{ t *Table }

// MinSize is enough for every number at a small size.
func (g *grid) MinSize([]fyne.CanvasObject) fyne.Size {
	s := g.t.shape
	return fyne.NewSize(HeadWidth+float32(s.columns)*(minCell+gap), headHeight+float32(s.rows)*(g.t.rowHeight()+gap)+scaleLine)
}

// Layout implements fyne.Layout.
func (g *grid) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	t := g.t
	if t.shape.columns == 0 {
		return
	}
	width := (size.Width-HeadWidth)/float32(t.shape.columns) - gap
	x := func(i int) float32 { return HeadWidth + gap + float32(i)*(width+gap) }
	for i, h := range t.heads {
		place(h, x(i)+cellPad, 0, width-cellPad, headHeight)
	}
	y, height := float32(headHeight), t.rowHeight()
	for _, r := range t.rows {
		r.place(y, height)
		for i, c := range r.cells {
			place(c, x(i), y, width, height)
		}
		y += height + gap
	}
	place(t.scale, x(0)+cellPad, y-2, size.Width-x(0)-cellPad, scaleLine)
}

// place puts the name of a row over its button.
func (r *row) place(y, height float32) {
	left := float32(cellPad)
	if r.button != nil {
		place(r.button, 0, y, HeadWidth, height)
		left = 36
	}
	top := y + height/2 - 19
	if !r.note.Hidden {
		top = y + height/2 - 27
	}
	width := HeadWidth - left - 4
	place(r.name, left, top, width, 20)
	place(r.load, left, top+20, width, sideLine)
	place(r.note, cellPad, top+36, HeadWidth-cellPad-4, sideLine)
}

func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}
