package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"cachecliff/bench"
)

// result is all that is known of a row.
type result struct {
	device *device
	spec   bench.Spec
	start  [sides]time.Duration // processor time of the start-up
	rounds [][sides]figures
}

// metric is one of the numbers that are compared.
type metric int

// The metrics.
const (
	rate metric = iota
	iops
	p50
	p99
	p999
	cpu // processor time of an I/O
	request
)

// of is a metric of one side in one round.
func (r *result) of(m metric, round [sides]figures, side int) float64 {
	f := round[side]
	switch m {
	case rate:
		return f.Rate
	case iops:
		return f.IOPS
	case p50:
		return f.P50
	case p99:
		return f.P99
	case p999:
		return f.P999
	case cpu:
		return float64(f.Processor-r.start[side]) / f.Ops
	}
	return f.Request
}

// base is what ours is divided by: fio with registered buffers, or the mean of both plain ones.
func (r *result) base(m metric, round [sides]figures, by int) float64 {
	if by == fioLike {
		return r.of(m, round, fioLike)
	}
	return (r.of(m, round, fioA) + r.of(m, round, fioB)) / 2
}

// over is the median of a number over the rounds.
func (r *result) over(number func(round [sides]figures) float64) float64 {
	var v []float64
	for _, round := range r.rounds {
		v = append(v, number(round))
	}
	return median(v)
}

// value is the median of a metric.
func (r *result) value(m metric, side int) float64 {
	return r.over(func(x [sides]figures) float64 { return r.of(m, x, side) })
}

// ratio is the median of ours by a base.
func (r *result) ratio(m metric, by int) float64 {
	return r.over(func(x [sides]figures) float64 { return r.of(m, x, own) / r.base(m, x, by) })
}

// again is the median of fio by fio.
func (r *result) again(m metric) float64 {
	return r.over(func(x [sides]figures) float64 { return r.of(m, x, fioB) / r.of(m, x, fioA) })
}

// steps is the median distance of ours from fio in buckets of its histogram.
func (r *result) steps(m metric) float64 {
	return r.over(func(x [sides]figures) float64 {
		a, b := bucket(r.of(m, x, fioA)), bucket(r.of(m, x, fioB))
		return float64(bucket(r.of(m, x, own))) - float64(a+b)/2
	})
}

// exact says whether our percentile is, to a bucket, the time that was programmed; then it is right, whatever
// fio says. With hundreds of I/Os in flight fio's own tail is longer than that.
func (r *result) exact(m metric) bool {
	class, ok := map[metric]int{p50: 0, p99: 1, p999: 2}[m]
	if !ok || !r.device.delays {
		return false
	}
	programmed := bucket(1e3 * float64(delaysOf(r.spec)[class]))
	return math.Abs(float64(bucket(r.value(m, own))-programmed)) <= 1
}

// noise is how far the median of fio from fio is from nothing, or may be by chance, if that is more:
// twice their typical difference by the root of the rounds, which is about one standard error of a median.
func (r *result) noise(difference func(a, b float64) float64, m metric) float64 {
	both := func(x [sides]figures) float64 { return difference(r.of(m, x, fioA), r.of(m, x, fioB)) }
	middle := r.over(both)
	typical := r.over(func(x [sides]figures) float64 { return math.Abs(both(x)) })
	return max(math.Abs(middle), 2*typical/math.Sqrt(float64(len(r.rounds))))
}

func byRatio(a, b float64) float64   { return b/a - 1 }
func byBuckets(a, b float64) float64 { return float64(bucket(b) - bucket(a)) }

// known says whether a metric was looked at on the side that ours is divided by, and on ours.
func (r *result) known(m metric, by int) bool {
	if by == fioLike && !r.registered() {
		return false // ours is not like that
	}
	return len(r.rounds) > 0 && r.value(m, own) != 0 && r.value(m, by) != 0
}

func (r *result) registered() bool { return len(r.rounds) > 0 && r.rounds[0][own].Registered }

// reached is the share of the known limit from which on a row counts as limited by the device.
const reached = 0.95

// limited says whether fio reaches the known limit of the device.
func (r *result) limited() bool {
	l := r.device.limit.of(r.spec)
	return l > 0 && r.value(iops, fioA) >= reached*l
}

// print writes what the sides of a row showed.
func (r *result) print(out io.Writer) {
	fmt.Fprintf(out, "%-18s", name(r.spec))
	if r.limited() {
		fmt.Fprintf(out, "  (reaches the limit of %.0f I/Os per second)", r.device.limit.of(r.spec))
	}
	fmt.Fprintln(out)
	for side, who := range sideNames {
		if r.value(iops, side) == 0 {
			continue
		}
		us := func(m metric) float64 { return r.value(m, side) / 1e3 }
		fmt.Fprintf(out, "  %-15s %8.1f MB/s %8.0f IOPS  p50 %9.1f  p99 %9.1f  p99.9 %9.1f µs  CPU/IO %7.2f µs\n", who,
			r.value(rate, side)/1e6, r.value(iops, side), us(p50), us(p99), us(p999), us(cpu))
	}
	if !r.registered() {
		fmt.Fprintln(out, "  The buffers of ours were not registered.")
	}
	for i := range r.device.columns {
		c := &r.device.columns[i]
		if cell, ok := r.cell(c); ok {
			fmt.Fprintf(out, "  %-22s %6.3f   fio ÷ fio %6.3f   %s\n", c.title, cell.ratio, cell.again, cell.word())
		}
	}
}
