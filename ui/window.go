package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"cachecliff/app"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/settings"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
)

// Window is the program's window and what controls it. All of it belongs to the UI goroutine.
type Window struct {
	Deps
	win     fyne.Window
	frame   *frame
	state   State
	set     settings.Settings
	words   *words.Words
	home    *platform.Target  // of the home folder, first in the list of targets
	targets []platform.Target // as last seen
	ended   string            // ID of the run that was last seen to end
	asked   map[string]bool   // folders whose leftovers were asked about
	keeper  *keeper[settings.Settings]
	notes   *keeper[struct{}] // saves a run anew whose comment has changed
	stop    context.CancelFunc
	watched chan struct{} // a recording has begun
	looks   chan bool     // whether the Drive page is open: the newest answer
	notices map[Room]notice
	found   map[finding]string // what fillings found, in words
	closing bool
	busy    bool // a run is about to start
}

// Open makes the window with what is remembered, and starts looking for drives. It does not show it.
func Open(d Deps) *Window {
	if d.Go == nil {
		d.Go = func(f func()) { go f() }
	}
	w := &Window{Deps: d, stop: func() {}, asked: map[string]bool{}, notices: map[Room]notice{}, found: map[finding]string{}, watched: make(chan struct{}, 1)}
	w.keeper = &keeper[settings.Settings]{save: d.Memory.Save, failed: w.forgot, start: d.Go}
	w.notes = &keeper[struct{}]{save: w.saveNote, failed: func(error) {}, start: d.Go, pause: notePause} // the view tells what failed
	var err error
	w.set, err = d.Memory.Load()
	w.chooseWords()
	w.applyTheme()
	w.win = d.App.NewWindow("Cachecliff")
	w.frame = newFrame(w.keys(), w)
	w.win.SetContent(w.frame.object)
	w.win.SetPadded(false)
	w.win.Resize(w.size())
	w.win.SetCloseIntercept(w.quit)
	w.addShortcuts()
	w.applyChoice()
	w.looks = make(chan bool, 1)
	w.readyMonitor()
	w.state.Run.View = d.Runs.View()
	w.state.Tests.View = w.state.Run.View
	if err != nil {
		w.sayError(Benchmark, part.Doubt, err)
	}
	if d.Crash != "" {
		w.say(Benchmark, part.Doubt, w.crashed)
	}
	w.recover()
	w.firstTarget()
	w.show()
	return w
}

// Run shows the window and returns when it is closed and no run goes on. A signal may end the window
// without quit: then the run is ended here.
func (w *Window) Run() {
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	go w.pumpMonitor(ctx)
	go watchDrive(ctx, w.looks, w.readWarm)
	go pump(ctx, w.Runs, w.showView, w.readDrive)
	w.win.ShowAndRun()
	stop()
	w.Runs.Cancel()
	w.Runs.Wait()
	w.Watcher.Close()
	w.notes.wait()
	w.keeper.wait()
}

// The size of a new window.
const (
	firstWidth  = 1080
	firstHeight = 760
)

func (w *Window) size() fyne.Size {
	if w.set.Width >= MinWidth && w.set.Height >= MinHeight {
		return fyne.NewSize(float32(w.set.Width), float32(w.set.Height))
	}
	return fyne.NewSize(firstWidth, firstHeight)
}

// show makes the widgets agree with the state.
func (w *Window) show() { w.frame.Show(w.state) }

// showView takes a new view of the run.
func (w *Window) showView(v app.View) {
	w.state.Run.View, w.state.Tests.View = v, v
	w.judge()
	w.judgeTest()
	if id := v.Result.ID; !v.Running() && id != "" && w.ended != id && v.Save != app.SaveNothing {
		w.ended = id
		w.readResults()
		w.refreshTarget()
		w.afterRun()
	}
	w.show()
}

// judge puts into words how the run ended that is shown.
func (w *Window) judge() {
	s := &w.state.Run
	s.Verdict, s.Tone, s.Doubts, s.Sentences = "", part.Plain, nil, nil
	v := &s.View
	if r := s.Shown(); r != nil {
		s.Doubts, s.Sentences = run.Doubts(w.words, r), run.Sentences(w.words, r)
	}
	switch {
	case v.Running():
		if v.JournErr != nil {
			s.Sentences = []part.Span{{Text: w.sentence(v.JournErr), Tone: part.Doubt}}
		}
		return
	case v.Save == app.SaveFailed: // also if something else is chosen now: no run can be started before
		s.Verdict, s.Tone = w.sentence(v.SaveErr), part.Bad
		return
	case !s.Current():
		return
	case v.Result.ID != "":
		s.Verdict, s.Tone = facts.Verdict(w.words, &v.Result, s.Locale), run.Tone(v.Result.Reason)
	case v.Err != nil:
		s.Verdict, s.Tone = w.sentence(v.Err), part.Bad
	}
	if v.JournErr != nil {
		s.Sentences = append(s.Sentences, part.Span{Text: w.sentence(v.JournErr), Tone: part.Doubt})
	}
}

