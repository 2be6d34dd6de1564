package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"cachecliff/bench"
)

// A device is what is measured on: which rows, how long, and what is asked of ours there.
type device struct {
	name     string
	title    string
	size     int64         // bytes of the test file
	measure  time.Duration // per run
	slow     time.Duration // the same in rows of large blocks, one at a time; 0 is as in the others
	ramp     time.Duration // before it, not counted
	rows     []string      // specs; empty is all that the profiles Default and NVMe SSD have
	like     bool          // fio with registered buffers runs, too
	same     bool          // both measure in the same place: the file of one is removed before the other makes its own
	delays   bool          // the folder is one of delayfs
	whole    bool          // all numbers of a row come from the same waits: noise in one is noise in all
	limit    limit
	fillRate float64 // bytes per second at which a file is written, for the estimate
	columns  []column
	notes    []string // what the summary says below its table
}

// A column is a number that is compared and, where bounds are set, judged.
type column struct {
	title   string
	metric  metric
	by      int // side that ours is divided by; fioA stands for the mean of both plain ones
	bounds  []bounds
	buckets bool    // judged by the distance in fio's buckets, not by the ratio
	noise   float64 // what may lie between two runs of fio before nothing can be said
}

// bounds are what a ratio may be.
type bounds struct {
	block       int  // in rows of this block size only; 0 is in all
	limited     bool // in rows only in which fio reaches the limit of the device
	least, most float64
}

var unbounded = math.Inf(1)

// rows writes the specs of shapes in the directions given.
func rows(shapes []string, shares ...int) []string {
	var out []string
	for _, share := range shares {
		for _, s := range shapes {
			out = append(out, fmt.Sprintf("%s R%d", s, share))
		}
	}
	return out
}

var shapes = []string{"RND4K Q1T1", "RND4K Q32T1", "RND4K Q32T16", "SEQ128K Q32T1", "SEQ1M Q1T1", "SEQ1M Q8T1"}

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// devices are all that are known.
func devices() []device {
	return []device{
		{
			name: "drive", title: "a drive", size: gib, measure: 5 * time.Second, like: true, fillRate: 500e6,
			columns: []column{
				{title: "rate ÷ fio", metric: rate, bounds: []bounds{{least: 0.98, most: unbounded}}, noise: 0.02},
				{title: "CPU ÷ fio", metric: cpu, bounds: []bounds{{most: 1}}, noise: 0.02},
				{title: "CPU ÷ registered", metric: cpu, by: fioLike, bounds: []bounds{{most: 1}}, noise: 0.02},
				{title: "request ÷ fio", metric: request, bounds: []bounds{{least: 0.98, most: 1.02}}, noise: 0.02},
			},
			notes: []string{"Asked for: rate at least 0.98 of fio's, CPU time per I/O at most fio's."},
		},
		{
			name: "loop", title: "a loop device over memory: the processor is the limit", size: gib, measure: 2 * time.Second,
			rows: append(rows(shapes, 100, 0, 70), "SEQ4K Q32T1 R100", "SEQ4K Q32T1 R0"),
			like: true, same: true, fillRate: 1e9,
			columns: []column{
				{title: "CPU ÷ fio", metric: cpu, bounds: []bounds{{block: 4 * kib, most: 0.85}, {block: mib, most: 0.40}}, noise: 0.02},
				{title: "CPU ÷ registered", metric: cpu, by: fioLike, bounds: []bounds{{most: 0.95}}, noise: 0.02},
				{title: "IOPS ÷ fio", metric: iops, bounds: []bounds{{block: 4 * kib, least: 0.98, most: unbounded}}, noise: 0.02},
				{title: "request ÷ fio", metric: request, bounds: []bounds{{least: 0.98, most: 1.02}}, noise: 0.02},
			},
			notes: []string{
				"Asked for: CPU time per I/O at most 0.85 of fio's in rows of 4K and 0.40 in rows of 1M, at most 0.95 of fio's with",
				"registered buffers in all; IOPS at least 0.98 of fio's in rows of 4K; requests of fio's size at the device.",
			},
		},
		{
			name: "throttled", title: "a loop device that is throttled", size: gib / 2,
			measure: 15 * time.Second, ramp: time.Second, // it answers in bursts of 0.1 s, and one more or less must not matter
			rows: append(rows(shapes, 100, 0), "RND4K Q32T1 R70"), same: true,
			limit: limit{iops: 8000, rate: 400 * mib}, fillRate: 400 * mib,
			columns: []column{
				{title: "rate ÷ fio", metric: rate, bounds: []bounds{{limited: true, least: 0.99, most: 1.01}}, noise: 0.01},
				{title: "CPU ÷ fio", metric: cpu, noise: 0.01},
			},
			notes: []string{"Asked for: rate within 1 % of fio's in rows that reach the limit of 8000 I/Os or 400 MiB per second, each way."},
		},
		{
			name: "delayfs", title: "a file system with programmed latency", size: gib / 4, measure: 6 * time.Second,
			slow: 20 * time.Second, // else a long wait more or less in the few hundred of a row makes 1 %
			ramp: time.Second,      // hundreds of threads wake up for the first time, here and in the kernel
			rows: rows(shapes, 100, 0, 70), same: true, delays: true, whole: true, fillRate: 500e6,
			columns: []column{
				{title: "IOPS ÷ fio", metric: iops, bounds: []bounds{{least: 0.99, most: 1.01}}, noise: 0.01},
				{title: "p50 ÷ fio", metric: p50, buckets: true, bounds: []bounds{{most: 1}}, noise: 1},
				{title: "p99 ÷ fio", metric: p99, buckets: true, bounds: []bounds{{most: 1}}, noise: 1},
				{title: "p99.9 ÷ fio", metric: p999, buckets: true, bounds: []bounds{{most: 1}}, noise: 1},
			},
			notes: []string{
				"Asked for: IOPS within 1 % of fio's, percentiles within one bucket of fio's histogram (0.8 to 1.6 %), from fio's or",
				"from the time that is programmed.",
			},
		},
	}
}

