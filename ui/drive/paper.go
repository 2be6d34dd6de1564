package drive

import (
	"reflect"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// The measures of a section, in pixels.
const (
	pad       = 12
	columnGap = 16
	lineStep  = 20 // from a line of a value to the next
	noteStep  = 17
	headStep  = 26
	bigStep   = 46
	rowGap    = 4
	mostLabel = 0.46 // share of the width that labels take at most
)

// item is a text at its place in a section.
type item struct {
	at    fyne.Position
	width float32
	text  string
	role  look.Role
	tone  part.Tone
	right bool
}

// pen sets a section from top to bottom.
type pen struct {
	width float32
	y     float32
	items []item
	rules []float32 // heights of thin lines
}

// layOut sets a section at a width, and says how high it is.
func layOut(s *Section, width float32) *pen {
	p := &pen{width: width, y: pad}
	if s.Title != "" {
		p.add(pad, width-2*pad, s.Title, look.Strong, part.Plain, false)
		p.y += headStep
	}
	if s.Big.Text != "" {
		p.add(pad, width-2*pad, s.Big.Text, look.Number, s.Big.Tone, false)
		p.y += bigStep
	}
	p.sentences(s.Lead)
	p.rows(s.Rows)
	if len(s.Table.Rows) > 0 {
		p.table(&s.Table)
	}
	if len(s.Notes) > 0 {
		p.y += rowGap
	}
	p.sentences(s.Notes)
	p.y += pad - rowGap
	return p
}

func (p *pen) add(x, width float32, text string, role look.Role, tone part.Tone, right bool) {
	if text != "" {
		p.items = append(p.items, item{fyne.NewPos(x, p.y), width, part.Fit(role, text, width), role, tone, right})
	}
}

// block sets a text that may wrap and may have several paragraphs, and moves down.
func (p *pen) block(x, width float32, text string, role look.Role, tone part.Tone, step float32, right bool) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		for _, l := range wrap(paragraph, role, width) {
			p.add(x, width, l, role, tone, right)
			p.y += step
		}
	}
}

// small is the role of sentences and notes: like secondary text, but as dark as its tone says.
var small = look.Role{Size: look.SecondarySize}

func (p *pen) sentences(spans []part.Span) {
	for _, s := range spans {
		p.block(pad, p.width-2*pad, s.Text, small, s.Tone, noteStep, false)
		p.y += rowGap
	}
}

func (p *pen) rows(rows []Row) {
	label := float32(0)
	for _, r := range rows {
		label = max(label, part.Measure(look.Unit, r.Label).Width)
	}
	label = min(label, (p.width-2*pad)*mostLabel)
	left := pad + label + columnGap
	for _, r := range rows {
		top := p.y
		p.y++ // on the base line of the value
		p.block(pad, label, r.Label, look.Unit, part.Plain, lineStep, false)
		below := p.y - 1
		p.y = top
		p.block(left, p.width-left-pad, r.Value, look.Label, r.Tone, lineStep, false)
		p.block(left, p.width-left-pad, r.Note, small, part.Dim, noteStep, false)
		p.y = max(p.y, below) + rowGap
	}
}

// table sets a table: each column is as wide as its texts, the wide one takes the rest.
func (p *pen) table(t *Table) {
	x, widths := p.columns(t)
	for i, c := range t.Columns {
		p.add(x[i], widths[i], c.Title, look.Secondary, part.Plain, c.Right)
	}
	p.y += noteStep + rowGap
	p.rules = append(p.rules, p.y)
	p.y += rowGap
	for _, r := range t.Rows {
		top, bottom := p.y, p.y
		for i, c := range r {
			p.y = top
			p.block(x[i], widths[i], c.Text, look.Label, c.Tone, lineStep, t.Columns[i].Right)
			p.block(x[i], widths[i], c.Note, small, part.Dim, noteStep, t.Columns[i].Right)
			bottom = max(bottom, p.y)
		}
		p.y = bottom + rowGap
	}
}

// columns are the left edges and widths of a table's columns.
func (p *pen) columns(t *Table) (x, widths []float32) {
	rest := p.width - 2*pad - columnGap*float32(len(t.Columns)-1)
	wide := -1
	for i, c := range t.Columns {
		w := part.Measure(look.Secondary, c.Title).Width
		for _, r := range t.Rows {
			w = max(w, part.Measure(look.Label, r[i].Text).Width)
		}
		widths = append(widths, w+1)
		if c.Wide {
			wide = i
			continue
		}
		rest -= w + 1
	}
	if wide >= 0 {
		widths[wide] = max(rest, 60)
	}
	at := float32(pad)
	for _, w := range widths {
		x = append(x, at)
		at += w + columnGap
	}
	return x, widths
}

