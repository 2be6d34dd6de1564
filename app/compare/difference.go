package compare

import (
	"slices"
	"strconv"
	"strings"

	"cachecliff/app/reference"
	"cachecliff/bench"
)

// Significance says whether a difference is one.
type Significance string

// The answers.
const (
	Clear    Significance = "clear"    // the ranges of the loops have nothing in common
	Within   Significance = "within"   // it is no larger than the loops differ
	Unsure   Significance = "unsure"   // one of them has too few loops to tell
	Doubtful Significance = "doubtful" // the ranges have nothing in common, but there are doubts about one of the numbers: Doubts
	Promised Significance = "rated"    // both are what makers rate, which has no spread
	Unfit    Significance = "unlike"   // they were made in different ways: Reasons say which
)

// leastLoops is how many loops a value must have for its range to mean something.
const leastLoops = 3

// Difference is one metric of two drives or runs.
type Difference struct {
	Metric       reference.Metric    `json:"metric"`
	A            reference.Value     `json:"a"`
	B            reference.Value     `json:"b"`
	Change       *float64            `json:"change,omitempty"` // B over A, less one; nil if A is 0
	Better       int                 `json:"better"`           // 1 if B is better, -1 if A is, 0 if they are the same or it is not known
	Significance Significance        `json:"significance"`
	Doubts       []bench.WarningCode `json:"doubts,omitempty"`  // about either number
	Reasons      []Reason            `json:"reasons,omitempty"` // not empty if it is Unfit
}

// Change is a circumstance in which two runs differ, which is told and does not make them unlike.
type Change struct {
	What string `json:"what"` // "firmware", "driver", "link", "fs", "layers", "power", "kernel", "cpu", "app", "fill", "label"
	A    string `json:"a"`    // empty if not known
	B    string `json:"b"`
}

// Table is all differences of two drives or runs.
type Table struct {
	A       reference.Drive `json:"a"`
	B       reference.Drive `json:"b"`
	Rows    []Difference    `json:"rows"`
	Changes []Change        `json:"changes,omitempty"`
	Nothing Nothing         `json:"nothing,omitempty"` // why there are no rows
}

// Differences sets two drives or runs beside each other in every metric that both have.
func Differences(a, b reference.Drive) Table {
	t := Table{A: a, B: b, Changes: changes(a, b)}
	for _, va := range a.Values {
		if a.Setup != nil && b.Setup != nil && renamed(va) {
			continue
		}
		vb, ok := b.Find(va.Metric, va.Kind)
		if first, _ := a.Find(va.Metric, va.Kind); !ok || first.Conditions != va.Conditions {
			continue // of several values of one metric the first stands for all
		}
		t.Rows = append(t.Rows, difference(a, b, va, vb))
	}
	if len(t.Rows) == 0 {
		t.Nothing = NothingCommon
	}
	return t
}

// renamed says whether a value is one of a table once more, under the name that others use.
func renamed(v reference.Value) bool {
	m, _ := reference.MetricByID(v.Metric)
	return v.Spec != nil && (m.Group == "seq" || m.Group == "rand4k" || m.Group == "cdm")
}

func difference(a, b reference.Drive, va, vb reference.Value) Difference {
	m, _ := reference.MetricByID(va.Metric)
	d := Difference{Metric: m, A: va, B: vb, Reasons: Unlike(a, b, va, vb)}
	if va.Value > 0 {
		change := vb.Value/va.Value - 1
		d.Change = &change
	}
	d.Doubts = slices.Compact(slices.Sorted(slices.Values(slices.Concat(va.Doubts, vb.Doubts))))
	d.Significance = significance(va, vb)
	switch {
	case len(d.Reasons) > 0:
		d.Significance = Unfit
	case va.Kind == reference.Rated:
		d.Significance = Promised
	case d.Significance == Clear && len(d.Doubts) > 0:
		d.Significance = Doubtful
	}
	if d.Significance == Clear {
		d.Better = 1
		if (vb.Value < va.Value) != m.Lower {
			d.Better = -1
		}
	}
	return d
}

// significance looks at the ranges of the loops.
func significance(a, b reference.Value) Significance {
	if a.Loops == nil || b.Loops == nil || a.Loops.N < leastLoops || b.Loops.N < leastLoops {
		return Unsure
	}
	if a.Loops.Hi < b.Loops.Lo || b.Loops.Hi < a.Loops.Lo {
		return Clear
	}
	return Within
}

// changes lists in what else two runs differ.
func changes(a, b reference.Drive) []Change {
	if a.Setup == nil || b.Setup == nil {
		return nil
	}
	var out []Change
	add := func(what, x, y string) {
		if x != y {
			out = append(out, Change{what, x, y})
		}
	}
	x, y := *a.Setup, *b.Setup
	add("label", a.Label, b.Label)
	add("firmware", x.Firmware, y.Firmware)
	add("driver", x.Driver, y.Driver)
	add("link", x.Link, y.Link)
	add("fs", x.FS, y.FS)
	add("layers", strings.Join(x.Layers, ", "), strings.Join(y.Layers, ", "))
	add("fill", wholePercent(x.Fill), wholePercent(y.Fill))
	add("power", x.Power, y.Power)
	add("cpu", x.CPU, y.CPU)
	add("kernel", x.Kernel, y.Kernel)
	add("app", x.App, y.App)
	return out
}

func wholePercent(share *float64) string {
	if share == nil {
		return ""
	}
	return strconv.Itoa(int(100**share+0.5)) + " %"
}
