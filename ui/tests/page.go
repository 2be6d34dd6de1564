package tests

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
)

// Page is the Tests page.
type Page struct {
	Object fyne.CanvasObject

	actions Actions
	state   State
	lists   lists

	start                                          *part.Button
	test, size, passes, pause, loops, cached, most *part.Select
	level                                          *part.Select
	cost                                           *part.Lines
	live, sentences, findings                      *part.Lines
	doubts                                         *part.Pills
	chart                                          *part.Explorer
	comment                                        *part.Entry
	whole, last, again, discard, picture           *part.Button
	hold                                           *part.Button
}

// New makes the page, whose tips are shown on a layer. Actions is never nil.
func New(keys part.Keys, tips *part.Tips, actions Actions) *Page {
	p := &Page{actions: actions}
	p.makeControls(keys)
	p.live, p.sentences, p.findings = part.NewLines(1, 6), part.NewLines(0, 6), part.NewLines(0, 8)
	p.doubts = part.NewPills(keys, tips)
	p.chart = part.NewExplorer(keys)
	p.comment = part.NewEntry(keys, "", func(s string) { p.actions.SetComment(s) })
	p.level = part.NewSelect(keys, 150, func(i int) { p.actions.SetLevel(p.lists.level.values[i]) })
	p.whole = part.NewButton(keys, "", theme.ZoomFitIcon(), p.chart.ShowAll)
	p.last = part.NewButton(keys, "", theme.ListIcon(), func() { p.actions.OpenLast() })
	p.again = part.NewButton(keys, "", theme.DocumentSaveIcon(), func() { p.actions.SaveAgain() })
	p.discard = part.NewButton(keys, "", theme.DeleteIcon(), func() { p.actions.DiscardResult() })
	p.picture = part.NewButton(keys, "", theme.MediaPhotoIcon(), func() { p.actions.SavePicture() })
	p.whole.Hide()
	p.chart.Zoomed = func(on bool) { part.ShowIf(p.whole, on) }
	p.Object = p.arrange()
	return p
}

func (p *Page) makeControls(keys part.Keys) {
	p.start = part.NewButton(keys, "", theme.MediaPlayIcon(), p.startOrStop)
	p.start.Importance = widget.HighImportance
	p.hold = part.NewButton(keys, "", theme.MediaPauseIcon(), func() { p.actions.Hold(!p.state.View.Held) })
	p.hold.Hide()
	set := func(width float32, change func(*Choice, int)) *part.Select {
		return part.NewSelect(keys, width, func(i int) {
			c := p.state.Choice
			change(&c, i)
			p.actions.ChooseTest(c)
		})
	}
	p.test = set(180, func(c *Choice, i int) { *c = Default(p.lists.test.values[i]) })
	p.size = set(leastSetting, func(c *Choice, i int) { c.FileSize = p.lists.size.values[i] })
	p.passes = set(leastSetting, func(c *Choice, i int) { c.Passes = p.lists.passes.values[i] })
	p.pause = set(leastSetting, func(c *Choice, i int) { c.Pause = p.lists.pause.values[i] })
	p.loops = set(leastSetting, func(c *Choice, i int) { c.Loops = p.lists.loops.values[i] })
	p.cached = set(leastSetting, func(c *Choice, i int) { c.Cached = p.lists.cached.values[i] })
	p.most = set(leastSetting, func(c *Choice, i int) { c.Most = p.lists.most.values[i] })
	p.cost = part.NewLines(3, 6)
}

// leastSetting is the least width of a list of settings.
const leastSetting = 180

// arrange lays the page out. Everything keeps its place when a run starts and ends, and the chart takes what height
// is left.
func (p *Page) arrange() fyne.CanvasObject {
	settings := container.New(&columns{least: leastSetting, most: 6}, p.most, p.size, p.passes, p.pause, p.loops, p.cached)
	top := part.Border(nil, nil, nil, container.NewHBox(p.hold, p.start), p.test)
	head := container.New(layout.NewCustomPaddedVBoxLayout(4), top, settings, p.cost)
	status := container.New(layout.NewCustomPaddedVBoxLayout(0), part.NewStatus(p.live, p.doubts), p.findings, p.sentences)
	buttons := container.NewHBox(p.last, p.again, p.discard, p.picture)
	foot := part.Border(nil, nil, container.NewHBox(p.level, p.whole), buttons, p.comment)
	page := part.NewPage(&part.Page{
		Above: container.NewVBox(head, status), Below: foot, Middle: p.chart,
		Grown: func() float32 { return p.cost.Grown() + p.live.Grown() + p.sentences.Grown() + p.findings.Grown() },
	})
	p.cost.Grow, p.live.Grow, p.sentences.Grow, p.findings.Grow, p.doubts.Grow = page.Refresh, page.Refresh, page.Refresh, page.Refresh, page.Refresh
	return page
}

// columns is a layout of objects of the same size in as many columns as there is room for, in full rows.
type columns struct {
	least float32 // width
	most  int
	count int // at the last layout
}

const columnGap = 4

func (c *columns) fit(width float32) int {
	for _, n := range []int{c.most, c.most / 2} {
		if float32(n)*(c.least+columnGap)-columnGap <= width {
			return n
		}
	}
	return max(c.most/3, 1)
}

