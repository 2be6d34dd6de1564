package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/bench/stages"
)

// writeFill writes what a fill found: the size of the write cache, in words what that means, and each pass in its
// stages.
func writeFill(b *bytes.Buffer, r bench.Result) {
	passes := r.FillPasses()
	capacity := bench.Capacity(r.Plan.Target)
	b.WriteString("* MB/s = 1,000,000 bytes/s, GB = 1,000,000,000 bytes\n")
	if len(passes) == 0 {
		b.WriteString("\n[Cache] not measured\n\n")
		return
	}
	b.WriteString("\n[Cache]\n")
	for _, c := range bench.Caches(passes) {
		fmt.Fprintf(b, "  Pass %d: %s\n", c.Pass, cacheLine(c, capacity))
	}
	b.WriteString("\n")
	wrap(b, explain.Fill(words.New(words.English), &r))
	loops := slices.ContainsFunc(passes, func(p bench.FillPass) bool { return p.Loop > 1 })
	for _, p := range passes {
		name := fmt.Sprintf("Pass %d", p.Pass)
		if loops {
			name = fmt.Sprintf("Run %d, pass %d", p.Loop, p.Pass)
		}
		fmt.Fprintf(b, "\n[%s] from %.0f %% full%s\n", name, 100*p.Start, passNote(p))
		writeStages(b, p)
	}
	b.WriteString("\n")
}

// gigabytes is "650.0", "65.12", "6.512".
func gigabytes(n int64) string {
	switch {
	case n < 10e9:
		return fmt.Sprintf("%.3f", float64(n)/1e9)
	case n < 100e9:
		return fmt.Sprintf("%.2f", float64(n)/1e9)
	}
	return fmt.Sprintf("%.1f", float64(n)/1e9)
}

// cacheLine is the size of the write cache as the repeats of a pass have it: "650.0 GB (645.0 to 655.0), 32.5 % of the
// capacity, one run".
func cacheLine(c bench.PassCache, capacity int64) string {
	runs := func(n int) string {
		if n == 1 {
			return "one run"
		}
		return fmt.Sprintf("%d runs", n)
	}
	var parts []string
	if border, ok := c.Size(); ok {
		share := func(n int64) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(capacity, 1))) }
		if least, most, apart := c.Disagree(); apart {
			parts = append(parts, fmt.Sprintf("%s to %s GB, %s to %s of the capacity, %s that disagree", gigabytes(least), gigabytes(most), share(least), share(most), runs(len(c.Sizes))))
		} else {
			parts = append(parts, fmt.Sprintf("%s GB (%s to %s), %s of the capacity, %s", gigabytes(border.At), gigabytes(border.Lo), gigabytes(border.Hi), share(border.At), runs(len(c.Sizes))))
		}
	}
	if len(c.Unseen) > 0 {
		parts = append(parts, fmt.Sprintf("no cliff seen up to %s GB, %s", gigabytes(c.UpTo()), runs(len(c.Unseen))))
	}
	if c.Dirty > 0 {
		parts = append(parts, fmt.Sprintf("not given for %s: the drive was not told what had been deleted", runs(c.Dirty)))
	}
	if len(parts) == 0 {
		return "nothing written"
	}
	return strings.Join(parts, "; ")
}

// passNote says how a pass ended and what came before it.
func passNote(p bench.FillPass) string {
	var out string
	if f := p.Freed; f != nil {
		out = fmt.Sprintf(", after %d files, %s GB, were deleted", f.Files, gigabytes(f.Bytes))
		switch {
		case p.Dirty && f.NotTrimmed != "":
			out += " and not trimmed: " + format.PlainLine(f.NotTrimmed)
		case p.Dirty:
			out += " and not trimmed"
		}
	}
	if !p.Whole {
		out += ", not complete"
	}
	return out
}

