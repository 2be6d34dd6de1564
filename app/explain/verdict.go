package explain

import (
	"slices"
	"strings"

	"cachecliff/app/compare"
	"cachecliff/app/format"
	"cachecliff/app/reference"
	"cachecliff/app/words"
	"cachecliff/bench"
)

// Verdict says in a few sentences what is good and what is not about the drive that a result is of: the doubts first,
// then where it stands in its class and against what its maker rates, each with the numbers that it is judged by. The
// drives are those of a reference.Library. It is empty if the result has no number.
func Verdict(w *words.Words, r *bench.Result, all []reference.Drive) []string {
	own, err := reference.FromResult(r, "")
	if err != nil {
		return nil
	}
	v := verdict{w: w, own: own}
	v.doubts(r)
	standings := compare.Standings(own, all)
	v.class(standings)
	v.rated(standings)
	return v.sentences
}

// Found is what a fill showed, and how its cache compares with those of its class; without the second part where the
// class is not known, or nothing to compare with. The drives are those of a reference.Library.
func Found(w *words.Words, r *bench.Result, all []reference.Drive) string {
	text := Fill(w, r)
	own, err := reference.FromResult(r, "")
	if text == "" || err != nil || own.Class == reference.ClassUnknown {
		return text
	}
	standings := compare.Standings(own, all)
	i := slices.IndexFunc(standings, func(s compare.Standing) bool {
		return s.Known() && strings.HasPrefix(s.Metric.ID, "slc_cache_gb_fill") && s.Own.Qualifier != reference.MoreThan
	})
	if i < 0 {
		return text
	}
	s := standings[i]
	id := map[int]string{1: "verdict.cache-good", 0: "verdict.cache-usual", -1: "verdict.cache-weak"}[s.Side]
	return text + " " + w.T(id, "Class", Class(w, own.Class), "Own", Amount(w, s.Amount, s.Unit), "Others", s.Others, "Median", Amount(w, s.Median, s.Unit))
}

// verdict collects the sentences about a result.
type verdict struct {
	w         *words.Words
	own       reference.Drive
	sentences []string
}

func (v *verdict) say(id string, pairs ...any) {
	v.sentences = append(v.sentences, v.w.T(id, pairs...))
}

// doubts names what makes numbers doubtful, and that the run is not whole.
func (v *verdict) doubts(r *bench.Result) {
	var names []string
	invalid := false
	for _, d := range Doubts(v.w, r.Warnings) {
		if d.Level != bench.LevelNote {
			names = append(names, d.Title)
			invalid = invalid || d.Level == bench.LevelInvalid
		}
	}
	if len(names) > 0 {
		v.say("verdict.doubts", "Doubts", strings.Join(unique(names), ", "))
	}
	if invalid {
		v.say("verdict.invalid")
	}
	if r.Reason != bench.ReasonDone {
		v.say("verdict.partial", "Reason", Reason(v.w, r.Reason))
	}
}

// unique leaves out what was there before.
func unique(names []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			out = append(out, n)
		}
		seen[n] = true
	}
	return out
}

// class says where the drive is better than the middle of its class, where it is worse, and where it is as usual.
func (v *verdict) class(standings []compare.Standing) {
	if v.own.Class == reference.ClassUnknown {
		v.say("verdict.no-class")
		return
	}
	class := Class(v.w, v.own.Class)
	lists := map[int][]string{}
	for _, s := range standings {
		if s.Known() {
			lists[s.Side] = append(lists[s.Side], v.standing(s))
		}
	}
	if len(lists) == 0 {
		v.say("verdict.no-values", "Class", class)
		return
	}
	if list := lists[1]; len(list) > 0 {
		v.say("verdict.good", "Class", class, "List", strings.Join(list, "; "))
	}
	if list := lists[-1]; len(list) > 0 {
		v.say("verdict.weak", "Class", class, "List", strings.Join(list, "; "))
	}
	if list := lists[0]; len(list) > 0 {
		v.say("verdict.usual", "Class", class, "List", strings.Join(list, "; "))
	}
	v.say("verdict.basis")
}

// standing is a metric with the own value and the middle of the class.
func (v *verdict) standing(s compare.Standing) string {
	middle := Amount(v.w, s.Median, s.Unit)
	own := Value(v.w, s.Own)
	if s.Unit != s.Metric.Unit {
		own = v.w.T("verdict.share", "Amount", own, "Share", Amount(v.w, s.Amount, s.Unit))
	}
	return v.w.T("verdict.standing", "Metric", Metric(v.w, s.Own), "Own", own, "Others", s.Others, "Median", middle)
}

// rated says how much of what the maker promises was reached.
func (v *verdict) rated(standings []compare.Standing) {
	var list []string
	for _, s := range standings {
		if s.Rated == nil || s.Rated.Value <= 0 {
			continue
		}
		reached := format.Percent(s.Own.Value/s.Rated.Value, locale(v.w))
		list = append(list, v.w.T("verdict.rated-item", "Metric", Metric(v.w, s.Own), "Own", Value(v.w, s.Own), "Percent", reached, "Rated", Amount(v.w, s.Rated.Value, s.Rated.Unit)))
	}
	if len(list) > 0 {
		v.say("verdict.rated", "List", strings.Join(list, "; "))
	}
}
