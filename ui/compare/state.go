// Package compare is what the Results room shows when drives and runs are set beside each other: bars of one quantity,
// curves laid over each other, the differences of two, and the list of what there is to compare with. The page is a
// function of its State; what the user does goes to Actions.
package compare

import (
	"slices"
	"strings"

	comparing "cachecliff/app/compare"
	"cachecliff/app/format"
	"cachecliff/app/reference"
	"cachecliff/app/words"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// Mode is a part of the page.
type Mode int

// The modes, in the order of their buttons.
const (
	Bars Mode = iota
	Curves
	Differences
	Drives
)

// modeWords are the IDs of their names.
var modeWords = []string{"compare.bars", "compare.curves", "compare.differences", "compare.drives"}

// Choice is what the user chose to see.
type Choice struct {
	Mode   Mode
	Metric string // ID; empty is the first that fits
	Share  bool   // amounts of data in percent of the capacity
	Only   bool   // the chosen drives only
	Class  reference.Class
	Size   int // index into sizes
	Kind   reference.Kind
	Curve  reference.CurveKind
	A, B   string // IDs of the two whose differences are shown; empty are the first two
	Search string // in the list of drives
}

// State is all that the page shows.
type State struct {
	On      bool // it is shown in place of the list of results
	Words   *words.Words
	Locale  format.Locale
	Version int               // counts changes of Drives and Chosen
	Drives  []reference.Drive // all: the runs that were asked for, then the reference drives
	Runs    int               // how many of the first drives are runs that were asked for
	Chosen  []string          // IDs of the drives that were asked for, in that order
	Choice  Choice
	Notice  part.Span
	Confirm bool // the chosen drives of the user are removed if the user says so again
}

// Actions is what the user can do. The methods are called on the UI goroutine and return at once.
type Actions interface {
	// LeaveCompare goes back to the results.
	LeaveCompare()
	// ChooseCompare changes what is seen.
	ChooseCompare(c Choice)
	// MarkDrive says whether a drive is among the chosen ones.
	MarkDrive(id string, on bool)
	// KeepReference makes the own run a reference drive under a name and a label.
	KeepReference(model, label string)
	// ImportReference asks for a file with a reference drive and takes it over.
	ImportReference()
	// ExportReferences writes each chosen drive to a file.
	ExportReferences()
	// RemoveReferences deletes those of the chosen drives that the user has kept. It asks first.
	RemoveReferences()
	// SavePicture saves a picture of the window.
	SavePicture()
}

// sizes are the capacities to choose from, GB: around what is sold. 0 is no bound.
var sizes = []struct{ about, lo, hi float64 }{{0, 0, 0}, {250, 0.001, 350}, {500, 350, 700}, {1000, 700, 1400}, {2000, 1400, 2800}, {4000, 2800, 0}}

// Own is the run that others are set beside; nil if there is none.
func (s State) Own() *reference.Drive {
	for _, id := range s.Chosen {
		if d := s.find(id); d != nil && d.Setup != nil {
			return d
		}
	}
	return nil
}

func (s State) own() string {
	if d := s.Own(); d != nil {
		return d.ID
	}
	return ""
}

func (s State) find(id string) *reference.Drive {
	i := slices.IndexFunc(s.Drives, func(d reference.Drive) bool { return d.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Drives[i]
}

// chosen are the drives that were asked for, in that order.
func (s State) chosen() []reference.Drive {
	var out []reference.Drive
	for _, id := range s.Chosen {
		if d := s.find(id); d != nil {
			out = append(out, *d)
		}
	}
	return out
}

// ranked are the drives that bars are made of.
func (s State) ranked() []reference.Drive {
	if s.Choice.Only {
		return s.chosen()
	}
	return s.Drives
}

// filter is that of the choice.
func (s State) filter() comparing.Filter {
	c := s.Choice
	f := comparing.Filter{Kind: c.Kind, MinGB: sizes[c.Size].lo, MaxGB: sizes[c.Size].hi}
	if c.Class != reference.ClassUnknown {
		f.Classes = []reference.Class{c.Class}
	}
	return f
}

// metrics are the quantities to choose from: those of the chosen drives first.
func (s State) metrics() []comparing.Count {
	all := comparing.Counts(s.Drives)
	mine := map[string]bool{}
	for _, d := range s.chosen() {
		for _, v := range d.Values {
			mine[v.Metric] = true
		}
	}
	slices.SortStableFunc(all, func(a, b comparing.Count) int {
		switch {
		case mine[a.Metric.ID] == mine[b.Metric.ID]:
			return 0
		case mine[a.Metric.ID]:
			return -1
		}
		return 1
	})
	return all
}

// metric is the quantity that is shown: the chosen one, or that of the chosen drives which most others have as well.
func (s State) metric() string {
	if s.Choice.Metric != "" {
		return s.Choice.Metric
	}
	best, most := "", 0
	mine := s.chosen()
	for _, c := range s.metrics() {
		has := len(mine) == 0
		for _, d := range mine {
			_, ok := d.Find(c.Metric.ID, reference.Measured)
			has = has || ok
		}
		if has && c.Measured > most {
			best, most = c.Metric.ID, c.Measured
		}
	}
	if best == "" && len(s.metrics()) > 0 {
		return s.metrics()[0].Metric.ID
	}
	return best
}

// kinds are the kinds of curves, in the order of their list.
var kinds = []reference.CurveKind{reference.CurveFill, reference.CurveThermalRate, reference.CurveTemperature}

// curveChoices are the curves to choose from, with the IDs of their names.
var curveChoices = []struct {
	kind  reference.CurveKind
	share bool
	words string
}{
	{reference.CurveFill, false, "compare.curve-fill"}, {reference.CurveFill, true, "compare.curve-fill-share"},
	{reference.CurveThermalRate, false, "compare.curve-rate"}, {reference.CurveTemperature, false, "compare.curve-temperature"},
}

// curve is the kind of curves that is shown: the chosen one, or the first that the chosen drives have.
func (s State) curve() reference.CurveKind {
	if s.Choice.Curve != "" {
		return s.Choice.Curve
	}
	for _, k := range kinds {
		if len(comparing.Lines(s.chosen(), s.own(), k)) > 0 {
			return k
		}
	}
	return kinds[0]
}

// pair are the two whose differences are shown; nil where there are no two.
func (s State) pair() (a, b *reference.Drive) {
	all := s.chosen()
	pick := func(id string, other string) *reference.Drive {
		for i := range all {
			if all[i].ID == id {
				return &all[i]
			}
		}
		for i := range all {
			if all[i].ID != other {
				return &all[i]
			}
		}
		return nil
	}
	if len(all) < 2 {
		return nil, nil
	}
	a = pick(s.Choice.A, s.Choice.B)
	return a, pick(s.Choice.B, a.ID)
}

// listed are the drives that the search leaves.
func (s State) listed() []reference.Drive {
	var out []reference.Drive
	words := strings.Fields(strings.ToLower(s.Choice.Search))
	for _, d := range s.Drives {
		text := strings.ToLower(d.Title() + " " + s.class(d.Class))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out = append(out, d)
		}
	}
	return out
}

// lookClass is the class of a drive by which its bar is coloured.
func lookClass(c reference.Class) look.Class {
	return map[reference.Class]look.Class{
		reference.ClassPCIe5: look.ClassPCIe5, reference.ClassPCIe4: look.ClassPCIe4, reference.ClassPCIe3: look.ClassPCIe3,
		reference.ClassExternal: look.ClassExternal, reference.ClassSATA: look.ClassSATA, reference.ClassHardDisk: look.ClassHardDisk,
	}[c]
}
