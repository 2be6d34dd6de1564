package importer

import (
	"regexp"
	"strconv"
	"strings"

	"cachecliff/bench"
)

// kDiskMark reads its reports. It runs fio and prints fio's "bw", which is in units of 1,024 bytes, divided by 1,000
// as MB/s: all its versions so far print 1000/1024 of the rate (seen in reports of 1.6.0, 2.2.1, 2.3.0, 3.0.0 and
// 3.2.0, and in its source up to 3.3). The I/Os per second are right, so a report shows by itself whether it is one
// of those, and a version that puts this right is read right.
func kDiskMark() *kind {
	return &kind{
		program: "KDiskMark",
		head:    regexp.MustCompile(`^KDiskMark \(([0-9]{1,2}(?:\.[0-9]{1,3}){1,2}[0-9A-Za-z.~+-]{0,20})\): https?://`),
		accept:  func(string) error { return nil },
		row:     (*report).tableRow,
		done:    kDiskDone,
	}
}

// slip is by how much the rates of KDiskMark are too low.
const slip = 1.024

// slipped says whether the rates of a report are too low, by comparing each with its I/Os per second. Where no
// row is fast enough to tell, told is false.
func (r *report) slipped() (low, told bool, err error) {
	right, wrong := 0, 0
	for _, x := range r.rows {
		switch asIs, corrected := !x.off(1), !x.off(slip); {
		case !asIs && !corrected:
			return false, false, refuse(x.line, "%.3f MB/s are not %.1f I/Os of %d bytes", x.rate/1e6, *x.iops, x.spec.Block)
		case asIs && !corrected:
			right++
		case corrected && !asIs:
			wrong++
		}
		if right > 0 && wrong > 0 {
			return false, false, refuse(x.line, "the rate is in another unit than in the rows above")
		}
	}
	return wrong > 0, right+wrong > 0, nil
}

func kDiskDone(r *report, out *bench.Result) error {
	low, told, err := r.slipped()
	if err != nil {
		return err
	}
	factor := 1.0
	if major, minor := parts(r.version); low || !told && (major < 3 || major == 3 && minor <= 3) {
		factor = slip
		out.Warnings = append(out.Warnings, bench.Warning{Code: bench.WarnImported, Text: "kdiskmark-rate", Value: slip})
	} else if !told {
		warn(out, bench.WarnImportDoubt, "", "unit")
	}
	// The profile Default shows the mean of the loops, the others the best of them, each quantity on its own.
	statistic := bench.StatBest
	if r.profile == "" || strings.HasPrefix(r.profile, "Default") {
		statistic = bench.StatMean
	}
	warn(out, bench.WarnImported, "", string(statistic))
	warn(out, bench.WarnImportDoubt, "", "one-pass")
	for _, x := range r.rows {
		if x.rate == 0 {
			continue
		}
		if x.spec.Direction() == bench.DirMix {
			warn(out, bench.WarnImportDoubt, workload(x.spec), "weighted-mix")
		}
		if x.spec.Threads > 1 && ungrouped(r.version) {
			warn(out, bench.WarnImportDoubt, workload(x.spec), "threads")
		}
		r.figure(out, x, statistic, factor)
	}
	return nil
}

// ungrouped says whether a version may count only one of several threads: those from 3.1 on until 3.3.
func ungrouped(version string) bool {
	major, minor := parts(version)
	return major == 3 && minor >= 1 && minor < 3
}

var partsForm = regexp.MustCompile(`^([0-9]+)\.([0-9]+)`)

// parts are the first two numbers of a version.
func parts(version string) (major, minor int) {
	m := partsForm.FindStringSubmatch(version)
	if m == nil {
		return 0, 0
	}
	major, err1 := strconv.Atoi(m[1])
	minor, err2 := strconv.Atoi(m[2])
	if err1 != nil || err2 != nil {
		return 0, 0
	}
	return major, minor
}
