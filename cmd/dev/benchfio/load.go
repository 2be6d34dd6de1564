package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A load is a rate that is asked for, as a share of what the device can do at most.
type load struct {
	offered  float64 // I/Os per second
	achieved []float64
}

// loadBounds are what an achieved rate may be by the one that was offered.
var loadBounds = bounds{least: 0.99, most: 1.01}

// parseShares reads percentages with commas between.
func parseShares(text string) ([]float64, error) {
	var out []float64
	for t := range strings.SplitSeq(text, ",") {
		p, err := strconv.ParseFloat(strings.TrimSpace(t), 64)
		if err != nil || p <= 0 || p > 100 {
			return nil, fmt.Errorf("a load is a percentage of the maximum like 80, not %q", t)
		}
		out = append(out, p/100)
	}
	return out, nil
}

// runLoads measures ours alone: how near it comes to rates that are asked for. The most is the median of as
// many runs at full speed.
func (j *job) runLoads(ctx context.Context) (count, error) {
	us := j.contest().sides[own]
	fmt.Fprintf(j.out, "%-22s %10s %12s %12s %9s %9s\n", "IOPS", "load", "offered", "achieved", "median", "worst")
	sum := count{}
	for _, spec := range j.specs {
		spec.Measure, spec.Warmup = j.device.time(spec), j.device.ramp
		var top []float64
		for range j.rounds {
			f, err := us.run(ctx, spec)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name(spec), err)
			}
			top = append(top, f.IOPS)
		}
		fmt.Fprintf(j.out, "%-22s %10s %12s %12.0f\n", name(spec), "most", "", median(top))
		for _, share := range j.loads {
			l := load{offered: math.Floor(share * median(top))}
			spec.Rate = int(l.offered)
			for range j.rounds {
				f, err := us.run(ctx, spec)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name(spec), err)
				}
				l.achieved = append(l.achieved, f.IOPS)
			}
			sum[l.verdict()]++
			fmt.Fprintf(j.out, "%-22s %9.0f%% %12.0f %12.0f %9.4f %9.4f  %s\n",
				name(spec), 100*share, l.offered, median(l.achieved), median(l.achieved)/l.offered, l.worst(), l.verdict())
		}
		spec.Rate = 0
	}
	return sum, nil
}

// worst is the ratio that lies furthest from 1.
func (l load) worst() float64 {
	off := func(a float64) float64 { return math.Abs(a/l.offered - 1) }
	return slices.MaxFunc(l.achieved, func(a, b float64) int { return cmp.Compare(off(a), off(b)) }) / l.offered
}

func (l load) verdict() verdict {
	r := median(l.achieved) / l.offered
	if r >= loadBounds.least && r <= loadBounds.most {
		return pass
	}
	return fail
}
