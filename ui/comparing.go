package ui

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"cachecliff/app/reference"
	"cachecliff/app/safefile"
	"cachecliff/ui/compare"
	"cachecliff/ui/part"
)

// References is what the window needs of the library of reference drives.
type References interface {
	Load() ([]reference.Drive, []reference.Fault, error)
	Add(d reference.Drive) error
	Import(from io.Reader) (d reference.Drive, added bool, err error)
	Remove(id string) error
}

// Compare shows runs of the list beside each other and beside the reference drives, in the Results room. Without any
// it shows the reference drives. It is called on the UI goroutine.
func (w *Window) Compare(ids []string) {
	w.hush()
	w.state.Results.Confirm = ""
	w.Go(func() {
		runs, fault := w.runsOf(ids)
		all, faults, err := w.Deps.References.Load()
		for _, f := range faults {
			err = errors.Join(err, f.Err)
		}
		fyne.Do(func() {
			if len(ids) > 0 && len(runs) == 0 {
				w.sayError(Results, part.Bad, fault)
				w.show()
				return
			}
			s := &w.state.Compare
			s.On, s.Confirm, s.Choice = true, false, compare.Choice{}
			s.Chosen = nil
			for _, d := range runs {
				s.Chosen = append(s.Chosen, d.ID)
			}
			if len(ids) == 0 {
				s.Choice.Mode = compare.Drives
			}
			w.takeDrives(runs, all)
			w.OpenRoom(Results)
			if err := errors.Join(fault, err); err != nil {
				w.sayError(Results, part.Doubt, err)
				w.show()
			}
		})
	})
}

// runsOf reads runs as drives to compare. What cannot be compared is left out and told. It runs off the UI goroutine.
func (w *Window) runsOf(ids []string) (out []reference.Drive, fault error) {
	for _, id := range ids {
		r, err := w.Deps.Results.Load(id)
		if err != nil {
			fault = errors.Join(fault, err)
			continue
		}
		d, err := reference.FromResult(&r, r.Comment)
		if err != nil {
			fault = errors.Join(fault, err)
			continue
		}
		out = append(out, d)
	}
	tell(out)
	return out, fault
}

// tell tells runs of the same title apart: by when they were made.
func tell(runs []reference.Drive) {
	count := map[string]int{}
	for _, d := range runs {
		count[d.Title()]++
	}
	for i, d := range runs {
		if count[d.Title()] > 1 {
			at := d.Setup.At.Local().Format("2006-01-02 15:04:05")
			runs[i].Label = strings.TrimPrefix(d.Label+", "+at, ", ")
		}
	}
}

// takeDrives sets what there is to compare. A run that was kept as a reference drive is there once.
func (w *Window) takeDrives(runs, references []reference.Drive) {
	s := &w.state.Compare
	runs = slices.DeleteFunc(slices.Clone(runs), func(d reference.Drive) bool {
		return slices.ContainsFunc(references, func(r reference.Drive) bool { return r.ID == d.ID })
	})
	s.Runs, s.Drives = len(runs), slices.Concat(runs, references)
	s.Version++
}

// readReferences reads the reference drives anew, and marks one of them besides.
func (w *Window) readReferences(mark string, said func()) {
	w.Go(func() {
		all, _, err := w.Deps.References.Load()
		fyne.Do(func() {
			s := &w.state.Compare
			if err != nil {
				w.sayError(Results, part.Bad, err)
			} else {
				w.takeDrives(s.Drives[:s.Runs], all)
				if mark != "" && !slices.Contains(s.Chosen, mark) {
					s.Chosen = append(s.Chosen, mark)
				}
				said()
			}
			w.show()
		})
	})
}

// LeaveCompare implements compare.Actions.
func (w *Window) LeaveCompare() {
	w.hush()
	w.state.Compare.On = false
	w.show()
}

// ChooseCompare implements compare.Actions.
func (w *Window) ChooseCompare(c compare.Choice) {
	w.state.Compare.Choice, w.state.Compare.Confirm = c, false
	w.frame.tips.Close()
	w.show()
}

// MarkDrive implements compare.Actions.
func (w *Window) MarkDrive(id string, on bool) {
	s := &w.state.Compare
	s.Chosen = slices.DeleteFunc(slices.Clone(s.Chosen), func(c string) bool { return c == id })
	if on {
		s.Chosen = append(s.Chosen, id)
	}
	s.Version++
	s.Confirm = false
	w.show()
}

