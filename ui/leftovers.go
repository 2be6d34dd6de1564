package ui

import (
	"context"
	"errors"
	"os"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/safefile"
	"cachecliff/platform"
	"cachecliff/ui/part"
)

// findLeftovers looks for test files that a killed run has left in a folder, where the file system has
// no nameless files, and asks whether to remove them. Each folder is asked about once.
func (w *Window) findLeftovers(t platform.Target) {
	if t.Refusal != platform.Usable || w.asked[t.Path] {
		return
	}
	w.asked[t.Path] = true
	w.withPatience(func(context.Context) func() {
		left, err := w.Host.Leftovers(t)
		return func() {
			if err != nil {
				w.sayError(Benchmark, part.Doubt, err)
				w.show()
			}
			if len(left) > 0 {
				w.askLeftovers(left)
			}
		}
	})
}

// askLeftovers asks whether to remove files, naming them.
func (w *Window) askLeftovers(left []string) {
	text := widget.NewLabel(w.words.N("left.question", len(left)) + "\n\n" + strings.Join(left, "\n"))
	text.Wrapping = fyne.TextWrapBreak
	d := dialog.NewCustomConfirm(w.words.T("left.title"), w.words.T("left.remove"), w.words.T("left.keep"), text, func(yes bool) {
		if yes {
			w.removeLeftovers(left)
		}
	}, w.win)
	d.Resize(fyne.NewSize(MinWidth*3/4, 0))
	d.Show()
}

// removeLeftovers removes files and says what came of it.
func (w *Window) removeLeftovers(left []string) {
	w.Go(func() {
		var errs []error
		for _, name := range left {
			errs = append(errs, safefile.Fault("remove", name, os.Remove(name)))
		}
		err := errors.Join(errs...)
		fyne.Do(func() {
			if err != nil {
				w.sayError(Benchmark, part.Bad, err)
			} else {
				w.say(Benchmark, part.Plain, func() string { return w.words.N("left.removed", len(left)) })
			}
			w.refreshTarget()
			w.show()
		})
	})
}
