package ui

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cachecliff/app/explain"
	"cachecliff/app/words"
	"cachecliff/assets"
	"cachecliff/bench"
	"cachecliff/ui/part"
)

// sentences are all faults and refusals of a language, each with its advice, about a long path.
func sentences(t *testing.T, lang string) []string {
	t.Helper()
	data, err := assets.Translations.ReadFile(path.Join("translations", lang+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var out []string
	for id, title := range all {
		name, isTitle := strings.CutSuffix(id, ".title")
		if advice, ok := all[name+".advice"].(string); isTitle && ok {
			text := title.(string) + ". " + advice
			text = regexp.MustCompile(`{{\.(Object|Path|Cause)}}`).ReplaceAllString(text, "/home/anna-maria.schulze/Projekte/2026/Messungen")
			out = append(out, regexp.MustCompile(`{{.*?}}`).ReplaceAllString(text, "123.4 GB"))
		}
	}
	return out
}

// whole fails if a sentence on the screen is cut, or if the parts of a page lie over each other.
func (b *bed) whole(t *testing.T, what string) {
	t.Helper()
	for _, s := range texts(b.win.Content()) {
		if strings.HasSuffix(s, "…") && !strings.HasSuffix(s, " …") {
			t.Errorf("%s: cut: %q", what, s)
		}
	}
	walk(b.win.Content(), func(o fyne.CanvasObject) {
		c, ok := o.(*fyne.Container)
		if !ok {
			return
		}
		if p, ok := c.Layout.(*part.Page); ok && p.Above != nil && p.Above.Position().Y+p.Above.Size().Height > p.Below.Position().Y {
			t.Errorf("%s: what is above the middle lies over what is below it", what)
		}
	})
}

// Whatever goes wrong, it is told in full, also in the smallest window and in both languages.
func TestSentencesAreNotCut(t *testing.T) {
	for _, lang := range words.Languages() {
		b := open(t, func(d *Deps, _ *bed) { d.Language = lang })
		b.win.Resize(fyne.NewSize(MinWidth, MinHeight))
		r := done(t, "cdm-default").Result
		b.library.results[r.ID] = r
		for _, text := range sentences(t, lang) {
			b.OpenRoom(Benchmark)
			b.judge()
			b.say(Benchmark, part.Bad, func() string { return text })
			b.show()
			b.whole(t, "notice")
			v := done(t, "cdm-default")
			b.showView(v)
			b.hush()
			b.state.Run.Verdict, b.state.Run.Tone = text, part.Bad
			b.state.Run.Sentences = nil
			for _, m := range explain.Warnings(b.words, []bench.Warning{{Code: bench.WarnBuffered}, {Code: bench.WarnBattery}}) {
				b.state.Run.Sentences = append(b.state.Run.Sentences, part.Span{Text: m.Title, Tone: part.Doubt})
			}
			b.show()
			b.whole(t, "verdict")
			b.OpenRoom(Results)
			b.say(Results, part.Bad, func() string { return text })
			b.show()
			b.whole(t, "notice of the list")
			b.Open(r.ID)
			b.say(Results, part.Bad, func() string { return text })
			b.state.Results.Open.Reason = bench.ReasonFailed
			b.state.Results.Verdict = text
			b.show()
			b.whole(t, "open run")
		}
	}
}