// chooseWords takes the language that is forced, remembered, or the system's.
func (w *Window) chooseWords() {
	lang := w.System
	for _, l := range []string{w.set.Language, w.Language} {
		if l != words.Auto {
			lang = l
		}
	}
	w.words = words.New(lang)
	locale := format.EN
	if w.words.Lang() == words.German {
		locale = format.DE
	}
	w.state.Run.Words, w.state.Results.Words, w.state.Monitor.Words, w.state.Tests.Words = w.words, w.words, w.words, w.words
	w.state.Run.Locale, w.state.Results.Locale, w.state.Monitor.Locale, w.state.Tests.Locale = locale, locale, locale, locale
	w.state.Results.Explain = w.sentence
}

// applyTheme takes the theme that is forced or remembered.
func (w *Window) applyTheme() {
	mode := map[settings.Theme]look.Mode{settings.ThemeDark: look.Dark, settings.ThemeLight: look.Light}[w.themeInForce()]
	w.App.Settings().SetTheme(look.New(mode))
}

// themeInForce is the theme that is forced, or else remembered.
func (w *Window) themeInForce() settings.Theme {
	if w.Theme != settings.ThemeSystem {
		return w.Theme
	}
	return w.set.Theme
}

// sentence explains an error.
func (w *Window) sentence(err error) string { return explain.Error(w.words, err).String() }

// remember saves the settings soon.
func (w *Window) remember() { w.keeper.keep(w.set) }

// forgot tells that the settings could not be saved. It may be called on any goroutine.
func (w *Window) forgot(err error) {
	fyne.Do(func() {
		w.sayError(Benchmark, part.Doubt, err)
		w.show()
	})
}

// applyChoice turns the settings into the profile and the lists of the page.
func (w *Window) applyChoice() {
	base, mix := facts.CutMix(w.set.Profile)
	c := run.Choice{Profile: base, FileSize: w.set.FileSize, Loops: w.set.Loops, Unit: w.set.Unit, Through: w.set.Through}
	if mix {
		c.MixPct = w.set.MixPct
	}
	p, ok := bench.ByID(w.set.Profile)
	if !ok {
		c.Profile, c.MixPct, mix = settings.Default().Profile, 0, false
		p, _ = bench.ByID(c.Profile)
	}
	if c.FileSize == 0 {
		c.FileSize = p.FileSize
	}
	if c.Loops == 0 {
		c.Loops = p.Loops
	}
	if mix && c.MixPct == 0 {
		c.MixPct = facts.MixPct(p)
	}
	if c.Unit == bench.UnitUser {
		c.Unit = bench.UnitMBs
	}
	w.state.Run.Choice = c
	w.state.Run.Profile, _ = c.Apply()
	w.state.Run.Comment, w.state.Tests.Comment = w.set.Comment, w.set.Comment
	w.state.Results.Unit = c.Unit
	w.applyTest()
	w.plan()
}

// plan looks whether All can be run on the target, and why not, and which runs may still be shown.
func (w *Window) plan() {
	w.planTest()
	s := &w.state.Run
	s.Target, s.Plan, s.Refusal = w.state.Target, nil, ""
	s.Kept = slices.DeleteFunc(s.Kept, func(r bench.Result) bool { return !s.Fits(r.Plan) })
	w.judge()
	if s.Target == nil {
		s.Refusal = w.words.T("run.no-target")
		if w.state.Looking {
			s.Refusal = w.words.T("run.looking")
		}
		return
	}
	p, err := bench.NewPlan(s.Profile, *s.Target, bench.Options{Through: s.Choice.Through})
	if err != nil {
		s.Refusal = w.sentence(err)
		return
	}
	s.Plan = &p
}

// quit ends a run, waits for its end and closes the window.
func (w *Window) quit() {
	if w.closing {
		return
	}
	w.closing = true
	w.Runs.Cancel()
	w.rememberSize()
	w.stop()
	w.showView(w.Runs.View())
	w.Go(func() {
		w.Runs.Wait()
		w.Watcher.Close()
		w.notes.wait()
		w.keeper.wait()
		fyne.Do(func() {
			w.frame.Close()
			w.win.Close()
		})
	})
}

func (w *Window) rememberSize() {
	size := w.win.Canvas().Size()
	w.set.Width, w.set.Height = int(size.Width), int(size.Height)
	w.remember()
}

// withPatience runs a question to the system off the UI goroutine, and its answer on it.
func (w *Window) withPatience(ask func(context.Context) func()) {
	w.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		answer := ask(ctx)
		fyne.Do(answer)
	})
}