// writeStages writes the stages of a pass, why each drop came, and what the pass is as a whole.
func writeStages(b *bytes.Buffer, p bench.FillPass) {
	s, decimals := p.Found, 1
	switch {
	case s.Bytes < 10e9:
		decimals = 3
	case s.Bytes < 100e9:
		decimals = 2
	}
	gb := func(n int64) string { return fmt.Sprintf("%.*f", decimals, float64(n)/1e9) }
	for i, st := range s.Stages {
		cause := ""
		if i > 0 {
			border := s.Borders[i-1]
			cause = fmt.Sprintf("  %s, between %s and %s GB", causes[border.Cause], gb(border.Lo), gb(border.Hi))
			if p.Dirty && border.Cause == stages.CauseCache {
				cause = "  fell: not judged" // what the drive took for full is not known
			}
		}
		fmt.Fprintf(b, "  %8s to %8s GB: %9.3f MB/s  <%9.3f to %9.3f MB/s>%s\n", gb(st.From), gb(st.To), st.Rate/1e6, st.Lo/1e6, st.Hi/1e6, cause)
	}
	if len(s.Stages) == 0 {
		b.WriteString("  nothing was written\n")
		return
	}
	fmt.Fprintf(b, "  %24s: %9.3f MB/s\n", lastName(s), s.Last/1e6)
	took := fmt.Sprintf("%.1f min", s.Took.Minutes())
	if s.Took < 2*time.Minute {
		took = fmt.Sprintf("%.1f s", s.Took.Seconds())
	}
	fmt.Fprintf(b, "  %24s: %9.3f MB/s  %s GB in %s\n", "mean of the whole pass", s.Mean()/1e6, gigabytes(s.Bytes), took)
}

// causes are the reasons of a border.
var causes = map[stages.Cause]string{
	stages.CauseNone: "rose", stages.CauseCache: "fell: cache", stages.CauseHeat: "fell: heat", stages.CauseUnknown: "fell: unknown",
}

// lastName is what the end of a pass is called: of a short one it is the last tenth.
func lastName(s stages.Stages) string {
	if n := s.LastBytes(); n < 16e9 {
		return "last " + gigabytes(n) + " GB"
	}
	return "last 16 GB"
}

// lineWidth is how many characters running text has in a line.
const lineWidth = 78

// wrap writes running text in lines. What must not be parted stays together.
func wrap(b *bytes.Buffer, text string) {
	width := 0
	for word := range strings.SplitSeq(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case width == 0:
		case width+1+n > lineWidth:
			b.WriteString("\n")
			width = 0
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(word))
		width += n
	}
	if width > 0 {
		b.WriteString("\n")
	}
}

// writeFiles writes one row for each numbered file of a fill.
func writeFiles(b *bytes.Buffer, r bench.Result, _ Options) error {
	t := &table{}
	t.add("run", "step", "loop", "pass", "file", "from_bytes", "bytes", "took_ns", "bytes_per_s")
	for _, m := range r.Measurements {
		var from int64
		for i, f := range m.Files {
			cells := []any{r.ID, m.Step.Index, m.Step.Loop, m.Step.Pass, i + 1, from, f.Bytes, f.Took, nil}
			if f.Took > 0 {
				cells[8] = float64(f.Bytes) / f.Took.Seconds()
			}
			t.add(cells...)
			from += f.Bytes
		}
	}
	return t.write(b)
}

// addWritten adds columns to the rows of samples of a fill: the pass, and how much of it is written at the end of the
// sample, over which the rate is looked at.
func addWritten(t *table, r bench.Result) {
	if r.Plan.Profile.Filling == nil {
		return
	}
	columns := &table{}
	columns.add("pass", "written_bytes")
	for _, m := range r.Measurements {
		var written int64
		for _, s := range m.Series {
			written += s.Write.Bytes
			columns.add(m.Step.Pass, written)
		}
	}
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], columns.rows[i]...)
	}
}

// writeFillFacts are those lines about the test that a fill has instead of others.
func writeFillFacts(b *bytes.Buffer, p bench.Profile, where string) {
	f := p.Filling
	test := fmt.Sprintf("files of %s, %s (x%d) [%s]", binary(p.FileSize), f.Write.Label(), p.Loops, where)
	line(b, "Test", test)
	var limits []string
	for _, share := range f.Again {
		limits = append(limits, fmt.Sprintf("%d %% deleted", share))
	}
	if len(f.Again) > 0 || p.Loops > 1 {
		limits = append(limits, "pause "+seconds(p.Rest))
	}
	if f.After > 0 {
		limits = append(limits, fmt.Sprintf("ends %s GB after the cache", gigabytes(f.After)))
	}
	if f.Most > 0 {
		limits = append(limits, fmt.Sprintf("at most %d %% of the capacity", f.Most))
	}
	if len(limits) > 0 {
		line(b, "Passes", strings.Join(limits, " / "))
	}
}
