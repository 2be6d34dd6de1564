package card

import (
	"image/color"
	"slices"
	"strconv"
	"unicode/utf8"

	"cachecliff/app/explain"
	"cachecliff/bench"
	"cachecliff/ui/facts"
	"cachecliff/ui/sheet"
)

// markGap is the distance between a sign and its word.
const markGap = 8

// mark writes whether a number holds, so that it ends at right: a tick, or the sign of the worst doubt with
// its word, if that fits after left. The line of doubts below the table has all words.
func (p *pen) mark(c sheet.Cell, left, right, y int, o Options) {
	sign, colour := facts.Sign(c.Level()), p.levelColour(c.Level())
	if len(c.Doubts) == 0 {
		if !c.Valid() {
			return
		}
		sign, colour = facts.ValidSign, p.colour.Good
	}
	word := ""
	if len(c.Doubts) > 0 {
		marks := explain.Marks(o.Words, &bench.Result{Warnings: c.Doubts}, c.Workload)
		word = marks[0].Title
		if n := len(marks) - 1; n > 0 {
			word += " +" + strconv.Itoa(n)
		}
	}
	signWidth, wordWidth := p.width(signs(), sign), p.width(regular(textSize), word)
	if word != "" && left+signWidth+markGap+wordWidth <= right {
		p.text(right-wordWidth, y, wordWidth, regular(textSize), colour, word)
		right -= wordWidth + markGap
	}
	p.text(right-signWidth, y+p.ascent(regular(textSize))-p.ascent(signs()), signWidth, signs(), colour, sign)
}

// levelColour is the colour of a level's marks.
func (p *pen) levelColour(l bench.Level) color.Color {
	switch l {
	case bench.LevelDoubt:
		return p.colour.Doubt
	case bench.LevelInvalid:
		return p.colour.Invalid
	}
	return p.colour.Dim
}

// doubtLines is how many lines there are below the table, and longestDoubt how many characters of a
// sentence fit on one beside its sign.
const (
	doubtLines   = 2
	longestDoubt = 92
)

// doubts writes how a run ended that is not complete, and what is doubtful: one doubt as a sentence if that
// fits, else each as a word or two with the sign of its level.
func (p *pen) doubts(r *bench.Result, o Options, top int) {
	y, lines := top+6, doubtLines
	if r.Reason != bench.ReasonDone {
		p.text(margin, y, Width-2*margin, regular(textSize), p.colour.Doubt, ending(r, o))
		y, lines = y+lineStep, lines-1
	}
	all := explain.Marks(o.Words, &bench.Result{Warnings: everywhere(r.Warnings)}, "")
	if d := facts.Doubts(o.Words, r); len(d) == 1 && lines == doubtLines && utf8.RuneCountInString(d[0]) <= longestDoubt {
		x := margin + p.sign(margin, y, all[0].Level)
		p.text(x, y, Width-margin-x, regular(textSize), p.levelColour(all[0].Level), d[0])
		return
	}
	if len(all) > 0 {
		p.doubtWords(all, y, lines, o)
	}
}

// everywhere are doubts as if they were about the whole run.
func everywhere(all []bench.Warning) []bench.Warning {
	out := slices.Clone(all)
	for i := range out {
		out[i].Workload = ""
	}
	return out
}

// doubtWords writes doubts as words, the worst first, on so many lines. What does not fit is counted.
func (p *pen) doubtWords(all []explain.Mark, y, lines int, o Options) {
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(m explain.Mark) bool {
		again := seen[m.Title]
		seen[m.Title] = true
		return again
	})
	x := margin + p.text(margin, y, Width, regular(textSize), p.colour.Dim, o.Words.T("card.doubts")) + 2*markGap
	rest := p.width(regular(textSize), "+ 99")
	for i, m := range all {
		need := p.width(signs(), facts.ValidSign) + markGap + p.width(regular(textSize), m.Title)
		last := lines == 1 && i < len(all)-1
		if x+need > Width-margin && lines > 1 {
			x, y, lines = margin, y+lineStep, lines-1
		} else if x+need > Width-margin || last && x+need+2*markGap+rest > Width-margin {
			p.text(x, y, Width-margin-x, regular(textSize), p.colour.Dim, "+ "+strconv.Itoa(len(all)-i))
			return
		}
		x += p.sign(x, y, m.Level)
		x += p.text(x, y, Width-margin-x, regular(textSize), p.levelColour(m.Level), m.Title) + 2*markGap
	}
}

// sign writes the sign of a level and returns its width with the gap after it.
func (p *pen) sign(x, y int, l bench.Level) int {
	s := signs()
	return p.text(x, y+p.ascent(regular(textSize))-p.ascent(s), Width, s, p.levelColour(l), facts.Sign(l)) + markGap
}
