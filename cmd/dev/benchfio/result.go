package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"cachecliff/bench"
)

// How near is near enough.
const (
	tolerance = 0.02 // of the rate, either way; more than that between two runs of fio is noise
	reached   = 0.95 // share of the known limit from which on a row counts as limited by the device
)

// limit is what the device can do at most, if that is known.
type limit struct{ iops, rate float64 }

// of is the limit for blocks of a size in I/Os per second; 0 if there is none.
func (l limit) of(block int) float64 {
	byRate := l.rate / float64(block)
	if l.iops == 0 || l.rate == 0 {
		return max(l.iops, byRate)
	}
	return min(l.iops, byRate)
}

// result is all that is known of a row.
type result struct {
	spec   bench.Spec
	limit  limit
	start  [sides]time.Duration // processor time of the start-up
	rounds [][sides]figures
}

// metrics are what is compared.
var metrics = []struct {
	name string
	of   func(r *result, f figures, side int) float64
}{
	{"rate", func(_ *result, f figures, _ int) float64 { return f.rate }},
	{"IOPS", func(_ *result, f figures, _ int) float64 { return f.iops }},
	{"p50", func(_ *result, f figures, _ int) float64 { return f.p50 }},
	{"p99", func(_ *result, f figures, _ int) float64 { return f.p99 }},
	{"CPU/IO", func(r *result, f figures, side int) float64 { return float64(f.processor-r.start[side]) / f.ops }},
	{"request", func(_ *result, f figures, _ int) float64 { return f.request }},
}

// The places of those with a criterion.
const (
	metricRate    = 0
	metricCPU     = 4
	metricRequest = 5
)

// value is the median of a metric over the rounds.
func (r *result) value(metric, side int) float64 {
	var v []float64
	for _, round := range r.rounds {
		v = append(v, metrics[metric].of(r, round[side], side))
	}
	return median(v)
}

// ratio is the median over the rounds of a metric of one side by that of another.
func (r *result) ratio(metric, side, by int) float64 {
	var v []float64
	for _, round := range r.rounds {
		v = append(v, metrics[metric].of(r, round[side], side)/metrics[metric].of(r, round[by], by))
	}
	return median(v)
}

// noise is how far the median ratio of two runs of fio is from 1, or may be by chance, if that is more:
// twice their typical difference by the root of the rounds, which is about one standard error of a median.
func (r *result) noise(metric int) float64 {
	var v []float64
	for _, round := range r.rounds {
		a, b := metrics[metric].of(r, round[fioA], fioA), metrics[metric].of(r, round[fioB], fioB)
		v = append(v, math.Abs(b/a-1))
	}
	chance := 2 * median(v) / math.Sqrt(float64(len(r.rounds)))
	return max(math.Abs(r.ratio(metric, fioB, fioA)-1), chance)
}

// verdict is what a ratio means.
type verdict string

const (
	pass         verdict = "pass"
	fail         verdict = "fail"
	inconclusive verdict = "inconclusive"
)

// judge compares a ratio with the least and the most that it may be. Where two runs of fio differ by
// more than the tolerance, it passes or fails only if it would still do so when shifted by that much.
func judge(ratio, noise, least, most float64) verdict {
	if noise <= tolerance {
		noise = 0
	}
	switch {
	case math.IsNaN(ratio) || math.IsNaN(noise):
		return inconclusive
	case ratio >= least*(1+noise) && ratio <= most/(1+noise):
		return pass
	case ratio < least/(1+noise) || ratio > most*(1+noise):
		return fail
	}
	return inconclusive
}

// limited says whether fio reaches the known limit of the device.
func (r *result) limited() bool {
	l := r.limit.of(r.spec.Block)
	return l > 0 && r.value(1, fioA) >= reached*l
}

// judgeRate is about the rate: the device's limit must be shown as it is; where the processor is the
// limit, a better engine may be faster. Below a known limit, the rate is for information.
func (r *result) judgeRate(by int) (v verdict, said bool) {
	most := math.Inf(1)
	if r.limited() {
		most = 1 + tolerance
	} else if r.limit.of(r.spec.Block) > 0 {
		return "", false
	}
	return judge(r.ratio(metricRate, own, by), r.noise(metricRate), 1-tolerance, most), true
}

