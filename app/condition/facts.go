package condition

import (
	"strings"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// Fact is a part of Health as the field calls it, with its unit.
type Fact struct {
	Part platform.Part
	Name string
	Text string
}

// units print the value of a part.
var units = map[platform.Part]func(v int64, l format.Locale) string{
	platform.PartTemperature:    func(v int64, _ format.Locale) string { return format.Temperature(int32(v)) },
	platform.PartPercentUsed:    percent,
	platform.PartSpare:          percent,
	platform.PartSpareThreshold: percent,
	platform.PartHostWrites:     format.VolumeSize,
	platform.PartHostReads:      format.VolumeSize,
	platform.PartControllerBusy: minutes,
	platform.PartPowerOnHours:   func(v int64, l format.Locale) string { return format.Integer(v, l) + "\u00a0h" },
	platform.PartWarningTemp:    minutes,
	platform.PartCriticalTemp:   minutes,
	platform.PartLightSeconds:   seconds,
	platform.PartHeavySeconds:   seconds,
}

// Facts are the parts that the drive tells, in the order in which tools show them. Attributes are none of them.
func Facts(w *words.Words, h platform.Health, l format.Locale) []Fact {
	var out []Fact
	add := func(p platform.Part, text string) {
		if text != "" {
			out = append(out, Fact{p, PartName(w, p), text})
		}
	}
	number := func(p platform.Part, v *int64) {
		if v == nil {
			return
		}
		unit := units[p]
		if unit == nil {
			unit = format.Integer
		}
		add(p, unit(*v, l))
	}
	add(platform.PartPassed, passed(w, h.Passed))
	if len(h.Temperatures) == 0 {
		number(platform.PartTemperature, whole(h.TempMilliC))
	} else {
		add(platform.PartTemperature, readings(h.Temperatures))
	}
	add(platform.PartLimits, limits(w, h.Limits))
	number(platform.PartSpare, whole(h.SpareLeft))
	number(platform.PartSpareThreshold, whole(h.SpareThreshold))
	number(platform.PartPercentUsed, whole(h.PercentUsed))
	for _, c := range counters {
		if c.part != platform.PartPercentUsed {
			number(c.part, c.of(h))
		}
	}
	return out
}

func passed(w *words.Words, t platform.Tri) string {
	switch t {
	case platform.Yes:
		return w.T("drive.passed")
	case platform.No:
		return w.T("drive.failed")
	}
	return ""
}

// readings are the temperatures of all sensors; of several, each but the first with its name.
func readings(all []platform.Reading) string {
	parts := make([]string, len(all))
	for i, r := range all {
		parts[i] = format.Temperature(r.MilliC)
		if i > 0 {
			parts[i] = r.Label + " " + parts[i]
		}
	}
	return strings.Join(parts, ", ")
}

func limits(w *words.Words, t platform.TempLimits) string {
	var parts []string
	if t.WarnMilliC != nil {
		parts = append(parts, w.T("condition.limit-warns", "Temperature", format.Temperature(*t.WarnMilliC)))
	}
	if t.CritMilliC != nil {
		parts = append(parts, w.T("condition.limit-critical", "Temperature", format.Temperature(*t.CritMilliC)))
	}
	return strings.Join(parts, ", ")
}

func percent(v int64, l format.Locale) string { return format.Percent(float64(v)/100, l) }

// minutes are as the drive counts them, so those of a whole day are no less exact than others.
func minutes(v int64, l format.Locale) string { return span(v, time.Minute, "min", l) }

func seconds(v int64, l format.Locale) string { return span(v, time.Second, "s", l) }

// span is a duration, but 0 keeps the unit that is counted in, and so does what no duration can hold.
func span(v int64, unit time.Duration, name string, l format.Locale) string {
	if v <= 0 || v > int64(1<<63-1)/int64(unit) {
		return format.Integer(v, l) + "\u00a0" + name
	}
	return format.Duration(time.Duration(v)*unit, l)
}
