package udisks

import (
	"math"

	"cachecliff/platform"
)

// NoRaw stands in Attribute.Raw for a number that the service does not pass on: no drive can count so far, raw values
// have 48 bits. Who only looks at marks may have such attributes; before anybody reads raw values, Told takes them out.
const NoRaw = math.MaxUint64

// ATA is what the service tells of an ATA drive. Nil is not known.
type ATA struct {
	Attributes   []platform.Attribute // those without a known raw value have NoRaw
	TempMilliC   *int32
	PowerOnHours *uint64
	Passed       platform.Tri
}

// The units of what the service makes of raw values (SkSmartAttributeUnit). In the first two it is the raw value
// itself; in others it is worked out from parts of it.
const (
	unitNone        = 1
	unitSectors     = 3
	unitMilliKelvin = 4
)

// Attributes that may hold the temperature. The service takes the third for one before all others, but in many SSDs
// it is the life that is left.
const (
	attrAirflow     = 190
	attrTemperature = 194
	attrLifeLeft    = 231
)

// DecodeATA reads the properties of an ATA drive and what SmartGetAttributes answered: an array of number, name, flags,
// mark, worst mark, threshold, value, unit and a map for later. What it cannot read is left out.
func (d Device) DecodeATA(attributes any) ATA {
	var out ATA
	if seconds := d.count("SmartPowerOnSeconds"); seconds != nil && *seconds != 0 { // 0 stands for unknown
		hours := *seconds / 3600
		out.PowerOnHours = &hours
	}
	if failing := d.flag("SmartFailing"); failing != platform.Unknown {
		out.Passed = platform.TriOf(failing == platform.No)
	}
	lines, _ := attributes.([][]any)
	seen := make(map[int][]any)
	for _, line := range lines {
		if a, ok := attribute(line); ok && seen[a.ID] == nil {
			seen[a.ID] = line
			out.Attributes = append(out.Attributes, a)
		}
	}
	out.TempMilliC = d.ataTemperature(seen)
	return out
}

func (d Device) ataTemperature(lines map[int][]any) *int32 {
	for _, id := range []int{attrTemperature, attrAirflow} {
		if line := lines[id]; line != nil && line[7] == int32(unitMilliKelvin) {
			if c := kelvin(float64(line[6].(int64)) / 1000); c != nil {
				return c
			}
		}
	}
	if lines[attrLifeLeft] != nil {
		return nil
	}
	return kelvin(d.Properties["SmartTemperature"]) // 0 stands for unknown
}

// vital is the flag of an attribute that foretells failure ("pre-failure"), not age.
const vital = 1 << 0

func attribute(line []any) (a platform.Attribute, ok bool) {
	if len(line) < 8 {
		return a, false
	}
	id, ok1 := line[0].(uint8)
	name, ok2 := line[1].(string)
	flags, ok3 := line[2].(uint16)
	mark, ok4 := line[3].(int32)
	worst, ok5 := line[4].(int32)
	limit, ok6 := line[5].(int32)
	value, ok7 := line[6].(int64)
	unit, ok8 := line[7].(int32)
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6 && ok7 && ok8) || id == 0 || mark > math.MaxUint8 || worst > math.MaxUint8 {
		return a, false
	}
	a = platform.Attribute{ID: int(id), Name: name, Normalized: int(max(mark, 0)), Worst: int(max(worst, 0)), Raw: NoRaw,
		Vital: flags&vital != 0}
	if (unit == unitNone || unit == unitSectors) && value >= 0 && value < 1<<48 {
		a.Raw = uint64(value)
	}
	if limit >= 0 && limit <= math.MaxUint8 {
		threshold := int(limit)
		a.Threshold = &threshold
		// 0 stands for none, 254 for a mark that is only for tests; marks of 0, 254 and 255 are not given.
		a.Failing = limit >= 1 && limit <= 253 && mark >= 1 && mark <= 253 && mark <= limit
	}
	return a, true
}

// Told are the attributes of which all is known.
func Told(attributes []platform.Attribute) []platform.Attribute {
	var out []platform.Attribute
	for _, a := range attributes {
		if a.Raw != NoRaw {
			out = append(out, a)
		}
	}
	return out
}
