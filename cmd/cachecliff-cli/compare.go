package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cachecliff/app/compare"
	"cachecliff/app/explain"
	"cachecliff/app/reference"
	"cachecliff/app/store"
	"cachecliff/bench"
)

// compareWishes are the options of the verb compare.
type compareWishes struct {
	json, all, share          bool
	metric, class, kind, data string
	chart                     string  // file
	min, max                  float64 // capacity, GB
}

func (c *cli) compareVerb() verb {
	var w compareWishes
	return verb{
		name: "compare", args: "A [B...]", about: "set runs and drives beside each other",
		notes: "A and B are results (an ID, latest or a file) or reference drives (an ID of " + program + " reference list).\n" +
			"One result is judged against its class, one drive shown among it, or with --metric ranked among all reference drives. Two are set beside each other in\n" +
			"all they have in common, three and more as bars. Medians are compared; a difference is one if the ranges of the loops\n" +
			"have nothing in common. Runs that were made in different ways are told apart with the reason, and what makers rate is\n" +
			"never ranked with what was measured.\n" +
			"With --json the last line is an object of \"type\" comparison.",
		options: []option{
			flagTo(&w.json, "json", "print JSON"),
			metricTo(&w.metric),
			flagTo(&w.all, "all", "with all reference drives besides"),
			flagTo(&w.share, "share", "amounts of data in percent of the capacity"),
			classTo(&w.class, "only drives of this class"),
			capacityTo(&w.min, &w.max),
			kindTo(&w.kind), chartTo(&w.chart), dataOption(&w.data),
		},
		run: func(_ context.Context, args []string) error { return c.compare(w, args) },
	}
}

// metricTo is the option for the quantity to compare.
func metricTo(p *string) option {
	return option{name: "metric", arg: "METRIC", help: "compare only this, such as seq_read_max or rate.rnd4k-q1t1-read; drives are ranked by it", set: func(v string) error {
		if _, ok := reference.MetricByID(v); !ok {
			var ids []string
			for _, m := range reference.Metrics() {
				ids = append(ids, m.ID)
			}
			return errors.New("one of " + strings.Join(ids, ", ") + ", or rate, iops, latency or p99 with a load behind a dot")
		}
		*p = v
		return nil
	}}
}

