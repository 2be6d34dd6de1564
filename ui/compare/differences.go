package compare

import (
	"fmt"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	comparing "cachecliff/app/compare"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/reference"
	"cachecliff/ui/chart"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// difference is a line of the table of differences.
type difference struct {
	cells  [4]string // what, A, B, change
	answer string    // whether it is one
	sign   string    // before the answer
	tone   part.Tone // of the answer
}

// differences are the lines of the table, and what has to be said about them.
func (s State) differences() (rows []difference, said []part.Span) {
	a, b := s.pair()
	if a == nil || b == nil {
		return nil, []part.Span{{Text: s.Words.T("compare.no-pair"), Tone: part.Doubt}}
	}
	t := comparing.Differences(*a, *b)
	for _, d := range t.Rows {
		rows = append(rows, s.difference(d))
	}
	said = append(said, part.Span{Text: explain.Nothing(s.Words, t.Nothing), Tone: part.Doubt})
	var changes []string
	for _, c := range t.Changes {
		changes = append(changes, explain.Changed(s.Words, c.What)+" "+known(c.A)+" / "+known(c.B))
	}
	if len(changes) > 0 {
		said = append(said, part.Span{Text: s.Words.T("compare.changes", "List", strings.Join(changes, " · ")), Tone: part.Dim})
	}
	return rows, said
}

func known(s string) string {
	if s == "" {
		return format.Unknown
	}
	return s
}

func (s State) difference(d comparing.Difference) difference {
	w := s.Words
	out := difference{
		cells:  [4]string{explain.Metric(w, d.A), explain.Value(w, d.A), explain.Value(w, d.B), s.change(d)},
		answer: explain.Significance(w, d.Significance), tone: part.Dim,
	}
	switch {
	case d.Better > 0:
		out.answer, out.tone = w.T("compare.better-b")+", "+out.answer, part.Plain
	case d.Better < 0:
		out.answer, out.tone = w.T("compare.better-a")+", "+out.answer, part.Plain
	case len(d.Reasons) > 0:
		out.answer, out.sign, out.tone = out.answer+": "+s.reasons(d.Reasons), chart.Doubt.Sign(), part.Doubt
	case d.Significance == comparing.Doubtful:
		var doubts []string
		for _, code := range d.Doubts {
			doubts = append(doubts, explain.Badge(w, code))
		}
		out.answer, out.sign, out.tone = out.answer+": "+strings.Join(doubts, ", "), chart.Doubt.Sign(), part.Doubt
	}
	return out
}

// change is how much B differs from A: "+12.3 %".
func (s State) change(d comparing.Difference) string {
	const most = 99 // times: beyond that a percentage says nothing
	if d.Change == nil || math.Abs(*d.Change) > most {
		return format.Unknown
	}
	text := fmt.Sprintf("%+.1f", 100**d.Change)
	if s.Locale == format.DE {
		text = strings.Replace(text, ".", ",", 1)
	}
	return strings.Replace(text, "-", "−", 1) + "\u00a0%"
}

// names are the two letters with what they stand for, for the lists to choose from.
func (s State) names() []string {
	var out []string
	for _, d := range s.chosen() {
		out = append(out, d.Title())
	}
	return out
}

// indexOf is the place of a drive among the chosen ones.
func (s State) indexOf(d *reference.Drive) int {
	if d == nil {
		return -1
	}
	for i, o := range s.chosen() {
		if o.ID == d.ID {
			return i
		}
	}
	return -1
}

// tableRow is the widgets of one line.
type tableRow struct {
	object *fyne.Container
	what   *part.Lines
	cells  [3]*part.Text
	sign   *canvas.Text
	answer *part.Lines
}

func newTableRow(grow func()) *tableRow {
	r := &tableRow{what: part.NewLines(1, 3), sign: canvas.NewText("", part.Palette().Doubt), answer: part.NewLines(1, 5)}
	r.sign.TextSize, r.sign.TextStyle.Monospace = 15, true
	r.what.Grow, r.answer.Grow = grow, grow
	objects := []fyne.CanvasObject{r.what}
	for i := range r.cells {
		r.cells[i] = part.NewText(look.Secondary, "")
		r.cells[i].Align = fyne.TextAlignTrailing
		objects = append(objects, r.cells[i])
	}
	r.object = container.New(&rowLayout{r}, append(objects, r.sign, r.answer)...)
	return r
}

func (r *tableRow) show(d difference) {
	r.what.Set(part.Span{Text: d.cells[0]})
	for i, c := range r.cells {
		c.Set(d.cells[i+1])
	}
	r.sign.Text, r.sign.Color = d.sign, part.Palette().Doubt
	r.sign.Refresh()
	r.answer.Set(part.Span{Text: d.answer, Tone: d.tone})
}

// rowLayout is the columns of the table: what, A, B, change, and the answer.
type rowLayout struct{ row *tableRow }

// The widths of the columns as shares of the table.
var shares = [5]float32{0.28, 0.17, 0.17, 0.1, 0.28}

const signWidth = 18

// MinSize implements fyne.Layout.
func (l *rowLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, max(l.row.what.MinSize().Height, l.row.answer.MinSize().Height)+6)
}

// Layout implements fyne.Layout.
func (l *rowLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	x := shares[0] * size.Width
	l.row.what.Move(fyne.NewPos(0, 3))
	l.row.what.Resize(fyne.NewSize(x-gap, l.row.what.MinSize().Height))
	for i, c := range l.row.cells {
		width := shares[i+1] * size.Width
		c.Move(fyne.NewPos(x, 3))
		c.Resize(fyne.NewSize(width-gap/2, 17))
		x += width
	}
	l.row.sign.Move(fyne.NewPos(x+gap, 0))
	l.row.answer.Move(fyne.NewPos(x+gap+signWidth, 3))
	l.row.answer.Resize(fyne.NewSize(size.Width-x-gap-signWidth, l.row.answer.MinSize().Height))
}
