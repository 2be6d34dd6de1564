package explain

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
)

// Mark is one doubt as it is shown beside a number.
type Mark struct {
	Code     bench.WarningCode
	Level    bench.Level
	Value    float64 // in the unit that the code names
	Title    string  // one to three words, for a badge: "too short"
	Sentence string  // what was found, in plain words and with its figure, without a full stop
	Advice   string  // what the reader can do, in full sentences
}

// Marks are the doubts about the numbers of a workload, given by its ID: its own and those about the whole
// run, the worst level first. With an empty workload they are those about the whole run alone. A number
// without marks of the levels doubt and invalid is valid.
func Marks(w *words.Words, r *bench.Result, workload string) []Mark {
	var out []Mark
	for _, x := range r.Warnings {
		if x.Workload != "" && x.Workload != workload {
			continue
		}
		if m := mark(w, x); !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Mark) int { return cmp.Compare(rank(b.Level), rank(a.Level)) })
	return out
}

// rank puts the levels in order.
func rank(l bench.Level) int {
	return slices.Index([]bench.Level{bench.LevelNote, bench.LevelDoubt, bench.LevelInvalid}, l)
}

func mark(w *words.Words, x bench.Warning) Mark {
	m := warning(w, x)
	return Mark{
		Code: x.Code, Level: x.Code.Level(), Value: x.Value,
		Title: Badge(w, x.Code), Sentence: capital(m.Title), Advice: m.Advice,
	}
}

// Badge is a doubt in one to three words.
func Badge(w *words.Words, c bench.WarningCode) string {
	if id := "doubt." + string(c); w.Has(id) {
		return w.T(id)
	}
	return w.T("doubt.unknown")
}

// Warnings explains doubts as Doubts does, as messages.
func Warnings(w *words.Words, all []bench.Warning) []Message {
	var out []Message
	for _, d := range Doubts(w, all) {
		out = append(out, Message{Title: d.Sentence, Advice: d.Advice})
	}
	return out
}

// Doubts explains doubts, those of one kind about several workloads together with the worst value, in the order
// in which they were first told. The sentence names the workloads.
func Doubts(w *words.Words, all []bench.Warning) []Mark {
	type kind struct {
		code bench.WarningCode
		text string
	}
	var out []Mark
	told := map[kind]bool{}
	for _, x := range all {
		if x.Workload == "" {
			if m := mark(w, x); !slices.Contains(out, m) {
				out = append(out, m)
			}
			continue
		}
		this := kind{x.Code, x.Text}
		if told[this] {
			continue
		}
		told[this] = true
		var tests []string
		for _, y := range all {
			if this == (kind{y.Code, y.Text}) && y.Workload != "" {
				tests = append(tests, Workload(w, y.Workload))
				x.Value = worse(x.Code, x.Value, y.Value)
			}
		}
		m := mark(w, x)
		m.Sentence = strings.Join(tests, ", ") + ": " + warning(w, x).Title
		out = append(out, m)
	}
	return out
}

// worse is the value that says more of two of a kind: shares that should be whole are worse when small.
func worse(c bench.WarningCode, a, b float64) float64 {
	if c == bench.WarnCached || c == bench.WarnCacheEnded || c == bench.WarnShort || c == bench.WarnRateMissed {
		return min(a, b)
	}
	return max(a, b)
}

// Workload is a workload's ID in words: "RND4K Q32T1 · Read".
func Workload(w *words.Words, id string) string {
	parts := strings.Split(id, "-")
	last := len(parts) - 1
	if key := "direction." + parts[last]; last > 0 && w.Has(key) {
		return strings.ToUpper(strings.Join(parts[:last], " ")) + " · " + w.T(key)
	}
	return id
}

// warning is a doubt in words. Its title may stand behind a colon.
func warning(w *words.Words, x bench.Warning) Message {
	id, text := "warning."+string(x.Code), x.Text
	if special := id + "-" + text; w.Has(special + ".title") {
		id = special // one doubt that came about in another way, or of a file system of which there is more to say
	} else if !w.Has(id + ".title") {
		id, text = "warning.unknown", strings.TrimSpace(string(x.Code)+" "+x.Text)
	}
	l := locale(w)
	return message(w, id, "Text", text, "Count", format.Integer(int64(x.Value), l), "Size", format.About(int64(x.Value), l), "Span", format.FileSize(int64(x.Value), l),
		"Share", format.Percent(x.Value, l), "Time", format.Duration(time.Duration(min(max(x.Value, 0), 1e9)*float64(time.Second)), l), "Rate", format.MBPerSecond.Text(x.Value, l),
		"Temperature", format.Temperature(int32(min(max(x.Value, -273), 1e6)*1000)))
}

// capital makes the first letter of a sentence a capital one.
func capital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}
