package importer

import (
	"regexp"
	"strconv"
	"strings"

	"cachecliff/bench"
)

// crystalDiskMark reads the reports of its versions 6 to 9. It prints the best rate and the lowest mean latency of
// its loops, each on its own, and I/Os per second that are that rate divided by the block size.
//
// Version 6 has lines such as "Random Read 4KiB (Q= 32,T= 1) : 384.970 MB/s [93986.8 IOPS]" in one table, 7 has
// headings and latencies, 8 and 9 shorter names and the volume.
func crystalDiskMark() *kind {
	return &kind{
		program: "CrystalDiskMark",
		head:    regexp.MustCompile(`^CrystalDiskMark ([0-9]{1,2}(?:\.[0-9]{1,2}){1,2}[a-z]?)(?: .*)?$`),
		accept:  acceptCrystal,
		row:     crystalRow,
		done:    crystalDone,
	}
}

func acceptCrystal(version string) error {
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < 6 || n > 9 {
		return unknown("it is of CrystalDiskMark %s; versions 6 to 9 can be read", version)
	}
	return nil
}

var sixForm = regexp.MustCompile(`^(Sequential|Random) (Read|Write)( 4KiB)? \(Q= *([0-9]{1,4}),T= *([0-9]{1,3})\) : *` +
	`([0-9.,]+) MB/s(?: \[ *([0-9.,]+) IOPS\])?$`)

func crystalRow(r *report, l textLine) (bool, error) {
	if !strings.HasPrefix(r.version, "6.") {
		return r.tableRow(l)
	}
	if m := sixForm.FindStringSubmatch(l.text); m != nil {
		return true, r.sixRow(l, m)
	}
	if r.tail && r.seen["OS"] && r.comment == "" { // it has no name and comes last
		r.comment = l.text
		return true, nil
	}
	return false, nil
}

// sixRow reads a row of version 6. Its sequential test has blocks of 128 KiB, which the report does not tell.
func (r *report) sixRow(l textLine, m []string) error {
	if (m[1] == "Random") != (m[3] != "") || (m[1] == "Random") != (m[7] != "") {
		return refuse(l.n, "random tests have a size and IOPS, and sequential ones have not")
	}
	r.section = map[string]int{"Read": 100, "Write": 0}[m[2]]
	x := row{line: l.n, spec: bench.Spec{Access: bench.Sequential, ReadPct: r.section}}
	size := "128"
	if m[1] == "Random" {
		x.spec.Access, size = bench.Random, "4"
	}
	if err := x.load(size, "KiB", m[4], m[5]); err != nil {
		return err
	}
	return r.add(x, m[6], m[7], "")
}

// crystalDone makes the figures. A row of zeros was not run.
func crystalDone(r *report, out *bench.Result) error {
	warn(out, bench.WarnImported, "", string(bench.StatBest))
	for _, x := range r.rows {
		if x.iops != nil && x.off(1) {
			return refuse(x.line, "%.3f MB/s are not %.1f I/Os of %d bytes", x.rate/1e6, *x.iops, x.spec.Block)
		}
		r.figure(out, x, bench.StatBest, 1)
	}
	return nil
}

// figure adds the figure of a row. The rate is multiplied by a factor.
func (r *report) figure(out *bench.Result, x row, s bench.Statistic, factor float64) {
	if x.rate == 0 {
		return
	}
	rate := x.rate * factor
	f := bench.Figure{Workload: workload(x.spec), Statistic: s, Loops: r.loops, Bytes: &rate}
	if x.iops != nil && *x.iops > 0 {
		f.IOPS = x.iops
	}
	if x.late != nil && *x.late > 0 {
		f.Latency = x.late
	}
	out.Imported.Figures = append(out.Imported.Figures, f)
}
