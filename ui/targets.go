package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"cachecliff/app/explain"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// firstTarget takes the folder that is forced, remembered, or the home folder, whichever is there.
func (w *Window) firstTarget() {
	w.state.Looking = true
	folders := []string{w.Target, w.set.Target, w.Home}
	w.withPatience(func(ctx context.Context) func() {
		var first, home *platform.Target
		var fault error
		for _, path := range folders {
			if path == "" {
				continue
			}
			t, err := w.Host.Resolve(ctx, path)
			if err != nil {
				if fault == nil {
					fault = err
				}
				continue
			}
			if first == nil {
				first = &t
			}
			if path == w.Home {
				home = &t
			}
		}
		return func() {
			w.state.Looking, w.home = false, home
			if fault != nil {
				w.notice(w.sentence(fault), part.Doubt)
			}
			w.setTarget(first)
		}
	})
}

// setTarget shows another target, or none.
func (w *Window) setTarget(t *platform.Target) {
	w.state.Target, w.state.Now = t, facts.Now{}
	w.plan()
	w.show()
	if t != nil {
		w.findLeftovers(*t)
	}
	if t == nil || len(t.Drives) == 0 {
		return
	}
	drive := t.Drives[0]
	w.withPatience(func(ctx context.Context) func() {
		health, err := w.Host.Health(ctx, drive)
		return func() {
			if err == nil && w.isDrive(drive) { // without health the bar simply says nothing of it
				w.state.Now.Health = &health
				w.show()
			}
		}
	})
	w.Go(func() { w.readDrive(context.Background()) })
}

// isDrive says whether the target still lies on that drive.
func (w *Window) isDrive(d platform.Drive) bool {
	t := w.state.Target
	return t != nil && len(t.Drives) > 0 && t.Drives[0].Key == d.Key
}

// readDrive reads the temperature of the target's first drive. It may be called on any goroutine.
func (w *Window) readDrive(ctx context.Context) {
	ask := make(chan *platform.Target, 1)
	fyne.Do(func() { ask <- w.state.Target })
	var t *platform.Target
	select {
	case t = <-ask:
	case <-ctx.Done():
		return
	}
	if t == nil || len(t.Drives) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s, err := w.Host.Sensors(ctx, t.Drives[0])
	if err != nil || len(s.Temperatures) == 0 {
		return // a temperature that is not known is not shown
	}
	fyne.Do(func() {
		if w.isDrive(t.Drives[0]) {
			w.state.Now.MilliC = &s.Temperatures[0].MilliC
			w.show()
		}
	})
}

// refreshTarget looks anew how full the target is.
func (w *Window) refreshTarget() {
	t := w.state.Target
	if t == nil {
		return
	}
	path := t.Path
	w.withPatience(func(ctx context.Context) func() {
		fresh, err := w.Host.Resolve(ctx, path)
		return func() {
			if err != nil || w.state.Target == nil || w.state.Target.Path != path {
				return // the old figures stay; a run that finds the target gone says so
			}
			w.state.Target = &fresh
			w.plan()
			w.show()
		}
	})
}

// PickTarget implements actions: it looks for targets and then opens their list.
func (w *Window) PickTarget() {
	if w.fixed() {
		return
	}
	w.withPatience(func(ctx context.Context) func() {
		found, err := w.Host.Targets(ctx)
		return func() {
			if w.fixed() { // by now
				return
			}
			switch {
			case err == nil:
				w.targets = found
			case len(w.targets) == 0:
				w.notice(w.sentence(err), part.Doubt)
				w.show()
			}
			w.openTargets()
		}
	})
}

// openTargets opens the list of targets below the bar.
func (w *Window) openTargets() {
	items := []*fyne.MenuItem{}
	listed := map[string]bool{}
	add := func(t platform.Target) {
		if listed[t.Path] {
			return
		}
		listed[t.Path] = true
		label := facts.Item(w.words, &t, w.state.Run.Locale)
		if t.Refusal != platform.Usable {
			label = facts.Join(facts.Model(&t, w.state.Run.Locale), explain.Refusal(w.words, t).Title)
		}
		item := fyne.NewMenuItem(label, func() { w.pickTarget(t) })
		item.Disabled = t.Refusal != platform.Usable
		item.Checked = w.state.Target != nil && w.state.Target.Path == t.Path
		items = append(items, item)
	}
	if w.home != nil {
		add(*w.home)
	}
	for _, t := range w.targets {
		add(t)
	}
	if w.state.Target != nil { // a folder of the user's choice
		add(*w.state.Target)
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem(w.words.T("top.folder"), w.pickFolder))
	below := fyne.NewPos(0, w.frame.target.Size().Height)
	w.openMenu(items, w.frame.target, below)
}

// openMenu opens a menu at a place relative to a widget.
func (w *Window) openMenu(items []*fyne.MenuItem, at fyne.CanvasObject, offset fyne.Position) {
	widget.ShowPopUpMenuAtRelativePosition(fyne.NewMenu("", items...), w.win.Canvas(), offset, at)
}

// pickTarget takes a target of the list and remembers it, unless a run goes on.
func (w *Window) pickTarget(t platform.Target) {
	if w.fixed() {
		return
	}
	w.set.Target = t.Path
	w.notice("", part.Plain)
	w.remember()
	w.setTarget(&t)
}

// pickFolder lets the user choose any folder.
func (w *Window) pickFolder() {
	d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		if err == nil && u != nil {
			w.resolve(u.Path())
		}
	}, w.win)
	d.Resize(fyne.NewSize(MinWidth-80, MinHeight-80))
	d.Show()
}

// resolve takes a folder as the target.
func (w *Window) resolve(path string) {
	w.withPatience(func(ctx context.Context) func() {
		t, err := w.Host.Resolve(ctx, path)
		return func() {
			if err != nil {
				w.notice(w.sentence(err), part.Doubt)
				w.show()
				return
			}
			w.pickTarget(t)
		}
	})
}
