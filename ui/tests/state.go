// Package tests is the Tests page: the long tests, their settings, what they cost, and the chart that is drawn while
// one runs and looked at afterwards. The page is a function of its State; what the user does goes to Actions. It starts
// nothing itself and keeps nothing.
package tests

import (
	"reflect"
	"slices"
	"time"

	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/part"
	"cachecliff/ui/run"
)

// State is all that the page shows.
type State struct {
	Words     *words.Words
	Locale    format.Locale
	Profile   bench.Profile    // the chosen one with the user's changes applied
	Choice    Choice           // what the lists show as chosen
	Target    *platform.Target // nil while none is known
	Plan      *bench.Plan      // nil if it cannot be run
	Refusal   string           // a sentence: why it cannot be run
	View      app.View         // the run that goes on, or the last one
	Last      bench.Plan       // what was started last
	Level     bool             // the chart is over the fill level, not over what was written
	Verdict   string           // how the last one ended; empty while none has
	Tone      part.Tone        // of the verdict
	Doubts    []part.Pill      // of the run that is shown
	Sentences []part.Span      // those about the whole run, in words
	Findings  []part.Span      // what the run that is shown found
	Notice    part.Span        // what the last action brought
	Comment   string
}

// Choice is what the user chose.
type Choice struct {
	Test     string        // ID
	FileSize int64         // bytes
	Passes   int           // each but the first after a part of the files was deleted
	Pause    time.Duration // before each pass but the first
	Loops    int           // how often all of it is done
	Cached   bool          // written through the system's cache, as copies of files are
	Most     int           // of the capacity that a pass writes at most, percent; 0 is up to the reserve
}

// Actions is what the user can do on the page. The methods are called on the UI goroutine and return at once.
type Actions interface {
	// ChooseTest changes the settings; another test brings its own.
	ChooseTest(c Choice)
	// StartTest runs it.
	StartTest()
	// Stop ends the run.
	Stop()
	// Hold holds the run before its next file, or lets it go on.
	Hold(held bool)
	// SetLevel chooses what the chart is over: the fill level, or what was written.
	SetLevel(on bool)
	// SetComment changes the comment of the run that is shown and of the next one.
	SetComment(s string)
	// SavePicture saves the window and the card as pictures.
	SavePicture()
	// OpenLast shows the last run on the Results page.
	OpenLast()
	// SaveAgain tries again to save a result that could not be saved; DiscardResult gives it up.
	SaveAgain()
	DiscardResult()
}

// Tests are the choices of the list.
func Tests() []bench.Profile {
	return slices.DeleteFunc(bench.Long(), func(p bench.Profile) bool { return p.Filling == nil })
}

// First is the test that is chosen for who has not chosen one.
const First = "fill-quick"

// longPause is the rest before another pass of a test that has only one by itself.
const longPause = 30 * time.Minute

// Default is a test as it is shipped; the first of all if there is none of that ID.
func Default(id string) Choice {
	p, ok := bench.ByID(id)
	if !ok || p.Filling == nil {
		p, _ = bench.ByID(First)
	}
	c := Choice{Test: p.ID, FileSize: p.FileSize, Passes: len(p.Filling.Again) + 1, Pause: p.Rest, Loops: p.Loops, Most: p.Filling.Most}
	if c.Pause == 0 {
		c.Pause = longPause
	}
	return c
}

// shares are what is deleted before the second and each further pass, percent of all files: so that they begin
// about half and four fifths full.
var shares = []int{50, 20}

// again is what is deleted before each but the first of so many passes.
func again(passes int) []int {
	out := []int{}
	for i := range max(passes-1, 0) {
		out = append(out, shares[min(i, len(shares)-1)])
	}
	return out
}

// Apply is the profile that a choice stands for; ok is false if there is none of that ID.
func (c Choice) Apply() (p bench.Profile, ok bool) {
	if p, ok = bench.ByID(c.Test); !ok || p.Filling == nil {
		return p, false
	}
	rest := c.Pause
	if !c.pauses() { // as shipped: nothing that matters was changed
		rest = p.Rest
	}
	return p.With(bench.Overrides{
		FileSize: c.FileSize, Loops: c.Loops, Rest: &rest, Fill: bench.FillOverrides{Again: again(c.Passes), Most: &c.Most},
	}), true
}

// pauses says whether there is anything to pause before.
func (c Choice) pauses() bool { return c.Passes > 1 || c.Loops > 1 }

// Shown is the run that the page shows: the one that goes on, or the last one if it was made as is chosen now. It is nil
// if there is none.
func (s State) Shown() *bench.Result {
	if s.View.Result.ID == "" || !s.Current() {
		return nil
	}
	return &s.View.Result
}

// Savable is the shown run if it wrote anything.
func (s State) Savable() *bench.Result {
	if r := s.Shown(); r != nil && app.Worth(r) {
		return r
	}
	return nil
}

// Current says whether the run that goes on, or the last one, is of what is chosen now.
func (s State) Current() bool {
	plan := s.Last
	if s.View.Result.ID != "" {
		plan = s.View.Result.Plan
	}
	if plan.Profile.Filling == nil {
		return false
	}
	return s.View.Running() || s.fits(plan)
}

func (s State) fits(p bench.Plan) bool {
	return s.Target != nil && run.SameTarget(*s.Target, p.Target) && p.Buffered == s.Choice.Cached && reflect.DeepEqual(p.Profile, s.Profile)
}

// offersLast says whether the last run is saved and of something else than what is chosen now.
func (s State) offersLast() bool {
	return s.View.Result.ID != "" && s.View.Save == app.SaveDone && !s.Current()
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
