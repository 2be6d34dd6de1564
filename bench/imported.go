package bench

import (
	"errors"
	"fmt"
	"math"

	"cachecliff/bench/hist"
)

// Imported says that a result was read from the report of another program. Such a result has figures instead
// of measurements: what that program printed and nothing that was made of it. Its App.Method is 0, so it is
// never compared as if it were one of this program's.
type Imported struct {
	Program string   `json:"program"`           // "CrystalDiskMark"
	Version string   `json:"version,omitempty"` // as the report has it, "8.0.4"; empty if it does not tell
	Engine  string   `json:"engine,omitempty"`  // what measured for it, "fio-3.30"
	Figures []Figure `json:"figures"`
}

// Statistic is what a program made of its loops to have one figure.
type Statistic string

// The statistics.
const (
	StatBest  Statistic = "best"  // of the loops, each quantity on its own
	StatMean  Statistic = "mean"  // of the loops
	StatWhole Statistic = "whole" // over all of the measured time, which was not parted into loops
)

// Figure is what a report tells of one workload. A nil quantity is not told.
type Figure struct {
	Workload  string     `json:"workload"` // its ID
	Statistic Statistic  `json:"statistic"`
	Loops     int        `json:"loops,omitempty"`   // 0 is not told
	Bytes     *float64   `json:"bytes,omitempty"`   // bytes per second, both directions
	IOPS      *float64   `json:"iops,omitempty"`    //
	Latency   *float64   `json:"latency,omitempty"` // mean, nanoseconds
	Quantiles []Quantile `json:"quantiles,omitempty"`
	Hist      *hist.H    `json:"hist,omitempty"` // latencies, of a report that has them all
}

// Quantile is a latency that a share of all I/Os does not exceed.
type Quantile struct {
	Share   float64 `json:"share"`   // 0 to 1
	Latency float64 `json:"latency"` // nanoseconds
}

// The bounds of a figure: far above what any drive, memory or clock gives, so that what lies beyond is no
// number of a drive but a slip of the pen or of a decimal sign.
const (
	MaxFigureRate    = 1e13    // bytes per second
	MaxFigureIOPS    = 1e10    //
	MaxFigureLatency = 3600e9  // nanoseconds
	maxFigures       = 1 << 12 // workloads of one report
)

// String is the program and its version.
func (i *Imported) String() string {
	if i.Version == "" {
		return i.Program
	}
	return i.Program + " " + i.Version
}

// figure is what the report tells of a workload; nil if it tells nothing.
func (i *Imported) figure(workload string) *Figure {
	for k := range i.Figures {
		if i.Figures[k].Workload == workload {
			return &i.Figures[k]
		}
	}
	return nil
}

// Validate reports what cannot be in an imported result with that profile, joined. Of the profile, size, loops
// and measuring times may be 0, which is unknown.
func (i *Imported) Validate(p Profile) error {
	faults := []error{i.known(p).Validate()}
	if i.Program == "" || len(i.Figures) > maxFigures {
		faults = append(faults, errors.New("imported: no program, or too many figures"))
	}
	seen := map[string]bool{}
	for _, f := range i.Figures {
		if err := f.validate(); err != nil {
			faults = append(faults, fmt.Errorf("imported figure of %s: %w", f.Workload, err))
		}
		planned := false
		for _, w := range p.Workloads {
			planned = planned || w.ID == f.Workload
		}
		if !planned || seen[f.Workload] {
			faults = append(faults, fmt.Errorf("imported figure of %s: not planned, or there twice", f.Workload))
		}
		seen[f.Workload] = true
	}
	return errors.Join(faults...)
}

// known is a profile with something valid in the place of what is unknown.
func (i *Imported) known(p Profile) Profile {
	if p.FileSize >= 0 && p.FileSize < MaxFileSize {
		p.FileSize = MaxFileSize // what other programs take may be smaller than what this one does
	}
	if p.Loops == 0 {
		p.Loops = 1
	}
	timed := func(s Spec) Spec {
		if s.Measure == 0 && s.Limit == 0 {
			s.Measure = DefaultMeasure
		}
		return s
	}
	var workloads []Workload
	for _, w := range p.Workloads {
		workloads = append(workloads, Workload{ID: w.ID, Spec: timed(w.Spec)})
	}
	var rows []Row
	for _, r := range p.Rows {
		rows = append(rows, Row{Shape: timed(r.Shape), Unit: r.Unit})
	}
	p.Workloads, p.Rows = workloads, rows
	return p
}

func (f Figure) validate() error {
	for _, q := range []struct {
		value *float64
		most  float64
		name  string
	}{{f.Bytes, MaxFigureRate, "a rate"}, {f.IOPS, MaxFigureIOPS, "IOPS"}, {f.Latency, MaxFigureLatency, "a latency"}} {
		if q.value != nil && !(*q.value > 0 && *q.value <= q.most) {
			return fmt.Errorf("%s of %v", q.name, *q.value)
		}
	}
	switch f.Statistic {
	case StatBest, StatMean, StatWhole:
	default:
		return fmt.Errorf("unknown statistic %q", f.Statistic)
	}
	if f.Bytes == nil {
		return errors.New("no rate")
	}
	if f.Loops < 0 || f.Loops > MaxLoops {
		return fmt.Errorf("%d loops", f.Loops)
	}
	var last Quantile
	for _, q := range f.Quantiles {
		if !(q.Share > last.Share && q.Share <= 1) || !(q.Latency >= last.Latency) || q.Latency > MaxFigureLatency || math.IsNaN(q.Latency) {
			return fmt.Errorf("%v ns at the share %v, out of range or order", q.Latency, q.Share)
		}
		last = q
	}
	return nil
}

// given is the outcome of a workload in an imported result. Each quantity is known once: there is no median and
// no spread, and none is made up.
func (i *Imported) given(o Outcome) Outcome {
	f := i.figure(o.Workload.ID)
	if f == nil {
		return o
	}
	once := func(v *float64) Estimate {
		if v == nil {
			return Estimate{}
		}
		return estimate([]float64{*v}, false)
	}
	o.Given, o.Hist = f, f.Hist
	o.Bytes, o.IOPS, o.Latency = once(f.Bytes), once(f.IOPS), once(f.Latency)
	return o
}
