package ui

import (
	"context"

	"fyne.io/fyne/v2"
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
				w.sayError(Benchmark, part.Doubt, fault)
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
	w.newDrive(0)
}

// isDrive says whether the target still lies on that drive.
func (w *Window) isDrive(d platform.Drive) bool {
	t := w.state.Target
	return t != nil && len(t.Drives) > 0 && t.Drives[0].Key == d.Key
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
	w.hush()
	w.show()
	var current string
	if w.state.Target != nil {
		current = w.state.Target.Path
	}
	w.withPatience(func(ctx context.Context) func() {
		found, err := w.Host.Targets(ctx)
		home, chosen := w.fresh(ctx, w.Home), w.fresh(ctx, current)
		return func() {
			if w.fixed() { // by now
				return
			}
			w.home = home
			if chosen != nil && w.state.Target != nil && w.state.Target.Path == current {
				w.state.Target = chosen
				w.plan()
			}
			switch {
			case err == nil:
				w.targets = found
			case len(w.targets) == 0:
				w.sayError(w.state.Room, part.Doubt, err)
			}
			w.show()
			w.openTargets()
		}
	})
}

// fresh looks at a folder anew; nil if there is none or it cannot be looked at.
func (w *Window) fresh(ctx context.Context, path string) *platform.Target {
	if path == "" {
		return nil
	}
	t, err := w.Host.Resolve(ctx, path)
	if err != nil {
		return nil
	}
	return &t
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
	w.frame.tips.Close()
	widget.ShowPopUpMenuAtRelativePosition(fyne.NewMenu("", items...), w.win.Canvas(), offset, at)
}

// pickTarget takes a target of the list and remembers it, unless a run goes on.
func (w *Window) pickTarget(t platform.Target) {
	if w.fixed() {
		return
	}
	w.set.Target = t.Path
	w.hush()
	w.remember()
	w.setTarget(&t)
}
