package drive

import (
	"unicode"
	"unicode/utf8"

	"cachecliff/app/condition"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
	"cachecliff/ui/facts"
	"cachecliff/ui/part"
)

// tone is the tone of a grade.
func tone(g condition.Grade) part.Tone {
	switch g {
	case condition.Good:
		return part.Good
	case condition.Caution:
		return part.Doubt
	case condition.Bad:
		return part.Bad
	}
	return part.Dim
}

// gradeSigns stand before a grade, for who does not see colours.
var gradeSigns = map[condition.Grade]string{condition.Good: facts.ValidSign, condition.Caution: "△", condition.Bad: "✕", condition.Unknown: "○"}

// upper is a word as a sentence begins with it.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Marks are what the end of the top bar shows of a drive: how warm and how well it is. What is not known is left
// out.
func Marks(w *words.Words, t *platform.Target, now facts.Now) []part.Mark {
	var out []part.Mark
	if now.MilliC != nil {
		out = append(out, part.Mark{Text: format.Temperature(*now.MilliC), Tone: heat(*now.MilliC, now.Warn, now.Critical)})
	}
	if now.Health != nil && len(t.Drives) > 0 {
		g := condition.Of(*now.Health, t.Drives[0]).Grade
		out = append(out, part.Mark{Sign: gradeSigns[g], Text: w.T("fact.health", "Grade", condition.Name(w, g)), Tone: tone(g)})
	}
	return out
}

// heat is the tone of a temperature, whose limits may be nil. All are thousandths of a degree Celsius.
func heat(milliC int32, warn, critical *int32) part.Tone {
	switch {
	case critical != nil && milliC >= *critical:
		return part.Bad
	case warn != nil && milliC >= *warn:
		return part.Doubt
	}
	return part.Plain
}
