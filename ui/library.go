package ui

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/app/export"
	"cachecliff/app/fillchart"
	"cachecliff/app/safefile"
	"cachecliff/bench"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
	"cachecliff/ui/results"
	"cachecliff/ui/run"
)

// readResults reads the list anew.
func (w *Window) readResults() {
	w.state.Results.Reading = true
	w.Go(func() {
		entries, err := w.Deps.Results.List()
		fyne.Do(func() {
			s := &w.state.Results
			s.Reading, s.Fault = false, err
			if err == nil {
				s.Entries = entries
			}
			w.show()
		})
	})
}

// recover saves what is left of runs that were broken off, tells of them, and tidies the library.
func (w *Window) recover() {
	w.Go(func() {
		ids, err := w.Deps.Results.Recover()
		err = errors.Join(err, w.Deps.Results.Tidy(time.Now()))
		if len(ids) == 0 && err == nil {
			return
		}
		fyne.Do(func() {
			if len(ids) > 0 {
				w.say(Benchmark, part.Doubt, func() string {
					return strings.TrimSpace(w.words.N("run.recovered", len(ids)) + " " + w.crashed())
				})
			} else {
				w.sayError(Benchmark, part.Doubt, err)
			}
			w.readResults()
		})
	})
}

// crashed says that the program ended by a fault of its own the last time; empty if it did not.
func (w *Window) crashed() string {
	if w.Crash == "" {
		return ""
	}
	return w.words.T("window.crashed", "File", w.Crash)
}

// Open implements results.Actions.
func (w *Window) Open(id string) {
	s := &w.state.Results
	s.Confirm = ""
	w.state.Compare.On = false
	w.hush()
	if id == "" {
		s.Open = nil
		w.show()
		return
	}
	w.Go(func() {
		r, err := w.Deps.Results.Load(id)
		fyne.Do(func() {
			if err != nil {
				w.sayError(Results, part.Bad, err)
				s.Deleted, s.Damaged = "", id
			} else {
				s.Open, s.Deleted, s.Damaged = &r, "", ""
				w.judgeOpen()
			}
			w.show()
		})
	})
}

// judgeOpen puts into words how the open run ended.
func (w *Window) judgeOpen() {
	s := &w.state.Results
	if s.Open == nil {
		return
	}
	s.Verdict, s.Tone = facts.Verdict(w.words, s.Open, s.Locale), run.Tone(s.Open.Reason)
	s.Doubts, s.Sentences = run.Doubts(w.words, s.Open), run.Sentences(w.words, s.Open)
	s.Findings = w.findings(s.Open)
}

// AskDelete implements results.Actions.
func (w *Window) AskDelete(id string) {
	w.hush()
	w.state.Results.Confirm = id
	w.show()
}

// Delete implements results.Actions.
func (w *Window) Delete(id string) {
	w.hush()
	w.Go(func() {
		err := w.Deps.Results.Delete(id)
		fyne.Do(func() {
			s := &w.state.Results
			s.Confirm = ""
			if err != nil {
				w.sayError(Results, part.Bad, err)
				w.show()
				return
			}
			s.Open, s.Deleted = nil, id
			w.Runs.Forget(id)
			w.showView(w.Runs.View())
			w.readResults()
		})
	})
}

// Restore implements results.Actions.
func (w *Window) Restore(id string) {
	w.hush()
	w.Go(func() {
		err := w.Deps.Results.Restore(id)
		fyne.Do(func() {
			w.state.Results.Deleted = ""
			if err != nil {
				w.sayError(Results, part.Bad, err)
				w.show()
				return
			}
			w.sayMessage(Results, part.Plain, "results.restored")
			w.readResults()
		})
	})
}

// Export implements results.Actions.
func (w *Window) Export(k results.Kind) {
	r := w.state.Results.Open
	if r == nil {
		return
	}
	if k == results.Picture {
		w.SavePicture()
		return
	}
	f, ok := export.ByID(string(k))
	if drawing := k == results.Drawing; drawing && r.Plan.Profile.Filling == nil || !drawing && !ok {
		return
	}
	w.hush()
	write := func() (string, error) { return w.exportTo(f, *r) }
	if k == results.Drawing {
		look := fillchart.Look{Words: w.words, Locale: w.state.Results.Locale, Dark: part.Dark(), Level: w.state.Results.Level}
		write = func() (string, error) { return w.drawTo(*r, look) }
	}
	w.Go(func() {
		path, err := write()
		fyne.Do(func() {
			if err != nil {
				w.sayError(Results, part.Bad, err)
			} else {
				w.sayMessage(Results, part.Plain, "results.saved", "Path", path)
			}
			w.show()
		})
	})
}

func (w *Window) exportTo(f export.Format, r bench.Result) (string, error) {
	var b bytes.Buffer
	if err := export.Write(&b, f, r, export.Options{Zone: time.Local}); err != nil {
		return "", err
	}
	path, err := freeName(filepath.Join(w.Pictures, f.FileName(r)))
	if err != nil {
		return "", err
	}
	return path, safefile.Write(path, b.Bytes(), safefile.Shared)
}

// drawTo writes the chart of a filling as a drawing.
func (w *Window) drawTo(r bench.Result, look fillchart.Look) (string, error) {
	look.Title = facts.Join(facts.Model(&r.Plan.Target, look.Locale), facts.ProfileName(look.Words, r.Plan.Profile))
	data, err := fillchart.From(&r).SVG(look)
	if err != nil {
		return "", err
	}
	return w.writePicture("cachecliff-"+r.ID+".svg", data)
}

// freeName is a path that is not taken: the one given, or one with a number before its ending.
func freeName(path string) (string, error) {
	ext := filepath.Ext(path)
	for i := 2; ; i++ {
		switch _, err := os.Stat(path); {
		case os.IsNotExist(err):
			return path, nil
		case err != nil:
			return "", safefile.Fault("save picture", path, err)
		}
		base := path[:len(path)-len(ext)]
		if i > 2 {
			base = base[:len(base)-len("-"+strconv.Itoa(i-1))]
		}
		path = base + "-" + strconv.Itoa(i) + ext
	}
}

// CopyText implements run.Actions: it copies the run that is shown as text.
func (w *Window) CopyText() {
	if w.state.Room == Drive {
		w.copyDrive()
		return
	}
	r := w.shownResult()
	f, ok := export.ByID(string(results.Text))
	if w.state.Room != Results && w.state.Run.View.Running() { // the text says how the run ended
		r = nil
	}
	if r == nil || !ok {
		return
	}
	w.hush()
	var b bytes.Buffer
	if err := export.Write(&b, f, *r, export.Options{Zone: time.Local}); err != nil {
		w.sayError(w.state.Room, part.Bad, err)
	} else {
		w.App.Clipboard().SetContent(b.String())
		w.sayMessage(w.state.Room, part.Plain, "run.copied")
	}
	w.show()
}

// shownResult is the run that the open room shows; nil if it shows none.
func (w *Window) shownResult() *bench.Result {
	switch w.state.Room {
	case Drive:
		return nil
	case Tests:
		return w.state.Tests.Savable()
	case Results:
		if w.state.Compare.On {
			return nil
		}
		return w.state.Results.Open
	}
	return w.state.Run.Savable()
}