// deviceByName finds a device.
func deviceByName(name string) (device, error) {
	var names []string
	for _, d := range devices() {
		if d.name == name {
			return d, nil
		}
		names = append(names, d.name)
	}
	return device{}, fmt.Errorf("there is no device %q, only %s", name, strings.Join(names, ", "))
}

// judged gives the bounds of a column for a row, if there are any.
func (c *column) judged(s bench.Spec, limited bool) (bounds, bool) {
	for _, b := range c.bounds {
		if (b.block == 0 || b.block == s.Block) && (!b.limited || limited) {
			return b, true
		}
	}
	return bounds{}, false
}

// limit is what the device can do at most in one direction, if that is known.
type limit struct{ iops, rate float64 }

// of is the limit for a row in I/Os per second; 0 if there is none. Reads and writes are limited each for
// themselves, so a mixture is done when the larger share is.
func (l limit) of(s bench.Spec) float64 {
	byRate := l.rate / float64(s.Block)
	one := min(l.iops, byRate)
	if l.iops == 0 || l.rate == 0 {
		one = max(l.iops, byRate)
	}
	return one * 100 / float64(max(s.ReadPct, 100-s.ReadPct))
}

// delaysOf are the times of delayfs for a row in microseconds: base, middle and tail. They are such that
// the file system stays far from its own limits, and the tail is short beside a run.
func delaysOf(s bench.Spec) [3]int {
	inFlight := s.Depth * s.Threads
	switch {
	case s.Block >= 128*kib:
		return [3]int{20000, 40000, 60000}
	case inFlight >= 128:
		return [3]int{80000, 120000, 160000}
	case inFlight > 1:
		return [3]int{10000, 20000, 40000}
	}
	return [3]int{2000, 6000, 12000}
}

// time is how long a run of a row counts.
func (d *device) time(spec bench.Spec) time.Duration {
	if d.slow > 0 && spec.Block >= mib && spec.Depth*spec.Threads == 1 {
		return d.slow
	}
	return d.measure
}
