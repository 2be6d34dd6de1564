package part

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"cachecliff/ui/chart"
	"cachecliff/ui/look"
)

// Note is one thing that a tip says.
type Note struct {
	Level  chart.Level
	Word   string // the thing in a word or two
	Kind   string // its level in a word or two
	Text   string // what is the case
	Advice string // what to do about it
}

// Tips is the layer above a window's content on which tips are shown, one at a time. It is no overlay of
// the toolkit's, which would take mouse and keys from the content: it is seen and not touched, except that
// turning the mouse wheel closes the tip.
type Tips struct {
	widget.BaseWidget
	owner *Hint // whose tip is shown; nil: none is
	tip   tip
}

var _ fyne.Scrollable = (*Tips)(nil)

// NewTips makes a layer without a tip.
func NewTips() *Tips {
	t := &Tips{}
	t.ExtendBaseWidget(t)
	t.Hide()
	return t
}

// open shows the tip of an area in place of any other.
func (t *Tips) open(h *Hint) {
	if t.owner == h || len(h.notes) == 0 || !h.Visible() {
		return
	}
	t.Show() // what is hidden has no position
	d := fyne.CurrentApp().Driver()
	at := d.AbsolutePositionForObject(h).Subtract(d.AbsolutePositionForObject(t))
	t.tip = newTip(h.notes, t.Size(), at, h.Size())
	t.owner = h
	t.Refresh()
	canvas.Refresh(h) // the canvas does not know yet what it has never drawn
}

// Close takes the tip away, and says whether there was one.
func (t *Tips) Close() bool {
	if t.owner == nil {
		return false
	}
	h := t.owner
	t.owner, t.tip = nil, tip{}
	t.Hide()
	canvas.Refresh(h)
	return true
}

// close takes the tip away if it is that of h.
func (t *Tips) close(h *Hint) {
	if t.owner == h {
		t.Close()
	}
}

// Text is what the tip says, line by line; empty if there is none.
func (t *Tips) Text() string {
	var out []string
	for _, l := range t.tip.lines {
		out = append(out, l.text)
	}
	return strings.Join(out, "\n")
}

// Bounds is where the tip is on its layer; the size is zero if there is none.
func (t *Tips) Bounds() (fyne.Position, fyne.Size) { return t.tip.at, t.tip.size }

// Scrolled implements fyne.Scrollable.
func (t *Tips) Scrolled(*fyne.ScrollEvent) { t.Close() }

// Resize implements fyne.CanvasObject. In a window of another size things are elsewhere.
func (t *Tips) Resize(s fyne.Size) {
	if s != t.Size() {
		t.Close()
	}
	t.BaseWidget.Resize(s)
}

// CreateRenderer implements fyne.Widget.
func (t *Tips) CreateRenderer() fyne.WidgetRenderer {
	r := &tipsRenderer{t: t, back: &canvas.Rectangle{CornerRadius: 6, StrokeWidth: 1}}
	r.Refresh()
	return r
}

type tipsRenderer struct {
	t       *Tips
	back    *canvas.Rectangle
	objects []fyne.CanvasObject
}

func (r *tipsRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *tipsRenderer) Destroy()                     {}
func (r *tipsRenderer) Layout(fyne.Size)             {}
func (r *tipsRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *tipsRenderer) Refresh() {
	p, tip := Palette(), r.t.tip
	r.back.FillColor, r.back.StrokeColor = p.Overlay, p.Border
	r.back.Move(tip.at)
	r.back.Resize(tip.size)
	r.objects = []fyne.CanvasObject{r.back}
	for _, l := range tip.lines {
		text := l.role.Text(l.text, p)
		text.Color = l.tone.Colour(p, text.Color)
		text.TextStyle.Monospace = l.sign
		text.Move(tip.at.Add(l.at))
		text.Resize(text.MinSize())
		r.objects = append(r.objects, text)
	}
	canvas.Refresh(r.t)
}

// tip is a tip that is laid out.
type tip struct {
	at    fyne.Position
	size  fyne.Size
	lines []tipLine
}

// tipLine is one text of a tip.
type tipLine struct {
	text string
	role look.Role
	tone Tone
	sign bool          // one of the signs, which only the monospaced face has
	at   fyne.Position // from the corner of the tip
}

