package bench

import (
	"slices"

	"cachecliff/bench/stages"
)

// What follows looks at the passes of a filling.

// filled lists the passes in which something was written, also one that was stopped: what there is of it counts.
func (r *Result) filled() []Measurement {
	if r.Plan.Profile.Filling == nil {
		return nil
	}
	var out []Measurement
	for _, m := range r.Measurements {
		if m.Step.Kind == StepFill && m.Elapsed > 0 && m.Write.Ops > 0 {
			out = append(out, m)
		}
	}
	return out
}

// likeCopy: a filling may be asked to write as programs copy files, which is no fault of its numbers.
func likeCopy(r *Result) finding {
	return finding{hit: r.Plan.Profile.Filling != nil && r.Plan.Buffered}
}

// slowedByHeat says whether heat made the rate of a pass fall.
func (r *Result) slowedByHeat() bool {
	return slices.ContainsFunc(r.FillPasses(), func(p FillPass) bool {
		return slices.ContainsFunc(p.Found.Borders, func(b stages.Border) bool { return b.Cause == stages.CauseHeat })
	})
}
