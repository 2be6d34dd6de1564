package compare

import (
	"slices"

	"cachecliff/app/reference"
)

// Standing is where a drive stands in one metric: among those of its class that others measured, and against what its
// maker rates.
type Standing struct {
	Metric reference.Metric
	Own    reference.Value
	Amount float64          // of the own value, in Unit
	Unit   string           // "%" of the capacity for amounts of data, where that is known; else that of the metric
	Others int              // drives of the class with a measured value
	Median float64          // of theirs, in Unit; 0 if there are fewer than leastOthers
	Side   int              // 1 if the drive is clearly better than that, -1 if worse, 0 if it is neither or not known
	Rated  *reference.Value // what the maker rates the same model; nil if that is not known
}

// What a class is judged by.
const (
	leastOthers = 3   // values: a middle of fewer says nothing of a class
	clearly     = 0.1 // off the middle: others measured in other ways, which makes more of a difference than loops do
)

// Known says whether there is a class to compare with.
func (s Standing) Known() bool { return s.Others >= leastOthers }

// Standings says where a drive or run stands in each metric that others give as well. Values that are not the drive's
// have no standing.
func Standings(own reference.Drive, all []reference.Drive) []Standing {
	others := slices.DeleteFunc(slices.Clone(all), func(d reference.Drive) bool {
		return d.ID == own.ID || d.Setup != nil // one's own runs are compared one by one
	})
	same := reference.Same(others, own)
	var out []Standing
	for _, m := range reference.Metrics() {
		v, ok := own.Find(m.ID, reference.Measured)
		if !ok || v.Invalid {
			continue
		}
		s := Standing{Metric: m, Own: v, Rated: rated(same, m.ID, own.CapacityGB)}
		s.among(own, others)
		out = append(out, s)
	}
	return out
}

// among sets a value among those of its class.
func (s *Standing) among(own reference.Drive, others []reference.Drive) {
	o := Options{Metric: s.Metric.ID, Share: own.CapacityGB > 0, Own: own.ID, Filter: Filter{Classes: []reference.Class{own.Class}, Kind: reference.Measured}}
	c := Bars(append([]reference.Drive{own}, others...), o)
	s.Unit = c.Unit
	var values []float64
	for _, b := range c.Bars {
		if b.Own {
			s.Amount = b.Amount
		} else if own.Class != reference.ClassUnknown {
			values = append(values, b.Amount)
		}
	}
	if s.Others = len(values); s.Others < leastOthers {
		return
	}
	slices.Sort(values)
	n := len(values)
	s.Median = (values[(n-1)/2] + values[n/2]) / 2
	switch {
	case s.Amount > s.Median*(1+clearly):
		s.Side = 1
	case s.Amount < s.Median*(1-clearly) && s.Own.Qualifier != reference.MoreThan:
		s.Side = -1
	}
	if s.Metric.Lower {
		s.Side = -s.Side
	}
}

// rated is what the maker rates a model in a metric: of this capacity if that is told, else of the series.
func rated(same []reference.Drive, metric string, gb float64) *reference.Value {
	var out *reference.Value
	for _, d := range same {
		v, ok := d.Find(metric, reference.Rated)
		if ok && (out == nil || d.CapacityGB > 0 && gb > 0) {
			out = &v
		}
	}
	return out
}
