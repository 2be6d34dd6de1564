package export

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cachecliff/app/explain"
	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/bench/hist"
	"cachecliff/platform"
)

const rule = "------------------------------------------------------------------------------\n"

// heads are the titles of the three blocks.
var heads = map[bench.Direction]string{bench.DirRead: "Read", bench.DirWrite: "Write", bench.DirMix: "Mix"}

// writeText writes the layout of CrystalDiskMark 9 with the lines it has in their places, and below
// them what it does not tell.
func writeText(b *bytes.Buffer, r bench.Result, o Options) error {
	outcomes := r.Outcomes()
	b.WriteString(rule)
	fmt.Fprintf(b, "Cachecliff %s\n", origin(r))
	b.WriteString(rule)
	if r.Plan.Profile.Filling != nil {
		writeFill(b, r)
	} else if r.Plan.Profile.Thermal != nil {
		writeThermal(b, r)
	} else {
		writeTable(b, outcomes)
	}
	writeFacts(b, r, o)
	if r.Imported != nil {
		writeGiven(b, r, outcomes)
	} else if r.Plan.Profile.Thermal == nil {
		writeMedians(b, outcomes)
	}
	w := words.New(words.English)
	for _, d := range explain.Doubts(w, r.Warnings) {
		line(b, levels[d.Level], fmt.Sprintf("%s: %s. %s", code(d), d.Sentence, d.Advice))
	}
	if r.Reason != bench.ReasonDone {
		line(b, "Result", "not complete: "+explain.Reason(w, r.Reason))
	}
	if r.Failure != nil {
		line(b, "Fault", explain.Failure(w, r.Failure).String())
	}
	return nil
}

// writeTable writes the blocks of a table.
func writeTable(b *bytes.Buffer, outcomes []bench.Outcome) {
	b.WriteString("* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]\n* KB = 1000 bytes, KiB = 1024 bytes\n")
	for _, d := range bench.Directions() {
		writeBlock(b, d, outcomes)
	}
	b.WriteString("\n")
}

// levels are the names of doubts by how much they take from a number.
var levels = map[bench.Level]string{bench.LevelNote: "Note", bench.LevelDoubt: "Doubt", bench.LevelInvalid: "Invalid"}

// code is a doubt for programs: its code and, if it has one, its value, "noisy 0.371".
func code(d explain.Mark) string {
	if d.Value == 0 {
		return string(d.Code)
	}
	return string(d.Code) + " " + strconv.FormatFloat(math.Round(d.Value*1000)/1000, 'f', -1, 64)
}

// line writes a fact behind its name; a line end inside would look like another fact. All that is not of
// this program's own making comes this way, and may have been made to steer a terminal.
func line(b *bytes.Buffer, name, value string) {
	fmt.Fprintf(b, "%7s: %s\n", name, format.Plain(strings.Join(strings.Fields(value), " ")))
}

// writeBlock writes the rows of a direction, best of all loops.
func writeBlock(b *bytes.Buffer, d bench.Direction, outcomes []bench.Outcome) {
	first := true
	for _, o := range outcomes {
		if o.Workload.Spec.Direction() != d {
			continue
		}
		if first {
			fmt.Fprintf(b, "\n[%s]", heads[d])
			if pct := o.Workload.Spec.ReadPct; d == bench.DirMix {
				fmt.Fprintf(b, " Read %d%%/Write %d%%", pct, 100-pct)
			}
			b.WriteString("\n")
			first = false
		}
		fmt.Fprintf(b, "  %s: %s%s%s\n", rowName(o.Workload.Spec), rowNumbers(o), rowExtras(o.Workload.Spec), rowMark(o))
	}
}

// rowName is "SEQ    1MiB (Q=  8, T= 1)".
func rowName(s bench.Spec) string {
	size, unit := s.Block, "B"
	switch {
	case size%(1<<20) == 0:
		size, unit = size>>20, "MiB"
	case size%(1<<10) == 0:
		size, unit = size>>10, "KiB"
	}
	return fmt.Sprintf("%s %4d%-3s (Q=%3d, T=%2d)", strings.ToUpper(string(s.Access)), size, unit, s.Depth, s.Threads)
}

// rowNumbers is "  508.897 MB/s [    497.0 IOPS] < 13840.05 us>".
func rowNumbers(o bench.Outcome) string {
	if o.Bytes.N == 0 {
		return "not measured"
	}
	out := fmt.Sprintf("%9.3f MB/s", o.Bytes.Best/1e6)
	if o.IOPS.N > 0 { // a report of another program may have neither
		out += fmt.Sprintf(" [%9.1f IOPS]", o.IOPS.Best)
	}
	if o.Latency.N > 0 {
		out += fmt.Sprintf(" <%9.2f us>", o.Latency.Best/1e3)
	}
	return out
}

// rowMark marks numbers that are not the drive's; the doubts below say why.
func rowMark(o bench.Outcome) string {
	if o.Invalid && o.Bytes.N > 0 {
		return "  INVALID"
	}
	return ""
}

// rowExtras is what a test does otherwise than CrystalDiskMark's, in the notation of a Spec.
func rowExtras(s bench.Spec) string {
	var out string
	for _, f := range strings.Fields(s.String()) {
		if key, _, ok := strings.Cut(f, "="); ok && key != "TIME" {
			out += " " + f
		}
	}
	return out
}

