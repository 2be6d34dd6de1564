package udisks

import (
	"fmt"
	"math"

	"cachecliff/platform"
)

// warnings are the words of the service for the bits of an NVMe drive's critical warning, and ours.
var warnings = map[string]string{
	"spare": "spare", "temperature": "temperature", "degraded": "reliability", "readonly": "read-only",
	"volatile_mem": "backup", "pmr_readonly": "persistent-memory",
}

// NVMeHealth reads the health of an NVMe drive from the properties of its controller and what SmartGetAttributes
// answered. The service keeps some of the health log to itself: that takes rights. Like the health log it leaves out
// what a drive cannot mean.
func (d Device) NVMeHealth(attributes map[string]any) platform.Health {
	a := Properties(attributes) // of nil, where there was no answer
	h := platform.Health{
		Source:         Source,
		PercentUsed:    a.small("percent_used", 0, 255),
		SpareThreshold: a.small("spare_thresh", 1, 100), // 0 stands for none
		HostReads:      a.count("total_data_read"),      // bytes; left out where 0
		HostWrites:     a.count("total_data_written"),
		PowerCycles:    a.count("power_cycles"),
		PowerOnHours:   d.count("SmartPowerOnHours"),

		UnsafeShutdowns:   a.count("unsafe_shutdowns"),
		MediaErrors:       a.count("media_errors"),
		ControllerBusyMin: a.count("ctrl_busy_time"), // minutes
		ErrorLogEntries:   a.count("num_err_log_entries"),
		WarningTempMin:    a.minutes("warning_temp_time"),
		CriticalTempMin:   a.minutes("critical_temp_time"),
		Temperatures:      d.nvmeReadings(a),
		Limits:            NVMeLimits(attributes),
	}
	least := 0
	if h.SpareThreshold == nil {
		least = 1 // a drive that knows no threshold and has no spare does not count it
	}
	h.SpareLeft = a.small("avail_spare", least, 100)
	h.TempMilliC = kelvin(d.Properties["SmartTemperature"])
	h.Passed, h.Critical = d.nvmeWarnings()
	h.Explain(platform.WhyRights, platform.PartReadCommands, platform.PartWriteCommands, platform.PartLightThrottles,
		platform.PartHeavyThrottles, platform.PartLightSeconds, platform.PartHeavySeconds)
	if attributes == nil {
		h.Explain(platform.WhyFailed)
	}
	h.Explain(platform.WhyNotReported)
	return h
}

// nvmeWarnings is the drive's verdict, and what it warns of.
func (d Device) nvmeWarnings() (passed platform.Tri, critical []string) {
	words, ok := d.Properties["SmartCriticalWarning"].([]string)
	if !ok {
		return platform.Unknown, nil
	}
	for _, w := range words {
		if known, ok := warnings[w]; ok {
			critical = append(critical, known)
		}
	}
	return platform.TriOf(len(words) == 0), critical
}

// NVMeLimits are the limits that an NVMe controller states, from the answer of SmartGetAttributes.
func NVMeLimits(attributes map[string]any) platform.TempLimits {
	return platform.TempLimits{WarnMilliC: kelvin(attributes["wctemp"]), CritMilliC: kelvin(attributes["cctemp"])}
}

func (d Device) nvmeReadings(attributes map[string]any) []platform.Reading {
	var out []platform.Reading
	if c := kelvin(d.Properties["SmartTemperature"]); c != nil {
		out = append(out, platform.Reading{Label: "Composite", MilliC: *c})
	}
	sensors, _ := attributes["temp_sensors"].([]uint16) // 0 stands for none
	for i, k := range sensors[:min(len(sensors), 8)] {
		if c := kelvin(k); c != nil {
			out = append(out, platform.Reading{Label: fmt.Sprintf("Sensor %d", i+1), MilliC: *c})
		}
	}
	return out
}

// kelvin turns a temperature in kelvin, whole or with a fraction, into thousandths of a degree Celsius; nil outside
// of −60 to 150 °C.
func kelvin(v any) *int32 {
	var k float64
	switch v := v.(type) {
	case uint16:
		k = float64(v)
	case float64:
		k = v
	}
	c := math.Round(k*1000) - 273_150
	if !(c >= -60_000 && c <= 150_000) { // so that no number is outside
		return nil
	}
	out := int32(c)
	return &out
}

func (p Properties) count(name string) *uint64 {
	v, ok := p[name].(uint64)
	if !ok || v == math.MaxUint64 { // what counters beyond 64 bits become
		return nil
	}
	return &v
}

func (p Properties) minutes(name string) *uint32 {
	v, ok := p[name].(uint32)
	if !ok {
		return nil
	}
	return &v
}

func (p Properties) small(name string, least, most int) *int {
	v, ok := p[name].(uint8)
	n := int(v)
	if !ok || n < least || n > most {
		return nil
	}
	return &n
}
