package ui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"cachecliff/app"
	"cachecliff/app/settings"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
)

// OpenRoom implements actions.
func (w *Window) OpenRoom(r Room) {
	w.hush()
	w.state.Room = r
	w.lookAtDrive()
	switch r {
	case Monitor:
		w.findDrives()
	case Results:
		w.readResults()
	}
	w.show()
}

// fixed says whether target and test are fixed because a run goes on or is about to start.
func (w *Window) fixed() bool { return w.busy || w.state.Run.View.Running() }

// Choose implements run.Actions.
func (w *Window) Choose(c run.Choice) {
	if w.fixed() {
		w.show() // the lists go back
		return
	}
	w.set.Profile, w.set.FileSize, w.set.Loops = c.Profile, c.FileSize, c.Loops
	if c.MixPct > 0 {
		w.set.Profile, w.set.MixPct = facts.MixID(c.Profile), c.MixPct
	}
	w.chosen()
}

// SetUnit implements run.Actions.
func (w *Window) SetUnit(u bench.Unit) {
	w.set.Unit = u
	w.chosen()
}

// chosen applies and remembers changed settings.
func (w *Window) chosen() {
	w.hush()
	w.remember()
	w.applyChoice()
	w.show()
}

// notePause is the time after a key in the comment before a saved run is saved anew.
const notePause = time.Second

// SetComment implements run.Actions: the comment is that of the run that is shown, and of the next one.
func (w *Window) SetComment(s string) {
	w.set.Comment, w.state.Run.Comment, w.state.Tests.Comment = s, s, s
	if w.busy || !w.state.Run.View.Running() && w.state.Run.Shown() == nil && w.state.Tests.Shown() == nil {
		return
	}
	w.Runs.SetComment(s)
	w.notes.keep(struct{}{})
}

// saveNote saves a run whose comment has changed. It is called on the keeper's goroutine.
func (w *Window) saveNote(struct{}) error {
	err := w.Runs.Save()
	fyne.Do(func() {
		v := w.Runs.View()
		if err == nil && v.Save == app.SaveDone {
			w.sayMessage(roomOf(v.Result.Plan), part.Plain, "run.comment-saved")
		}
		w.showView(v)
	})
	return err
}

// Start implements run.Actions.
func (w *Window) Start(only []string) {
	s := &w.state.Run
	if s.Plan == nil {
		return
	}
	plan := *s.Plan
	plan.Profile = plan.Profile.With(bench.Overrides{Only: only})
	w.start(plan)
}

// keep decides which earlier runs the table goes on to show when a run starts: the run of a row leaves
// the other rows standing if they were measured in the same way.
func (w *Window) keep(next bench.Plan) {
	s := &w.state.Run
	last := s.View.Result
	whole, _ := s.Choice.Apply()
	single := len(next.Profile.Workloads) < len(whole.Workloads)
	same := func(r bench.Result) bool {
		return s.Fits(r.Plan) && r.Plan.Buffered == next.Buffered
	}
	kept := slices.Insert(slices.Clone(s.Kept), 0, last)
	s.Kept = slices.DeleteFunc(kept, func(r bench.Result) bool { return !single || r.ID == "" || !same(r) })
}

// start starts a run, unless one goes on, and shows what comes of it. The library is tried before, which
// may take a moment on a slow disk.
func (w *Window) start(plan bench.Plan) {
	if w.closing || w.fixed() {
		return
	}
	w.busy = true
	w.keep(plan)
	w.state.Run.Last, w.state.Tests.Last = plan, plan
	w.hush()
	w.remember() // the comment
	comment := w.state.Run.Comment
	w.Go(func() {
		err := w.Runs.Start(plan, comment)
		fyne.Do(func() {
			w.busy = false
			if now := w.state.Run.Comment; err == nil && now != comment { // typed meanwhile
				w.Runs.SetComment(now)
			}
			if err != nil {
				w.sayError(roomOf(plan), part.Bad, err)
			}
			w.showView(w.Runs.View())
		})
	})
}

// StartCached implements run.Actions.
func (w *Window) StartCached() {
	plan := w.state.Run.Last
	if plan.Profile.ID == "" || !w.state.Run.Current() {
		return
	}
	plan.Buffered = true
	w.start(plan)
}

// OpenLast implements run.Actions.
func (w *Window) OpenLast() {
	w.OpenRoom(Results)
	w.Open(w.state.Run.View.Result.ID)
}

// Stop implements run.Actions.
func (w *Window) Stop() {
	w.hush()
	w.Runs.Cancel()
	w.showView(w.Runs.View())
}

// SaveAgain implements run.Actions.
func (w *Window) SaveAgain() {
	w.hush()
	w.Go(func() {
		err := w.Runs.Save()
		fyne.Do(func() {
			v := w.Runs.View()
			if err != nil && v.Save != app.SaveFailed { // else the view says so
				w.sayError(roomOf(v.Result.Plan), part.Bad, err)
			}
			w.showView(v)
		})
	})
}

// DiscardResult implements run.Actions.
func (w *Window) DiscardResult() {
	w.hush()
	w.Runs.Discard()
	w.showView(w.Runs.View())
}

// PickSetting implements actions: theme, language, and what is seldom chosen of a run.
func (w *Window) PickSetting() {
	theme := func(label string, t settings.Theme) *fyne.MenuItem {
		i := fyne.NewMenuItem(w.words.T("top.theme")+": "+label, func() { w.setTheme(t) })
		i.Checked = w.themeInForce() == t
		return i
	}
	language := func(label, lang string) *fyne.MenuItem {
		i := fyne.NewMenuItem(label, func() { w.setLanguage(lang) })
		i.Checked = w.words.Lang() == lang
		return i
	}
	through := fyne.NewMenuItem(w.words.T("top.through"), w.toggleThrough)
	through.Checked, through.Disabled = w.set.Through, w.fixed()
	items := []*fyne.MenuItem{
		theme(w.words.T("top.theme-system"), settings.ThemeSystem),
		theme(w.words.T("top.theme-light"), settings.ThemeLight),
		theme(w.words.T("top.theme-dark"), settings.ThemeDark),
		fyne.NewMenuItemSeparator(),
		language("English", words.English), language("Deutsch", words.German),
		fyne.NewMenuItemSeparator(), through,
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem(w.words.T("top.quit"), w.quit),
	}
	w.openMenu(items, w.frame.setting, fyne.NewPos(-160, w.frame.setting.Size().Height))
}

// toggleThrough changes whether each write is on the medium before it counts as done.
func (w *Window) toggleThrough() {
	w.set.Through = !w.set.Through
	w.chosen()
}

func (w *Window) setTheme(t settings.Theme) {
	w.hush()
	w.set.Theme, w.Theme = t, settings.ThemeSystem
	w.applyTheme()
	w.remember()
	w.show()
}

func (w *Window) setLanguage(lang string) {
	w.set.Language, w.Language = lang, words.Auto
	w.chooseWords()
	w.remember()
	w.applyChoice()
	w.judgeOpen()
	w.wordWatch()
	w.wordNotices()
	w.show()
}
