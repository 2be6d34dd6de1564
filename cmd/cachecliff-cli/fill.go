package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"cachecliff/app"
	"cachecliff/app/format"
	"cachecliff/bench"
)

// fillOptions are the options of the tests that fill the drive.
func fillOptions(o *bench.FillOverrides) []option {
	return []option{
		{name: "passes", arg: "LIST", help: "fill: how much of all files is deleted before each further pass, in percent (50,20), or none", set: func(v string) error {
			var err error
			o.Again, err = parsePasses(v)
			return err
		}},
		{name: "stop-after", arg: "SIZE", help: "fill: end a pass so much past the end of the write cache (40GB in fill-quick; 0 goes on to the reserve)", set: func(v string) error {
			n, err := parseBytes(v)
			if err != nil {
				return errors.New("a size such as 40GB, or 0")
			}
			o.After = &n
			return nil
		}},
		{name: "most", arg: "PERCENT", help: "fill: end a pass at so much of the capacity (40 in fill-quick; 0 goes on to the reserve); thermal-write: end then (25; 0 is no limit)", set: func(v string) error {
			n, err := strconv.Atoi(strings.TrimSuffix(v, "%"))
			if err != nil || n < 0 || n > 100 {
				return errors.New("a number from 0 to 100")
			}
			o.Most = &n
			return nil
		}},
		flagTo(&o.Empty, "empty", "fill: only start on a volume without files"),
		{name: "write", arg: "SPEC", help: `fill: how files are written ("SEQ1M Q8T1")`, set: func(v string) error {
			s, err := parseWrite(v)
			if err != nil {
				return fmt.Errorf("sequential writes in one thread, such as \"SEQ1M Q8T1\" (%w)", err)
			}
			o.Write = &s
			return nil
		}},
	}
}

// parsePasses reads "50,20"; "none" is a single pass.
func parsePasses(text string) ([]int, error) {
	out := []int{}
	if strings.EqualFold(text, "none") {
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(part), "%"))
		if err != nil || n < 1 || n > 100 {
			return nil, errors.New("numbers from 1 to 100 with commas between, such as 50,20, or none")
		}
		out = append(out, n)
	}
	return out, nil
}

// parseBytes reads an amount: "40GB" is decimal, as the rest of a fill is; "40GiB" and "40G" are binary, as files are.
func parseBytes(text string) (int64, error) {
	number := strings.ToUpper(strings.TrimSpace(text))
	for i, unit := range []string{"KB", "MB", "GB", "TB"} {
		if rest, ok := strings.CutSuffix(number, unit); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			for range i + 1 {
				v *= 1000
			}
			if err != nil || !(v >= 0 && v < 1<<62) {
				return 0, &bench.SpecError{Field: "size", Want: "a size such as 40GB"}
			}
			return int64(v), nil
		}
	}
	return bench.ParseSize(text)
}

// parseWrite reads how files are written, in the notation of a Spec without what the test decides itself.
func parseWrite(text string) (bench.Spec, error) {
	fields := strings.Fields(strings.ToUpper(text))
	has := func(start string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(f, start) })
	}
	if !has("R0") {
		fields = append(fields, "R0")
	}
	if has("TIME=") || has("LIMIT=") || has("RATE=") {
		return bench.Spec{}, errors.New("no TIME, LIMIT or RATE: the size of the files decides")
	}
	s, err := bench.ParseSpec(strings.Join(fields, " "))
	if err == nil && (s.Access != bench.Sequential || s.ReadPct != 0 || s.Threads != 1) {
		err = errors.New("SEQ, R0, T1")
	}
	return s, err
}

// checkFillOptions refuses options that a test does not have.
func (o *runOptions) checkFillOptions(p bench.Profile) error {
	switch fills := p.Filling != nil; {
	case !fills && o.change.Fill.Set():
		return usagef("--passes, --stop-after, --most, --empty and --write are options of fill and fill-quick.")
	case fills && (o.change.Measure != 0 || o.change.MixPct != 0):
		return usagef("%s takes neither --time nor --mix: it ends when the drive is full; see --most and --stop-after.", p.ID)
	}
	return nil
}

