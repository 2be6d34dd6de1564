package compare

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/reference"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// drivesPart is the list of all drives, in which those to compare are chosen, and what can be done with them.
type drivesPart struct {
	page                            *Page
	choice, buttons, keepRow        *fyne.Container
	list                            *part.List
	search, model, label            *part.Entry
	keep, take, give, remove, clear *part.Button
	rows                            []reference.Drive
	of                              string // ID of the run that model and label were filled in for
}

func (d *drivesPart) make(p *Page) {
	d.page = p
	d.search = part.NewEntry(p.keys, "", func(text string) { p.choose(func(c *Choice) { c.Search = text }) })
	d.model, d.label = part.NewEntry(p.keys, "", nil), part.NewEntry(p.keys, "", nil)
	d.keep = part.NewButton(p.keys, "", theme.ContentAddIcon(), func() { p.actions.KeepReference(d.model.Text, d.label.Text) })
	d.clear = part.NewButton(p.keys, "", theme.ContentClearIcon(), d.unmark)
	d.keepRow = part.Border(nil, nil, nil, d.keep, container.NewGridWithColumns(2, d.model, d.label))
	d.choice = container.NewVBox(part.Border(nil, nil, nil, d.clear, d.search), d.keepRow)
	d.take = part.NewButton(p.keys, "", theme.FolderOpenIcon(), func() { p.actions.ImportReference() })
	d.give = part.NewButton(p.keys, "", theme.DocumentSaveIcon(), func() { p.actions.ExportReferences() })
	d.remove = part.NewButton(p.keys, "", theme.DeleteIcon(), func() { p.actions.RemoveReferences() })
	d.buttons = container.NewHBox(d.take, d.give, d.remove)
	d.list = part.NewList(p.keys, func() int { return len(d.rows) }, func() fyne.CanvasObject { return newDriveItem() }, d.item, func(i int) {
		id := d.rows[i].ID
		p.actions.MarkDrive(id, !slices.Contains(p.state.Chosen, id))
	})
}

// unmark takes back all marks but that of the own run.
func (d *drivesPart) unmark() {
	for _, id := range slices.Clone(d.page.state.Chosen) {
		if id != d.page.state.own() {
			d.page.actions.MarkDrive(id, false)
		}
	}
}

func newDriveItem() fyne.CanvasObject {
	icon := widget.NewIcon(theme.CheckButtonIcon())
	lines := container.New(layout.NewCustomPaddedVBoxLayout(0), part.NewText(look.Label, ""), part.NewText(look.Secondary, ""))
	return container.New(layout.NewCustomPaddedLayout(4, 4, 4, 10), part.Border(nil, nil, icon, part.NewRigid(look.Secondary, ""), lines))
}

// item writes a line when it is scrolled to.
func (d *drivesPart) item(i int, o fyne.CanvasObject) {
	s, drive := d.page.state, d.rows[i]
	inner := o.(*fyne.Container).Objects[0].(*fyne.Container)
	icon, lines, class := inner.Objects[0].(*widget.Icon), inner.Objects[1].(*fyne.Container), inner.Objects[2].(*part.Text)
	resource := theme.CheckButtonIcon()
	if slices.Contains(s.Chosen, drive.ID) {
		resource = theme.CheckButtonCheckedIcon()
	}
	icon.SetResource(resource)
	lines.Objects[0].(*part.Text).Set(drive.Title())
	lines.Objects[1].(*part.Text).Set(s.about(drive))
	class.Set(s.class(drive.Class))
}

// about is what there is of a drive, and from whom.
func (s State) about(d reference.Drive) string {
	measured, rated := 0, 0
	for _, v := range d.Values {
		if v.Kind == reference.Rated {
			rated++
		} else {
			measured++
		}
	}
	parts := []string{s.counted(measured, rated)}
	if d.Setup != nil {
		parts = append([]string{d.Setup.At.Local().Format(s.Words.T("fact.date"))}, parts...)
	}
	if !d.Shipped && !s.isRun(d.ID) {
		parts = append([]string{s.Words.T("compare.yours")}, parts...)
	}
	var titles []string
	for _, source := range d.Sources {
		titles = append(titles, source.Title)
	}
	slices.Sort(titles)
	if d.Setup == nil {
		parts = append(parts, strings.Join(titles, "; "))
	}
	return strings.Join(parts, " · ")
}

// isRun says whether a drive is a run that was asked for, and not kept.
func (s State) isRun(id string) bool {
	return slices.ContainsFunc(s.Drives[:s.Runs], func(d reference.Drive) bool { return d.ID == id })
}

// removable are the chosen drives that the user has kept.
func (s State) removable() []reference.Drive {
	return slices.DeleteFunc(s.chosen(), func(d reference.Drive) bool { return d.Shipped || s.isRun(d.ID) })
}

// Removable are the IDs of the chosen drives that the user has kept, and can delete.
func (s State) Removable() []string {
	var out []string
	for _, d := range s.removable() {
		out = append(out, d.ID)
	}
	return out
}

func (d *drivesPart) showButtons(s State) {
	w := s.Words
	part.ShowIf(d.buttons, s.Choice.Mode == Drives)
	d.take.Label(w.T("compare.import"))
	d.give.Label(w.T("compare.export"))
	d.give.EnableIf(len(s.Chosen) > 0)
	d.remove.EnableIf(len(s.removable()) > 0)
	if s.Confirm {
		d.remove.Style(w.T("results.really-delete"), theme.DeleteIcon(), widget.DangerImportance)
	} else {
		d.remove.Style(w.T("results.delete"), theme.DeleteIcon(), widget.MediumImportance)
	}
}

func (d *drivesPart) show(s State) {
	w := s.Words
	d.search.SetPlaceHolder(w.T("compare.search"))
	d.search.ShowText(s.Choice.Search)
	d.model.SetPlaceHolder(w.T("compare.name"))
	d.label.SetPlaceHolder(w.T("compare.label"))
	d.keep.Label(w.T("compare.keep"))
	d.clear.Label(w.T("compare.clear"))
	d.clear.EnableIf(len(s.Chosen) > 1 || s.Own() == nil && len(s.Chosen) > 0)
	own := s.Own()
	part.ShowIf(d.keepRow, own != nil)
	if own != nil && d.of != own.ID {
		d.of = own.ID
		d.model.ShowText(own.Model)
		d.label.ShowText(own.Label)
	}
	d.rows = s.listed()
	d.list.Refresh()
	d.page.said.Set(part.Span{Text: w.T("compare.chosen", "Count", len(s.Chosen), "All", len(s.Drives)), Tone: part.Dim})
}

func (d *drivesPart) controls(out map[string]fyne.CanvasObject) {
	out["compare-list"], out["compare-search"], out["compare-keep"] = d.list, d.search, d.keep
	out["compare-import"], out["compare-export"], out["compare-remove"] = d.take, d.give, d.remove
}
