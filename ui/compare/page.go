package compare

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/reference"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// Page is the comparison.
type Page struct {
	Object fyne.CanvasObject

	actions Actions
	keys    part.Keys
	state   State
	shown   pageKey

	back, picture *part.Button
	modes         []*part.Button
	said          *part.Lines // about what is shown
	notice        *part.Lines

	metric, share, class, size, kind, only *part.Select
	barRoom, barChoice                     *fyne.Container
	axis                                   *part.Text
	scale                                  *scale
	bars                                   *bars
	scroll                                 *container.Scroll

	curveKind              *part.Select
	curveRoom, curveChoice *fyne.Container
	curve                  *part.Explorer
	whole                  *part.Button

	a, b                  *part.Select
	tableRoom, pairChoice *fyne.Container
	rows                  []*tableRow
	head                  *tableRow
	rowBox                *fyne.Container
	tableScroll           *container.Scroll

	drives drivesPart
}

// pageKey says when what is costly has to be made anew.
type pageKey struct {
	version int
	choice  Choice
	lang    string
	dark    bool
}

// New makes the page, whose tips are shown on a layer. Actions is never nil.
func New(keys part.Keys, tips *part.Tips, actions Actions) *Page {
	p := &Page{actions: actions, keys: keys}
	p.back = part.NewButton(keys, "", theme.NavigateBackIcon(), func() { p.actions.LeaveCompare() })
	p.picture = part.NewButton(keys, "", theme.MediaPhotoIcon(), func() { p.actions.SavePicture() })
	head := container.NewHBox(p.back)
	for i := range modeWords {
		b := part.NewButton(keys, "", nil, func() { p.choose(func(c *Choice) { c.Mode = Mode(i) }) })
		p.modes = append(p.modes, b)
		head.Add(b)
	}
	p.said, p.notice = part.NewLines(0, 6), part.NewLines(1, 4)
	p.makeBars(tips)
	p.makeCurves()
	p.makeTable()
	p.drives.make(p)
	foot := part.Border(nil, nil, nil, container.NewHBox(p.drives.buttons, p.picture), p.notice)
	choices := container.NewStack(p.barChoice, p.curveChoice, p.pairChoice, p.drives.choice)
	page := part.NewPage(&part.Page{
		Above: container.NewVBox(head, choices), Below: container.New(layout.NewCustomPaddedVBoxLayout(4), p.said, foot),
		Middle: container.NewStack(p.barRoom, p.curveRoom, p.tableRoom, p.drives.list),
		Grown:  func() float32 { return p.said.Grown() + p.notice.Grown() },
	})
	p.said.Grow, p.notice.Grow = page.Refresh, page.Refresh
	p.Object = page
	return p
}

// choose changes something of the choice.
func (p *Page) choose(change func(*Choice)) {
	c := p.state.Choice
	change(&c)
	p.actions.ChooseCompare(c)
}

// scrollBar is the room for the bar, which else lies over what is scrolled.
const scrollBar = 14

func (p *Page) makeBars(tips *part.Tips) {
	pick := func(width float32, change func(c *Choice, i int)) *part.Select {
		return part.NewSelect(p.keys, width, func(i int) { p.choose(func(c *Choice) { change(c, i) }) })
	}
	p.metric = pick(300, func(c *Choice, i int) { c.Metric = p.state.metrics()[i].Metric.ID })
	p.share = pick(150, func(c *Choice, i int) { c.Share = i == 1 })
	p.class = pick(130, func(c *Choice, i int) { c.Class = append([]reference.Class{""}, reference.Classes()...)[i] })
	p.size = pick(130, func(c *Choice, i int) { c.Size = i })
	p.kind = pick(130, func(c *Choice, i int) { c.Kind = []reference.Kind{"", reference.Measured, reference.Rated}[i] })
	p.only = pick(130, func(c *Choice, i int) { c.Only = i == 1 })
	p.barChoice = container.NewVBox(part.Border(nil, nil, nil, p.share, p.metric), container.NewGridWithColumns(4, p.class, p.size, p.kind, p.only))
	p.axis, p.scale = part.NewText(look.Strong, ""), newScale()
	p.bars = newBars(p.keys, tips, p.reveal)
	padded := container.New(layout.NewCustomPaddedLayout(0, 4, 0, scrollBar), p.bars)
	p.scroll = container.NewVScroll(padded)
	scaled := container.New(layout.NewCustomPaddedLayout(0, 0, 0, scrollBar), p.scale)
	p.barRoom = part.Border(container.New(layout.NewCustomPaddedVBoxLayout(2), p.axis, scaled), nil, nil, nil, p.scroll)
}

