package export

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"cachecliff/app/share"
	"cachecliff/bench"
)

// Boards differ in tables: XenForo and vBulletin know [table], phpBB and MyBB do not and would show the tags. All of
// them know [code], which keeps columns under each other. So bbcode is columns in [code], for every board, and
// bbcode-table has real tables for those that know them.

// writeBBCode writes a post for any board.
func writeBBCode(b *bytes.Buffer, r bench.Result, o Options) error {
	return post(b, r, o, columns)
}

// writeBBCodeTable writes a post for XenForo and vBulletin.
func writeBBCodeTable(b *bytes.Buffer, r bench.Result, o Options) error {
	return post(b, r, o, boardTable)
}

func post(b *bytes.Buffer, r bench.Result, o Options, table func(*bytes.Buffer, grid) (marked bool)) error {
	r = share.Public(r)
	t := newTeller(&r, o)
	fmt.Fprintf(b, "[b]%s[/b]\n", bbcode(t.model()))
	for _, line := range []string{t.drive(), t.method(), r.Comment} {
		if line != "" {
			fmt.Fprintf(b, "%s\n", bbcode(line))
		}
	}
	marked := false
	for _, g := range t.grids() {
		if len(g.Rows) > 0 {
			fmt.Fprintf(b, "\n%s\n", bbcode(g.Caption))
			marked = table(b, g) || marked
		}
	}
	if marked {
		fmt.Fprintf(b, "%s\n", bbcode(t.w.T("report.marks")))
	}
	b.WriteString("\n")
	verdict, err := t.verdict()
	if err != nil {
		return err
	}
	for _, text := range []string{verdict, t.ending()} {
		if text != "" {
			fmt.Fprintf(b, "%s\n", bbcode(text))
		}
	}
	for _, d := range t.doubts() {
		fmt.Fprintf(b, "%s %s: %s\n", d.Sign(), bbcode(d.Word), bbcode(d.Sentence))
	}
	fmt.Fprintf(b, "%s\n", bbcode(t.foot()))
	return nil
}

// boardTable writes a table of tags, in one line a row: line ends between them would show as empty lines. Its
// marks are the same as those of the doubts below it, so they need no words.
func boardTable(b *bytes.Buffer, g grid) (marked bool) {
	b.WriteString("[table]\n[tr]")
	for _, h := range g.Head {
		fmt.Fprintf(b, "[td][b]%s[/b][/td]", bbcode(h))
	}
	b.WriteString("[/tr]\n")
	for _, row := range g.Rows {
		b.WriteString("[tr]")
		for _, c := range row {
			text := bbcode(c.Text)
			if c.Struck() {
				text = "[s]" + text + "[/s]"
			}
			if sign := c.Sign(); sign != "" {
				text += " " + sign
			}
			fmt.Fprintf(b, "[td]%s[/td]", text)
		}
		b.WriteString("[/tr]\n")
	}
	b.WriteString("[/table]\n")
	return false
}

// columns writes a table with spaces. Inside [code] nothing can be struck through, and signs beyond the common ones
// may be wider than a letter, so a doubtful number has a "?" behind it and one that does not hold a "x". It says whether there is one.
func columns(b *bytes.Buffer, g grid) (marked bool) {
	lines := [][]string{nil}
	for _, h := range g.Head {
		lines[0] = append(lines[0], bbcode(h))
	}
	for _, row := range g.Rows {
		var line []string
		for i, c := range row {
			text := bbcode(c.Text)
			if i > 0 { // the columns end below each other
				marked = marked || c.Level != ""
				text += columnMark(c)
			}
			line = append(line, text)
		}
		lines = append(lines, line)
	}
	for i := 1; i < len(lines[0]); i++ {
		lines[0][i] += "  "
	}
	width := make([]int, len(g.Head))
	for _, line := range lines {
		for i, text := range line {
			width[i] = max(width[i], utf8.RuneCountInString(text))
		}
	}
	b.WriteString("[code]\n")
	for _, line := range lines {
		var out string
		for i, text := range line {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(text))
			if i == 0 {
				out += text + pad
			} else {
				out += "  " + pad + text
			}
		}
		b.WriteString(strings.TrimRight(out, " ") + "\n")
	}
	b.WriteString("[/code]\n")
	return marked
}

func columnMark(c cell) string {
	switch {
	case c.Quiet:
	case c.Level == bench.LevelDoubt:
		return " ?"
	case c.Level == bench.LevelInvalid:
		return " x"
	}
	return "  "
}

// bbcode makes a text of one line harmless. Boards have no way to write a bracket that is not a tag, so brackets
// become round ones; narrow spaces, which some fonts for code do not have, become common ones.
func bbcode(s string) string {
	return strings.NewReplacer("[", "(", "]", ")", "\u202f", " ", "\u00a0", " ").Replace(plainLine(s))
}