const (
	tipPad    = 10
	tipSign   = 17 // size of the signs, which are small for it
	tipIndent = 20 // of texts, from the sign
	tipHead   = 20 // height of a heading
	tipGap    = 8  // between notes
	tipAway   = 4  // from what is explained
	tipEdge   = 8  // from the edge of the window
)

// The widths of a tip in the order in which they are tried: long lines are hard to read. Beside what it
// explains a tip takes the room that there is, down to a least.
var tipWidths = []float32{380, 520, 720}

const leastTip = 220

// newTip finds room in a window for the tip of an area: below or above it, or beside it. It never lies over
// the area and never leaves the window. If nothing else helps the last notes are named in a line only.
func newTip(notes []Note, window fyne.Size, at fyne.Position, area fyne.Size) tip {
	below := window.Height - tipEdge - (at.Y + area.Height + tipAway)
	above := at.Y - tipAway - tipEdge
	right := window.Width - tipEdge - (at.X + area.Width + tipAway)
	left := at.X - tipAway - tipEdge
	for whole := len(notes); whole >= 0; whole-- {
		for i, width := range tipWidths {
			t := layTip(notes, whole, min(width, window.Width-2*tipEdge))
			x := between(at.X, tipEdge, window.Width-tipEdge-t.size.Width)
			switch {
			case t.size.Height <= below:
				return t.move(x, at.Y+area.Height+tipAway)
			case t.size.Height <= above:
				return t.move(x, at.Y-tipAway-t.size.Height)
			case i > 0:
				continue
			}
			for _, room := range []float32{right, left} {
				t := layTip(notes, whole, min(width, room))
				if room < leastTip || t.size.Height > window.Height-2*tipEdge {
					continue
				}
				y := between(at.Y, tipEdge, window.Height-tipEdge-t.size.Height)
				if room == right {
					return t.move(at.X+area.Width+tipAway, y)
				}
				return t.move(at.X-tipAway-t.size.Width, y)
			}
		}
	}
	return tip{} // the window is smaller than a line
}

func (t tip) move(x, y float32) tip {
	t.at = fyne.NewPos(x, y)
	return t
}

func between(v, low, high float32) float32 { return max(low, min(v, high)) }

// layTip sets the first notes whole and names the others, no wider than width.
func layTip(notes []Note, whole int, width float32) tip {
	var t tip
	y, widest := float32(tipPad), float32(0)
	add := func(x float32, role look.Role, tone Tone, text string, sign bool) float32 {
		end := x + Measure(role, text).Width
		widest = max(widest, end)
		t.lines = append(t.lines, tipLine{text, role, tone, sign, fyne.NewPos(x, y)})
		return end
	}
	room := width - 2*tipPad - tipIndent
	for i, n := range notes[:whole] {
		if i > 0 {
			y += tipGap
		}
		y--
		add(tipPad, look.Role{Size: tipSign}, LevelTone(n.Level), n.Level.Sign(), true)
		y++
		end := add(tipPad+tipIndent, look.Strong, Plain, Fit(look.Strong, n.Word, room), false)
		if kind := "· " + n.Kind; n.Kind != "" && end+tipGap+Measure(look.Secondary, kind).Width <= width-tipPad {
			y += 2 // on the base line of the word
			add(end+6, look.Secondary, LevelTone(n.Level), kind, false)
			y -= 2
		}
		y += tipHead
		for _, s := range []Span{{n.Text, Plain}, {n.Advice, Dim}} {
			if s.Text == "" {
				continue
			}
			for _, line := range wrap(s.Text, mostTipLines, room) {
				role := look.Secondary
				role.Dim = s.Tone == Dim
				add(tipPad+tipIndent, role, s.Tone, line, false)
				y += lineHeight
			}
		}
	}
	if whole < len(notes) {
		if whole > 0 {
			y += tipGap
		}
		var rest []string
		for _, n := range notes[whole:] {
			rest = append(rest, n.Word)
		}
		for _, line := range wrap("+ "+strings.Join(rest, ", "), mostTipLines, room+tipIndent) {
			add(tipPad, look.Secondary, Dim, line, false)
			y += lineHeight
		}
	}
	t.size = fyne.NewSize(min(width, widest+tipPad), y+tipPad-2)
	return t
}

// mostTipLines is more lines than a sentence has.
const mostTipLines = 40

// LevelTone is the tone of what is said about a badge.
func LevelTone(l chart.Level) Tone {
	switch l {
	case chart.Doubt:
		return Doubt
	case chart.Invalid:
		return Bad
	}
	return Dim
}