// wrap breaks a text into lines at spaces, and in a word that is too long anywhere; an empty text has none.
func wrap(text string, role look.Role, width float32) []string {
	var out []string
	for text != "" {
		if part.Measure(role, text).Width <= width+0.5 {
			return append(out, text)
		}
		cut, any := 0, 0
		for i, r := range text {
			if i > 0 && part.Measure(role, text[:i]).Width > width {
				break
			}
			any = i
			if r == ' ' || i > 0 && (text[i-1] == '/' || text[i-1] == ',') {
				cut = i
			}
		}
		if cut == 0 {
			cut = any
		}
		if cut == 0 { // not even one letter fits
			return append(out, text)
		}
		out, text = append(out, strings.TrimRight(text[:cut], " ")), strings.TrimLeft(text[cut:], " ")
	}
	return out
}

// paper shows a section on a field of its own. It is as high as the section is at its width.
type paper struct {
	widget.BaseWidget
	section Section
	set     *pen // the section at the present width
}

func newPaper() *paper {
	p := &paper{}
	p.ExtendBaseWidget(p)
	return p
}

// show shows a section, and says whether that changed anything.
func (p *paper) show(s Section) bool {
	if reflect.DeepEqual(p.section, s) {
		return false
	}
	p.section, p.set = s, nil
	p.Refresh()
	return true
}

// empty says whether there is nothing to show.
func (p *paper) empty() bool { return reflect.DeepEqual(p.section, Section{}) }

// at sets the section at a width.
func (p *paper) at(width float32) *pen {
	if p.set == nil || p.set.width != width {
		p.set = layOut(&p.section, width)
	}
	return p.set
}

// height is how high the section is at a width.
func (p *paper) height(width float32) float32 { return p.at(width).y }

// CreateRenderer implements fyne.Widget.
func (p *paper) CreateRenderer() fyne.WidgetRenderer {
	r := &paperRenderer{p: p, back: &canvas.Rectangle{CornerRadius: 6}}
	r.Refresh()
	return r
}

type paperRenderer struct {
	p     *paper
	back  *canvas.Rectangle
	texts []*canvas.Text
	lines []*canvas.Rectangle
}

func (r *paperRenderer) Destroy()           {}
func (r *paperRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *paperRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.back}
	for _, l := range r.lines {
		out = append(out, l)
	}
	for _, t := range r.texts {
		out = append(out, t)
	}
	return out
}

func (r *paperRenderer) Layout(fyne.Size) { r.Refresh() }

// Refresh reuses the objects that there are. The window lays out anew whatever has new objects, so making some here
// would make it draw without end.
func (r *paperRenderer) Refresh() {
	size, pal := r.p.Size(), part.Palette()
	r.back.FillColor = pal.Surface
	r.back.Resize(size)
	if size.Width <= 0 {
		return
	}
	set := r.p.at(size.Width)
	for len(r.texts) < len(set.items) {
		r.texts = append(r.texts, canvas.NewText("", pal.Text))
	}
	r.texts = r.texts[:len(set.items)]
	for i, it := range set.items {
		t := r.texts[i]
		it.role.Paint(t, pal)
		t.Color, t.Text, t.Alignment = it.tone.Colour(pal, t.Color), it.text, fyne.TextAlignLeading
		if it.right {
			t.Alignment = fyne.TextAlignTrailing
		}
		t.Move(it.at)
		t.Resize(fyne.NewSize(it.width, t.MinSize().Height))
	}
	for len(r.lines) < len(set.rules) {
		r.lines = append(r.lines, canvas.NewRectangle(pal.Line))
	}
	r.lines = r.lines[:len(set.rules)]
	for i, y := range set.rules {
		l := r.lines[i]
		l.FillColor = pal.Line
		l.Move(fyne.NewPos(pad, y-rowGap/2))
		l.Resize(fyne.NewSize(size.Width-2*pad, 1))
		r.lines = append(r.lines, l)
	}
	canvas.Refresh(r.p)
}
