package nvme

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"

	"cachecliff/platform"
)

// HealthPage and HealthSize name the SMART / Health Information log (NVM Express Base Specification,
// "Get Log Page"): its page number and its length in bytes.
const (
	HealthPage = 0x02
	HealthSize = 512
)

// Where the fields are in the page. All are little-endian; the counters have 16 bytes.
const (
	offCritical        = 0   // one bit each, see criticalNames
	offTemperature     = 1   // kelvin, 2 bytes
	offSpare           = 3   // percent
	offSpareThreshold  = 4   // percent
	offPercentUsed     = 5   // percent of the rated endurance, up to 255
	offUnitsRead       = 32  // of unitBytes
	offUnitsWritten    = 48  // of unitBytes
	offReadCommands    = 64  //
	offWriteCommands   = 80  //
	offBusyMinutes     = 96  //
	offPowerCycles     = 112 //
	offPowerOnHours    = 128 //
	offUnsafeShutdowns = 144 //
	offMediaErrors     = 160 //
	offErrorLogEntries = 176 //
	offWarningTemp     = 192 // minutes, 4 bytes
	offCriticalTemp    = 196 // minutes, 4 bytes
	offLightThrottles  = 216 // transitions to thermal management temperature 1, 4 bytes
	offHeavyThrottles  = 220 // the same to 2
	offLightSeconds    = 224 // total time for thermal management temperature 1, 4 bytes
	offHeavySeconds    = 228 // the same for 2
)

// unitBytes is what a data unit stands for: a thousand blocks of 512 bytes, rounded up by the drive.
const unitBytes = 512_000

// criticalBits are those of the critical warning that the specification knows.
const criticalBits = 1<<6 - 1

// criticalNames are the bits of the critical warning, lowest first.
var criticalNames = []string{"spare", "temperature", "reliability", "read-only", "backup", "persistent-memory"}

// The ways in which a page is no health log.
var (
	ErrLength = errors.New("the health log is not 512 bytes long")
	ErrBlank  = errors.New("the health log holds nothing but ones")
)

// DecodeHealth decodes a SMART / Health Information log. Values that a drive cannot mean (a temperature of
// 0 K, a spare above 100 %, a counter beyond 64 bits) are left out. A page of ones comes from a drive that
// is gone or confused, and is an error.
func DecodeHealth(page []byte) (platform.Health, error) {
	if len(page) != HealthSize {
		return platform.Health{}, ErrLength
	}
	if blank(page) {
		return platform.Health{}, ErrBlank
	}
	used := int(page[offPercentUsed])
	threshold := percent(page[offSpareThreshold], 1) // 0 stands for none
	leastSpare := 0
	if threshold == nil {
		leastSpare = 1 // a drive that knows no threshold and has no spare does not count it
	}
	h := platform.Health{
		Critical:        critical(page[offCritical]),
		TempMilliC:      temperature(binary.LittleEndian.Uint16(page[offTemperature:])),
		PercentUsed:     &used,
		SpareLeft:       percent(page[offSpare], leastSpare),
		SpareThreshold:  threshold,
		HostReads:       counter(page[offUnitsRead:], unitBytes),
		HostWrites:      counter(page[offUnitsWritten:], unitBytes),
		PowerCycles:     counter(page[offPowerCycles:], 1),
		PowerOnHours:    counter(page[offPowerOnHours:], 1),
		UnsafeShutdowns: counter(page[offUnsafeShutdowns:], 1),
		MediaErrors:     counter(page[offMediaErrors:], 1),

		ReadCommands:      counter(page[offReadCommands:], 1),
		WriteCommands:     counter(page[offWriteCommands:], 1),
		ControllerBusyMin: counter(page[offBusyMinutes:], 1),
		ErrorLogEntries:   counter(page[offErrorLogEntries:], 1),
		Temperatures:      temperatures(page),
		Passed:            platform.TriOf(page[offCritical]&criticalBits == 0),
	}
	for off, field := range map[int]**uint32{
		offWarningTemp: &h.WarningTempMin, offCriticalTemp: &h.CriticalTempMin,
		offLightThrottles: &h.LightThrottles, offHeavyThrottles: &h.HeavyThrottles,
		offLightSeconds: &h.LightSeconds, offHeavySeconds: &h.HeavySeconds,
	} {
		v := binary.LittleEndian.Uint32(page[off:])
		*field = &v
	}
	return h, nil
}

// Complete adds what the controller says of itself, if it could be asked, and the reason of each part that is
// absent still: why for the controller's, and that the drive reports no others. Counts of throttling that are
// all zero mean nothing where the controller does not say that it can throttle so.
func Complete(h *platform.Health, c *Controller, why platform.Why) {
	if c == nil {
		if why != platform.WhyBus { // which says that its driver does not pass the question on
			h.Explain(why, platform.PartLimits)
		}
		h.Explain(platform.WhyNotReported)
		return
	}
	h.Limits, h.Throttles = c.Limits, c.Throttles
	none := true
	for _, n := range []*uint32{h.LightThrottles, h.HeavyThrottles, h.LightSeconds, h.HeavySeconds} {
		none = none && (n == nil || *n == 0)
	}
	if none && c.Throttles != platform.Yes {
		h.LightThrottles, h.HeavyThrottles, h.LightSeconds, h.HeavySeconds = nil, nil, nil, nil
	}
	h.Explain(platform.WhyNotReported)
}

func blank(page []byte) bool {
	for _, b := range page {
		if b != 0xFF {
			return false
		}
	}
	return true
}

func critical(b byte) []string {
	var out []string
	for i, name := range criticalNames {
		if b&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// temperature turns kelvin into thousandths of a degree Celsius; nil outside of −60 to 150 °C.
func temperature(kelvin uint16) *int32 {
	c := int32(kelvin)*1000 - 273_150
	if c < -60_000 || c > 150_000 {
		return nil
	}
	return &c
}

func percent(b byte, least int) *int {
	v := int(b)
	if v < least || v > 100 {
		return nil
	}
	return &v
}

// counter reads a 128-bit counter of so many units; nil if it is beyond 64 bits.
func counter(b []byte, unit uint64) *uint64 {
	lo, hi := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	over, v := bits.Mul64(lo, unit)
	if hi != 0 || over != 0 || v == math.MaxUint64 {
		return nil
	}
	return &v
}
