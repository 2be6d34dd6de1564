package export

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"cachecliff/app/share"
	"cachecliff/bench"
)

// writeMarkdown writes a post for GitHub, Discourse and whatever else knows the tables of GitHub Flavored Markdown
// (github.github.com/gfm, 4.10).
func writeMarkdown(b *bytes.Buffer, r bench.Result, o Options) error {
	r = share.Public(r)
	t := newTeller(&r, o)
	fmt.Fprintf(b, "**%s**\n\n", markdown(t.model()))
	for _, line := range []string{t.drive(), t.method(), r.Comment} {
		if line != "" {
			fmt.Fprintf(b, "%s\n\n", markdown(line))
		}
	}
	for _, g := range t.grids() {
		if len(g.Rows) > 0 {
			markdownGrid(b, g)
		}
	}
	verdict, err := t.verdict()
	if err != nil {
		return err
	}
	for _, text := range []string{verdict, t.ending()} {
		if text != "" {
			fmt.Fprintf(b, "%s\n\n", markdown(text))
		}
	}
	for _, d := range t.doubts() {
		fmt.Fprintf(b, "- %s %s: %s\n", d.Sign(), markdown(d.Word), markdown(d.Sentence))
	}
	if len(r.Warnings) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "%s\n", markdown(t.foot()))
	return nil
}

func markdownGrid(b *bytes.Buffer, g grid) {
	fmt.Fprintf(b, "%s\n\n|", markdown(g.Caption))
	for _, h := range g.Head {
		fmt.Fprintf(b, " %s |", markdown(h))
	}
	b.WriteString("\n|:---|" + strings.Repeat("---:|", len(g.Head)-1) + "\n")
	for _, row := range g.Rows {
		b.WriteString("|")
		for _, c := range row {
			text := markdown(c.Text)
			if c.Struck() {
				text = "~~" + text + "~~"
			}
			if sign := c.Sign(); sign != "" {
				text += " " + sign
			}
			fmt.Fprintf(b, " %s |", text)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// active are the signs that Markdown reads as more than themselves.
const active = "\\`*_[]<>#|~&@"

// markdown makes a text of one line harmless: every active sign stands for itself. An address does not become a link,
// since it has no colon before the slashes.
func markdown(s string) string {
	var out strings.Builder
	for i, r := range plainLine(s) {
		// At the beginning of a line it would make a list or a head.
		if strings.ContainsRune(active, r) || i == 0 && strings.ContainsRune("+-=", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	text := strings.NewReplacer("://", `\://`, "www.", `www\.`).Replace(out.String())
	return listed.ReplaceAllString(text, `$1\$2`)
}

// listed is a number that would begin a list.
var listed = regexp.MustCompile(`^(\d+)([.)](?:\s|$))`)
