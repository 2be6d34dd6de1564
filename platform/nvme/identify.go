package nvme

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"cachecliff/platform"
)

// ControllerSize is the length of the answer of IDENTIFY about a controller in bytes.
const ControllerSize = 4096

// Where the fields are in it (NVM Express Base Specification, "Identify Controller Data Structure").
const (
	offSerial   = 4   // 20 letters
	offModel    = 24  // 40 letters
	offFirmware = 64  // 8 letters
	offWarnTemp = 266 // kelvin, 2 bytes
	offCritTemp = 268 // kelvin, 2 bytes
	offHeat     = 322 // host controlled thermal management, 2 bytes, bit 0: supported
)

// The ways in which bytes are no answer of IDENTIFY.
var (
	ErrControllerLength = errors.New("what the controller says of itself is not 4096 bytes long")
	ErrControllerBlank  = errors.New("the controller says nothing of itself")
)

// Controller is what a controller says of itself. What it does not say is empty.
type Controller struct {
	Model, Serial, Firmware string
	Limits                  platform.TempLimits
	Throttles               platform.Tri // it slows down at temperatures that the host may set, and counts it
}

// DecodeController decodes the answer of IDENTIFY about the controller.
func DecodeController(page []byte) (Controller, error) {
	if len(page) != ControllerSize {
		return Controller{}, ErrControllerLength
	}
	c := Controller{
		Serial:   text(page[offSerial:offModel]),
		Model:    text(page[offModel:offFirmware]),
		Firmware: text(page[offFirmware : offFirmware+8]),
		Limits: platform.TempLimits{
			WarnMilliC: limit(binary.LittleEndian.Uint16(page[offWarnTemp:])),
			CritMilliC: limit(binary.LittleEndian.Uint16(page[offCritTemp:])),
		},
	}
	c.Throttles = platform.TriOf(page[offHeat]&1 != 0)
	if c.Serial == "" && c.Model == "" {
		return Controller{}, ErrControllerBlank
	}
	return c, nil
}

// text makes letters of a drive fit to be shown: nothing unprintable, single spaces.
func text(b []byte) string {
	s := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(b), " "))
	return strings.Join(strings.Fields(s), " ")
}

// limit turns kelvin into thousandths of a degree Celsius; 0 stands for none, and no drive has a limit below
// freezing.
func limit(kelvin uint16) *int32 {
	if c := temperature(kelvin); c != nil && *c > 0 {
		return c
	}
	return nil
}

// Where the sensors' temperatures are in the health log: eight times kelvin in 2 bytes, 0 for none.
const (
	offSensors = 200
	sensors    = 8
)

// DecodeTemperatures reads the temperatures out of a SMART / Health Information log, the composite one first.
// Those that are not reported, or cannot be, are left out.
func DecodeTemperatures(page []byte) ([]platform.Reading, error) {
	if len(page) != HealthSize {
		return nil, ErrLength
	}
	if blank(page) {
		return nil, ErrBlank
	}
	return temperatures(page), nil
}

func temperatures(page []byte) []platform.Reading {
	var out []platform.Reading
	if c := temperature(binary.LittleEndian.Uint16(page[offTemperature:])); c != nil {
		out = append(out, platform.Reading{Label: "Composite", MilliC: *c})
	}
	for i := range sensors {
		if c := temperature(binary.LittleEndian.Uint16(page[offSensors+2*i:])); c != nil {
			out = append(out, platform.Reading{Label: fmt.Sprintf("Sensor %d", i+1), MilliC: *c})
		}
	}
	return out
}
