package run

import (
	"slices"

	"cachecliff/app"
	"cachecliff/bench"
	"cachecliff/platform"
)

// Shown is the run whose numbers the page shows: the one that goes on, or the last one if it was made as
// is chosen now. It is nil if there is none: numbers never stand under another name than their own.
func (s State) Shown() *bench.Result {
	if s.View.Result.ID == "" || !s.Current() {
		return nil
	}
	return &s.View.Result
}

// Savable is the shown run if it has a number; a picture of none is of no use.
func (s State) Savable() *bench.Result {
	r := s.Shown()
	if r == nil || !slices.ContainsFunc(r.Outcomes(), func(o bench.Outcome) bool { return o.Bytes.N > 0 }) {
		return nil
	}
	return r
}

// Current says whether the run that goes on, or the last one, is of what is chosen now. A filling has a page of its own.
func (s State) Current() bool {
	plan := s.Last
	if s.View.Result.ID != "" {
		plan = s.View.Result.Plan
	}
	return s.View.Running() && plan.Profile.Filling == nil || s.Fits(plan)
}

// offersLast says whether the last run is saved and of something else than what is chosen now.
func (s State) offersLast() bool {
	return s.View.Result.ID != "" && s.View.Save == app.SaveDone && !s.Current()
}

// Fits says whether a plan is of the chosen target and of the chosen test or of rows of it.
func (s State) Fits(p bench.Plan) bool {
	return s.Target != nil && SameTarget(*s.Target, p.Target) && partOf(p.Profile, s.Profile) && p.Through == s.Choice.Through
}

// SameTarget says whether two looks at a folder found the same drives behind it.
func SameTarget(a, b platform.Target) bool {
	return a.Path == b.Path && slices.EqualFunc(a.Drives, b.Drives, func(a, b platform.Drive) bool { return a.Key == b.Key })
}

// partOf says whether a test is a whole one or some of its workloads, with the same settings.
func partOf(p, whole bench.Profile) bool {
	if p.ID != whole.ID || p.FileSize != whole.FileSize || p.Loops != whole.Loops || p.Rest != whole.Rest {
		return false
	}
	return !slices.ContainsFunc(p.Workloads, func(w bench.Workload) bool { return !slices.Contains(whole.Workloads, w) })
}

// commentHint is the message that says which run a comment belongs to.
func (s State) commentHint() string {
	switch {
	case s.View.Running():
		return "run.comment-running"
	case s.Savable() != nil:
		return "run.comment-shown"
	}
	return "run.comment"
}
