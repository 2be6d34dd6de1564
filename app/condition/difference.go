package condition

import (
	"math"

	"cachecliff/platform"
)

// Delta is what a counter of a drive did between two readings.
type Delta struct {
	Part platform.Part `json:"part,omitempty"`   // which counter, in the unit that Health has it in
	Attr int           `json:"attr,omitempty"`   // or the number of an attribute, of which the raw value counts
	By   *int64        `json:"by"`               // nil if it is not known; below 0 only for attributes
	Why  platform.Why  `json:"reason,omitempty"` // why it is not known, where that is known
}

// Moved says whether the counter is known to have moved.
func (d Delta) Moved() bool { return d.By != nil && *d.By != 0 }

// counters are what only ever grows, in the order in which they are told.
var counters = []struct {
	part platform.Part
	of   func(h platform.Health) *int64
}{
	{platform.PartHostWrites, func(h platform.Health) *int64 { return whole(h.HostWrites) }},
	{platform.PartHostReads, func(h platform.Health) *int64 { return whole(h.HostReads) }},
	{platform.PartWriteCommands, func(h platform.Health) *int64 { return whole(h.WriteCommands) }},
	{platform.PartReadCommands, func(h platform.Health) *int64 { return whole(h.ReadCommands) }},
	{platform.PartControllerBusy, func(h platform.Health) *int64 { return whole(h.ControllerBusyMin) }},
	{platform.PartPercentUsed, func(h platform.Health) *int64 { return whole(h.PercentUsed) }},
	{platform.PartPowerOnHours, func(h platform.Health) *int64 { return whole(h.PowerOnHours) }},
	{platform.PartPowerCycles, func(h platform.Health) *int64 { return whole(h.PowerCycles) }},
	{platform.PartUnsafeShutdowns, func(h platform.Health) *int64 { return whole(h.UnsafeShutdowns) }},
	{platform.PartMediaErrors, func(h platform.Health) *int64 { return whole(h.MediaErrors) }},
	{platform.PartErrorLogEntries, func(h platform.Health) *int64 { return whole(h.ErrorLogEntries) }},
	{platform.PartWarningTemp, func(h platform.Health) *int64 { return whole(h.WarningTempMin) }},
	{platform.PartCriticalTemp, func(h platform.Health) *int64 { return whole(h.CriticalTempMin) }},
	{platform.PartLightThrottles, func(h platform.Health) *int64 { return whole(h.LightThrottles) }},
	{platform.PartHeavyThrottles, func(h platform.Health) *int64 { return whole(h.HeavyThrottles) }},
	{platform.PartLightSeconds, func(h platform.Health) *int64 { return whole(h.LightSeconds) }},
	{platform.PartHeavySeconds, func(h platform.Health) *int64 { return whole(h.HeavySeconds) }},
}

// telling are the attributes that say something by their change: replaced, pending and unreadable sectors, and
// errors on the cable. Pending sectors may become fewer.
var telling = []int{5, 196, 197, 198, 199}

// Difference says of each counter how far it went from before to after, two readings of the same drive. One that
// is missing in either, or that went back, is not known. Attributes are told where both readings have them.
func Difference(before, after platform.Health) []Delta {
	var out []Delta
	for _, c := range counters {
		d := Delta{Part: c.part}
		from, to := c.of(before), c.of(after)
		switch {
		case to == nil:
			d.Why = after.Why(c.part)
		case from == nil:
			d.Why = before.Why(c.part)
		case *to >= *from && *from >= 0:
			d.By = new(*to - *from)
		}
		out = append(out, d)
	}
	for _, id := range telling {
		from, to := raw(before, id), raw(after, id)
		if from != nil && to != nil {
			out = append(out, Delta{Attr: id, By: new(*to - *from)})
		}
	}
	return out
}

func raw(h platform.Health, id int) *int64 {
	for _, a := range h.Attributes {
		if a.ID == id && a.Raw <= math.MaxInt64 {
			return new(int64(a.Raw))
		}
	}
	return nil
}