// reveal scrolls to a part of the bars.
func (p *Page) reveal(top, bottom float32) {
	y, height := p.scroll.Offset.Y, p.scroll.Size().Height
	switch {
	case top < y:
		y = top
	case bottom > y+height:
		y = bottom - height
	default:
		return
	}
	p.scroll.ScrollToOffset(fyne.NewPos(0, y))
}

func (p *Page) makeCurves() {
	p.curveKind = part.NewSelect(p.keys, 260, func(i int) {
		p.choose(func(c *Choice) { c.Curve, c.Share = curveChoices[i].kind, curveChoices[i].share })
	})
	p.curve = part.NewExplorer(p.keys)
	p.whole = part.NewButton(p.keys, "", theme.ZoomFitIcon(), p.curve.ShowAll)
	p.whole.Hide()
	p.curve.Zoomed = func(on bool) { part.ShowIf(p.whole, on) }
	p.curveChoice = container.NewHBox(p.curveKind, p.whole)
	p.curveRoom = container.NewStack(p.curve)
}

func (p *Page) makeTable() {
	p.a = part.NewSelect(p.keys, 250, func(i int) { p.choose(func(c *Choice) { c.A = p.state.chosen()[i].ID }) })
	p.b = part.NewSelect(p.keys, 250, func(i int) { p.choose(func(c *Choice) { c.B = p.state.chosen()[i].ID }) })
	p.pairChoice = container.NewGridWithColumns(2,
		part.Border(nil, nil, part.NewRigid(look.Strong, "A"), nil, p.a), part.Border(nil, nil, part.NewRigid(look.Strong, "B"), nil, p.b))
	p.rowBox = container.New(layout.NewCustomPaddedVBoxLayout(0))
	p.tableScroll = container.NewVScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, scrollBar), p.rowBox))
	p.head = newTableRow(func() {})
	head := container.New(layout.NewCustomPaddedLayout(0, 0, 0, scrollBar), p.head.object)
	p.tableRoom = part.Border(container.NewVBox(head, widget.NewSeparator()), nil, nil, nil, p.tableScroll)
}

// Show shows a state. It changes only what differs from what is shown.
func (p *Page) Show(s State) {
	p.state = s
	w := s.Words
	p.back.Label(w.T("compare.back"))
	p.picture.Label(w.T("results.export-picture"))
	for i, b := range p.modes {
		importance := widget.MediumImportance
		if s.Choice.Mode == Mode(i) {
			importance = widget.HighImportance
		}
		b.Style(w.T(modeWords[i]), nil, importance)
	}
	for i, pair := range [][2]fyne.CanvasObject{{p.barRoom, p.barChoice}, {p.curveRoom, p.curveChoice}, {p.tableRoom, p.pairChoice}, {p.drives.list, p.drives.choice}} {
		part.ShowIf(pair[0], s.Choice.Mode == Mode(i))
		part.ShowIf(pair[1], s.Choice.Mode == Mode(i))
	}
	p.notice.Set(s.Notice)
	p.drives.showButtons(s)
	key := pageKey{s.Version, s.Choice, w.Lang(), part.Dark()}
	if key == p.shown {
		return
	}
	p.shown = key
	switch s.Choice.Mode {
	case Bars:
		p.showBars()
	case Curves:
		p.showCurves()
	case Differences:
		p.showTable()
	case Drives:
		p.drives.show(s)
	}
}

