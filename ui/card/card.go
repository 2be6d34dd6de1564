// Package card draws the card of a run that people post in forums: 1200 × 675 pixels, no text smaller
// than 20, so that it reads at 900 pixels wide. It needs no display, no window and no cgo. There is no
// serial number on it.
package card

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/look"
	"cachecliff/ui/sheet"
)

// The size of a card in pixels.
const (
	Width  = 1200
	Height = 675
)

// Options says how a card is drawn.
type Options struct {
	Words  *words.Words
	Locale format.Locale
	Unit   bench.Unit // of rows that do not bring their own; never UnitUser
	Dark   bool
	Going  bool // the run goes on; its result cannot say how it ends
}

// Write draws the card of a run and writes it as PNG.
func Write(w io.Writer, r *bench.Result, o Options) error {
	img, err := Draw(r, o)
	if err != nil {
		return err
	}
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("write card: %w", err)
	}
	return nil
}

const (
	margin    = 36
	textSize  = 20
	signSize  = 26
	lineStep  = 28
	footLine  = Height - margin - textSize
	tableTop  = 184
	headStep  = 34
	nameWidth = 170
	cellGap   = 8
)

// Draw draws the card of a run. It fails only if the bundled fonts cannot be read.
func Draw(r *bench.Result, o Options) (*image.RGBA, error) {
	p, err := newPen(o.Dark)
	if err != nil {
		return nil, err
	}
	p.head(r, o)
	bottom := 0
	if r.Plan.Profile.Filling != nil {
		bottom = p.filling(r, o)
	} else {
		bottom = p.table(r, o)
	}
	p.doubts(r, o, bottom)
	p.foot(r, o)
	return p.img, p.err
}

// head writes drive, connection, system and test.
func (p *pen) head(r *bench.Result, o Options) {
	t := &r.Plan.Target
	l := o.Locale
	title := facts.Model(t, l)
	p.text(margin, 24, Width-2*margin, bold(34), p.colour.Text, title)
	y := 74
	for _, line := range []string{driveLine(t, r, o), systemLine(r, o), testLine(r, o)} {
		if line != "" {
			p.text(margin, y, Width-2*margin, regular(textSize), p.colour.Dim, line)
			y += lineStep
		}
	}
}

func driveLine(t *platform.Target, r *bench.Result, o Options) string {
	var firmware, health string
	if len(t.Drives) > 0 && t.Drives[0].Firmware != "" {
		firmware = o.Words.T("card.firmware", "Name", t.Drives[0].Firmware)
	}
	connection := facts.Connection(t, o.Locale)
	if top := facts.ConnectionMax(t, o.Locale); top != "" {
		connection = o.Words.T("card.link-max", "Link", connection, "Max", top)
	}
	fs := t.Volume.FS
	if facts.Encrypted(t) {
		fs += " " + o.Words.T("card.encrypted")
	}
	full := ""
	if s := facts.Filling(r, o.Locale); s != "" {
		full = o.Words.T("fact.full", "Share", s)
	}
	return facts.Join(firmware, connection, full, fs, facts.Temperatures(r), health)
}

func systemLine(r *bench.Result, o Options) string {
	driver := ""
	if d := r.Plan.Target.Drives; len(d) > 0 && d[0].Driver != "" {
		driver = o.Words.T("card.driver", "Name", d[0].Driver)
	}
	return facts.Join(r.Machine.CPU, r.Machine.OS, r.Machine.Kernel, driver)
}

func testLine(r *bench.Result, o Options) string {
	p := r.Plan.Profile
	if p.Filling != nil {
		return fillLine(r, o)
	}
	if r.Imported != nil { // what its numbers are is told by its doubts
		size := ""
		if p.FileSize > 0 {
			size = format.FileSize(p.FileSize, o.Locale)
		}
		return facts.Join(p.Title, size, r.Imported.String())
	}
	best := o.Words.T("card.best", "Loops", fmt.Sprint(p.Loops))
	if p.Loops == 1 {
		best = o.Words.T("card.single")
	}
	return facts.Join(facts.ProfileName(o.Words, p), format.FileSize(p.FileSize, o.Locale), best, facts.Access(o.Words, &r.Plan))
}

// table draws the numbers and returns where it ends.
func (p *pen) table(r *bench.Result, o Options) (bottom int) {
	s := sheet.Make(r.Plan.Profile, r.Outcomes(), o.Unit, "", o.Locale)
	s.Judge(r)
	if len(s.Columns) == 0 || len(s.Rows) == 0 {
		return tableTop
	}
	width := (Width - 2*margin - nameWidth + cellGap) / len(s.Columns)
	heads := facts.Heads(o.Words, r.Plan.Profile)
	for i, d := range s.Columns {
		p.text(margin+nameWidth+i*width+16, tableTop, width-16, bold(textSize), p.colour.Text, heads[d])
	}
	top := tableTop + headStep
	row := min(120, (footLine-lineStep*3-top)/len(s.Rows)) // two lines of doubts and the foot
	colour := look.ClassColour(facts.Class(&r.Plan.Target), o.Dark)
	for _, r := range s.Rows {
		p.row(r, top, row, width, colour, o)
		top += row
	}
	return top
}

