package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cachecliff/bench"
)

// The widths of a summary, which fits into 120 columns with four ratios.
const (
	nameWidth    = 19
	iopsWidth    = 7
	cellWidth    = 20
	verdictWidth = 12
)

// pad fills a text up with spaces, at the right or at the left.
func pad(s string, width int, right bool) string {
	fill := strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0))
	if right {
		return fill + s
	}
	return s + fill
}

// text is a cell of a summary: ours by fio, fio by fio, and what it means in one sign.
func (c cell) text() string {
	sign := map[verdict]string{none: "", pass: "ok", inconclusive: "?", fail: "FAIL"}[c.verdict]
	return fmt.Sprintf("%5.3f (%5.3f) %s", c.ratio, c.again, sign)
}

// count is how many rows have which verdict.
type count map[verdict]int

// summary prints the table of a device: a line for each of its rows that was measured. build is the
// program of today; rows of another are marked.
func summary(out io.Writer, d *device, specs []bench.Spec, s *state, build string) count {
	sum := count{}
	line := pad(d.name, nameWidth, false) + pad("IOPS", iopsWidth, true)
	for _, c := range d.columns {
		line += "  " + pad(c.title, cellWidth-2, false)
	}
	fmt.Fprintf(out, "%s\n%s\n", d.title, line)
	old := false
	for _, spec := range specs {
		rec := s.find(d.name, spec.String())
		if rec == nil || len(rec.Rounds) == 0 {
			fmt.Fprintf(out, "%s%s\n", pad(name(spec), nameWidth, false), pad("not measured", iopsWidth+6, true))
			sum[inconclusive]++
			continue
		}
		r := rec.result(d, spec)
		v := r.verdict()
		sum[v]++
		mark := ""
		if rec.Build != build && build != "" {
			mark, old = "*", true
		}
		fmt.Fprintln(out, strings.TrimRight(r.line(), " ")+mark)
	}
	for _, n := range d.notes {
		fmt.Fprintln(out, n)
	}
	if old {
		fmt.Fprintln(out, "* measured with another build of this program.")
	}
	fmt.Fprintln(out, sum)
	return sum
}

// line is a row of a summary.
func (r *result) line() string {
	line := pad(name(r.spec), nameWidth, false) + pad(fmt.Sprintf("%.0f", r.value(iops, own)), iopsWidth, true)
	for i := range r.device.columns {
		text := ""
		if c, ok := r.cell(&r.device.columns[i]); ok {
			text = c.text()
		}
		line += "  " + pad(text, cellWidth-2, false)
	}
	return line + " " + pad(string(r.verdict()), verdictWidth, false)
}

// String is the last line of a summary.
func (c count) String() string {
	out := fmt.Sprintf("%d pass, %d fail, %d inconclusive or not measured", c[pass], c[fail], c[inconclusive])
	if c[none] > 0 {
		out += fmt.Sprintf(", %d without a criterion", c[none])
	}
	return out
}