// printLong lists the tests that take a while.
func (c *cli) printLong() {
	fmt.Fprintln(c.stdout, "\nThese fill the drive with numbered files until only the reserve is free, and find where its write cache ends:")
	fills := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(fills, "ID\tTITLE\tFILES OF\tRUNS\tPAUSE\tWRITES\tTAKES FOR 1 TB AT 1000 MB/S")
	var others []bench.Profile
	for _, p := range bench.Long() {
		if p.Filling == nil {
			if p.Thermal != nil {
				others = append(others, p)
			}
			continue
		}
		fmt.Fprintf(fills, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", p.ID, p.Title, fileWords(p.FileSize), p.Loops,
			format.Duration(p.Rest, format.EN), fillWords(*p.Filling), format.Duration(fillTime(p), format.EN))
	}
	fills.Flush()
	c.printCopyTests()
	if len(others) == 0 {
		return
	}
	fmt.Fprintln(c.stdout, "\nThese load the drive, from a temperature that does not change any more, and watch how warm it gets:")
	loads := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(loads, "ID\tTITLE\tFILE\tRUNS\tLOAD\tTIME")
	for _, p := range others {
		s := p.Workloads[0].Spec
		fmt.Fprintf(loads, "%s\t%s\t%s\t%d\t%s %s\t%s\n", p.ID, p.Title, format.FileSize(p.FileSize, format.EN), p.Loops,
			s.Label(), s.Direction(), format.Duration(s.Measure, format.EN))
	}
	loads.Flush()
}

// fileWords is the size of a numbered file: "10 GB", and what was typed in binary units as it was typed.
func fileWords(n int64) string {
	if n%(1<<30) == 0 || n < 1<<30 {
		return format.FileSize(n, format.EN)
	}
	return format.About(n, format.EN)
}

// fillWords says what a filling writes.
func fillWords(f bench.Filling) string {
	out := "all that is free"
	switch {
	case f.After > 0 && f.Most > 0:
		out = fmt.Sprintf("%s past the end of the cache, at most %d %% of the drive", format.VolumeSize(f.After, format.EN), f.Most)
	case f.After > 0:
		out = format.VolumeSize(f.After, format.EN) + " past the end of the cache"
	case f.Most > 0:
		out = fmt.Sprintf("%d %% of the drive", f.Most)
	}
	for _, share := range f.Again {
		out += fmt.Sprintf(", then %d %% again", share)
	}
	return out
}

// fillTime is about how long a filling takes at most on an empty drive of 1 TB that writes 1000 MB/s.
func fillTime(p bench.Profile) time.Duration {
	share := 100
	if p.Filling.Most > 0 {
		share = p.Filling.Most
	}
	all := share
	var rests time.Duration
	for _, again := range p.Filling.Again {
		all += share * again / 100
		rests += p.Rest
	}
	return time.Duration(p.Loops) * (time.Duration(all)*10*time.Second + rests)
}

// runsOf says how often a filling runs, and with what pauses.
func runsOf(p bench.Profile) string {
	words := "1 run"
	if p.Loops > 1 {
		words = fmt.Sprintf("%d runs", p.Loops)
	}
	passes := 1 + len(p.Filling.Again)
	if passes > 1 {
		words += fmt.Sprintf(" of %d passes", passes)
	}
	if p.Rest > 0 && p.Loops*passes > 1 {
		words += " with pauses of " + format.Duration(p.Rest, format.EN)
	}
	return words
}

// slowRate is that of a drive behind its write cache, as many are, bytes per second.
const slowRate = 500e6

// fillFacts are what a filling will do, before it does it.
func fillFacts(p bench.Plan, fact func(name, value string)) {
	cost := p.Estimate()
	v, free := p.Target.Volume, p.Target.Volume.Free
	var most int64
	rests := cost.Time
	for _, s := range p.Steps() {
		if s.Kind == bench.StepFill {
			most = max(most, s.Bytes)
			rests -= s.Estimate(bench.Ceiling(p.Target))
		}
	}
	fact("Writes", "at most "+format.About(cost.WrittenMax, format.EN)+": "+fillWords(*p.Profile.Filling))
	takes := format.Duration(cost.Time, format.EN) + " if the drive is as fast as its connection"
	if slow := rests + time.Duration(float64(cost.WrittenMax)/slowRate*float64(time.Second)); slow > cost.Time {
		takes += fmt.Sprintf(", %s at %s", format.Duration(slow, format.EN), format.AboutRate(slowRate, format.EN))
	}
	fact("Takes", takes)
	fact("Free", fmt.Sprintf("%s, at the end of a pass at least %s (%s must stay free); all files are removed at the end",
		format.VolumeSize(free, format.EN), format.About(free-most, format.EN), format.About(bench.Reserve(v), format.EN)))
}

// fillProgress says how far a pass is: "pass 1/3, 120.5 of 1 800 GB".
func fillProgress(v *app.View) string {
	s, p := *v.Step, v.Result.Plan.Profile
	words := fmt.Sprintf("pass %d/%d", s.Pass, 1+len(p.Filling.Again))
	if p.Loops > 1 {
		words = fmt.Sprintf("run %d/%d, ", s.Loop, p.Loops) + words
	}
	switch s.Kind {
	case bench.StepDelete:
		return words + ": deleting"
	case bench.StepRest:
		return words + ": pause"
	}
	return fmt.Sprintf("%s: %s of %s", words, format.Gigabytes.Value(float64(v.StepWritten()), format.EN), format.Written(s.Bytes, format.EN))
}
