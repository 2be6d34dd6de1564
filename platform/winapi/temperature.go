package winapi

import (
	"fmt"
	"unsafe"

	"cachecliff/platform"
)

// notReported is what stands in the place of a temperature that a drive does not report (ntddstor.h,
// STORAGE_TEMPERATURE_VALUE_NOT_REPORTED).
const notReported = -0x8000

// maxSensors is how many sensors there is room for in TemperatureSize: NVMe has a composite temperature and
// eight sensors.
const maxSensors = 32

// TemperatureSize is how long the answer to PropertyTemperature may be, bytes.
const TemperatureSize = int(unsafe.Sizeof(temperatureDescriptor{}) + maxSensors*unsafe.Sizeof(temperatureInfo{}))

// DecodeTemperatures decodes the answer to PropertyTemperature. The first sensor gets the name first: on NVMe
// it is the composite temperature. Values that are not reported, or that cannot be, are left out.
func DecodeTemperatures(b []byte, first string) ([]platform.Reading, platform.TempLimits, error) {
	head, err := decode[temperatureDescriptor](b)
	if err != nil {
		return nil, platform.TempLimits{}, err
	}
	limits := platform.TempLimits{WarnMilliC: limit(head.WarningTemperature), CritMilliC: limit(head.CriticalTemperature)}
	rest := b[unsafe.Sizeof(head):]
	var out []platform.Reading
	for range head.InfoCount {
		info, err := decode[temperatureInfo](rest)
		if err != nil {
			return nil, platform.TempLimits{}, err
		}
		rest = rest[unsafe.Sizeof(info):]
		milli, ok := reading(info)
		if !ok {
			continue
		}
		label := first
		if info.Index > 0 {
			label = fmt.Sprintf("Sensor %d", info.Index)
		}
		out = append(out, platform.Reading{Label: label, MilliC: milli})
	}
	return out, limits, nil
}

// Readings outside of these, and what comes of 0 K, are what drives report that have no sensor, in degrees.
const (
	coldest = -60
	hottest = 150
)

// reading is a sensor's temperature in thousandths of a degree. An entry of zeros was never filled in: a
// driver that knows a drive at 0 °C says of its thresholds that they are not reported.
func reading(t temperatureInfo) (milliC int32, ok bool) {
	unfilled := t.Temperature == 0 && t.OverThreshold == 0 && t.UnderThreshold == 0
	if unfilled || t.Temperature == notReported || t.Temperature <= coldest || t.Temperature >= hottest {
		return 0, false
	}
	return int32(t.Temperature) * 1000, true
}

func limit(c int16) *int32 {
	if c <= 0 || c >= hottest {
		return nil
	}
	milli := int32(c) * 1000
	return &milli
}