// judgeCPU is about the processor time of an I/O: not more than fio's.
func (r *result) judgeCPU(by int) verdict {
	return judge(r.ratio(metricCPU, own, by), r.noise(metricCPU), 0, 1)
}

// judgeRequest is about the size of the requests that reach the block device: what both ask for is the
// same, so nothing on the way may have merged or split it differently.
func (r *result) judgeRequest(by int) (v verdict, said bool) {
	if r.value(metricRequest, own) == 0 {
		return "", false
	}
	return judge(r.ratio(metricRequest, own, by), r.noise(metricRequest), 1-tolerance, 1+tolerance), true
}

const explanation = `Ratios are medians over the rounds, ours by fio's: above 1 is more. p50 and p99 count from the submission;
CPU/IO is the processor time of the whole process without its start-up. noise is how far the median of fio by
fio is from 1, or may be by chance: more rounds make it smaller.
pass: rate at least 0.98 of fio's, or within 2 % of it where the device has a known limit; CPU/IO not above fio's.
inconclusive: the noise is above 2 %, and enough to turn the verdict.`

// print writes a row and says whether nothing of it failed.
func (r *result) print(out io.Writer) (ok bool) {
	ok = true
	fmt.Fprintf(out, "%-18s", name(r.spec))
	if r.limited() {
		fmt.Fprintf(out, "  (reaches the limit of %.0f I/Os per second)", r.limit.of(r.spec.Block))
	}
	fmt.Fprintln(out)
	for side := range fioB {
		fmt.Fprintf(out, "  %-18s %9.1f MB/s %9.0f IOPS   p50 %9.1f µs   p99 %9.1f µs   CPU/IO %7.2f µs%s\n", sideNames[side],
			r.value(0, side)/1e6, r.value(1, side), r.value(2, side)/1e3, r.value(3, side)/1e3, r.value(4, side)/1e3, r.remark(side))
	}
	for _, p := range pairs {
		if p.side == own && p.by == fioLike && !r.rounds[0][own].registered {
			continue // ours is not like that
		}
		said, good := r.verdicts(p.side, p.by)
		fmt.Fprintf(out, "  %-22s%s%s\n", p.name, r.cells(func(m int) float64 { return r.ratio(m, p.side, p.by) }), said)
		ok = ok && good
	}
	fmt.Fprintf(out, "  %-22s%s\n", "noise", r.cells(r.noise))
	return ok
}

// cells is one number for each metric that is known.
func (r *result) cells(number func(metric int) float64) string {
	out := ""
	for m := range metrics {
		if r.value(m, own) != 0 {
			out += fmt.Sprintf("  %s %5.3f", metrics[m].name, number(m))
		}
	}
	return out
}

// pairs are the lines of ratios.
var pairs = []struct {
	name     string
	side, by int
}{
	{"ours ÷ fio", own, fioA},
	{"ours ÷ fio, registered", own, fioLike},
	{"fio ÷ fio", fioB, fioA},
}

// remark is what else is to be said of a side.
func (r *result) remark(side int) string {
	var said []string
	f := r.rounds[0][side]
	if side == own && !f.registered {
		said = append(said, "buffers not registered")
	}
	if n := r.value(metricRequest, side); n > 0 {
		said = append(said, fmt.Sprintf("requests of %.1f KiB", n/1024))
	}
	if len(said) == 0 {
		return ""
	}
	return "   " + strings.Join(said, ", ")
}

// verdicts says what the ratios of ours to one of fio's mean, and whether none is a failure.
func (r *result) verdicts(side, by int) (text string, ok bool) {
	if side != own {
		return "", true
	}
	cpu := r.judgeCPU(by)
	rate, said := r.judgeRate(by)
	if !said {
		rate = "below the limit"
	}
	text = fmt.Sprintf("   rate %s, CPU %s", rate, cpu)
	request, said := r.judgeRequest(by)
	if said {
		text += fmt.Sprintf(", requests %s", request)
	}
	return text, rate != fail && cpu != fail && request != fail
}
