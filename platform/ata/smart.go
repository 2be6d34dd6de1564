package ata

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/dswarbrick/smart/ata"
	"github.com/dswarbrick/smart/drivedb"

	"cachecliff/platform"
)

// DecodeAttributes decodes the answers of SMART READ DATA and, if they could be read, SMART READ THRESHOLDS.
// The model gives attributes their names. A page with a wrong checksum, or one that tells the same attribute
// twice, is an error.
func DecodeAttributes(data, thresholds []byte, model string) ([]platform.Attribute, error) {
	if err := checkSum(data); err != nil {
		return nil, err
	}
	var page ata.SmartPage
	if _, err := binary.Decode(data, binary.LittleEndian, &page); err != nil {
		return nil, err
	}
	limits, err := decodeThresholds(thresholds)
	if err != nil {
		return nil, err
	}
	names := lookUp(model)
	seen := make(map[uint8]bool)
	var out []platform.Attribute
	for _, a := range page.Attrs {
		if a.Id == 0 {
			continue
		}
		if seen[a.Id] {
			return nil, fmt.Errorf("%w: attribute %d stands there twice", ErrStrange, a.Id)
		}
		seen[a.Id] = true
		one := platform.Attribute{
			ID: int(a.Id), Name: names[strconv.Itoa(int(a.Id))].Name,
			Normalized: int(a.Value), Worst: int(a.Worst), Raw: number(a.VendorBytes[:]),
			Vital: a.Flags&vital != 0,
		}
		if limit, ok := limits[a.Id]; ok {
			one.Threshold = &limit
			one.Failing = failing(one.Normalized, limit)
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no attributes", ErrStrange)
	}
	return out, nil
}

// vital is the flag of an attribute that foretells failure ("pre-failure"), not age.
const vital = 1 << 0

// failing compares a mark with its threshold. 0 stands for none, 254 for a mark that is only for tests, and
// marks of 0, 254 and 255 are not given (SFF-8035i, ATA/ATAPI-5 annex).
func failing(mark, limit int) bool {
	return limit >= 1 && limit <= 253 && mark >= 1 && mark <= 253 && mark <= limit
}

// number reads a little-endian number of up to 8 bytes.
func number(b []byte) uint64 {
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// decodeThresholds reads a page of SMART READ THRESHOLDS: 30 times number, threshold and ten bytes of nothing.
// nil is no page.
func decodeThresholds(page []byte) (map[uint8]int, error) {
	if page == nil {
		return nil, nil
	}
	if err := checkSum(page); err != nil {
		return nil, fmt.Errorf("thresholds: %w", err)
	}
	const first, entry, entries = 2, 12, 30
	out := make(map[uint8]int)
	for i := range entries {
		if e := page[first+i*entry:]; e[0] != 0 {
			out[e[0]] = int(e[1])
		}
	}
	return out, nil
}

// lookUp finds what the attributes of a model mean. The library changes the database that it looks into, so
// each time gets one of its own.
func lookUp(model string) map[string]drivedb.AttrConv {
	presets := make(map[string]drivedb.AttrConv, len(attributeNames))
	for id, name := range attributeNames {
		presets[strconv.Itoa(id)] = drivedb.AttrConv{Name: name}
	}
	db := drivedb.DriveDb{Drives: []drivedb.DriveModel{{Family: "DEFAULT", Presets: presets}}}
	for _, f := range families {
		own := make(map[string]drivedb.AttrConv, len(f.names))
		for id, name := range f.names {
			own[strconv.Itoa(id)] = drivedb.AttrConv{Name: name}
		}
		db.Drives = append(db.Drives, drivedb.DriveModel{Family: f.name, ModelRegex: f.model.String(), CompiledRegexp: f.model, Presets: own})
	}
	return db.LookupDrive([]byte(model)).Presets
}

// Health sums up attributes, and the device statistics if they could be read. Statistics have one meaning on
// all drives, so they go first. What only some makers count the way the name says is taken from those that are
// known to; the rest stays unknown.
func Health(model string, attributes []platform.Attribute, s Statistics) platform.Health {
	h := platform.Health{Attributes: attributes}
	by := make(map[int]platform.Attribute, len(attributes))
	for _, a := range attributes {
		by[a.ID] = a
		if a.Failing && a.Vital && h.Critical == nil {
			h.Critical = []string{Failing}
		}
	}
	h.TempMilliC = first(s.TempMilliC, temperature(model, by))
	h.PowerOnHours = first(s.PowerOnHours, hours(by))
	h.PowerCycles = first(s.PowerCycles, count(by, attrPowerCycles))
	h.MediaErrors = first(s.Uncorrectable, count(by, attrUncorrectable))
	h.UnsafeShutdowns = count(by, attrPowerLoss)
	h.HostReads, h.HostWrites, h.PercentUsed = s.BytesRead, s.BytesWritten, s.PercentUsed
	h.ReadCommands, h.WriteCommands, h.WarningTempMin = s.ReadCommands, s.WriteCommands, s.HotMinutes
	h.Limits.WarnMilliC = s.WarnMilliC
	if f := familyOf(model); f != nil {
		h.HostReads = first(h.HostReads, units(by, f.read, f.unit))
		h.HostWrites = first(h.HostWrites, units(by, f.written, f.unit))
		h.PercentUsed = first(h.PercentUsed, used(by, f.life))
	}
	return h
}

// StatisticsParts are the parts of a drive's health that its device statistics may tell.
func StatisticsParts() []platform.Part {
	return []platform.Part{platform.PartTemperature, platform.PartLimits, platform.PartPercentUsed, platform.PartHostReads, platform.PartHostWrites,
		platform.PartReadCommands, platform.PartWriteCommands, platform.PartPowerOnHours, platform.PartPowerCycles,
		platform.PartMediaErrors, platform.PartWarningTemp}
}

// Complete names the reason of each part that is absent and has none yet: ATA knows no such thing, or the drive
// does not report it.
func Complete(h *platform.Health) {
	h.Explain(platform.WhyBus, platform.PartSpare, platform.PartSpareThreshold, platform.PartControllerBusy, platform.PartCriticalTemp,
		platform.PartLightThrottles, platform.PartHeavyThrottles, platform.PartLightSeconds, platform.PartHeavySeconds)
	if len(h.Attributes) > 0 {
		h.Explain(platform.WhyNotReported, platform.PartThresholds)
	}
	h.Explain(platform.WhyNotReported)
}

// Failing is what stands in platform.Health.Critical of a drive that says it is about to fail.
const Failing = "failing"

// Attributes that mean the same on nearly all drives.
const (
	attrPowerOn       = 9
	attrPowerCycles   = 12
	attrPowerLoss     = 174 // unexpected losses of power; 192 counts others too
	attrUncorrectable = 187
	attrAirflow       = 190
	attrTemperature   = 194
)

func first[T any](values ...*T) *T {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// temperature reads the first of attributes 194 and 190 that makes sense. The lowest byte is the temperature
// now; the others hold extremes and counts in an order of the maker's choice.
func temperature(model string, by map[int]platform.Attribute) *int32 {
	if wrongTemperature.MatchString(model) {
		return nil
	}
	for _, id := range []int{attrTemperature, attrAirflow} {
		a, ok := by[id]
		if c := int8(a.Raw & 0xFF); ok && c > 0 {
			milli := int32(c) * 1000
			return &milli
		}
	}
	return nil
}

// hours reads attribute 9. Some drives put other counts into the upper bytes, some old ones count minutes or
// seconds; more than a drive can have is unknown.
func hours(by map[int]platform.Attribute) *uint64 {
	const most = 25 * 365 * 24
	a, ok := by[attrPowerOn]
	v := a.Raw & math.MaxUint32
	if !ok || v > most {
		return nil
	}
	return &v
}

// count reads an attribute that counts events. Some drives pack several counts into one; more than a drive can
// have is unknown.
func count(by map[int]platform.Attribute, id int) *uint64 {
	const most = 100_000_000
	a, ok := by[id]
	if !ok || a.Raw > most {
		return nil
	}
	return &a.Raw
}

// units reads an attribute that counts in units of so many bytes. 0 is no attribute.
func units(by map[int]platform.Attribute, id int, unit uint64) *uint64 {
	a, ok := by[id]
	if !ok || a.Raw > math.MaxUint64/max(unit, 1) {
		return nil
	}
	v := a.Raw * unit
	return &v
}

// used is what is missing from the mark of an attribute that falls from 100 as the drive wears. 0 is no
// attribute.
func used(by map[int]platform.Attribute, id int) *int {
	a, ok := by[id]
	if !ok || a.Normalized > 100 {
		return nil
	}
	v := 100 - a.Normalized
	return &v
}
