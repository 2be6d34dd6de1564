package importer

import (
	"math"
	"slices"
	"strconv"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/hist"
)

// fioSide is one direction of a job.
type fioSide struct {
	Bytes   *int64   `json:"io_bytes"`
	Rate    *float64 `json:"bw_bytes"` // bytes per second; in fio up to 3.6 only the next
	RateKiB *float64 `json:"bw"`
	IOPS    *float64 `json:"iops"`
	Runtime *int64   `json:"runtime"` // milliseconds
	IOs     *int64   `json:"total_ios"`
	Clat    *fioLat  `json:"clat_ns"`
	Lat     *fioLat  `json:"lat_ns"`
}

// fioLat are latencies: clat from when an I/O was submitted, lat from when fio began to submit it.
type fioLat struct {
	Mean        *float64           `json:"mean"`
	N           int64              `json:"N"`
	Percentiles map[string]float64 `json:"percentile"`
	Bins        map[string]int64   `json:"bins"` // of JSON+: how often each latency came
}

// The smallest run of which fio's numbers are taken without a doubt; as for this program's own, see bench.
const (
	shortTime = time.Second
	shortIOs  = 30
)

// sums are the counts of all directions and copies of a job.
type sums struct {
	rate, iops float64
	ios        int64
	runtime    time.Duration // the longest
	late       float64       // sum of all latencies, if all are known
	unknown    bool          // one of them is not
	hist       *hist.H
	partly     bool // one of them has no bins
	sides      int
	quantiles  []bench.Quantile // of the only side
	completion bool             // percentiles are of clat
}

// addJob adds the figure of a job, given with its copies.
func addJob(r *bench.Result, copies []fioJob) error {
	id := workload(copies[0].spec)
	if text := copies[0].opts.otherwise(); text != "" {
		warn(r, bench.WarnImportDoubt, id, text)
	}
	s := &sums{}
	for _, j := range copies {
		if j.Error != 0 {
			warn(r, bench.WarnImportDoubt, id, "failed")
			return nil
		}
		if j.Trim != nil && j.Trim.IOs != nil && *j.Trim.IOs > 0 {
			return refuse(j.line, "job %.40q trims, which is neither reading nor writing", j.Name)
		}
		for _, side := range j.sides() {
			if err := s.add(j, side.name, side.side); err != nil {
				return err
			}
		}
	}
	if s.ios == 0 {
		return nil // it did nothing, which says nothing
	}
	f := bench.Figure{Workload: id, Statistic: bench.StatWhole, Bytes: &s.rate, IOPS: &s.iops}
	if mean := s.late / float64(s.ios); !s.unknown && mean > 0 {
		f.Latency = &mean
	}
	if s.hist != nil && !s.partly {
		f.Hist = s.hist
	}
	if s.sides == 1 {
		f.Quantiles = s.quantiles
	}
	if s.completion && (f.Hist != nil || f.Quantiles != nil) {
		completion(r)
	}
	if s.runtime < shortTime || s.ios < shortIOs {
		r.Warnings = append(r.Warnings, bench.Warning{Code: bench.WarnShort, Workload: id, Value: float64(s.ios)})
	}
	r.Imported.Figures = append(r.Imported.Figures, f)
	return nil
}

// completion says once that percentiles are of clat.
func completion(r *bench.Result) {
	if !slices.ContainsFunc(r.Warnings, func(w bench.Warning) bool { return w.Text == "completion" }) {
		warn(r, bench.WarnImported, "", "completion")
	}
}

type namedSide struct {
	name string
	side *fioSide
}

func (j fioJob) sides() []namedSide {
	if j.Mixed != nil {
		return []namedSide{{"mixed", j.Mixed}}
	}
	return []namedSide{{"read", j.Read}, {"write", j.Write}}
}

// add adds a direction of a job, or says what cannot be in it.
func (s *sums) add(j fioJob, name string, x *fioSide) error {
	if x == nil || x.IOs == nil || x.Bytes == nil || x.Runtime == nil || x.IOPS == nil || x.Rate == nil && x.RateKiB == nil {
		return refuse(j.line, "job %.40q has not all numbers of %q", j.Name, name)
	}
	rate := x.rate()
	if *x.IOs == 0 && *x.Bytes == 0 {
		if rate != 0 || *x.IOPS != 0 {
			return refuse(j.line, "%q of job %.40q has a rate, and did nothing", name, j.Name)
		}
		return nil
	}
	if err := x.check(j, name, rate); err != nil {
		return err
	}
	s.sides++
	s.rate += rate
	s.iops += *x.IOPS
	s.ios += *x.IOs
	s.runtime = max(s.runtime, time.Duration(*x.Runtime)*time.Millisecond)
	s.latencies(x)
	q, err := x.quantiles(j)
	s.quantiles = q
	if err != nil {
		return err
	}
	return s.bins(j, x)
}

