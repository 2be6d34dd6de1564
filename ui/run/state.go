// Package run is the Benchmark page: what is tested and how, the button that starts it, the table, the
// line that says what goes on, and the chart. The page is a function of its State; what the user does
// goes to Actions. It starts nothing itself and keeps nothing.
package run

import (
	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// State is all that the page shows.
type State struct {
	Words     *words.Words
	Locale    format.Locale
	Profile   bench.Profile    // the chosen one with the user's changes applied
	Choice    Choice           // what the lists show as chosen
	Target    *platform.Target // nil while none is known
	Plan      *bench.Plan      // of All; nil if it cannot be run
	Refusal   string           // a sentence: why it cannot be run
	View      app.View         // the run that goes on, or the last one
	Last      bench.Plan       // what was started last
	Kept      []bench.Result   // runs of single rows before it, the newest first; shown dimmed
	Verdict   string           // how the last one ended; empty while none has
	Tone      part.Tone        // of the verdict
	Doubts    []part.Pill      // of the run that is shown
	Sentences []part.Span      // those about the whole run, in words
	Notice    part.Span        // what the last action brought
	Comment   string
}

// Choice is what the user chose.
type Choice struct {
	Profile  string // ID without "+mix"
	FileSize int64  // bytes
	Loops    int
	Unit     bench.Unit // never UnitUser
	MixPct   int        // share of reads in the mix column, percent; 0 is no such column
	Through  bool       // each write is on the medium before it counts as done
}

// Actions is what the user can do on the page. The methods are called on the UI goroutine and return at
// once.
type Actions interface {
	// Choose changes settings.
	Choose(c Choice)
	// SetUnit changes the unit of the table, also while a run goes on.
	SetUnit(u bench.Unit)
	// SetComment changes the comment of the run that is shown and of the next one.
	SetComment(s string)
	// Start runs these workloads of the profile, or all if there are none.
	Start(only []string)
	// Stop ends the run.
	Stop()
	// SavePicture saves the window and the card as pictures.
	SavePicture()
	// CopyText copies the result as text.
	CopyText()
	// StartCached runs what was started last once more, through the system's cache.
	StartCached()
	// OpenLast shows the last run on the Results page.
	OpenLast()
	// SaveAgain tries again to save a result that could not be saved; DiscardResult gives it up.
	SaveAgain()
	DiscardResult()
}

// Profiles are the choices of the list, without their mixes.
func Profiles() []bench.Profile {
	var out []bench.Profile
	for _, p := range bench.Builtin() {
		if _, mix := facts.CutMix(p.ID); !mix {
			out = append(out, p)
		}
	}
	return out
}

// Apply is the profile that a choice stands for; ok is false if there is none of that ID.
func (c Choice) Apply() (p bench.Profile, ok bool) {
	id := c.Profile
	if c.MixPct > 0 {
		id = facts.MixID(id)
	}
	if p, ok = bench.ByID(id); !ok {
		return p, false
	}
	return p.With(bench.Overrides{FileSize: c.FileSize, Loops: c.Loops, MixPct: c.MixPct}), true
}
