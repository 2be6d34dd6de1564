package compare

import (
	"cmp"
	"slices"
	"strings"

	"cachecliff/app/reference"
)

// Filter says which drives and values are looked at. What is empty or 0 filters nothing.
type Filter struct {
	Classes []reference.Class
	MinGB   float64 // capacity; a drive whose capacity is not known fits no bound
	MaxGB   float64
	Kind    reference.Kind
}

// Drive says whether a drive passes.
func (f Filter) Drive(d reference.Drive) bool {
	if len(f.Classes) > 0 && !slices.Contains(f.Classes, d.Class) {
		return false
	}
	if (f.MinGB > 0 || f.MaxGB > 0) && d.CapacityGB == 0 {
		return false
	}
	return d.CapacityGB >= f.MinGB && (f.MaxGB == 0 || d.CapacityGB <= f.MaxGB)
}

// Options say what bars are wanted.
type Options struct {
	Metric string // ID
	Share  bool   // in percent of the capacity, where the metric has that
	Own    string // ID of the drive that is the user's: it passes every filter of drives, and runs are measured by it
	Filter Filter
}

// Bar is one value of a drive.
type Bar struct {
	ID      string           `json:"id"` // of the drive
	Name    string           `json:"name"`
	Class   reference.Class  `json:"class,omitempty"`
	Own     bool             `json:"own,omitempty"`
	Amount  float64          `json:"amount"` // in the unit of the chart
	Value   reference.Value  `json:"value"`
	Source  reference.Source `json:"source"`
	Reasons []Reason         `json:"reasons,omitempty"` // why it is not ranked
}

// Nothing is why there is nothing to compare; empty if there is.
type Nothing string

// The causes.
const (
	NothingUnknown  Nothing = "unknown"  // no such metric
	NothingNoValues Nothing = "none"     // nobody has a value
	NothingFiltered Nothing = "filtered" // the filter leaves none
	NothingRated    Nothing = "rated"    // all that there is are ratings of makers
	NothingCommon   Nothing = "common"   // two drives or runs have no metric in common
	NothingOne      Nothing = "one"      // there is one value, and no other
	NothingUnlike   Nothing = "unlike"   // no two were made in the same way
)

// Chart is the bars of a metric.
type Chart struct {
	Metric     reference.Metric `json:"metric"`
	Unit       string           `json:"unit"`                  // of all amounts: that of the metric, or "%"
	Bars       []Bar            `json:"bars"`                  // measured, the best first
	Rated      []Bar            `json:"rated,omitempty"`       // what makers promise, by name: they are ticks, and have no rank
	Unlike     []Bar            `json:"unlike,omitempty"`      // runs that were made in another way than the own one, and numbers that are not the drive's
	NoCapacity int              `json:"no_capacity,omitempty"` // values without a share, since the capacity is not known
	Sources    int              `json:"sources"`               // how many sources the ranked values are from; of more than one the conditions differ
	Nothing    Nothing          `json:"nothing,omitempty"`
}

// percent is the unit of a share.
const percent = "%"

// Bars sets the values of a metric of all drives beside each other.
func Bars(all []reference.Drive, o Options) Chart {
	m, known := reference.MetricByID(o.Metric)
	c := Chart{Metric: m, Unit: m.Unit}
	if !known {
		c.Nothing = NothingUnknown
		return c
	}
	share := o.Share && m.Share
	if share {
		c.Unit = percent
	}
	own, base := basis(all, o)
	seen := 0
	sources := map[string]bool{}
	for _, d := range all {
		for _, v := range d.Of(m.ID) {
			seen++
			isOwn := d.ID == o.Own
			if !isOwn && !o.Filter.Drive(d) || o.Filter.Kind != "" && v.Kind != o.Filter.Kind {
				continue
			}
			b := Bar{ID: d.ID, Name: d.Title(), Class: d.Class, Own: isOwn, Amount: v.Value, Value: v, Source: d.Sources[v.Source]}
			if share && d.CapacityGB == 0 {
				c.NoCapacity++
				continue
			}
			if share {
				b.Amount = 100 * v.Value / d.CapacityGB
			}
			b.Reasons = notRanked(own, base, d, v)
			switch {
			case v.Kind == reference.Rated:
				c.Rated = append(c.Rated, b)
			case len(b.Reasons) > 0:
				c.Unlike = append(c.Unlike, b)
			default:
				c.Bars = append(c.Bars, b)
				sources[b.Source.Address] = b.Source.Quality != reference.QualityOwn
			}
		}
	}
	c.Sources = countSources(sources)
	c.sort()
	c.Nothing = c.nothing(seen)
	return c
}

// basis is the run that others are measured by: the own drive's, else the first one.
func basis(all []reference.Drive, o Options) (*reference.Drive, *reference.Value) {
	for _, must := range []bool{true, false} {
		for i := range all {
			if all[i].Setup == nil || must && all[i].ID != o.Own {
				continue
			}
			if v, ok := all[i].Find(o.Metric, reference.Measured); ok && !v.Invalid {
				return &all[i], &v
			}
		}
	}
	return nil, nil
}

// notRanked says why a value cannot stand among those that are ranked: a run that is unlike the basis, or a number
// that is not the drive's.
func notRanked(base *reference.Drive, bv *reference.Value, d reference.Drive, v reference.Value) []Reason {
	if v.Kind == reference.Rated {
		return nil
	}
	if base != nil && d.Setup != nil {
		return Unlike(*base, d, *bv, v)
	}
	if v.Invalid {
		return []Reason{ReasonInvalid}
	}
	return nil
}

// countSources counts all runs of this program as one source.
func countSources(others map[string]bool) int {
	n, own := 0, 0
	for _, other := range others {
		if other {
			n++
		} else {
			own = 1
		}
	}
	return n + own
}

// sort puts the best first, and what has no rank in the order of names.
func (c *Chart) sort() {
	byName := func(a, b Bar) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID)) }
	slices.SortStableFunc(c.Bars, func(a, b Bar) int {
		rank := cmp.Compare(b.Amount, a.Amount)
		if c.Metric.Lower {
			rank = -rank
		}
		return cmp.Or(rank, byName(a, b))
	})
	slices.SortStableFunc(c.Rated, byName)
	slices.SortStableFunc(c.Unlike, byName)
}

// nothing says why there are not two bars to compare.
func (c *Chart) nothing(seen int) Nothing {
	switch {
	case len(c.Bars) > 1:
		return ""
	case seen == 0:
		return NothingNoValues
	case len(c.Bars)+len(c.Unlike) > 1:
		return NothingUnlike
	case len(c.Bars)+len(c.Unlike) == 1:
		return NothingOne
	case len(c.Rated) > 0:
		return NothingRated
	}
	return NothingFiltered
}

// Count is how many values there are of a metric.
type Count struct {
	Metric   reference.Metric
	Measured int
	Rated    int
}

// Counts lists the metrics of which there is a value, those with a name of their own first.
func Counts(all []reference.Drive) []Count {
	var out []Count
	index := map[string]int{}
	for _, m := range reference.Metrics() {
		index[m.ID] = len(out)
		out = append(out, Count{Metric: m})
	}
	for _, d := range all {
		for _, v := range d.Values {
			i, ok := index[v.Metric]
			if !ok {
				m, _ := reference.MetricByID(v.Metric)
				i = len(out)
				index[v.Metric] = i
				out = append(out, Count{Metric: m})
			}
			if v.Kind == reference.Rated {
				out[i].Rated++
			} else {
				out[i].Measured++
			}
		}
	}
	return slices.DeleteFunc(out, func(c Count) bool { return c.Measured+c.Rated == 0 })
}
