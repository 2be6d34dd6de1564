package store

import (
	"slices"

	"cachecliff/bench"
)

// ThermalSummary is what a list shows of a test of the temperature: the warmest of its loads. Temperatures are
// thousandths of a degree Celsius.
type ThermalSummary struct {
	Top       *int32 `json:"top,omitempty"`       // the highest; nil if no sensor could be read
	Idle      *int32 `json:"idle,omitempty"`      // before the load
	Throttled bool   `json:"throttled,omitempty"` // heat slowed the drive down
}

// thermalSummary is nil if a result is not of a test of the temperature, or has no load.
func thermalSummary(r bench.Result) *ThermalSummary {
	passes := r.ThermalPasses()
	if len(passes) == 0 {
		return nil
	}
	s := &ThermalSummary{Throttled: slices.ContainsFunc(passes, func(p bench.ThermalPass) bool { return len(p.Slowed) > 0 || p.Counted })}
	for _, p := range passes {
		if x, ok := p.Warmest(); ok && (s.Top == nil || x.Top > *s.Top) {
			s.Top, s.Idle = &x.Top, &x.Idle
		}
	}
	return s
}
