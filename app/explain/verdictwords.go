package explain

import (
	"math"
	"strconv"
	"strings"

	"cachecliff/app/compare"
	"cachecliff/app/format"
	"cachecliff/app/reference"
	"cachecliff/app/words"
)

// Metric is the name of what a value is a number of. Loads of a table are named in the notation of the screen.
func Metric(w *words.Words, v reference.Value) string {
	m, _ := reference.MetricByID(v.Metric)
	if kind, _ := m.Workload(); kind != "" && v.Spec != nil {
		return w.T("measure."+kind, "Load", v.Spec.Label(), "Direction", w.T("direction."+string(v.Spec.Direction())))
	}
	return MetricName(w, v.Metric)
}

// MetricName is the name of a metric by its ID. One without a name shows as its ID.
func MetricName(w *words.Words, id string) string {
	if name := dashed(id); w.Has("metric." + name) {
		return w.T("metric." + name)
	}
	return id
}

// dashed is an ID of a file as the IDs of messages are written.
func dashed(id string) string { return strings.ReplaceAll(id, "_", "-") }

// Class is the name of a class of drives.
func Class(w *words.Words, c reference.Class) string {
	if c == reference.ClassUnknown {
		return w.T("class.unknown")
	}
	return w.T("class." + dashed(string(c)))
}

// Value is a value with its unit, and in words whether it was printed as about, more or less than that.
func Value(w *words.Words, v reference.Value) string {
	text := Amount(w, v.Value, v.Unit)
	if v.Qualifier == reference.Exactly {
		return text
	}
	return w.T("qualifier."+string(v.Qualifier), "Value", text)
}

// Amount is a number of a metric with its unit. What was printed stays as it is; what was measured has four digits.
func Amount(w *words.Words, v float64, unit string) string {
	if v != math.Trunc(v) || v >= 1e7 {
		if r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 3, 64), 64); err == nil {
			v = r
		}
	}
	return format.Tick(v, locale(w)) + "\u00a0" + Unit(w, unit)
}

// Unit is how the unit of a metric is written.
func Unit(w *words.Words, unit string) string {
	switch unit {
	case "us":
		return "µs"
	case "degC":
		return "°C"
	case "points":
		return w.T("metric.points")
	}
	return unit
}

// Kind is "measured" or "rated".
func Kind(w *words.Words, k reference.Kind) string { return w.T("kind." + string(k)) }

// Unlike says why two values are not alike, or one is not ranked.
func Unlike(w *words.Words, r compare.Reason) string { return w.T("unlike." + string(r)) }

// Nothing says why there is nothing to compare; empty if there is.
func Nothing(w *words.Words, n compare.Nothing) string {
	if n == "" {
		return ""
	}
	return w.T("nothing." + string(n))
}

// Significance says in a few words whether a difference is one.
func Significance(w *words.Words, s compare.Significance) string {
	return w.T("significance." + string(s))
}

// Changed is the name of a circumstance in which two runs differ (compare.Change.What).
func Changed(w *words.Words, what string) string { return w.T("changed." + what) }

// Quality says what kind of source a source is.
func Quality(w *words.Words, q reference.Quality) string { return w.T("quality." + dashed(string(q))) }

// FromSteps is what is written at a curve that was made of the values of stages.
func FromSteps(w *words.Words) string { return w.T("compare.steps") }