// MinSize implements fyne.Layout.
func (c *columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	n := max(c.count, 1)
	if c.count == 0 {
		n = c.most / 2
	}
	rows := (len(objects) + n - 1) / n
	height := objects[0].MinSize().Height
	return fyne.NewSize(float32(c.most/3)*(c.least+columnGap)-columnGap, float32(rows)*(height+columnGap)-columnGap)
}

// Layout implements fyne.Layout.
func (c *columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	c.count = c.fit(size.Width)
	width := (size.Width - float32(c.count-1)*columnGap) / float32(c.count)
	for i, o := range objects {
		height := o.MinSize().Height
		o.Move(fyne.NewPos(float32(i%c.count)*(width+columnGap), float32(i/c.count)*(height+columnGap)))
		o.Resize(fyne.NewSize(width, height))
	}
}

// Show shows a state. It changes only what differs from what is shown.
func (p *Page) Show(s State) {
	p.state = s
	running := s.View.Running()
	p.showControls(running)
	p.showLines(running)
	p.doubts.Set(s.Doubts)
	p.chart.Set(s.chart())
	p.comment.ShowText(s.Comment)
	p.comment.SetPlaceHolder(s.Words.T(s.commentHint()))
	p.showButtons(running)
}

func (p *Page) showControls(running bool) {
	s := p.state
	l := s.lists()
	p.lists = l
	for _, c := range []struct {
		list   *part.Select
		texts  []string
		chosen int
		off    bool
	}{
		{p.test, l.test.texts, l.test.chosen, false}, {p.size, l.size.texts, l.size.chosen, false},
		{p.passes, l.passes.texts, l.passes.chosen, false}, {p.pause, l.pause.texts, l.pause.chosen, !s.Choice.pauses()},
		{p.loops, l.loops.texts, l.loops.chosen, false}, {p.cached, l.cached.texts, l.cached.chosen, false},
		{p.most, l.most.texts, l.most.chosen, false},
	} {
		c.list.ShowChoice(c.texts, c.chosen)
		c.list.EnableIf(!running && !c.off)
	}
	part.ShowIf(p.hold, running && s.View.Result.Plan.Profile.Filling != nil)
	p.hold.EnableIf(!s.View.Stopping)
	if s.View.Held {
		p.hold.Style(s.Words.T("tests.go-on"), theme.MediaPlayIcon(), widget.HighImportance)
	} else {
		p.hold.Style(s.Words.T("tests.hold"), theme.MediaPauseIcon(), widget.MediumImportance)
	}
	p.level.ShowChoice(l.level.texts, l.level.chosen)
	if running {
		p.start.Style(s.Words.T("run.stop"), theme.MediaStopIcon(), widget.DangerImportance)
		p.start.EnableIf(!s.View.Stopping)
		return
	}
	p.start.Style(Start(s.Words, s.Plan, s.Locale), theme.MediaPlayIcon(), widget.HighImportance)
	p.start.EnableIf(s.Plan != nil)
}

// showButtons sets the buttons below the chart.
func (p *Page) showButtons(running bool) {
	s := p.state
	p.whole.Label(s.Words.T("tests.whole"))
	p.last.Label(s.Words.T("run.open-last"))
	part.ShowIf(p.last, s.offersLast())
	p.again.Label(s.Words.T("run.save-again"))
	p.discard.Label(s.Words.T("run.discard"))
	failed := s.View.Save == app.SaveFailed && !running
	part.ShowIf(p.again, failed)
	part.ShowIf(p.discard, failed)
	p.picture.Label(s.Words.T("run.save-picture"))
	p.picture.EnableIf(s.Savable() != nil)
}

// showLines sets the sentences: what the test is and its price or why there is none, what the last action brought, and
// what the run does or how it ended.
func (p *Page) showLines(running bool) {
	s := p.state
	about := part.Span{Text: s.about(), Tone: part.Dim}
	price, doubt := part.Span{Text: s.Refusal, Tone: part.Doubt}, part.Span{Tone: part.Doubt}
	if s.Plan != nil {
		price = part.Span{Text: Cost(s.Words, s.Plan, s.Locale)}
		doubt.Text = run.NoDrive(s.Words, &s.Plan.Target)
	}
	p.cost.Set(about, price, doubt, s.Notice)
	p.sentences.Set(s.Sentences...)
	p.findings.Set(s.Findings...)
	switch {
	case running:
		p.live.Set(part.Span{Text: run.Live(s.Words, &s.View, s.Locale)})
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
	p.actions.StartTest()
}

// Close ends what the page does in the background.
func (p *Page) Close() { p.chart.Close() }

// Still draws the chart at once, for a picture of the page at a scale.
func (p *Page) Still(scale float32) { p.chart.Still(scale) }

// Controls are what a user works with, by name, for tests that click.
func (p *Page) Controls() map[string]fyne.CanvasObject {
	return map[string]fyne.CanvasObject{
		"start": p.start, "test": p.test, "fill-size": p.size, "fill-passes": p.passes, "fill-pause": p.pause,
		"fill-loops": p.loops, "fill-writer": p.cached, "fill-most": p.most, "fill-axis": p.level, "fill-chart": p.chart,
		"hold": p.hold, "whole": p.whole, "comment": p.comment, "save-picture": p.picture,
	}
}
