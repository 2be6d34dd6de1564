package main

import "math"

// verdict is what a ratio means.
type verdict string

// The verdicts, from the best to the worst. A number without a criterion has none.
const (
	none         verdict = ""
	pass         verdict = "pass"
	inconclusive verdict = "inconclusive"
	fail         verdict = "fail"
)

// worse is the worse of two verdicts.
func worse(a, b verdict) verdict {
	rank := map[verdict]int{none: 0, pass: 1, inconclusive: 2, fail: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// judge compares a ratio with the least and the most that it may be. Where two runs of fio differ by
// more than the tolerance, it passes or fails only if it would still do so when shifted by that much.
func judge(ratio, noise, tolerance, least, most float64) verdict {
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

// judgeSteps compares a distance in buckets with the most that it may be. Where two runs of fio lie further
// apart than the tolerance, it fails only if it would still do so when nearer by that much.
func judgeSteps(steps, noise, tolerance, most float64) verdict {
	if noise <= tolerance {
		noise = 0
	}
	switch away := math.Abs(steps); {
	case away > most+noise:
		return fail
	case noise > 0:
		return inconclusive
	}
	return pass
}

// cell is one ratio of a table.
type cell struct {
	ratio, again float64 // ours by fio, fio by fio
	verdict      verdict
}

// word is the verdict for people.
func (c cell) word() string {
	if c.verdict == none {
		return "-"
	}
	return string(c.verdict)
}

// cell works out a column of a row, if its numbers are known.
func (r *result) cell(c *column) (cell, bool) {
	if !r.known(c.metric, c.by) {
		return cell{}, false
	}
	out := cell{ratio: r.ratio(c.metric, c.by), again: r.again(c.metric)}
	b, ok := c.judged(r.spec, r.limited())
	switch {
	case !ok:
	case c.buckets && r.exact(c.metric):
		out.verdict = pass
	case c.buckets:
		out.verdict = judgeSteps(r.steps(c.metric), r.noise(byBuckets, c.metric), c.noise, b.most)
	default:
		out.verdict = judge(out.ratio, r.noise(byRatio, c.metric), c.noise, b.least, b.most)
	}
	return out, true
}

// verdict is the worst of a row's cells, unless one that is noisy makes the others doubtful, too.
func (r *result) verdict() verdict {
	out := none
	for i := range r.device.columns {
		c, ok := r.cell(&r.device.columns[i])
		if !ok {
			continue
		}
		if r.device.whole && c.verdict == inconclusive {
			return inconclusive
		}
		out = worse(out, c.verdict)
	}
	return out
}
