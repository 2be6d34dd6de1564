package bench

import (
	"slices"
	"time"
)

// Stretch is a part of a load: since it began, and its mean rate in bytes per second.
type Stretch struct {
	From, To time.Duration
	Rate     float64
}

// A drive that slows down because of heat cools by that, and goes on slowly for a while; many then go back and forth
// between both.
const (
	coolMargin    = 10_000           // thousandths of a degree below the limit: a drive as cool is not slow because of heat
	slowSamples   = 3                // a rate is that of so many samples: one alone may dip
	leastBefore   = 5                // samples before the heat, to know the rate without it
	stretchGap    = 10 * time.Second // stretches that are nearer are one
	stretchLength = 3 * time.Second  // shorter ones are chance
)

// nearLimit is how far a sample is from the heat that slows drives down.
type nearLimit struct {
	at    time.Duration // since the load began
	rate  float64       // over some samples, bytes per second
	known bool          // a drive names a limit and told its temperature by then
	above int32         // the temperature less the limit, of the drive that is nearest to it; thousandths of a degree
}

func (h nearLimit) hot() bool { return h.known && h.above >= -hotMargin }

// heats are the samples of a load.
func (r *Result) heats(m *Measurement) []nearLimit {
	limits := r.tempLimits()
	above := map[string]int32{}
	var out []nearLimit
	for i, s := range m.Series {
		for _, d := range s.Drive {
			if limit, known := limits[d.Drive]; known && len(d.Temperatures) > 0 {
				above[d.Drive] = d.Temperatures[0].MilliC - limit
			}
		}
		h := nearLimit{at: s.At}
		for _, a := range above {
			if !h.known || a > h.above {
				h.known, h.above = true, a
			}
		}
		var bytes int64
		var took time.Duration
		for _, x := range m.Series[max(0, i+1-slowSamples) : i+1] {
			bytes, took = bytes+x.Read.Bytes+x.Write.Bytes, took+x.Took
		}
		if took > 0 {
			h.rate = float64(bytes) / took.Seconds()
		}
		out = append(out, h)
	}
	return out
}

// throttled are the stretches in which a load was slower than before the heat: each begins while a drive is at its
// limit, and goes on while the rate is low and the drive not yet cool. A write cache that ends just then looks the
// same; the rate alone does not tell it from heat.
func throttled(all []nearLimit) []Stretch {
	first := slices.IndexFunc(all, nearLimit.hot)
	if first < leastBefore {
		return nil
	}
	var before []float64
	for _, h := range all[:first] {
		before = append(before, h.rate)
	}
	slices.Sort(before)
	usual := before[len(before)/2]
	var out []Stretch
	on := false
	last := time.Duration(0)
	for _, h := range all {
		switch slow := h.rate < slowShare*usual; {
		case on && slow && h.above >= -coolMargin:
			out[len(out)-1].To = h.at
		case slow && h.hot():
			if n := len(out); n > 0 && h.at-out[n-1].To <= stretchGap {
				out[n-1].To = h.at
			} else {
				out = append(out, Stretch{From: last, To: h.at})
			}
			on = true
		default:
			on = false
		}
		last = h.at
	}
	return slices.DeleteFunc(out, func(s Stretch) bool { return s.To-s.From < stretchLength })
}

// ThermalOverrides are what a user may change of a test of the temperature. A nil or false field keeps its value.
type ThermalOverrides struct {
	Idle   *time.Duration // how long it waits at most for a steady temperature
	Steady bool           // the load ends once the temperature is steady; its measuring time is then the most
	Most   *int           // percent of the capacity that is written at most; 0 is no limit
}

// SteadyMost is how long a load goes on at most that ends by itself once the temperature is steady, where the user
// says nothing else. A heavy heatsink takes that long.
const SteadyMost = 30 * time.Minute

// Set says whether there is a change.
func (o ThermalOverrides) Set() bool { return o.Idle != nil || o.Steady || o.Most != nil }

func (t Thermal) with(o ThermalOverrides) Thermal {
	if o.Idle != nil {
		t.Idle = *o.Idle
	}
	if o.Most != nil {
		t.Most = *o.Most
	}
	t.Steady = t.Steady || o.Steady
	return t
}
