package ui

import (
	"encoding/json"
	"image"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cachecliff/app/words"
	"cachecliff/assets"
	"cachecliff/bench"
	"cachecliff/ui/look"
	"cachecliff/ui/part"
)

// hints are the areas of the window that explain themselves, in reading order.
func (b *bed) hints() []*part.Hint {
	var out []*part.Hint
	walk(b.win.Content(), func(o fyne.CanvasObject) {
		if h, ok := o.(*part.Hint); ok {
			out = append(out, h)
		}
	})
	return out
}

// marks are those of them that are numbers of the table, the others are badges.
func (b *bed) marks() []*part.Hint {
	return slices.DeleteFunc(b.hints(), func(h *part.Hint) bool { return h.Size().Height <= look.PillHeight })
}

// tip is what the tip says; empty if there is none.
func (b *bed) tip() string { return plain(b.frame.tips.Text()) }

// doubtful opens a window that shows a run with doubts.
func doubtful(t *testing.T, lang string, doubts ...bench.Warning) *bed {
	t.Helper()
	b := open(t, func(d *Deps, _ *bed) { d.Language = lang })
	b.win.Resize(fyne.NewSize(MinWidth, MinHeight))
	v := done(t, "cdm-default")
	v.Result.Warnings = doubts
	b.runs.view = v
	b.library.results[v.Result.ID] = v.Result
	b.showView(v)
	return b
}

// rest lets the mouse rest on an area for a time.
func rest(h *part.Hint, d time.Duration) {
	h.MouseIn(nil)
	time.Sleep(d)
	synctest.Wait()
}

// A number with a doubt explains itself when the mouse rests on it, and only it.
func TestTipOnHover(t *testing.T) {
	b := doubtful(t, words.English, bench.Warning{Code: bench.WarnNoisy, Workload: "seq1m-q1t1-write", Value: 0.4})
	hints := b.marks()
	if len(hints) != 1 {
		t.Fatalf("%d numbers have a mark, want 1", len(hints))
	}
	synctest.Test(t, func(t *testing.T) {
		if rest(hints[0], 100*time.Millisecond); b.tip() != "" {
			t.Errorf("a mouse that passes by sets off %q", b.tip())
		}
		hints[0].MouseOut()
		if time.Sleep(time.Second); b.tip() != "" {
			t.Errorf("a mouse that passed by set off %q", b.tip())
		}
		rest(hints[0], time.Second)
	})
	for _, want := range []string{"△\nnoisy\n· doubtful\n", "The loops differ by up to 40 %.", "median"} {
		if !strings.Contains(b.tip(), want) {
			t.Errorf("the tip lacks %q:\n%s", want, b.tip())
		}
	}
	if b.wants(t, "noisy", "doubtful"); !b.frame.tips.Visible() {
		t.Error("the tip is hidden")
	}
	if hints[0].MouseOut(); b.tip() != "" || b.frame.tips.Visible() {
		t.Error("the tip stays when the mouse leaves")
	}
}

// A tip goes with whatever the user does next.
func TestTipGoes(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(*bed, *part.Hint)
		stays bool
	}{
		"nothing":        {func(*bed, *part.Hint) {}, true},
		"the same again": {func(b *bed, _ *part.Hint) { b.showView(b.runs.view) }, true},
		"Escape":         {func(b *bed, _ *part.Hint) { b.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }, false},
		"Escape on it":   {func(_ *bed, h *part.Hint) { h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }, false},
		"wheel":          {func(b *bed, _ *part.Hint) { b.frame.tips.Scrolled(&fyne.ScrollEvent{}) }, false},
		"click":          {func(_ *bed, h *part.Hint) { test.Tap(h) }, false},
		"tab":            {func(b *bed, _ *part.Hint) { b.win.Canvas().FocusNext() }, false},
		"leave":          {func(_ *bed, h *part.Hint) { h.MouseOut() }, false},
		"page":           {func(b *bed, _ *part.Hint) { b.OpenRoom(Results) }, false},
		"menu":           {func(b *bed, _ *part.Hint) { b.PickSetting() }, false},
		"size":           {func(b *bed, _ *part.Hint) { b.win.Resize(fyne.NewSize(900, 700)) }, false},
		"language":       {func(b *bed, _ *part.Hint) { b.setLanguage(words.German) }, false},
		"profile": {func(b *bed, _ *part.Hint) {
			c := b.state.Run.Choice
			c.Profile = "cdm-peak"
			b.Choose(c)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := doubtful(t, words.English, bench.Warning{Code: bench.WarnNoisy, Workload: "seq1m-q1t1-read", Value: 0.4})
			h := b.marks()[0]
			test.Tap(h)
			if b.tip() == "" || b.win.Canvas().Focused() != h {
				t.Fatal("a click opens no tip")
			}
			c.do(b, h)
			if stays := b.tip() != ""; stays != c.stays {
				t.Errorf("the tip is there: %v", stays)
			}
		})
	}
}