func (p *Page) showBars() {
	s, w := p.state, p.state.Words
	counts := s.metrics()
	var names []string
	chosen := -1
	for i, c := range counts {
		names = append(names, s.metricName(c.Metric.ID)+" ("+s.counted(c.Measured, c.Rated)+")")
		if c.Metric.ID == s.metric() {
			chosen = i
		}
	}
	p.metric.ShowChoice(names, chosen)
	m, _ := reference.MetricByID(s.metric())
	part.ShowIf(p.share, m.Share)
	p.share.ShowChoice([]string{w.T("compare.in-gb"), w.T("compare.in-share")}, index(s.Choice.Share))
	classes := []string{w.T("compare.all-classes")}
	for _, c := range reference.Classes() {
		classes = append(classes, s.class(c))
	}
	p.class.ShowChoice(classes, slices.Index(reference.Classes(), s.Choice.Class)+1)
	p.size.ShowChoice(s.sizeNames(), s.Choice.Size)
	p.kind.ShowChoice([]string{w.T("compare.all-kinds"), explain.Kind(w, reference.Measured), explain.Kind(w, reference.Rated)},
		slices.Index([]reference.Kind{"", reference.Measured, reference.Rated}, s.Choice.Kind))
	p.only.ShowChoice([]string{w.T("compare.all-drives"), w.T("compare.only-chosen")}, index(s.Choice.Only))
	sheet := s.sheet()
	p.axis.Set(sheet.axis)
	p.scale.set(sheet, s.tick)
	p.bars.set(sheet)
	p.said.Set(sheet.lines...)
	p.barChoice.Refresh()
	p.scroll.ScrollToTop()
	if i := slices.IndexFunc(sheet.rows, func(r row) bool { return r.own }); i >= 0 {
		p.reveal(p.bars.top(i), p.bars.top(i)+sheet.rows[i].height())
	}
}

func index(on bool) int {
	if on {
		return 1
	}
	return 0
}

// counted is how many values there are.
func (s State) counted(measured, rated int) string {
	return s.Words.T("compare.counted", "Measured", measured, "Rated", rated)
}

func (s State) sizeNames() []string {
	var out []string
	for i, z := range sizes {
		size := format.VolumeSize(int64(z.about*1e9), s.Locale)
		switch {
		case i == 0:
			out = append(out, s.Words.T("compare.any-size"))
		case i == 1:
			out = append(out, s.Words.T("compare.size-down", "Size", size))
		case z.hi == 0:
			out = append(out, s.Words.T("compare.size-up", "Size", size))
		default:
			out = append(out, s.Words.T("compare.size-about", "Size", size))
		}
	}
	return out
}

func (p *Page) showCurves() {
	s, w := p.state, p.state.Words
	var names []string
	chosen := -1
	for i, c := range curveChoices {
		names = append(names, w.T(c.words))
		if c.kind == s.curve() && c.share == s.share() {
			chosen = i
		}
	}
	p.curveKind.ShowChoice(names, chosen)
	p.whole.Label(w.T("tests.whole"))
	p.curve.Set(s.view())
	p.said.Set(s.curveLines()...)
}

func (p *Page) showTable() {
	s, w := p.state, p.state.Words
	a, b := s.pair()
	p.a.ShowChoice(s.names(), s.indexOf(a))
	p.b.ShowChoice(s.names(), s.indexOf(b))
	p.head.show(difference{cells: [4]string{w.T("compare.what"), "A", "B", w.T("compare.change")}, answer: w.T("compare.is-it-one")})
	rows, said := s.differences()
	p.said.Set(said...)
	for len(p.rows) < len(rows) {
		r := newTableRow(p.rowBox.Refresh)
		p.rows = append(p.rows, r)
		p.rowBox.Add(r.object)
	}
	for i, r := range p.rows {
		part.ShowIf(r.object, i < len(rows))
		if i < len(rows) {
			r.show(rows[i])
		}
	}
	part.ShowIf(p.head.object, len(rows) > 0)
	p.rowBox.Refresh()
	p.tableScroll.ScrollToTop()
}

// Close ends what the page does in the background.
func (p *Page) Close() { p.curve.Close() }

// Still draws the curves at once, for a picture of the page at a scale.
func (p *Page) Still(scale float32) {
	if p.state.Choice.Mode == Curves {
		p.curve.Still(scale)
	}
}

// Controls are what a user works with, by name, for tests that click.
func (p *Page) Controls() map[string]fyne.CanvasObject {
	out := map[string]fyne.CanvasObject{"compare-back": p.back, "compare-picture": p.picture}
	for i, name := range []string{"compare-bars", "compare-curves", "compare-differences", "compare-drives"} {
		out[name] = p.modes[i]
	}
	switch p.state.Choice.Mode {
	case Bars:
		out["compare-metric"], out["compare-share"], out["compare-class"] = p.metric, p.share, p.class
		out["compare-size"], out["compare-kind"], out["compare-only"], out["compare-chart"] = p.size, p.kind, p.only, p.scroll
	case Curves:
		out["compare-curve"], out["compare-curve-kind"] = p.curve, p.curveKind
	case Differences:
		out["compare-a"], out["compare-b"] = p.a, p.b
	case Drives:
		p.drives.controls(out)
	}
	return out
}
