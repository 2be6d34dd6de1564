package run

import (
	"slices"
	"strconv"
	"strings"

	"cachecliff/app"
	"cachecliff/app/explain"
	"cachecliff/app/fillchart"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
	"cachecliff/ui/chart"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

const between = " · "

// Live says in one line what a run does now; empty if none goes on.
func Live(w *words.Words, v *app.View, l format.Locale) string {
	if !v.Running() {
		return ""
	}
	parts := []string{Doing(w, v, l)}
	if v.Phase == app.PhaseMeasuring && !v.Held {
		if live := v.Live(); live.Took > 0 {
			parts = append(parts, format.Rate(live.Read.Bytes+live.Write.Bytes, live.Took, l))
		}
	}
	parts = append(parts, costs(w, v, l)...)
	if t := v.Temperatures; v.Result.Plan.Profile.Filling != nil && len(t) > 0 {
		parts = append(parts, format.Temperature(t[0].MilliC))
	}
	return strings.Join(parts, between)
}

// costs is how long a run still takes and what it has written.
func costs(w *words.Words, v *app.View, l format.Locale) []string {
	var out []string
	f := v.Result.Plan.Profile.Filling
	switch left := v.Remaining(); {
	case v.Held: // for as long as the user likes
	case left > 0 && f != nil && f.After > 0: // it may end long before
		out = append(out, w.T("run.left-most", "Time", format.Remaining(left, l)))
	case left > 0:
		out = append(out, w.T("run.left", "Time", format.Remaining(left, l)))
	}
	if v.Written > 0 {
		out = append(out, w.T("run.written", "Bytes", format.VolumeSize(v.Written, l)))
	}
	return out
}

// Doing names the step of a run.
func Doing(w *words.Words, v *app.View, l format.Locale) string {
	switch {
	case v.Stopping:
		return w.T("run.stopping")
	case v.Phase == app.PhasePreparing && v.PrepareTotal > 0:
		return w.T("run.preparing", "Done", format.FileSize(v.Prepared, l), "Total", format.FileSize(v.PrepareTotal, l))
	case v.Phase == app.PhasePreparing:
		return w.T("run.starting")
	case v.Phase == app.PhaseFinishing, v.Step == nil:
		return w.T("run.finishing")
	case v.Result.Plan.Profile.Filling != nil:
		return filling(w, v, l)
	}
	test, _ := workload(v.Result.Plan.Profile, v.Step.Workload)
	name := TestName(w, test)
	switch {
	case v.Phase == app.PhaseResting:
		return w.T("run.resting", "Time", format.Duration(v.Step.Rest, l), "Test", name)
	case v.Step.Discarded():
		return name + between + w.T("run.discarded")
	}
	return name + between + w.T("run.loop", "Loop", strconv.Itoa(v.Step.Loop), "Loops", strconv.Itoa(v.Result.Plan.Profile.Loops))
}

// filling names the step of a filling, and how far it is.
func filling(w *words.Words, v *app.View, l format.Locale) string {
	s, p := v.Step, v.Result.Plan.Profile
	pass := w.T("run.pass", "Pass", strconv.Itoa(s.Pass), "Passes", strconv.Itoa(len(p.Filling.Again)+1))
	if p.Loops > 1 {
		pass += between + w.T("run.repeat", "Repeat", fillchart.Roman(s.Loop), "Repeats", fillchart.Roman(p.Loops))
	}
	switch s.Kind {
	case bench.StepDelete:
		return pass + between + w.T("run.deleting", "Share", format.Percent(float64(s.Share)/100, l))
	case bench.StepRest:
		return pass + between + w.T("run.rests", "Time", format.Duration(s.Rest, l))
	}
	if v.Held {
		pass += between + w.T("run.held")
	}
	return pass + between + w.T("run.filling", "Done", format.VolumeSize(v.StepWritten()/1e8*1e8, l), "Total", format.About(s.Bytes, l))
}

// TestName is what a table calls a workload: "RND4K Q32T1 read".
func TestName(w *words.Words, test bench.Workload) string {
	if test.ID == "" {
		return ""
	}
	return test.Spec.Label() + between + w.T("direction."+string(test.Spec.Direction()))
}

func workload(p bench.Profile, id string) (bench.Workload, bool) {
	for _, w := range p.Workloads {
		if w.ID == id {
			return w, true
		}
	}
	return bench.Workload{}, false
}

// Tone is the tone of a sentence about how a run ended.
func Tone(r bench.Reason) part.Tone {
	switch r {
	case bench.ReasonDone:
		return part.Good
	case bench.ReasonFailed:
		return part.Bad
	}
	return part.Doubt
}

// Doubts are the badges of a run, each with what it stands for.
func Doubts(w *words.Words, r *bench.Result) []part.Pill {
	var pills []part.Pill
	for _, n := range notes(w, explain.Doubts(w, r.Warnings)) {
		same := func(p part.Pill) bool { return p.Level == n.Level && p.Word == n.Word }
		if i := slices.IndexFunc(pills, same); i >= 0 {
			pills[i].Notes = append(pills[i].Notes, n)
		} else {
			pills = append(pills, part.Pill{Level: n.Level, Word: n.Word, Notes: []part.Note{n}})
		}
	}
	return pills
}

// Sentences are the doubts about a whole run in words. A doubt about one number is explained at it.
func Sentences(w *words.Words, r *bench.Result) []part.Span {
	var out []part.Span
	for _, m := range explain.Marks(w, r, "") {
		out = append(out, part.Span{Text: m.Sentence, Tone: part.LevelTone(level(m.Level))})
	}
	return out
}

// level is a level as badges have it.
func level(l bench.Level) chart.Level {
	return map[bench.Level]chart.Level{
		bench.LevelNote: chart.Note, bench.LevelDoubt: chart.Doubt, bench.LevelInvalid: chart.Invalid,
	}[l]
}

// Cost is the price of a plan in one line: time, bytes written at most, space left after it.
func Cost(w *words.Words, p *bench.Plan, l format.Locale) string {
	e := p.Estimate()
	return facts.Join(w.T("run.cost", "Time", format.Duration(e.Time, l), "Bytes", format.About(e.WrittenMax, l),
		"Free", format.VolumeSize(p.Target.Volume.Free-p.Profile.FileSize, l)), facts.Access(w, p))
}

// NoDrive says of a target that no drive will be measured, and why; empty if one lies behind it.
func NoDrive(w *words.Words, t *platform.Target) string {
	switch {
	case t.Volume.FS == "tmpfs" || t.Volume.FS == "ramfs":
		return w.T("run.in-memory", "FS", t.Volume.FS)
	case len(t.Drives) == 0:
		return w.T("run.no-drive", "FS", t.Volume.FS)
	}
	return ""
}
