package platform

import (
	"context"
	"slices"
)

// Health is a drive's own account of its state. A nil field is not reported; Absent says why.
type Health struct {
	Source          string   `json:"source,omitempty"`   // how it was read
	Critical        []string `json:"critical,omitempty"` // what is wrong: spare, temperature, reliability, read-only, backup, persistent-memory, failing
	TempMilliC      *int32   `json:"temp_millic,omitempty"`
	PercentUsed     *int     `json:"percent_used,omitempty"` // of the rated endurance; may exceed 100
	SpareLeft       *int     `json:"spare_left,omitempty"`   // percent
	SpareThreshold  *int     `json:"spare_threshold,omitempty"`
	HostReads       *uint64  `json:"host_reads,omitempty"` // bytes
	HostWrites      *uint64  `json:"host_writes,omitempty"`
	PowerOnHours    *uint64  `json:"power_on_hours,omitempty"`
	PowerCycles     *uint64  `json:"power_cycles,omitempty"`
	UnsafeShutdowns *uint64  `json:"unsafe_shutdowns,omitempty"`
	MediaErrors     *uint64  `json:"media_errors,omitempty"`
	WarningTempMin  *uint32  `json:"warning_temp_minutes,omitempty"`
	CriticalTempMin *uint32  `json:"critical_temp_minutes,omitempty"`
	LightThrottles  *uint32  `json:"light_throttles,omitempty"`        // how often it slowed down a little to stay cool
	HeavyThrottles  *uint32  `json:"heavy_throttles,omitempty"`        // how often it slowed down at any price
	LightSeconds    *uint32  `json:"light_throttle_seconds,omitempty"` // how long in all
	HeavySeconds    *uint32  `json:"heavy_throttle_seconds,omitempty"` //

	ReadCommands      *uint64 `json:"read_commands,omitempty"` // how many the host gave
	WriteCommands     *uint64 `json:"write_commands,omitempty"`
	ControllerBusyMin *uint64 `json:"controller_busy_minutes,omitempty"` // minutes with commands to do
	ErrorLogEntries   *uint64 `json:"error_log_entries,omitempty"`       // also of harmless commands that the drive does not know: no fault by itself

	Passed       Tri        `json:"passed,omitempty"`       // the drive's own verdict: it warns of nothing
	Throttles    Tri        `json:"throttles,omitempty"`    // whether the drive says that it slows down at temperatures that the host sets, and so counts it
	Temperatures []Reading  `json:"temperatures,omitempty"` // of each sensor, the composite one first
	Limits       TempLimits `json:"limits,omitzero"`        // that the drive states itself

	Attributes []Attribute `json:"attributes,omitempty"` // what an ATA drive counts, in its order
	Absent     []Absence   `json:"absent,omitempty"`     // why fields are nil, each once
}

// Attribute is a line of the SMART table of an ATA drive.
type Attribute struct {
	ID         int    `json:"id"`
	Name       string `json:"name,omitempty"` // as tools name it, in English; empty if nobody knows
	Normalized int    `json:"normalized"`     // the drive's own mark, from 253 down; below Threshold is bad
	Worst      int    `json:"worst"`          // the lowest Normalized so far
	Threshold  *int   `json:"threshold,omitempty"`
	Raw        uint64 `json:"raw"`               // 48 bits, in a unit and a form of the maker's choice
	Vital      bool   `json:"vital,omitempty"`   // below its Threshold the drive is about to fail; else it is worn
	Failing    bool   `json:"failing,omitempty"` // at or below its Threshold now
}

// Part names a part of Health, as it is called in JSON. PartThresholds are those of the attributes.
type Part string

// The parts of Health that may be absent.
const (
	PartTemperature     Part = "temp_millic"
	PartLimits          Part = "limits"
	PartPercentUsed     Part = "percent_used"
	PartSpare           Part = "spare_left"
	PartSpareThreshold  Part = "spare_threshold"
	PartHostReads       Part = "host_reads"
	PartHostWrites      Part = "host_writes"
	PartReadCommands    Part = "read_commands"
	PartWriteCommands   Part = "write_commands"
	PartControllerBusy  Part = "controller_busy_minutes"
	PartPowerOnHours    Part = "power_on_hours"
	PartPowerCycles     Part = "power_cycles"
	PartUnsafeShutdowns Part = "unsafe_shutdowns"
	PartMediaErrors     Part = "media_errors"
	PartErrorLogEntries Part = "error_log_entries"
	PartWarningTemp     Part = "warning_temp_minutes"
	PartCriticalTemp    Part = "critical_temp_minutes"
	PartLightThrottles  Part = "light_throttles"
	PartHeavyThrottles  Part = "heavy_throttles"
	PartLightSeconds    Part = "light_throttle_seconds"
	PartHeavySeconds    Part = "heavy_throttle_seconds"
	PartPassed          Part = "passed"
	PartThresholds      Part = "thresholds"
)