// Escape takes a tip away before it stops a run: who closes a tip does not want to lose an hour.
func TestEscapeClosesTheTipFirst(t *testing.T) {
	b := open(t, nil)
	b.runs.view = running(t, "cdm-default")
	b.runs.view.Result.Warnings = []bench.Warning{{Code: bench.WarnBattery}}
	b.showView(b.runs.view)
	test.Tap(b.marks()[0])
	for want := range 2 {
		b.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if b.runs.cancelled != want {
			t.Errorf("stopped %d times, want %d", b.runs.cancelled, want)
		}
	}
}

// The Tab key reaches marks and shows what they say; a number without doubts takes no focus.
func TestTipOnFocus(t *testing.T) {
	b := doubtful(t, words.English, bench.Warning{Code: bench.WarnShort, Workload: "rnd4k-q1t1-read", Value: 3})
	reached := 0
	for range 40 {
		b.win.Canvas().FocusNext()
		if _, ok := b.win.Canvas().Focused().(*part.Hint); ok {
			reached++
			if !strings.Contains(b.tip(), "✕\ntoo short\n· not valid") {
				t.Errorf("the tip says %q", b.tip())
			}
		} else if b.tip() != "" {
			t.Errorf("without the focus: %q", b.tip())
		}
	}
	if reached == 0 {
		t.Error("the mark cannot be reached")
	}
}