// writeFacts writes where, when and on what the numbers came about.
func writeFacts(b *bytes.Buffer, r bench.Result, o Options) {
	p, v := r.Plan.Profile, r.Plan.Target.Volume
	line(b, "Profile", p.Title)
	where := r.Plan.Target.Path
	if share, ok := v.Fill(v.Free); ok {
		used := v.Used
		if used <= 0 {
			used = v.Size - v.Free
		}
		where += fmt.Sprintf(" %.0f%% (%d/%dGiB)", share*100, used>>30, v.Size>>30)
	}
	if p.Filling != nil {
		writeFillFacts(b, p, where)
	} else if p.Thermal != nil {
		writeThermalFacts(b, p, where)
	} else if r.Imported != nil {
		writeImportedTest(b, p, where)
	} else {
		line(b, "Test", fmt.Sprintf("%s (x%d) [%s]", binary(p.FileSize), p.Loops, where))
		line(b, "Time", fmt.Sprintf("Measure %s / Interval %s", measureTime(p), seconds(p.Rest)))
	}
	line(b, "Date", r.At.In(o.Zone).Format("2006/01/02 15:04:05 MST"))
	line(b, "OS", join(" ", r.Machine.OS, r.Machine.Kernel, r.Machine.Arch))
	line(b, "Comment", r.Comment)
	b.WriteString("\n")
	for _, d := range r.Plan.Target.Drives {
		line(b, "Drive", driveName(d))
	}
	line(b, "FS", join(", ", v.FS, layers(r.Plan.Target.Layers)))
	if r.Imported != nil {
		line(b, "Engine", r.Imported.Engine)
	} else {
		line(b, "Engine", engines(r))
	}
	if r.Machine.CPU != "" {
		line(b, "CPU", r.Machine.CPU)
	}
	if r.Imported != nil {
		line(b, "Method", "that of "+r.Imported.String()+", run "+r.ID)
	} else {
		line(b, "Method", fmt.Sprintf("%d, run %s", r.App.Method, r.ID))
	}
}

// writeMedians writes what comparisons are made with.
func writeMedians(b *bytes.Buffer, outcomes []bench.Outcome) {
	loops := 0
	for _, o := range outcomes {
		loops = max(loops, o.Bytes.N)
	}
	if loops == 0 {
		return
	}
	line(b, "Above", fmt.Sprintf("best of %d: highest rate, highest IOPS, lowest mean latency, each on its own", loops))
	b.WriteString("\nMedian of the loops, and their range:\n")
	for _, o := range outcomes {
		if o.Bytes.N == 0 {
			continue
		}
		fmt.Fprintf(b, "  %-5s %s: %9.3f MB/s [%9.1f IOPS] <%9.2f us>  %.3f to %.3f MB/s in %d\n", heads[o.Workload.Spec.Direction()],
			o.Workload.Spec.Label(), o.Bytes.Median/1e6, o.IOPS.Median, o.Latency.Median/1e3, o.Bytes.Lo/1e6, o.Bytes.Hi/1e6, o.Bytes.N)
		if o.Issued != nil && o.Hist != nil {
			fmt.Fprintf(b, "        from when due: %s\n        from issue:    %s\n        not issued:    %d of those due\n",
				rowLatencies(o.Hist), rowLatencies(o.Issued), o.Missed)
		}
	}
	b.WriteString("\n")
}

// rowLatencies is "mean 81.2, p50 75.0, p99 210.0, p99.9 400.0, max 512.0 us".
func rowLatencies(h *hist.H) string {
	us := func(d time.Duration) float64 { return float64(d) / 1e3 }
	return fmt.Sprintf("mean %.1f, p50 %.1f, p99 %.1f, p99.9 %.1f, max %.1f us", us(h.Mean()),
		us(h.Quantile(0.5)), us(h.Quantile(0.99)), us(h.Quantile(0.999)), us(h.Max()))
}

// measureTime is the measuring time of the workloads, or "differs".
func measureTime(p bench.Profile) string {
	times := map[time.Duration]bool{}
	for _, w := range p.Workloads {
		times[w.Spec.Measure] = true
	}
	all := slices.Collect(maps.Keys(times))
	switch {
	case len(all) != 1:
		return "differs"
	case all[0] == 0:
		return "by bytes"
	}
	return seconds(all[0])
}

func seconds(d time.Duration) string { return fmt.Sprintf("%g sec", d.Seconds()) }

// binary is a size in the largest unit that leaves a whole number.
func binary(n int64) string {
	for i, unit := range []string{"TiB", "GiB", "MiB", "KiB"} {
		if one := int64(1) << (40 - 10*i); n >= one && n%one == 0 {
			return fmt.Sprintf("%d %s", n/one, unit)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// layers is the way from volume to drives: "luks dm-0, lvm dm-1".
func layers(all []platform.Layer) string {
	var parts []string
	for _, l := range all {
		parts = append(parts, string(l.Kind)+" "+l.Name)
	}
	return strings.Join(parts, ", ")
}

// engines are those that measured, and how the file was opened.
func engines(r bench.Result) string {
	var names []string
	for _, m := range r.Measurements {
		if e := string(m.Engine); e != "" && !slices.Contains(names, e) {
			names = append(names, e)
		}
	}
	access := ""
	if r.File != nil {
		access = "buffered"
		if r.File.Direct {
			access = "direct I/O"
		}
	}
	if r.Plan.Profile.Filling != nil { // it has no test file, and none of its files is opened otherwise
		access = "direct I/O"
		if r.Plan.Buffered {
			access = "through the system's memory, like a copy"
		}
	}
	through := ""
	if r.Plan.Through {
		through = "write-through"
	}
	pages := ""
	if r.Plan.Huge {
		pages = "buffers in huge pages"
	}
	ceiling := ""
	if c := r.Ceiling; c != nil && c.IO > 0 {
		ceiling = fmt.Sprintf("at most %.0fk IOPS a thread", 1/c.IO.Seconds()/1e3)
	}
	return join(", ", strings.Join(names, " and "), access, through, pages, ceiling)
}

// join joins what is known.
func join(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}
