package results

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/store"
	"cachecliff/ui/facts"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
	"cachecliff/ui/table"
	"cachecliff/ui/tests"
)

// Page is the Results page.
type Page struct {
	Object fyne.CanvasObject

	actions  Actions
	state    State
	listed   []store.Entry // what the list was made of
	listedIn string        // and in which language

	list         *list
	empty        *widget.Label
	listRoom     *fyne.Container
	notice       *part.Lines
	undo         *part.Button
	drop         *part.Button // deletes the entry that could not be opened
	detail       *fyne.Container
	title        *part.Text
	facts        *part.Lines
	verdict      *part.Lines
	sentences    *part.Lines
	back, remove *part.Button
	keep         *part.Button
	beside       *part.Button // sets the open run beside others
	browse       *part.Button // shows the reference drives
	exports      []*part.Button
	table        *table.Table
	doubts       *part.Pills
	chart        *part.Curve
	fill         *part.Explorer // the chart of a filling
	findings     *part.Lines
	level        *part.Select
	whole        *part.Button
}

// New makes the page, whose tips are shown on a layer. Actions is never nil.
func New(keys part.Keys, tips *part.Tips, actions Actions) *Page {
	p := &Page{actions: actions}
	p.notice = part.NewLines(1, 5)
	p.undo = part.NewButton(keys, "", theme.ContentUndoIcon(), func() { p.actions.Restore(p.state.Deleted) })
	p.drop = part.NewButton(keys, "", theme.DeleteIcon(), func() { p.actions.Delete(p.state.Damaged) })
	p.browse = part.NewButton(keys, "", theme.GridIcon(), func() { p.actions.Compare(nil) })
	foot := part.Border(nil, nil, nil, container.NewHBox(p.undo, p.drop, p.browse), p.notice)
	p.makeList(keys)
	p.makeDetail(keys, tips)
	page := part.NewPage(&part.Page{
		Middle: container.NewStack(p.listRoom, p.detail), Below: foot, Grown: p.notice.Grown,
	})
	p.notice.Grow = page.Refresh
	p.Object = page
	return p
}

func (p *Page) makeList(keys part.Keys) {
	p.list = newList(keys, func(i int) { p.actions.Open(p.state.Entries[i].ID) })
	p.empty = widget.NewLabel("")
	p.empty.Alignment, p.empty.Wrapping = fyne.TextAlignCenter, fyne.TextWrapWord
	p.listRoom = container.NewStack(p.list.List, container.NewVBox(layout.NewSpacer(), p.empty, layout.NewSpacer()))
}

func (p *Page) makeDetail(keys part.Keys, tips *part.Tips) {
	p.title, p.facts = part.NewText(look.Strong, ""), part.NewLines(1, 3)
	p.verdict, p.sentences = part.NewLines(1, 6), part.NewLines(0, 6)
	p.back = part.NewButton(keys, "", theme.NavigateBackIcon(), func() { p.actions.Open("") })
	p.remove = part.NewButton(keys, "", theme.DeleteIcon(), p.askOrDelete)
	p.keep = part.NewButton(keys, "", nil, func() { p.actions.AskDelete("") })
	buttons := container.NewHBox()
	for _, k := range Kinds() {
		b := part.NewButton(keys, "", exportIcon(k), func() { p.actions.Export(k) })
		p.exports = append(p.exports, b)
		buttons.Add(b)
	}
	buttons.Add(layout.NewSpacer())
	buttons.Add(p.keep)
	buttons.Add(p.remove)
	p.table = table.New(keys, tips, nil)
	p.doubts, p.chart = part.NewPills(keys, tips), part.NewCurve()
	axis := p.makeFill(keys)
	lines := container.New(layout.NewCustomPaddedVBoxLayout(0), p.title, p.facts)
	head := part.Border(nil, nil, p.back, axis, container.New(layout.NewCustomPaddedLayout(0, 0, 8, 8), lines))
	status := container.New(layout.NewCustomPaddedVBoxLayout(0), part.NewStatus(p.verdict, p.doubts), p.findings, p.sentences)
	p.detail = part.NewPage(&part.Page{
		Above: container.NewVBox(head, p.table.Object, status), Below: buttons, Middle: container.NewStack(p.chart.Object, p.fill), Low: p.table.Low,
		Grown: func() float32 {
			grown := p.facts.Grown() + p.verdict.Grown() + p.sentences.Grown() + p.findings.Grown()
			if p.table.Object.Visible() {
				grown += p.table.Grown()
			}
			return grown
		},
	})
	p.findings.Grow = p.detail.Refresh
	p.facts.Grow, p.verdict.Grow, p.sentences.Grow, p.doubts.Grow = p.detail.Refresh, p.detail.Refresh, p.detail.Refresh, p.detail.Refresh
}

// makeFill makes what only a filling has, and returns what stands beside the title: that, and the way to a comparison.
func (p *Page) makeFill(keys part.Keys) fyne.CanvasObject {
	p.fill, p.findings = part.NewExplorer(keys), part.NewLines(0, 8)
	p.level = part.NewSelect(keys, 170, func(i int) { p.actions.SetLevel(i == 1) })
	p.whole = part.NewButton(keys, "", theme.ZoomFitIcon(), p.fill.ShowAll)
	p.whole.Hide()
	p.beside = part.NewButton(keys, "", theme.GridIcon(), func() { p.actions.Compare([]string{p.state.Open.ID}) })
	p.fill.Zoomed = func(on bool) { part.ShowIf(p.whole, on) }
	return container.NewVBox(layout.NewSpacer(), container.NewHBox(p.whole, p.level, p.beside), layout.NewSpacer())
}