// capacityTo is the option for a range of capacities.
func capacityTo(lo, hi *float64) option {
	return option{name: "capacity", arg: "GB", help: "only drives of this capacity, such as 1000 or 900-2100", set: func(v string) error {
		from, to, isRange := strings.Cut(v, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.ParseFloat(from, 64)
		b, errB := strconv.ParseFloat(to, 64)
		if errA != nil || errB != nil || !(a > 0 && a <= b && b < 1e9) {
			return errors.New("a number of GB or two with a hyphen between, such as 900-2100")
		}
		if *lo, *hi = a, b; !isRange {
			*lo, *hi = 0.95*a, 1.05*a // 1000 and 1024 GB are sold as one
		}
		return nil
	}}
}

// kindTo is the option for measured or rated values.
func kindTo(p *string) option {
	return option{name: "kind", arg: "KIND", help: "only values that are measured or rated", set: func(v string) error {
		if v != string(reference.Measured) && v != string(reference.Rated) {
			return errors.New("measured or rated")
		}
		*p = v
		return nil
	}}
}

// comparison is what "compare --json" prints.
type comparison struct {
	Drives  []comparedDrive `json:"drives"`
	Verdict []string        `json:"verdict,omitempty"`     // of one run, in English
	Table   *compareTable   `json:"differences,omitempty"` // of two
	Charts  []compare.Chart `json:"charts,omitempty"`
	results []*bench.Result // beside drives; nil for reference drives
	drives  []reference.Drive
}

// comparedDrive is one of what is compared, in short.
type comparedDrive struct {
	ID    string          `json:"id"`
	Title string          `json:"title"`
	Class reference.Class `json:"class,omitempty"`
	GB    float64         `json:"capacity_gb,omitempty"`
}

// compareTable is a compare.Table without the drives themselves.
type compareTable struct {
	Rows    []compare.Difference `json:"rows"`
	Changes []compare.Change     `json:"changes,omitempty"`
	Nothing compare.Nothing      `json:"nothing,omitempty"`
}

func (c *cli) compare(w compareWishes, args []string) error {
	if len(args) == 0 {
		return usagef("compare takes one result or reference drive or more; %s results and %s reference list list them.", program, program)
	}
	s, err := c.library(w.data)
	if err != nil {
		return err
	}
	all, err := c.loadReferences(references(s))
	if err != nil {
		return err
	}
	out := comparison{}
	for _, name := range args {
		if err := out.add(s, all, name); err != nil {
			return err
		}
	}
	if w.chart != "" {
		return c.layOver(w.chart, out.results)
	}
	out.look(w, all)
	if w.json {
		return c.writeJSON("comparison", "comparison", out)
	}
	c.printComparison(out, w)
	return nil
}

// add finds what a name stands for: a reference drive, else a result.
func (o *comparison) add(s *store.Store, all []reference.Drive, name string) error {
	var d reference.Drive
	var r *bench.Result
	if i := slices.IndexFunc(all, func(d reference.Drive) bool { return strings.EqualFold(d.ID, name) }); i >= 0 {
		d = all[i]
	} else {
		found, err := load(s, name)
		if err != nil {
			return err
		}
		if d, err = reference.FromResult(&found, ""); err != nil {
			return err
		}
		r = &found
	}
	if slices.ContainsFunc(o.drives, func(x reference.Drive) bool { return x.ID == d.ID }) {
		return usagef("%s is there twice; name different runs or drives.", d.ID)
	}
	o.drives, o.results = append(o.drives, d), append(o.results, r)
	o.Drives = append(o.Drives, comparedDrive{d.ID, d.Title(), d.Class, d.CapacityGB})
	return nil
}

// look compares: one with its class, two with each other, more as bars.
func (o *comparison) look(w compareWishes, all []reference.Drive) {
	if len(o.drives) == 1 && o.results[0] == nil && w.metric == "" { // a reference drive alone: with those of its class
		w.all = true
		if w.class == "" {
			w.class = string(o.drives[0].Class)
		}
	}
	rank := o.drives
	if w.all || w.metric != "" && len(o.drives) == 1 {
		for _, d := range all {
			if !slices.ContainsFunc(o.drives, func(x reference.Drive) bool {
				return x.ID == d.ID || x.Setup != nil && d.Setup != nil && x.Setup.Run == d.Setup.Run
			}) {
				rank = append(slices.Clip(rank), d)
			}
		}
	}
	if len(o.drives) == 1 && o.results[0] != nil && w.metric == "" {
		o.Verdict = explain.Verdict(english, o.results[0], all)
	}
	if len(o.drives) == 2 && w.metric == "" && !w.all {
		t := compare.Differences(o.drives[0], o.drives[1])
		o.Table = &compareTable{t.Rows, t.Changes, t.Nothing}
		return
	}
	filter := compare.Filter{MinGB: w.min, MaxGB: w.max, Kind: reference.Kind(w.kind)}
	if w.class != "" {
		filter.Classes = []reference.Class{reference.Class(w.class)}
	}
	for _, n := range compare.Counts(o.drives) {
		if w.metric != "" && n.Metric.ID != w.metric {
			continue
		}
		chart := compare.Bars(rank, compare.Options{Metric: n.Metric.ID, Share: w.share, Own: o.drives[0].ID, Filter: filter})
		if w.metric != "" || len(chart.Bars)+len(chart.Unlike)+len(chart.Rated) > 1 && len(rank) > 1 {
			o.Charts = append(o.Charts, chart)
		}
	}
	if w.metric != "" && len(o.Charts) == 0 {
		o.Charts = append(o.Charts, compare.Bars(rank, compare.Options{Metric: w.metric, Share: w.share, Own: o.drives[0].ID, Filter: filter}))
	}
}

// nothingWords says that there is nothing to compare.
func nothingWords(n compare.Nothing) string { return fmt.Sprintln(explain.Nothing(english, n)) }
