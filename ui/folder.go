package ui

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/explain"
	"cachecliff/platform"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// folderDialog asks for the folder to test: its path can be typed, and what is below it is listed.
type folderDialog struct {
	w     *Window
	popup *widget.PopUp
	path  *part.Entry
	list  *part.List
	fault *part.Lines
	use   *part.Button
	in    string   // the folder that is listed
	names []string // of the folders in it
	asked int      // counts what was asked to be listed: an answer that comes too late is not shown
}

// The size of the dialog, which has to fit into the smallest window.
const (
	folderWidth  = 560
	folderHeight = 440
)

// parent is the line of the list that leads out of a folder.
const parent = ".."

// pickFolder lets the user choose any folder.
func (w *Window) pickFolder() {
	if w.fixed() {
		return
	}
	w.hush()
	w.show()
	d := w.newFolderDialog()
	d.popup.Resize(fyne.NewSize(folderWidth, folderHeight))
	d.popup.Show()
	start := w.Home
	if t := w.state.Target; t != nil {
		start = t.Path
	}
	d.path.ShowText(start)
	d.path.CursorColumn = len([]rune(start))
	d.look(start)
	w.win.Canvas().Focus(d.path)
}

func (w *Window) newFolderDialog() *folderDialog {
	d := &folderDialog{w: w}
	keys := w.keys()
	d.path = part.NewEntry(keys, w.words.T("folder.path"), d.look)
	d.path.OnSubmitted = func(string) { d.choose() }
	d.list = part.NewList(keys, func() int { return len(d.names) }, newFolderItem, func(i int, o fyne.CanvasObject) {
		o.(*fyne.Container).Objects[1].(*part.Text).Set(d.names[i])
	}, d.enter)
	d.fault = part.NewLines(3, 3)
	d.use = part.NewButton(keys, w.words.T("folder.use"), theme.ConfirmIcon(), d.choose)
	d.use.Importance = widget.HighImportance
	cancel := part.NewButton(keys, w.words.T("folder.cancel"), nil, func() { d.popup.Hide() })
	head := container.NewVBox(part.NewText(look.Strong, w.words.T("folder.title")), d.path)
	foot := container.NewVBox(d.fault, container.NewHBox(layout.NewSpacer(), cancel, d.use))
	content := container.New(layout.NewCustomPaddedLayout(10, 10, 12, 12), part.Border(head, foot, nil, nil, d.list))
	d.popup = widget.NewModalPopUp(content, w.win.Canvas())
	return d
}

func newFolderItem() fyne.CanvasObject {
	icon := widget.NewIcon(theme.FolderIcon())
	return part.Border(nil, nil, icon, nil, part.NewText(look.Label, ""))
}

// look lists what is below a path that may not be complete yet.
func (d *folderDialog) look(path string) {
	d.fault.Set()
	d.asked++
	asked := d.asked
	path = d.whole(path)
	d.w.Go(func() {
		in, names := foldersBelow(path)
		fyne.Do(func() {
			if asked != d.asked {
				return
			}
			d.in, d.names = in, names
			d.list.Refresh()
			d.list.ScrollToTop()
		})
	})
}

// whole is the path that a text stands for: "~" and what is relative begin at the home folder.
func (d *folderDialog) whole(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(d.w.Home, rest)
	}
	drive := filepath.VolumeName(text)
	rest := text[len(drive):]
	switch {
	case filepath.IsAbs(text):
		return text
	case drive != "": // "D:" and "D:folder" mean the drive, not where some program happens to be on it
		return filepath.Join(drive+string(filepath.Separator), rest)
	case rest != "" && os.IsPathSeparator(rest[0]): // on the drive of the home folder
		return filepath.VolumeName(d.w.Home) + rest
	}
	return filepath.Join(d.w.Home, text)
}

// foldersBelow names the folders in a folder or, if path is not one, those beside it whose names begin
// as it does, in capitals or not. What cannot be read has none: what is wrong with it is said when it is
// chosen.
func foldersBelow(path string) (in string, names []string) {
	in, begin := filepath.Clean(path), ""
	entries, err := os.ReadDir(in)
	if err != nil {
		in, begin = filepath.Dir(in), filepath.Base(in)
		if entries, err = os.ReadDir(in); err != nil {
			return in, nil
		}
	}
	if filepath.Dir(in) != in {
		names = append(names, parent)
	}
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".")
		if !hidden && begins(name, begin) && isFolder(in, e) {
			names = append(names, name)
		}
	}
	return in, names
}

func begins(name, with string) bool {
	return len(name) >= len(with) && strings.EqualFold(name[:len(with)], with)
}

// isFolder says whether an entry is a folder or leads to one.
func isFolder(in string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(in, e.Name()))
	return err == nil && info.IsDir()
}

// enter goes to a folder of the list.
func (d *folderDialog) enter(i int) {
	path := filepath.Join(d.in, d.names[i])
	d.path.ShowText(path)
	d.look(path)
}

// choose takes the folder as the target, or says what is wrong with it.
func (d *folderDialog) choose() {
	path := d.whole(d.path.Text)
	d.use.EnableIf(false)
	d.w.withPatience(func(ctx context.Context) func() {
		t, err := d.w.Host.Resolve(ctx, path)
		return func() {
			d.use.EnableIf(true)
			if !d.popup.Visible() {
				return
			}
			switch {
			case err != nil:
				d.fault.Set(part.Span{Text: d.w.sentence(err), Tone: part.Bad})
			case t.Refusal != platform.Usable:
				d.fault.Set(part.Span{Text: explain.Refusal(d.w.words, t).String(), Tone: part.Bad})
			default:
				d.popup.Hide()
				d.w.pickTarget(t)
			}
		}
	})
}
