// Package explain turns errors, refusals, warnings and failures into sentences for the user: a title
// that names the thing, and an advice that names the way out. The texts are in package words; the
// table here says which belongs to what.
package explain

import (
	"errors"
	"path/filepath"
	"strings"

	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// Message is what a user reads.
type Message struct {
	Title  string // one sentence without a full stop, naming the thing
	Advice string // what to do now
	Detail string // what the system said, in its own words; empty if there is no more to know
}

// String is title and advice as running text.
func (m Message) String() string {
	if m.Title == "" {
		return ""
	}
	return m.Title + ". " + m.Advice
}

// Error explains an error; the zero Message for nil. What the store or the system says counts before
// what is wrong inside: a damaged file is not a test that the user asked for.
func Error(w *words.Words, err error) Message {
	if err == nil {
		return Message{}
	}
	var save *app.SaveError
	if errors.As(err, &save) {
		cause := Error(w, save.Err)
		return Message{
			Title:  w.T("error.save.title", "Cause", cause.Title),
			Advice: w.T("error.save.advice"), Detail: cause.Detail,
		}
	}
	id := key(err)
	var plan *bench.PlanError
	if id == unknown && errors.As(err, &plan) {
		return planError(w, plan)
	}
	if specs := specErrors(err); id == unknown && len(specs) > 0 {
		return specMessage(w, specs, err)
	}
	m := message(w, id, "Object", object(w, err))
	var op *platform.OpError
	switch system := errors.As(err, &op) && op.Err != nil; {
	case id == storeFolder:
		m = folderMessage(w, err)
	case id == unknown && system: // only the system has words for it
		m = message(w, "error.system", "Object", object(w, err), "Detail", systemWords(op))
	}
	m.Detail = err.Error()
	return m
}

// storeFolder is the message of a folder that cannot take results.
const storeFolder = "error.store-folder"

// folderMessage says why a folder cannot take results: what helps depends on that.
func folderMessage(w *words.Words, err error) Message {
	m := message(w, storeFolder, "Object", object(w, err))
	var op *platform.OpError
	switch {
	case errors.Is(err, platform.ErrNoSpace), errors.Is(err, platform.ErrQuota):
		m.Advice = w.T("error.store-folder-no-space.advice")
	case errors.Is(err, platform.ErrPermission):
		m.Advice = w.T("error.store-folder-permission.advice")
	case errors.As(err, &op) && op.Err != nil:
		m.Title = w.T("error.store-folder-system.title", "Object", object(w, err), "Detail", systemWords(op))
	}
	return m
}

// systemWords are what the system said, without the period that Windows ends its sentences with.
func systemWords(op *platform.OpError) string { return strings.TrimRight(root(op.Err).Error(), ". ") }

// Failure explains how a run failed; the zero Message for nil.
func Failure(w *words.Words, f *bench.Failure) Message { return Error(w, f.Err()) }

// Refusal explains why a target cannot be used; the zero Message if it can.
func Refusal(w *words.Words, t platform.Target) Message {
	if t.Refusal == platform.Usable {
		return Message{}
	}
	id := "refusal." + string(t.Refusal)
	if !w.Has(id + ".title") {
		id = "refusal.unknown"
	}
	return message(w, id, "Path", t.Path, "FS", t.Volume.FS, "Free", format.About(t.Volume.Free, locale(w)))
}

// Reason says how a run ended, in a few words.
func Reason(w *words.Words, r bench.Reason) string {
	if id := "reason." + string(r); w.Has(id) {
		return w.T(id)
	}
	return w.T("reason.unknown")
}

func message(w *words.Words, id string, pairs ...any) Message {
	return Message{Title: w.T(id+".title", pairs...), Advice: w.T(id+".advice", pairs...)}
}

func planError(w *words.Words, e *bench.PlanError) Message {
	if e.Code == bench.PlanBadTarget {
		return Refusal(w, e.Target)
	}
	l := locale(w)
	if e.Code == bench.PlanNotEmpty {
		return message(w, "error.plan-not-empty", "Path", e.Target.Path, "Used", format.About(e.Target.Volume.Used, l))
	}
	switch e.Code {
	case bench.PlanNoSource:
		return message(w, "error.plan-no-source", "Source", e.Source)
	case bench.PlanGrows, bench.PlanNoRights, bench.PlanNoTable:
		return message(w, "error.plan-"+string(e.Code), "Path", e.Target.Path, "Source", e.Source)
	case bench.PlanInside:
		return message(w, "error.plan-inside", "Path", e.Target.Path, "Source", e.Source)
	}
	if e.Copies {
		return message(w, "error.plan-no-room", "Path", e.Target.Path, "Need", format.About(e.Need, l),
			"Free", format.About(e.Target.Volume.Free, l), "Reserve", format.About(e.Reserve, l))
	}
	return message(w, "error.plan-no-space", "Path", e.Target.Path, "Need", format.FileSize(e.Need, l),
		"Free", format.About(e.Target.Volume.Free, l), "Reserve", format.About(e.Reserve, l))
}

// specErrors collects the faults of a Spec from all branches of an error.
func specErrors(err error) []*bench.SpecError {
	var out []*bench.SpecError
	var many interface{ Unwrap() []error }
	var one *bench.SpecError
	// The outermost join is taken apart; below it there is one fault in each branch.
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			out = append(out, specErrors(e)...)
		}
		return out
	}
	if errors.As(err, &one) {
		out = append(out, one)
	}
	return out
}

// specMessage gives the rule for each field that is wrong, once.
func specMessage(w *words.Words, specs []*bench.SpecError, err error) Message {
	var rules []string
	seen := map[string]bool{}
	for _, s := range specs {
		id := specID(s.Field)
		if !seen[id] {
			seen[id] = true
			rules = append(rules, w.T(id))
		}
	}
	return Message{Title: w.T("error.spec.title"), Advice: strings.Join(rules, " "), Detail: err.Error()}
}

// specAliases are the names that the notation has for fields with a longer name.
var specAliases = map[string]string{"warm": "warm-up", "time": "measuring-time", "limit": "byte-limit"}

// specID is the message for a field of a Spec.
func specID(field string) string {
	name := strings.ReplaceAll(field, " ", "-")
	if long, ok := specAliases[name]; ok {
		name = long
	}
	return "error.spec." + name
}

// testFile is how the names of test files begin, where the file system has no nameless ones.
const testFile = ".cachecliff-test-"

// object is the thing that an error is about. A test file stands for the folder that the user chose.
func object(w *words.Words, err error) string {
	var op *platform.OpError
	if !errors.As(err, &op) || op.Object == "" {
		return w.T("error.thing")
	}
	if strings.HasPrefix(filepath.Base(op.Object), testFile) {
		return filepath.Dir(op.Object)
	}
	return op.Object
}

// root is what the system said, without the operations and names that were put before it on its way.
func root(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

func locale(w *words.Words) format.Locale {
	if w.Lang() == words.German {
		return format.DE
	}
	return format.EN
}
