// Package results is the Results page: the list of all runs, and one of them opened with its table, its
// chart and what can be done with it. The page is a function of its State; what the user does goes to
// Actions.
package results

import (
	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
	"cachecliff/ui/sheet"
)

// State is all that the page shows.
type State struct {
	Words     *words.Words
	Locale    format.Locale
	Unit      bench.Unit // never UnitUser
	Reading   bool       // the list is being read
	Entries   []store.Entry
	Fault     error         // why there is no list
	Open      *bench.Result // the run that is open; nil shows the list
	Verdict   string        // how the open run ended
	Tone      part.Tone
	Doubts    []part.Pill
	Sentences []part.Span // those about the whole run, in words
	Findings  []part.Span // what a filling found
	Level     bool        // the chart of a filling is over the fill level, not over what was written
	Damaged   string      // ID of the entry that could not be opened
	Confirm   string      // ID of the run that will be deleted if the user says so again
	Deleted   string      // ID of the run that was deleted last and can be brought back
	Notice    part.Span   // what the last action brought

	Explain func(error) string // a sentence for an error of an entry
}

// Kind is a form in which a run leaves the program.
type Kind string

// The forms.
const (
	Text    Kind = "text"
	CSV     Kind = "csv"
	JSON    Kind = "json"
	Picture Kind = "picture"
	Drawing Kind = "svg" // the chart of a filling
)

// Kinds lists them in the order of the buttons.
func Kinds() []Kind { return []Kind{Picture, Drawing, Text, CSV, JSON} }

// Actions is what the user can do on the page. The methods are called on the UI goroutine and return at
// once.
type Actions interface {
	// Open opens a run of the list; an empty ID goes back to the list.
	Open(id string)
	// Export saves the open run.
	Export(k Kind)
	// SetLevel chooses what the chart of a filling is over: the fill level, or what was written.
	SetLevel(on bool)
	// AskDelete asks whether a run is to be deleted; an empty ID takes the question back.
	AskDelete(id string)
	// Delete deletes a run, which can be brought back for some days.
	Delete(id string)
	// Compare shows runs beside each other and beside the reference drives; without any, those.
	Compare(ids []string)
	// Restore brings the run back that was deleted last.
	Restore(id string)
}

// line is an entry as the list shows it.
type line struct {
	title, detail, numbers, end string
	bad                         bool
}

func (s State) line(e store.Entry) line {
	when := e.At.Local().Format(s.Words.T("fact.date"))
	if e.Err != nil {
		return line{title: e.ID, detail: facts.Join(when, s.Explain(e.Err)), end: s.Words.T("results.damaged"), bad: true}
	}
	l := line{
		title:  facts.Join(e.Model, e.Path),
		detail: facts.Join(when, s.profile(e), e.Row, facts.FileSize(s.Words, e.Size, e.Fill != nil, s.Locale), e.Comment),
	}
	var numbers []string
	for _, h := range e.Headlines {
		if h.Direction == bench.DirMix && len(e.Headlines) > 1 {
			continue // there is room for two
		}
		number := format.MBPerSecond.Text(h.Best, s.Locale)
		if h.Invalid {
			number = s.Words.T("results.invalid")
		}
		numbers = append(numbers, s.Words.T("direction."+string(h.Direction))+" "+number)
	}
	if e.Fill != nil {
		numbers = append(numbers, s.cache(*e.Fill))
	}
	l.numbers = facts.Join(numbers...)
	if e.Reason != bench.ReasonDone {
		l.end, l.bad = s.Words.T("reason."+string(e.Reason)), e.Reason == bench.ReasonFailed
	}
	return l
}

// cache is what a filling found, in a few words.
func (s State) cache(f store.FillSummary) string {
	size := func(n int64) string { return format.About(n, s.Locale) }
	switch {
	case f.Invalid:
		return s.Words.T("results.invalid")
	case f.Most > 0:
		return s.Words.T("results.cache-range", "Least", size(f.Least), "Most", size(f.Most))
	case f.Cache > 0:
		return s.Words.T("results.cache", "Size", size(f.Cache))
	}
	return s.Words.T("results.no-cliff", "Size", size(f.Written))
}

// profile is the translated name of an entry's profile.
func (s State) profile(e store.Entry) string {
	p, ok := bench.ByID(e.Profile)
	if !ok {
		return e.Title
	}
	base, mix := facts.CutMix(p.ID)
	name := s.Words.T("profile." + base)
	if mix {
		name += " + " + s.Words.T("direction.mix")
	}
	return name
}

// sheet is the table of the open run.
func (s State) sheet() sheet.Sheet {
	out := sheet.Make(s.Open.Plan.Profile, s.Open.Outcomes(), s.Unit, "", s.Locale)
	out.Judge(s.Open)
	return out
}
