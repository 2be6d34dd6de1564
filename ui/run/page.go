package run

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app"
	"cachecliff/bench"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
	"cachecliff/ui/table"
)

// Page is the Benchmark page.
type Page struct {
	Object fyne.CanvasObject

	actions Actions
	state   State

	all                                       *part.Button
	profile, size, loops, unit, mix           *part.Select
	cost                                      *part.Lines
	table                                     *table.Table
	live, sentences                           *part.Lines
	doubts                                    *part.Pills
	chart                                     *part.Curve
	comment                                   *part.Entry
	cached, again, discard, picture, copyText *part.Button
	last                                      *part.Button
	lists                                     lists
}

// New makes the page, whose tips are shown on a layer. Actions is never nil.
func New(keys part.Keys, tips *part.Tips, actions Actions) *Page {
	p := &Page{actions: actions}
	p.makeControls(keys)
	p.table = table.New(keys, tips, func(only []string) { p.actions.Start(only) })
	p.live, p.sentences = part.NewLines(1, 6), part.NewLines(0, 6)
	p.doubts = part.NewPills(keys, tips)
	p.chart = part.NewCurve()
	p.comment = part.NewEntry(keys, "", func(s string) { p.actions.SetComment(s) })
	p.cached = part.NewButton(keys, "", theme.MediaPlayIcon(), func() { p.actions.StartCached() })
	p.last = part.NewButton(keys, "", theme.ListIcon(), func() { p.actions.OpenLast() })
	p.again = part.NewButton(keys, "", theme.DocumentSaveIcon(), func() { p.actions.SaveAgain() })
	p.discard = part.NewButton(keys, "", theme.DeleteIcon(), func() { p.actions.DiscardResult() })
	p.picture = part.NewButton(keys, "", theme.MediaPhotoIcon(), func() { p.actions.SavePicture() })
	p.copyText = part.NewButton(keys, "", theme.ContentCopyIcon(), func() { p.actions.CopyText() })
	p.Object = p.arrange()
	return p
}

func (p *Page) makeControls(keys part.Keys) {
	p.all = part.NewButton(keys, "", theme.MediaPlayIcon(), p.startOrStop)
	p.all.Importance = widget.HighImportance
	p.profile = part.NewSelect(keys, 140, p.pickProfile)
	p.size = part.NewSelect(keys, 100, p.pickSize)
	p.loops = part.NewSelect(keys, 72, p.pickLoops)
	p.unit = part.NewSelect(keys, 88, func(i int) { p.actions.SetUnit(bench.Units()[i]) })
	p.mix = part.NewSelect(keys, 120, p.pickMix)
	p.cost = part.NewLines(2, 6)
}

// arrange lays the page out. Everything keeps its place when a run starts and ends, and the chart takes
// what height is left.
func (p *Page) arrange() fyne.CanvasObject {
	pickers := part.Border(nil, nil, nil, container.NewHBox(p.size, p.loops, p.unit, p.mix), p.profile)
	head := part.Border(nil, nil, container.NewGridWrap(fyne.NewSize(table.HeadWidth, 68), p.all), nil,
		container.New(layout.NewCustomPaddedVBoxLayout(0), pickers, p.cost))
	buttons := container.NewHBox(p.cached, p.last, p.again, p.discard, p.picture, p.copyText)
	foot := part.Border(nil, nil, nil, buttons, p.comment)
	status := container.New(layout.NewCustomPaddedVBoxLayout(0), part.NewStatus(p.live, p.doubts), p.sentences)
	top := container.NewVBox(head, p.table.Object, status)
	page := part.NewPage(&part.Page{
		Above: top, Below: foot, Middle: p.chart.Object, Low: p.table.Low,
		Grown: func() float32 { return p.cost.Grown() + p.live.Grown() + p.sentences.Grown() + p.table.Grown() },
	})
	p.cost.Grow, p.live.Grow, p.sentences.Grow, p.doubts.Grow = page.Refresh, page.Refresh, page.Refresh, page.Refresh
	return page
}

// Show shows a state. It changes only what differs from what is shown.
func (p *Page) Show(s State) {
	p.state = s
	running := s.View.Running()
	p.showControls(running)
	p.showLines(running)
	p.table.Show(s.sheet(), s.words(), facts.Class(s.tableTarget()), s.Plan != nil && !running)
	p.doubts.Set(s.Doubts)
	p.chart.Set(s.curve())
	p.comment.ShowText(s.Comment)
	p.comment.SetPlaceHolder(s.Words.T(s.commentHint()))
	p.showButtons(running)
}

