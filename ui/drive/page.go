package drive

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"cachecliff/app/format"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// Page is the Drive page.
type Page struct {
	Object fyne.CanvasObject

	actions Actions
	state   State
	dark    bool // of what is shown

	papers  []*paper
	view    *scroller
	drives  *part.Select
	choice  *fyne.Container
	serial  *part.Button
	again   *part.Button
	text    *part.Button
	picture *part.Button
	notice  *part.Lines
}

// selectWidth is that of the list of drives.
const selectWidth = 320

// The sections with tables that need width: see State.Sections.
const (
	sections     = 8
	firstOfWide  = 6
	mostNotices  = 3
	leastNotices = 1
)

// New makes the page. Actions is never nil.
func New(keys part.Keys, actions Actions) *Page {
	p := &Page{actions: actions}
	wide := map[*paper]bool{}
	for i := range sections {
		p.papers = append(p.papers, newPaper())
		wide[p.papers[i]] = i >= firstOfWide
	}
	p.view = newScroller(keys, p.papers, wide)
	p.drives = part.NewSelect(keys, selectWidth, func(i int) { p.actions.PickDrive(i) })
	p.choice = container.NewHBox(p.drives, layout.NewSpacer())
	p.serial = part.NewButton(keys, "", theme.VisibilityIcon(), func() { p.actions.ShowSerial(!p.state.Serial) })
	p.again = part.NewButton(keys, "", theme.ViewRefreshIcon(), func() { p.actions.ReadAgain() })
	p.text = part.NewButton(keys, "", theme.ContentCopyIcon(), func() { p.actions.CopyText() })
	p.picture = part.NewButton(keys, "", theme.MediaPhotoIcon(), func() { p.actions.SavePicture() })
	p.notice = part.NewLines(leastNotices, mostNotices)
	buttons := container.NewHBox(p.serial, p.again, p.text, p.picture, layout.NewSpacer())
	foot := container.New(layout.NewCustomPaddedVBoxLayout(4), buttons, p.notice)
	page := part.NewPage(&part.Page{
		Above: container.NewVBox(p.choice), Middle: container.NewStack(p.view, p.view.frame), Below: foot, Grown: p.notice.Grown,
	})
	p.notice.Grow = page.Refresh
	p.Object = page
	return p
}

// Show shows a state. It changes only what differs from what is shown.
func (p *Page) Show(s State) {
	p.state = s
	w := s.Words
	p.showDrives()
	dark := part.Dark()
	changed := false
	for i, c := range s.Sections() {
		changed = p.papers[i].show(c) || changed
		part.ShowIf(p.papers[i], !p.papers[i].empty())
		if dark != p.dark {
			p.papers[i].Refresh()
		}
	}
	p.dark = dark
	if changed {
		p.view.again()
	}
	d := s.Drive()
	part.ShowIf(p.serial, d != nil && d.Serial != "")
	if s.Serial {
		p.serial.Style(w.T("drive.hide-serial"), theme.VisibilityOffIcon(), p.serial.Importance)
	} else {
		p.serial.Style(w.T("drive.show-serial"), theme.VisibilityIcon(), p.serial.Importance)
	}
	p.again.Label(w.T("drive.again"))
	p.again.EnableIf(d != nil && !s.Reading)
	p.text.Label(w.T("run.copy-text"))
	p.picture.Label(w.T("run.save-picture"))
	p.notice.Set(s.Notice)
}

// showDrives offers the drives of a target that has several.
func (p *Page) showDrives() {
	s := p.state
	var names []string
	if s.Target != nil {
		for _, d := range s.Target.Drives {
			name := facts.Model(&platform.Target{Drives: []platform.Drive{d}}, format.Locale(s.Locale))
			names = append(names, facts.Join(name, d.Name))
		}
	}
	part.ShowIf(p.choice, len(names) > 1)
	p.drives.ShowChoice(names, s.Index)
}

// Controls are what a user works with, by name, for tests that click.
func (p *Page) Controls() map[string]fyne.CanvasObject {
	return map[string]fyne.CanvasObject{"drive": p.drives, "serial": p.serial, "read-again": p.again, "copy-text": p.text, "save-picture": p.picture}
}