func (p *pen) row(r sheet.Row, top, height, width int, colour color.Color, o Options) {
	inner := height - cellGap
	p.text(margin, top+inner/2-26, nameWidth, bold(24), p.colour.Text, r.Name)
	p.text(margin, top+inner/2+4, nameWidth, regular(textSize), p.colour.Dim, r.Load)
	for i, c := range r.Cells {
		x := margin + nameWidth + i*width
		p.fill(x, top, width-cellGap, inner, p.colour.Surface)
		p.number(c, r, x+16, top, width-cellGap-32, inner, o)
		p.fill(x+16, top+inner-10, width-cellGap-32, 5, p.colour.Raised)
		p.fill(x+16, top+inner-10, int(float64(width-cellGap-32)*fraction(c.Rate/1e6)), 5, colour)
	}
}

// number writes the large number with its unit and its mark: on one line with it or, if there is a median,
// above that.
func (p *pen) number(c sheet.Cell, r sheet.Row, x, top, width, height int, o Options) {
	size := float64(min(56, height-30))
	line := top + (height-10-int(size*1.2))/2
	if c.Number == "" {
		p.text(x, line, width, bold(size), p.colour.Dim, format.Unknown)
		return
	}
	right := x + width
	used := p.text(x, line, width, bold(size), p.colour.Text, c.Number)
	if c.Struck() {
		p.fill(x-4, top+(height-10)/2, used+8, 3, p.colour.Invalid)
	}
	x, width = x+used+14, width-used-14
	unit := string(r.Unit)
	explained := unit + " (" + o.Words.T("table.lower") + ")"
	if mark := p.width(signs(), facts.ValidSign) + 2*markGap; r.LowerIsBetter() && p.width(regular(textSize), explained)+mark <= width {
		unit = explained
	}
	y := top + 6
	if c.Median == "" {
		y = line + p.ascent(bold(size)) - p.ascent(regular(textSize))
	} else {
		p.text(x, top+height/2-4, width, regular(textSize), p.colour.Dim, o.Words.T("table.median")+" "+c.Median)
	}
	end := x + p.text(x, y, width, regular(textSize), p.colour.Dim, unit)
	p.mark(c, end+2*markGap, right, y, o)
}

// ending says in a line how a run ended that is not complete, and how far it came.
func ending(r *bench.Result, o Options) string {
	if r.Plan.Profile.Filling != nil {
		if o.Going {
			return o.Words.T("run.written", "Bytes", format.About(written(r), o.Locale))
		}
		return facts.Verdict(o.Words, r, o.Locale)
	}
	outcomes := r.Outcomes()
	n := 0
	for _, x := range outcomes {
		if x.Bytes.N > 0 {
			n++
		}
	}
	id := "card.incomplete"
	switch {
	case o.Going:
		id = "card.going"
	case r.Took == 0: // not known of a run that was broken off
		id = "card.broken-off"
	}
	return o.Words.T(id, "Reason", explain.Reason(o.Words, r.Reason),
		"Time", format.Duration(r.Took, o.Locale), "Done", fmt.Sprint(n), "All", fmt.Sprint(len(outcomes)))
}

// foot writes when and by what the run was made.
func (p *pen) foot(r *bench.Result, o Options) {
	made := strings.TrimSpace("Cachecliff " + r.App.Version)
	scale := o.Words.T("card.scale")
	if r.Plan.Profile.Filling != nil {
		scale = ""
	}
	line := facts.Join(r.At.Format(o.Words.T("fact.date")), made, scale)
	p.text(margin, footLine-4, Width-2*margin-160, regular(textSize), p.colour.Dim, line)
	p.right(Width-margin, footLine-4, bold(textSize), p.colour.Dim, "#"+store.Code(r.ID))
}

// The ends of the bars' scale in MB/s, as in the window. The card does not import the window's bar: that
// would link the toolkit's widgets, which speak up about the locale, into the command line.
const (
	barMin = 1.0
	barMax = 20000.0
)

// fraction is how much of the full length a bar takes, 0 to 1.
func fraction(rate float64) float64 {
	if !(rate > barMin) {
		return 0
	}
	return math.Min(1, math.Log(rate/barMin)/math.Log(barMax/barMin))
}