// showButtons sets the buttons below the chart.
func (p *Page) showButtons(running bool) {
	s := p.state
	p.last.Label(s.Words.T("run.open-last"))
	part.ShowIf(p.last, s.offersLast())
	p.again.Label(s.Words.T("run.save-again"))
	p.discard.Label(s.Words.T("run.discard"))
	p.cached.Label(s.Words.T("run.cached"))
	part.ShowIf(p.cached, s.offersCache())
	failed := s.View.Save == app.SaveFailed && !running
	part.ShowIf(p.again, failed)
	part.ShowIf(p.discard, failed)
	p.picture.Label(s.Words.T("run.save-picture"))
	p.copyText.Label(s.Words.T("run.copy-text"))
	savable := s.Savable() != nil
	p.picture.EnableIf(savable)
	p.copyText.EnableIf(savable && !running)
}

// showControls sets the lists and the button that starts or stops.
func (p *Page) showControls(running bool) {
	s := p.state
	p.lists = s.lists()
	for _, c := range []struct {
		list *part.Select
		of   list
	}{{p.profile, p.lists.profile}, {p.size, p.lists.size}, {p.loops, p.lists.loops}, {p.mix, p.lists.mix}} {
		c.list.ShowChoice(c.of.texts, c.of.chosen)
		c.list.EnableIf(!running)
	}
	p.unit.ShowChoice(p.lists.unit.texts, p.lists.unit.chosen)
	if running {
		p.all.Style(s.Words.T("run.stop"), theme.MediaStopIcon(), widget.DangerImportance)
		p.all.EnableIf(!s.View.Stopping)
		return
	}
	p.all.Style(s.Words.T("run.all"), theme.MediaPlayIcon(), widget.HighImportance)
	p.all.EnableIf(s.Plan != nil)
}

// showLines sets the sentences: the price or why there is none, what the last action brought, and what
// the run does or how it ended.
func (p *Page) showLines(running bool) {
	s := p.state
	price, doubt := part.Span{Text: s.Refusal, Tone: part.Doubt}, part.Span{Tone: part.Doubt}
	if s.Plan != nil {
		price = part.Span{Text: Cost(s.Words, s.Plan, s.Locale)}
		doubt.Text = NoDrive(s.Words, &s.Plan.Target)
	}
	p.cost.Set(price, doubt, s.Notice)
	p.sentences.Set(s.Sentences...)
	switch {
	case running:
		p.live.Set(part.Span{Text: Live(s.Words, &s.View, s.Locale)})
	case s.Verdict != "":
		p.live.Set(part.Span{Text: s.Verdict, Tone: s.Tone})
	case s.offersLast():
		p.live.Set(part.Span{Text: s.Words.T("run.other-last"), Tone: part.Dim})
	default:
		p.live.Set(part.Span{Text: s.Words.T("run.ready"), Tone: part.Dim})
	}
}

func (p *Page) startOrStop() {
	if p.state.View.Running() {
		p.actions.Stop()
		return
	}
	p.actions.Start(nil)
}

func (p *Page) pickProfile(i int) {
	c := p.state.Choice
	chosen := Profiles()[i]
	c.Profile = chosen.ID
	p.actions.Choose(c)
}

func (p *Page) pickSize(i int) {
	c := p.state.Choice
	c.FileSize = p.lists.sizes[i]
	p.actions.Choose(c)
}

func (p *Page) pickLoops(i int) {
	c := p.state.Choice
	c.Loops = p.lists.counts[i]
	p.actions.Choose(c)
}

func (p *Page) pickMix(i int) {
	c := p.state.Choice
	c.MixPct = p.lists.shares[i]
	p.actions.Choose(c)
}

// Close ends what the page does in the background.
func (p *Page) Close() { p.chart.Close() }

// Still draws the chart at once, for a picture of the page at a scale.
func (p *Page) Still(scale float32) { p.chart.Still(scale) }

// Controls are what a user works with, by name, for tests that click.
func (p *Page) Controls() map[string]fyne.CanvasObject {
	return map[string]fyne.CanvasObject{
		"all": p.all, "profile": p.profile, "size": p.size, "loops": p.loops, "unit": p.unit, "mix": p.mix,
		"comment": p.comment, "save-picture": p.picture, "copy-text": p.copyText,
	}
}
