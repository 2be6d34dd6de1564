package winapi

import (
	"fmt"
	"strings"
	"unsafe"

	"cachecliff/platform"
)

// Version is what Windows says of itself, in the registry and by RtlGetVersion.
type Version struct {
	Product             string // "Windows 10 Pro", also on 11
	Release             string // "24H2"; older ones "1909"
	Major, Minor, Build uint32
	Revision            uint32 // of the updates
}

// firstOf11 is the first build of Windows 11 for people; servers say themselves what they are.
const firstOf11 = 22000

// Name is the name of this Windows for people: "Windows 11 Pro 24H2".
func (v Version) Name() string {
	name := strings.TrimPrefix(label(v.Product), "Microsoft ")
	if rest, ok := strings.CutPrefix(name, "Windows 10"); ok && v.Build >= firstOf11 {
		name = "Windows 11" + rest
	}
	if name == "" {
		name = "Windows"
	}
	return label(name + " " + v.Release)
}

// Kernel is its number: "10.0.26100.1742".
func (v Version) Kernel() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Build)
	if v.Revision > 0 {
		s += fmt.Sprintf(".%d", v.Revision)
	}
	return s
}

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	Length, MemoryLoad           uint32
	TotalPhys, AvailPhys         uint64
	TotalPageFile, AvailPageFile uint64
	TotalVirtual, AvailVirtual   uint64
	AvailExtendedVirtual         uint64
}

// MemoryRequest is what GlobalMemoryStatusEx wants to find in the place of its answer: its size.
func MemoryRequest() []byte {
	return encode(memoryStatus{Length: uint32(unsafe.Sizeof(memoryStatus{}))})
}

// DecodeMemory decodes the answer of GlobalMemoryStatusEx: the memory of the computer in bytes.
func DecodeMemory(b []byte) (int64, error) {
	d, err := decode[memoryStatus](b)
	return toInt64(d.TotalPhys), err
}

// powerStatus is SYSTEM_POWER_STATUS.
type powerStatus struct {
	ACLineStatus, BatteryFlag, BatteryLifePercent, SystemStatusFlag uint8
	BatteryLifeTime, BatteryFullLifeTime                            uint32 // seconds
}

// SizePower is the size of the answer of GetSystemPowerStatus, in bytes.
const SizePower = int(unsafe.Sizeof(powerStatus{}))

// noBattery is the flag of a computer without one.
const noBattery = 128

// DecodePower decodes the answer of GetSystemPowerStatus: whether the computer runs on its battery, and
// whether it saves energy because of that.
func DecodePower(b []byte) (onBattery platform.Tri, saving bool, err error) {
	d, err := decode[powerStatus](b)
	switch {
	case err != nil:
		return platform.Unknown, false, err
	case d.ACLineStatus == 1 || d.BatteryFlag != 255 && d.BatteryFlag&noBattery != 0:
		onBattery = platform.No
	case d.ACLineStatus == 0:
		onBattery = platform.Yes
	}
	return onBattery, d.SystemStatusFlag == 1, nil
}

// A Scheme is the identifier of a power plan or of a power mode, in the form of the registry in small letters.
type Scheme string

// SchemeOf makes one of an identifier with or without braces.
func SchemeOf(id string) Scheme { return Scheme(strings.ToLower(strings.Trim(id, "{}"))) }

// The power plans that every Windows has, and one that can be added.
const (
	SchemeBalanced    Scheme = "381b4222-f694-41f0-9685-ff5bb260df2e"
	SchemePerformance Scheme = "8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c"
	SchemeSaver       Scheme = "a1841308-3541-4fab-bc81-f71556f20b4a"
	SchemeUltimate    Scheme = "e9a42b02-d5df-448d-aa00-03f14749eb61"
)

var schemes = map[Scheme]string{
	SchemeBalanced: "Balanced", SchemePerformance: "High performance", SchemeSaver: "Power saver", SchemeUltimate: "Ultimate Performance",
}

// PlanName is the name of a power plan: in English if Windows brought it, else as its owner called it.
func PlanName(s Scheme, called string) string {
	if name, ok := schemes[s]; ok {
		return name
	}
	return label(called)
}

// modes are the power modes of the taskbar and the settings, in the words that Linux has for them.
var modes = map[Scheme]string{
	"961cc777-2547-4f9d-8174-7d86181b8a7a": "low-power",
	"00000000-0000-0000-0000-000000000000": "balanced",
	"3af9b8d9-7c97-431d-ad78-34a8bfea439f": "balanced-performance",
	"ded574b5-45a0-4f42-8737-46345c09c238": "performance",
}

// ModeName is the power mode, which counts for the balanced plan only; empty if there is none. Saving energy comes
// before it.
func ModeName(plan, mode Scheme, saving bool) string {
	switch {
	case saving:
		return "low-power"
	case plan == SchemeBalanced:
		return modes[mode]
	}
	return ""
}

// LinkPolicy is how far PCI Express links may sleep, from the setting Link State Power Management.
func LinkPolicy(index uint32) string {
	return map[uint32]string{0: "off", 1: "moderate", 2: "maximum"}[index]
}