// codes are all codes of doubts that have words.
func codes(t *testing.T) []bench.WarningCode {
	t.Helper()
	data, err := assets.Translations.ReadFile(path.Join("translations", words.English+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var out []bench.WarningCode
	for id := range all {
		if code, ok := strings.CutPrefix(id, "doubt."); ok {
			out = append(out, bench.WarningCode(code)) // one of them is unknown to this version, and has words, too
		}
	}
	slices.Sort(out)
	if len(out) < 20 {
		t.Fatalf("only %d codes", len(out))
	}
	return out
}

func rectangle(at fyne.Position, size fyne.Size) image.Rectangle {
	return image.Rect(int(at.X), int(at.Y), int(at.X+size.Width+0.99), int(at.Y+size.Height+0.99))
}

// Every doubt, alone, with others and with all, has room in the smallest window, in both languages and at
// every number: within the window and beside what it explains.
func TestTipsHaveRoom(t *testing.T) {
	all := codes(t)
	for _, lang := range words.Languages() {
		b := doubtful(t, lang)
		for i := range all {
			for name, some := range map[string][]bench.WarningCode{
				"alone": all[i : i+1], "with two": {all[i], all[(i+1)%len(all)], all[(i+7)%len(all)]}, "all": all,
			} {
				if name == "all" && i > 0 {
					continue
				}
				var doubts []bench.Warning
				for _, c := range some {
					doubts = append(doubts, bench.Warning{Code: c, Value: 0.93, Text: "a name of some length"})
				}
				b.runs.view.Result.Warnings = doubts
				b.showView(b.runs.view)
				hints := b.hints()
				if numbers := b.marks(); len(numbers) != 8 || len(hints) == 8 {
					t.Fatalf("%s: %d numbers and %d others have marks", all[i], len(numbers), len(hints)-len(numbers))
				}
				if w := b.win.Content().MinSize().Width; w > MinWidth {
					t.Errorf("%s: the window has to be %v wide", all[i], w)
				}
				for _, h := range hints {
					b.win.Canvas().Focus(h)
					at, size := b.frame.tips.Bounds()
					tip := rectangle(at, size)
					area := rectangle(fyne.CurrentApp().Driver().AbsolutePositionForObject(h), h.Size())
					if size.Height < 40 || !tip.In(image.Rect(0, 0, MinWidth, MinHeight)) || tip.Overlaps(area) {
						t.Errorf("%s, %s %s: tip %v at %v", lang, all[i], name, tip, area)
					}
					if strings.Contains(b.tip(), "…") {
						t.Errorf("%s, %s %s: cut: %s", lang, all[i], name, b.tip())
					}
					if strings.Contains(b.tip(), "+ ") && name != "all" {
						t.Errorf("%s, %s %s: not told in full: %s", lang, all[i], name, b.tip())
					}
				}
			}
		}
	}
}

// The signs differ without colours, and a number that does not hold is struck through.
func TestSignsOfLevels(t *testing.T) {
	b := doubtful(t, words.English,
		bench.Warning{Code: bench.WarnSmallSpan, Workload: "seq1m-q8t1-read"}, bench.Warning{Code: bench.WarnNoisy, Workload: "seq1m-q8t1-write"},
		bench.Warning{Code: bench.WarnCached, Workload: "rnd4k-q32t1-read"})
	b.win.Resize(fyne.NewSize(1280, 800))
	b.wants(t, "○", "△", "✕", "✓", "small span", "noisy", "from memory")
	b.OpenRoom(Results)
	b.Open(b.runs.view.Result.ID)
	if n := len(b.marks()); n != 3 {
		t.Errorf("the open run has %d marks", n)
	}
}

// A badge below the table says which tests it is about, and a sentence stands there only about the whole run.
func TestBadgesExplainThemselves(t *testing.T) {
	b := doubtful(t, words.English,
		bench.Warning{Code: bench.WarnNoisy, Workload: "seq1m-q8t1-read", Value: 0.2}, bench.Warning{Code: bench.WarnNoisy, Workload: "rnd4k-q1t1-write", Value: 0.3},
		bench.Warning{Code: bench.WarnBattery})
	b.wants(t, "The computer ran on battery")
	b.lacks(t, "loops differ")
	said := ""
	for _, h := range b.hints() {
		if !slices.Contains(b.marks(), h) {
			test.Tap(h)
			said += b.tip() + "\n"
		}
	}
	said = strings.ReplaceAll(said, "\n", " ")
	for _, want := range []string{"SEQ1M Q8T1 · Read, RND4K Q1T1 · Write: the loops differ by up to 30 %.", "The computer ran on battery."} {
		if !strings.Contains(said, want) {
			t.Errorf("the badges lack %q: %s", want, said)
		}
	}
}

// What a run shows again and again costs marks nothing.
func TestMarksAreSetWhenTheyChange(t *testing.T) {
	b := open(t, nil)
	v := running(t, "cdm-default")
	v.Result.Warnings = []bench.Warning{{Code: bench.WarnBattery}}
	b.showView(v)
	before := b.marks()[0].Notes()
	b.showView(v)
	if after := b.marks()[0].Notes(); len(before) != 1 || &before[0] != &after[0] {
		t.Error("the same doubts are put into words again")
	}
}

// A mark pushes nothing out of a cell: median, spread and latency stand beside the number in the smallest
// window, too, with a third column.
func TestMarksLeaveRoomForTheSmallNumbers(t *testing.T) {
	for _, lang := range words.Languages() {
		b := open(t, func(d *Deps, _ *bed) { d.Language = lang })
		b.win.Resize(fyne.NewSize(MinWidth, MinHeight))
		c := b.state.Run.Choice
		c.MixPct = 70
		b.Choose(c)
		v := done(t, "cdm-default+mix")
		v.Result.Warnings = []bench.Warning{{Code: bench.WarnNoisy, Workload: "seq1m-q1t1-write", Value: 0.4}, {Code: bench.WarnBattery}}
		b.runs.view = v
		b.showView(v)
		n := 0
		for _, s := range texts(b.win.Content()) {
			if strings.HasPrefix(s, "p99 ") {
				n++
			}
		}
		if len(b.marks()) != 12 || n != 12 {
			t.Errorf("%s: %d marks and %d latencies, want 12 of each", lang, len(b.marks()), n)
		}
	}
}
