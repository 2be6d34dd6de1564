package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"cachecliff/app"
	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/bench"
	"cachecliff/bench/tree"
	"cachecliff/platform"
)

// copyOptions are the options of the tests that copy.
func copyOptions(o *bench.CopyOverrides) []option {
	return []option{
		stringTo(&o.Source, "source", "FOLDER", "copy: a folder of your own in place of a made-up one; it is only read"),
		{name: "way", arg: "WAY", help: "copy: manager, as the file manager does but never by sharing blocks; direct, past the system's cache; clone, sharing blocks if the file system can", set: func(v string) error {
			o.Way = platform.CopyWay(strings.ToLower(v))
			for _, w := range platform.CopyWays() {
				if o.Way == w {
					return nil
				}
			}
			return errors.New("manager, direct or clone")
		}},
		flagTo(&o.Verify, "verify", "copy: afterwards read both and compare them"),
	}
}

// checkCopyOptions refuses options that a test does not have.
func (o *runOptions) checkCopyOptions(p bench.Profile) error {
	switch copies := p.Copying != nil; {
	case !copies && o.change.Copy.Set():
		return usagef("--source, --way and --verify are options of the tests whose names begin with copy.")
	case copies && (o.change.Measure != 0 || o.change.MixPct != 0 || o.engine != "" || o.buffered || o.through || o.huge):
		return usagef("%s copies through the system's cache as programs do, until all is copied: it takes none of --time, --mix, --engine, --buffered, --write-through and --huge-pages; see --way.", p.ID)
	case copies && o.change.Copy.Source != "" && o.change.FileSize != 0:
		return usagef("--size is for what the test makes; with --source the folder decides.")
	}
	return nil
}

// printCopyTests lists the tests that copy.
func (c *cli) printCopyTests() {
	fmt.Fprintln(c.stdout, "\nThese copy as people do, and the time ends when all is safe on the drive:")
	tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ID\tTITLE\tSIZE\tRUNS\tPAUSE\tWRITES")
	for _, p := range bench.Long() {
		if p.Copying == nil {
			continue
		}
		writes := bench.Plan{Profile: p}.Estimate().WrittenMax
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t%s\t%s\n", p.ID, p.Title, fileWords(p.FileSize), p.Loops,
			format.Duration(p.Rest, format.EN), format.About(writes, format.EN))
	}
	tw.Flush()
}

// copyFacts are what a copy test will do, before it does it.
func copyFacts(p bench.Plan, fact func(name, value string)) {
	cost, c := p.Estimate(), p.Profile.Copying
	if s := p.Source; s != nil {
		fact("Copies", fmt.Sprintf("%s in %s and %s of %s, which is only read", format.About(s.Bytes, format.EN),
			count(s.Files, "file"), count(s.Folders, "folder"), s.Path))
		for _, x := range []struct {
			n    int
			what string
		}{
			{s.Skipped.Count, "cannot be read and are left out"}, {s.Links, "are symbolic links, which are left out"},
			{s.Shared, "have several names, each of which is copied as a file of its own"}, {s.Sparse, "have holes, or are compressed"},
		} {
			if x.n > 0 {
				fact("", fmt.Sprintf("%s %s", format.Integer(int64(x.n), format.EN), x.what))
			}
		}
	}
	if c.Kind == bench.CopyRead {
		fact("To", "memory, through a ring of "+format.FileSize(bench.RingSize, format.EN))
	}
	fact("Writes", format.About(cost.WrittenMax, format.EN)+", and removes it at the end")
	slow := time.Duration(float64(p.Profile.Loops) * float64(p.Steps()[len(p.Steps())-1].Bytes) / slowCopy * float64(time.Second))
	fact("Takes", fmt.Sprintf("%s if the drive is as fast as its connection, the copies alone %s at 250 MB/s", format.Duration(cost.Time, format.EN), format.Duration(slow, format.EN)))
	v := p.Target.Volume
	fact("Free", fmt.Sprintf("%s, of which %s must stay free", format.VolumeSize(v.Free, format.EN), format.About(bench.Reserve(v), format.EN)))
}

// slowCopy is how fast a SATA drive copies within itself, bytes per second.
const slowCopy = 250e6

// copyWords is a copy test in a few words.
func copyWords(p bench.Profile) string {
	what := fileWords(p.FileSize)
	if p.Copying.Source != "" {
		what = p.Copying.Source
	}
	times := "once"
	if p.Loops > 1 {
		times = fmt.Sprintf("%d times with pauses of %s", p.Loops, format.Duration(p.Rest, format.EN))
	}
	if p.Copying.Verify {
		times += ", compared afterwards"
	}
	return what + ", " + times
}

// copyProgress says how far a copy is: "copy 2/3: 12.3 of 25 GB".
func copyProgress(v *app.View) string {
	s, p := *v.Step, v.Result.Plan.Profile
	words := fmt.Sprintf("copy %d/%d", s.Loop, p.Loops)
	switch s.Kind {
	case bench.StepRest:
		return words + ": pause"
	case bench.StepMake:
		words = "making the source"
	}
	var moved int64
	if m := v.Measurement(); m != nil {
		for _, x := range m.Series {
			moved += x.Read.Bytes + x.Write.Bytes
		}
	}
	if moved >= s.Bytes {
		return words + ": until it is safe on the drive"
	}
	return fmt.Sprintf("%s: %s of %s", words, format.Gigabytes.Value(float64(moved), format.EN), format.Written(s.Bytes, format.EN))
}