func (x *fioSide) rate() float64 {
	if x.Rate != nil {
		return *x.Rate
	}
	return *x.RateKiB * 1024
}

// check compares the numbers of a direction with each other: bytes, I/Os and time give the rates.
func (x *fioSide) check(j fioJob, name string, rate float64) error {
	runtime := float64(*x.Runtime) / 1e3
	if *x.IOs <= 0 || *x.Bytes <= 0 || *x.Runtime <= 0 || *x.Runtime > int64(bench.MaxTime/time.Millisecond)*30 {
		return refuse(j.line, "%q of job %.40q has I/Os, bytes or a time that cannot be", name, j.Name)
	}
	if !(rate > 0 && rate <= bench.MaxFigureRate) || !(*x.IOPS > 0 && *x.IOPS <= bench.MaxFigureIOPS) {
		return refuse(j.line, "%q of job %.40q has a rate that no drive has", name, j.Name)
	}
	// The last I/Os of a job may lie beyond its time, which matters in short ones; 2 % is less than a slip of 1024.
	slack := 0.02 + 0.002/runtime
	if part := rate * runtime / float64(*x.Bytes); math.Abs(part-1) > slack {
		return refuse(j.line, "%q of job %.40q: the rate is not its bytes by its time", name, j.Name)
	}
	// A ramp before the counted time, and copies that end apart, make the count of I/Os differ; only the sense of it is checked.
	if part := *x.IOPS * runtime / float64(*x.IOs); part < 0.5 || part > 2 {
		return refuse(j.line, "%q of job %.40q: IOPS are not its I/Os by its time", name, j.Name)
	}
	return nil
}

// latencies adds the mean, of lat where it is there.
func (s *sums) latencies(x *fioSide) {
	lat := x.Lat
	if lat == nil || lat.Mean == nil || lat.N == 0 {
		lat = x.Clat
	}
	if lat == nil || lat.Mean == nil || lat.N == 0 || !(*lat.Mean > 0 && *lat.Mean <= bench.MaxFigureLatency) {
		s.unknown = true
		return
	}
	s.late += *lat.Mean * float64(*x.IOs)
}

// detailed is where percentiles and bins are: lat if it has them, since it is the whole time of an I/O.
func (x *fioSide) detailed() (lat *fioLat, completion bool) {
	if x.Lat != nil && len(x.Lat.Percentiles) > 0 {
		return x.Lat, false
	}
	return x.Clat, true
}

// quantiles are the percentiles of a direction, in order.
func (x *fioSide) quantiles(j fioJob) ([]bench.Quantile, error) {
	lat, _ := x.detailed()
	if lat == nil {
		return nil, nil
	}
	var out []bench.Quantile
	for text, ns := range lat.Percentiles {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil || !(p > 0 && p <= 100) || !(ns >= 0 && ns <= bench.MaxFigureLatency) {
			return nil, refuse(j.line, "a percentile %.20q of job %.40q", text, j.Name)
		}
		out = append(out, bench.Quantile{Share: math.Round(p*1e7) / 1e9, Latency: ns})
	}
	slices.SortFunc(out, func(a, b bench.Quantile) int {
		switch {
		case a.Share < b.Share:
			return -1
		case a.Share > b.Share:
			return 1
		}
		return 0
	})
	for i := 1; i < len(out); i++ {
		if out[i].Share == out[i-1].Share || out[i].Latency < out[i-1].Latency {
			return nil, refuse(j.line, "the percentiles of job %.40q fall", j.Name)
		}
	}
	return out, nil
}

// bins adds the histogram of a direction, if it has one.
func (s *sums) bins(j fioJob, x *fioSide) error {
	lat, clat := x.detailed()
	s.completion = s.completion || clat
	if lat == nil || len(lat.Bins) == 0 {
		s.partly = true
		return nil
	}
	h := &hist.H{}
	for text, n := range lat.Bins {
		ns, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ns < 0 || float64(ns) > bench.MaxFigureLatency || n < 0 || n > 1<<50 {
			return refuse(j.line, "a bin %.20q of job %.40q", text, j.Name)
		}
		h.RecordN(time.Duration(ns), n)
	}
	if h.N() != lat.N {
		return refuse(j.line, "the bins of job %.40q hold %d latencies of %d", j.Name, h.N(), lat.N)
	}
	if s.hist == nil {
		s.hist = &hist.H{}
	}
	s.hist.Merge(h)
	return nil
}