// KeepReference implements compare.Actions.
func (w *Window) KeepReference(model, label string) {
	own := w.state.Compare.Own()
	if own == nil {
		return
	}
	w.hush()
	d := *own
	if model = strings.TrimSpace(model); model != "" {
		d.Model = model
	}
	d.Label = strings.TrimSpace(label)
	w.Go(func() {
		err := w.Deps.References.Add(d)
		fyne.Do(func() {
			if err != nil {
				w.sayError(Results, part.Bad, err)
				w.show()
				return
			}
			w.readReferences(d.ID, func() { w.sayMessage(Results, part.Plain, "compare.kept", "Name", d.Title()) })
		})
	})
}

// ImportReference implements compare.Actions.
func (w *Window) ImportReference() {
	w.hush()
	w.show()
	d := dialog.NewFileOpen(func(f fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			w.sayError(Results, part.Bad, err)
			w.show()
		case f != nil:
			w.importReference(f)
		}
	}, w.win)
	d.SetFilter(storage.NewExtensionFileFilter([]string{".json"}))
	d.Show()
}

// importReference takes a file over, and closes it.
func (w *Window) importReference(f io.ReadCloser) {
	w.Go(func() {
		d, _, err := w.Deps.References.Import(f)
		err = errors.Join(err, f.Close())
		if err != nil {
			fyne.Do(func() {
				w.sayError(Results, part.Bad, err)
				w.show()
			})
			return
		}
		w.readReferences(d.ID, func() { w.sayMessage(Results, part.Plain, "compare.imported", "Name", d.Title()) })
	})
}

// ExportReferences implements compare.Actions.
func (w *Window) ExportReferences() {
	w.hush()
	s := w.state.Compare
	var drives []reference.Drive
	for _, d := range s.Drives {
		if slices.Contains(s.Chosen, d.ID) {
			drives = append(drives, d)
		}
	}
	w.Go(func() {
		names, err := w.exportReferences(drives)
		fyne.Do(func() {
			if err != nil {
				w.sayError(Results, part.Bad, err)
			} else {
				w.sayMessage(Results, part.Plain, "compare.exported", "Folder", w.Pictures, "Files", strings.Join(names, ", "))
			}
			w.show()
		})
	})
}

func (w *Window) exportReferences(drives []reference.Drive) (names []string, err error) {
	for _, d := range drives {
		var b bytes.Buffer
		if err := reference.Encode(&b, d); err != nil {
			return names, err
		}
		path, err := freeName(filepath.Join(w.Pictures, "cachecliff-reference-"+d.ID+".json"))
		if err != nil {
			return names, err
		}
		if err := safefile.Write(path, b.Bytes(), safefile.Shared); err != nil {
			return names, err
		}
		names = append(names, filepath.Base(path))
	}
	return names, nil
}

// RemoveReferences implements compare.Actions.
func (w *Window) RemoveReferences() {
	w.hush()
	s := &w.state.Compare
	if !s.Confirm {
		s.Confirm = true
		w.show()
		return
	}
	s.Confirm = false
	ids := s.Removable()
	var names []string
	for _, d := range s.Drives {
		if slices.Contains(ids, d.ID) {
			names = append(names, d.Title())
		}
	}
	w.Go(func() {
		var err error
		for _, id := range ids {
			err = errors.Join(err, w.Deps.References.Remove(id))
		}
		fyne.Do(func() {
			s.Chosen = slices.DeleteFunc(slices.Clone(s.Chosen), func(id string) bool { return slices.Contains(ids, id) })
			w.readReferences("", func() {
				if err != nil {
					w.sayError(Results, part.Bad, err)
				} else {
					w.sayMessage(Results, part.Plain, "compare.removed", "Names", strings.Join(names, ", "))
				}
			})
		})
	})
}

// compareRoom is what the comparison shows of a state.
func (s State) compareRoom() compare.State {
	c := s.Compare
	c.Words, c.Locale, c.Notice = s.Results.Words, s.Results.Locale, s.Results.Notice
	return c
}

// comparing says whether the open room shows a comparison.
func (s State) comparing() bool { return s.Room == Results && s.Compare.On }
