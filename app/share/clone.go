package share

import (
	"slices"

	"cachecliff/bench"
)

// publicClone takes out of a clone where its source and its images lie and what they are called. Its measurements are
// copies already.
func publicClone(r *bench.Result) {
	c := r.Plan.Clone
	if c == nil {
		return
	}
	source := *c
	source.Path, source.Name, source.Written = "", "", nil
	source.Parts = slices.Clone(source.Parts)
	for i := range source.Parts {
		source.Parts[i].Label = "" // as people name their partitions
	}
	r.Plan.Clone = &source
	if want := r.Plan.Profile.Cloning; want != nil {
		cloning := *want
		cloning.Source = ""
		r.Plan.Profile.Cloning = &cloning
	}
	for i := range r.Measurements {
		if m := &r.Measurements[i]; m.Clone != nil {
			facts := *m.Clone
			facts.Image = ""
			m.Clone = &facts
		}
	}
}
