package run

import (
	"errors"
	"slices"
	"strconv"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/chart"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
	"cachecliff/ui/sheet"
	"cachecliff/ui/table"
)

// list is one list of choices.
type list struct {
	texts  []string
	chosen int
}

// lists is all choices of the page with the values behind them.
type lists struct {
	profile, size, loops, unit, mix list
	sizes                           []int64
	counts, shares                  []int
}

// maxOffered is the largest number of loops in the list, as CrystalDiskMark has it.
const maxOffered = 9

func (s State) lists() lists {
	l := lists{sizes: bench.FileSizes()}
	if !slices.Contains(l.sizes, s.Choice.FileSize) { // set by hand
		l.sizes = slices.Sorted(slices.Values(append(l.sizes, s.Choice.FileSize)))
	}
	for i, p := range Profiles() {
		l.profile.texts = append(l.profile.texts, s.Words.T("profile."+p.ID))
		if p.ID == s.Choice.Profile {
			l.profile.chosen = i
		}
	}
	for _, n := range l.sizes {
		l.size.texts = append(l.size.texts, format.FileSize(n, s.Locale))
	}
	l.size.chosen = slices.Index(l.sizes, s.Choice.FileSize)
	for n := 1; n <= max(maxOffered, s.Choice.Loops); n++ {
		l.counts = append(l.counts, n)
		l.loops.texts = append(l.loops.texts, strconv.Itoa(n)+"×")
	}
	l.loops.chosen = s.Choice.Loops - 1
	for _, u := range bench.Units() {
		l.unit.texts = append(l.unit.texts, string(u))
	}
	l.unit.chosen = slices.Index(bench.Units(), s.Choice.Unit)
	l.shares = []int{0, 90, 80, 70, 60, 50, 40, 30, 20, 10}
	if !slices.Contains(l.shares, s.Choice.MixPct) { // set by hand
		l.shares = append(l.shares, s.Choice.MixPct)
	}
	for _, n := range l.shares {
		l.mix.texts = append(l.mix.texts, s.mixName(n))
	}
	l.mix.chosen = slices.Index(l.shares, s.Choice.MixPct)
	return l
}

func (s State) mixName(share int) string {
	if share == 0 {
		return s.Words.T("run.no-mix")
	}
	return s.Words.T("table.mix", "Read", strconv.Itoa(share), "Write", strconv.Itoa(100-share))
}

// sheet is the table: the chosen profile with the numbers of the run that is shown.
func (s State) sheet() sheet.Sheet {
	var outcomes []bench.Outcome
	running := ""
	shown := s.Shown()
	if shown != nil {
		outcomes = shown.Outcomes()
		if s.View.Step != nil && s.View.Step.Kind == bench.StepLoad {
			running = s.View.Step.Workload
		}
	}
	out := sheet.Make(s.Profile, outcomes, s.Choice.Unit, running, s.Locale)
	if live := s.View.Live(); running != "" && live.Took > 0 {
		out.SetLive(running, live.Read.Bytes+live.Write.Bytes, live.Read.Ops+live.Write.Ops,
			live.Read.SumLat+live.Write.SumLat, live.Took, s.Locale)
	}
	if shown != nil {
		out.Judge(shown)
	}
	for _, r := range s.Kept {
		earlier := sheet.Make(s.Profile, r.Outcomes(), s.Choice.Unit, "", s.Locale)
		earlier.Judge(&r)
		out.Fill(earlier)
	}
	return out
}

// words are the table's words.
func (s State) words() table.Words { return TableWords(s.Words, s.Locale, s.Profile) }

// TableWords are the words of a profile's table in the user's language.
func TableWords(w *words.Words, l format.Locale, p bench.Profile) table.Words {
	return table.Words{
		Heads: facts.Heads(w, p), Median: w.T("table.median"), Range: w.T("table.range"), LowerIsBetter: w.T("table.lower"),
		Scale: w.T("table.scale", "Low", format.Tick(chart.BarMin, l), "High", format.Tick(chart.BarMax, l)),
		Lang:  w.Lang(),
		Explain: func(doubts []bench.Warning, workload string) []part.Note {
			return notes(w, explain.Marks(w, &bench.Result{Warnings: doubts}, workload))
		},
	}
}

// notes are doubts as a tip tells them.
func notes(w *words.Words, marks []explain.Mark) []part.Note {
	var out []part.Note
	for _, m := range marks {
		out = append(out, part.Note{
			Level: level(m.Level), Word: m.Title, Kind: w.T("mark." + string(m.Level)), Text: m.Sentence + ".", Advice: m.Advice,
		})
	}
	return out
}

// tableTarget is the target whose numbers the table shows.
func (s State) tableTarget() *platform.Target {
	if r := s.Shown(); r != nil {
		return &r.Plan.Target
	}
	return s.Target
}

// offersCache says whether the last run failed because the file system takes no direct I/O: it can be
// run through the cache if the user agrees.
func (s State) offersCache() bool {
	return !s.View.Running() && s.Current() && s.Plan != nil && errors.Is(s.View.Err, platform.ErrNoDirectIO)
}