// writeCopy writes what a copy test showed.
func writeCopy(w io.Writer, r bench.Result) error {
	var b strings.Builder
	p := r.Plan.Profile
	fmt.Fprintf(&b, "Cachecliff %s\n%s: %s\n\n", format.PlainLine(r.App.Version), format.PlainLine(p.Title), format.PlainLine(copyWords(p)))
	copyTable(&b, r)
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fact := func(name, value string) {
		if value != "" {
			fmt.Fprintln(tw, row(name, value))
		}
	}
	copied(r, fact)
	t := r.Plan.Target
	fact("Folder", fmt.Sprintf("%s (%s)", t.Path, t.Volume.FS))
	for _, d := range t.Drives {
		fact("Drive", driveLine(d))
	}
	for _, d := range explain.Doubts(english, r.Warnings) {
		fact(capitalised(string(d.Level)), fmt.Sprintf("%s. %s", d.Sentence, d.Advice))
	}
	if r.Reason != bench.ReasonDone {
		fact("Result", "not complete: "+explain.Reason(english, r.Reason))
	}
	if r.Failure != nil {
		fact("Fault", explain.Failure(english, r.Failure).String())
	}
	tw.Flush()
	_, err := io.WriteString(w, b.String())
	return err
}

func capitalised(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// copyTable writes a line a copy, and the mean.
func copyTable(b *strings.Builder, r bench.Result) {
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "\tRATE\tPROGRESS BAR\tFILES\tTIME\tOF WHICH FLUSH")
	for _, c := range r.CopyPasses() {
		name := fmt.Sprintf("Copy %d", c.Loop)
		rate, shown, files := format.MBPerSecond.Text(c.Rate(), format.EN), format.MBPerSecond.Text(c.Shown(), format.EN), filesWords(c.Files, c.FileRate())
		switch {
		case !c.Whole:
			fmt.Fprintln(tw, row(name, "not complete"))
			continue
		case c.Cloned:
			rate, shown, files = "cloned, not copied", "", ""
		}
		fmt.Fprintln(tw, row(name, rate, shown, files, format.Duration(c.Took, format.EN), flushWords(c.Took-c.Handed)))
	}
	if s := r.Copied(); s.N > 0 && !s.Cloned {
		rate := format.MBPerSecond.Text(s.Mean, format.EN)
		fmt.Fprintln(tw, row("Mean", rate, format.MBPerSecond.Text(s.Shown, format.EN), filesWords(s.FilesEach, s.Files)))
		if s.N > 1 {
			fmt.Fprintln(tw, row("Lowest", format.MBPerSecond.Text(s.Lo, format.EN)))
			fmt.Fprintln(tw, row("Highest", format.MBPerSecond.Text(s.Hi, format.EN)))
		}
	}
	tw.Flush()
	b.WriteString("\n")
}

// filesWords is how many files were copied a second; of one file that says nothing.
func filesWords(n int, perSecond float64) string {
	if n < 2 {
		return ""
	}
	return format.Number(perSecond, format.EN) + "/s"
}

// flushWords is the time of the flush: there is none where nothing was written.
func flushWords(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return format.Duration(d, format.EN)
}

// count is a number of things: "1 file", "107 files".
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return format.Integer(int64(n), format.EN) + " " + thing
}

// copied are the facts about the copies.
func copied(r bench.Result, fact func(name, value string)) {
	var facts *bench.CopyFacts
	var files int
	var bytes int64
	for _, m := range r.Measurements {
		if m.Step.Kind != bench.StepCopy || m.Copy == nil {
			continue
		}
		facts = m.Copy
		if v := m.Copy.Verified; v != nil {
			files, bytes = files+v.Files, bytes+v.Bytes
		}
	}
	if facts == nil {
		return
	}
	source := "made for this test, incompressible"
	if r.Plan.Source != nil {
		source = r.Plan.Source.Path
	}
	fact("Copied", fmt.Sprintf("%s in %s and %s: %s", format.About(facts.Bytes, format.EN), count(facts.Files, "file"), count(facts.Folders, "folder"), source))
	var by []string
	for _, e := range facts.Engines {
		by = append(by, string(e))
	}
	fact("By", cmp.Or(strings.Join(by, " and "), map[bench.CopyKind]string{
		bench.CopyRead:  "reading through a ring of memory of " + format.FileSize(facts.Ring, format.EN),
		bench.CopyWrite: "writing from memory in pieces of " + format.FileSize(tree.Piece, format.EN),
	}[r.Plan.Profile.Copying.Kind]))
	if s := facts.Shared; s != nil {
		fact("Shared", map[bool]string{true: "nothing: all copies have blocks of their own", false: format.About(*s, format.EN)}[*s == 0])
	}
	if files > 0 {
		fact("Verified", fmt.Sprintf("%s, %s, by xxHash64", count(files, "file"), format.About(bytes, format.EN)))
	}
	for _, s := range facts.Skipped.Named {
		fact("Left out", s.Path+": "+s.Reason)
	}
}