// showFill shows what only a filling has in place of the table.
func (p *Page) showFill(filling bool) {
	s := p.state
	part.ShowIf(p.fill, filling)
	part.ShowIf(p.level, filling)
	part.ShowIf(p.whole, filling && p.fill.IsZoomed())
	part.ShowIf(p.chart.Object, !filling)
	part.ShowIf(p.table.Object, !filling)
	p.findings.Set(s.Findings...)
	if !filling {
		return
	}
	chosen := 0
	if s.Level {
		chosen = 1
	}
	p.level.ShowChoice([]string{s.Words.T("tests.over-written"), s.Words.T("tests.over-level")}, chosen)
	p.whole.Label(s.Words.T("tests.whole"))
	p.fill.Set(tests.Chart(s.Words, s.Open, s.Locale, s.Level, false))
}

func exportIcon(k Kind) fyne.Resource {
	if k == Picture || k == Drawing {
		return theme.MediaPhotoIcon()
	}
	return theme.DocumentSaveIcon()
}

// Show shows a state. It changes only what differs from what is shown.
func (p *Page) Show(s State) {
	p.state = s
	part.ShowIf(p.listRoom, s.Open == nil)
	part.ShowIf(p.detail, s.Open != nil)
	notice := s.Notice
	if notice.Text == "" && s.Deleted != "" { // as long as it can be undone
		notice.Text = s.Words.T("results.deleted")
	}
	p.notice.Set(notice)
	p.undo.Label(s.Words.T("results.undo"))
	part.ShowIf(p.undo, s.Deleted != "")
	p.drop.Label(s.Words.T("results.delete"))
	part.ShowIf(p.drop, s.Damaged != "" && s.Open == nil)
	p.browse.Label(s.Words.T("results.compare"))
	part.ShowIf(p.browse, s.Open == nil)
	p.beside.Label(s.Words.T("results.compare"))
	if s.Open == nil {
		p.showList()
		return
	}
	p.showDetail()
}

func (p *Page) showList() {
	s := p.state
	if !sameEntries(p.listed, s.Entries) || p.listedIn != s.Words.Lang() {
		p.listed, p.listedIn = s.Entries, s.Words.Lang()
		p.list.show(len(s.Entries), func(i int) line { return s.line(s.Entries[i]) })
	}
	text := ""
	switch {
	case s.Fault != nil:
		text = s.Explain(s.Fault)
	case len(s.Entries) == 0 && s.Reading:
		text = s.Words.T("results.reading")
	case len(s.Entries) == 0:
		text = s.Words.T("results.empty")
	}
	if p.empty.Text != text {
		p.empty.SetText(text)
	}
	part.ShowIf(p.empty, text != "")
}

// sameEntries says whether two lists are the same one: a list that is read anew is another.
func sameEntries(a, b []store.Entry) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (p *Page) showDetail() {
	s, r := p.state, p.state.Open
	t := &r.Plan.Target
	p.back.Label(s.Words.T("results.back"))
	p.title.Set(facts.Title(t, s.Locale))
	p.facts.Set(part.Span{Text: facts.RunLine(s.Words, r, s.Locale), Tone: part.Dim})
	p.verdict.Set(part.Span{Text: s.Verdict, Tone: s.Tone})
	p.sentences.Set(s.Sentences...)
	for i, k := range Kinds() {
		p.exports[i].Label(s.Words.T("results.export-" + string(k)))
		part.ShowIf(p.exports[i], k != Drawing || r.Plan.Profile.Filling != nil)
	}
	asking := s.Confirm == r.ID
	part.ShowIf(p.keep, asking)
	p.keep.Label(s.Words.T("results.keep"))
	if asking {
		p.remove.Style(s.Words.T("results.really-delete"), theme.DeleteIcon(), widget.DangerImportance)
	} else {
		p.remove.Style(s.Words.T("results.delete"), theme.DeleteIcon(), widget.MediumImportance)
	}
	p.doubts.Set(s.Doubts)
	filling := r.Plan.Profile.Filling != nil
	p.showFill(filling)
	if !filling {
		p.table.Show(s.sheet(), run.TableWords(s.Words, s.Locale, r.Plan.Profile), facts.Class(t), false)
		p.chart.Set(run.Curve(s.Words, r, s.Locale))
	}
}

// askOrDelete asks first.
func (p *Page) askOrDelete() {
	id := p.state.Open.ID
	if p.state.Confirm == id {
		p.actions.Delete(id)
		return
	}
	p.actions.AskDelete(id)
}

// Close ends what the page does in the background.
func (p *Page) Close() {
	p.chart.Close()
	p.fill.Close()
}

// Still draws the chart at once, for a picture of the page at a scale.
func (p *Page) Still(scale float32) {
	if r := p.state.Open; r != nil && r.Plan.Profile.Filling != nil {
		p.fill.Still(scale)
		return
	}
	p.chart.Still(scale)
}

// Controls are what a user works with, by name, for tests that click.
func (p *Page) Controls() map[string]fyne.CanvasObject {
	out := map[string]fyne.CanvasObject{"list": p.list.List, "browse": p.browse}
	if p.state.Open != nil {
		out = map[string]fyne.CanvasObject{"back": p.back, "delete": p.remove, "compare": p.beside}
		if p.state.Open.Plan.Profile.Filling != nil {
			out["fill-chart"], out["fill-axis"], out["whole"] = p.fill, p.level, p.whole
		}
		for i, k := range Kinds() {
			out["export-"+string(k)] = p.exports[i]
		}
	}
	return out
}