// Why is the reason for which something is not there.
type Why string

// The reasons.
const (
	WhyRights      Why = "needs-rights"    // administrators are shown it
	WhyNotReported Why = "not-reported"    // the drive was asked, and does not tell
	WhyBus         Why = "unsupported-bus" // drives of this kind have no such thing
	WhyBridge      Why = "bridge"          // the USB adapter does not pass the question on
	WhyAsleep      Why = "asleep"          // the drive sleeps, and was not woken
	WhyFailed      Why = "failed"          // the question came to grief
)

// Absence says why a part of Health is not there.
type Absence struct {
	What   Part `json:"what"`
	Reason Why  `json:"reason"`
}

// Why is the reason for which a part is absent; empty if nobody named one.
func (h *Health) Why(p Part) Why {
	for _, a := range h.Absent {
		if a.What == p {
			return a.Reason
		}
	}
	return ""
}

// Explain names the reason of each of the parts that is absent and has none yet. Without parts it is all but
// PartThresholds.
func (h *Health) Explain(why Why, parts ...Part) {
	named := func(p Part) bool {
		return slices.Contains(parts, p) || len(parts) == 0 && p != PartThresholds
	}
	for _, f := range h.parts() {
		if !f.there && named(f.part) && h.Why(f.part) == "" {
			h.Absent = append(h.Absent, Absence{f.part, why})
		}
	}
}

// present says of a part whether it is there.
type present struct {
	part  Part
	there bool
}

func (h *Health) parts() []present {
	thresholds := false
	for _, a := range h.Attributes {
		thresholds = thresholds || a.Threshold != nil
	}
	return []present{
		{PartTemperature, h.TempMilliC != nil}, {PartLimits, h.Limits.Known()}, {PartPercentUsed, h.PercentUsed != nil},
		{PartSpare, h.SpareLeft != nil}, {PartSpareThreshold, h.SpareThreshold != nil},
		{PartHostReads, h.HostReads != nil}, {PartHostWrites, h.HostWrites != nil},
		{PartReadCommands, h.ReadCommands != nil}, {PartWriteCommands, h.WriteCommands != nil},
		{PartControllerBusy, h.ControllerBusyMin != nil}, {PartPowerOnHours, h.PowerOnHours != nil},
		{PartPowerCycles, h.PowerCycles != nil}, {PartUnsafeShutdowns, h.UnsafeShutdowns != nil},
		{PartMediaErrors, h.MediaErrors != nil}, {PartErrorLogEntries, h.ErrorLogEntries != nil},
		{PartWarningTemp, h.WarningTempMin != nil}, {PartCriticalTemp, h.CriticalTempMin != nil},
		{PartLightThrottles, h.LightThrottles != nil}, {PartHeavyThrottles, h.HeavyThrottles != nil},
		{PartLightSeconds, h.LightSeconds != nil}, {PartHeavySeconds, h.HeavySeconds != nil},
		{PartPassed, h.Passed != Unknown}, {PartThresholds, thresholds},
	}
}

// TempLimits are the temperatures at which a drive warns of heat and at which it is in danger, thousandths of
// a degree Celsius. Drives slow down at about the first and stop at about the second. Nil is not known.
type TempLimits struct {
	WarnMilliC *int32 `json:"warn_millic,omitempty"`
	CritMilliC *int32 `json:"crit_millic,omitempty"`

	Sensors []SensorLimits `json:"sensors,omitempty"` // of each sensor, where the system tells them
}

// Known says whether any limit is known.
func (l TempLimits) Known() bool {
	return l.WarnMilliC != nil || l.CritMilliC != nil || len(l.Sensors) > 0
}

// SensorLimits are the limits of one sensor, thousandths of a degree Celsius. Nil is not known.
type SensorLimits struct {
	Label      string `json:"label"` // that of its Reading
	MinMilliC  *int32 `json:"min_millic,omitempty"`
	WarnMilliC *int32 `json:"warn_millic,omitempty"`
	CritMilliC *int32 `json:"crit_millic,omitempty"`
	Alarm      Tri    `json:"alarm,omitempty"` // when it was asked, the drive said that it was outside of its limits
}

// TempLimiter is what a Host may also be: one that knows the limits of a drive's temperature. Asking may
// cost the drive a command, so it is done once a run and never while one measures. It fails with
// ErrUnsupported where neither limit is known.
type TempLimiter interface {
	TempLimits(ctx context.Context, d Drive) (TempLimits, error)
}
