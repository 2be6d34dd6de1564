package bench

import (
	"slices"
	"time"

	"cachecliff/bench/hist"
)

// Estimate is a quantity over the loops of a workload. Rates are per second, latencies in nanoseconds.
type Estimate struct {
	Best   float64 `json:"best"` // the highest rate or the lowest latency
	Median float64 `json:"median"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	N      int     `json:"n"` // loops; 0 means nothing is known
}

// Spread is (Hi − Lo) / Median, 0 if that is not defined: with the three loops that are usual it is the
// whole range and not an error bar.
func (e Estimate) Spread() float64 {
	if e.N < 2 || e.Median == 0 {
		return 0
	}
	return (e.Hi - e.Lo) / e.Median
}

// Outcome is one workload of a result, over its complete loops. Like CrystalDiskMark it takes the best
// rate and the lowest mean latency, each on its own; comparisons use the medians.
type Outcome struct {
	Workload Workload
	Bytes    Estimate // bytes per second, both directions
	IOPS     Estimate // counted I/Os per second
	Latency  Estimate // mean latency of a loop
	Hist     *hist.H  // latencies of all loops together; nil if there is none
	Issued   *hist.H  // of a rated load, the latencies from the issue, where those above count from when I/Os were due; else nil
	Missed   int64    // of a rated load, I/Os that were due and not issued
	Elapsed  time.Duration
	Moved    int64   // bytes counted in all loops
	Invalid  bool    // a warning says that the numbers are not the drive's
	Given    *Figure // of an imported result: where the numbers come from; else nil
}

// Outcomes sums up the complete loops of each workload, in the plan's order. A workload without a
// complete loop is there with N = 0.
func (r *Result) Outcomes() []Outcome {
	var out []Outcome
	for _, w := range r.Plan.Profile.Workloads {
		out = append(out, r.outcome(w))
	}
	return out
}

// complete lists the loops of a workload that count. A loop in which not one I/O was completed says
// nothing, and not 0.
func (r *Result) complete(workload string) []Measurement {
	var out []Measurement
	for _, m := range r.Measurements {
		ops, _, _ := m.Total()
		whole := !m.Step.Discarded() && !m.Stopped && m.Failure == nil && m.Elapsed > 0
		if m.Step.Workload == workload && whole && ops > 0 {
			out = append(out, m)
		}
	}
	return out
}

func (r *Result) outcome(w Workload) Outcome {
	o := Outcome{Workload: w, Invalid: slices.ContainsFunc(r.Warnings, func(x Warning) bool {
		return x.Code.Level() == LevelInvalid && (x.Workload == "" || x.Workload == w.ID)
	})}
	if r.Imported != nil {
		return r.Imported.given(o)
	}
	var rates, iops, lats []float64
	for _, m := range r.complete(w.ID) {
		ops, bytes, sum := m.Total()
		o.Elapsed += m.Elapsed
		o.Moved += bytes
		rates = append(rates, m.rate())
		iops = append(iops, float64(ops)/m.Elapsed.Seconds())
		lats = append(lats, float64(sum)/float64(ops))
		o.Hist = mergeHists(o.Hist, m.Hist())
		if m.Rated == nil {
			continue
		}
		o.Issued = mergeHists(o.Issued, m.Rated.Hist())
		if m.Rated.Missed != nil {
			o.Missed += *m.Rated.Missed
		}
	}
	o.Bytes, o.IOPS, o.Latency = estimate(rates, false), estimate(iops, false), estimate(lats, true)
	return o
}

// estimate sums up one value per loop.
func estimate(values []float64, lowerIsBetter bool) Estimate {
	if len(values) == 0 {
		return Estimate{}
	}
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	e := Estimate{Best: v[n-1], Median: v[n/2], Lo: v[0], Hi: v[n-1], N: n}
	if n%2 == 0 {
		e.Median = (v[n/2-1] + v[n/2]) / 2
	}
	if lowerIsBetter {
		e.Best = v[0]
	}
	return e
}
