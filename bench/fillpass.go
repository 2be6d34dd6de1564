package bench

import (
	"cachecliff/bench/stages"
)

// FillPass is what a pass of a filling showed.
type FillPass struct {
	Loop   int            `json:"loop"`
	Pass   int            `json:"pass"`
	Start  float64        `json:"start"` // share of the volume that was taken when it began, as df reckons it; 0 to 1
	Found  stages.Stages  `json:"found"`
	Whole  bool           `json:"whole"`           // it ended as planned; else it was stopped or failed
	Dirty  bool           `json:"dirty,omitempty"` // the drives were not told what had been deleted before: no size of the cache is given
	Freed  *Freed         `json:"freed,omitempty"` // what was deleted before it
	Points []stages.Point `json:"-"`
}

// FillPasses are the passes of a filling, in the order in which they ran.
func (r *Result) FillPasses() []FillPass {
	var out []FillPass
	var freed *Freed
	volume := r.Plan.Target.Volume
	free := volume.Free
	for i := range r.Measurements {
		m := &r.Measurements[i]
		switch m.Step.Kind {
		case StepDelete:
			if freed = m.Freed; freed != nil {
				free += freed.Bytes
			}
		case StepFill:
			p := FillPass{Loop: m.Step.Loop, Pass: m.Step.Pass, Whole: !m.Stopped && m.Failure == nil, Freed: freed, Points: r.points(m)}
			p.Start, _ = volume.Fill(free)
			p.Dirty = freed != nil && !freed.told()
			p.Found = stages.Find(p.Points)
			out = append(out, p)
			free, freed = free-m.Moved.WriteBytes, nil
		}
	}
	return out
}

// told says whether the drives know of most of what was deleted.
func (f Freed) told() bool {
	enough := func(n *int64) bool { return n != nil && *n >= f.Bytes/2 }
	return enough(f.Discarded) || enough(f.Trimmed)
}

// points are the samples of a step as the finder of stages takes them. A point is hot if a drive was at its limit of
// temperature when it was read last.
func (r *Result) points(m *Measurement) []stages.Point {
	limits := r.tempLimits()
	hot := map[string]bool{}
	out := make([]stages.Point, 0, len(m.Series))
	for _, s := range m.Series {
		for _, d := range s.Drive {
			if limit, known := limits[d.Drive]; known && len(d.Temperatures) > 0 {
				hot[d.Drive] = d.Temperatures[0].MilliC >= limit-hotMargin
			}
		}
		any := false
		for _, h := range hot {
			any = any || h
		}
		out = append(out, stages.Point{Bytes: s.Write.Bytes, Took: s.Took, Hot: any})
	}
	return out
}
