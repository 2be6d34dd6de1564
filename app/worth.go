package app

import (
	"slices"

	"cachecliff/bench"
)

// Worth says whether a result is worth keeping: a run that ended before an I/O of a loop that counts has
// nothing to show.
func Worth(r *bench.Result) bool {
	return slices.ContainsFunc(r.Measurements, func(m bench.Measurement) bool {
		ops, _, _ := m.Total()
		return !m.Step.Discarded() && (ops > 0 || slices.ContainsFunc(m.Series, moved))
	})
}

// moved says whether a sample saw an I/O complete.
func moved(s bench.Sample) bool { return s.Read.Ops+s.Write.Ops > 0 }
