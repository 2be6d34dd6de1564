package host

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// Calls of the power manager that x/sys does not name. The last one is not documented.
var (
	powrprof         = windows.NewLazySystemDLL("powrprof.dll")
	procActiveScheme = powrprof.NewProc("PowerGetActiveScheme")
	procSchemeName   = powrprof.NewProc("PowerReadFriendlyName")
	procValueOnLine  = powrprof.NewProc("PowerReadACValueIndex")
	procValueBattery = powrprof.NewProc("PowerReadDCValueIndex")
	procPowerMode    = powrprof.NewProc("PowerGetEffectiveOverlayScheme")
)

// linkGroup and linkPower are the setting Link State Power Management (GUID_PCIEXPRESS_SETTINGS_SUBGROUP,
// GUID_PCIEXPRESS_ASPM_POLICY).
var (
	linkGroup = windows.GUID{Data1: 0x501A4D13, Data2: 0x42AF, Data3: 0x4429, Data4: [8]byte{0x9F, 0xD1, 0xA8, 0x21, 0x8C, 0x26, 0x8E, 0x20}}
	linkPower = windows.GUID{Data1: 0xEE12F906, Data2: 0xD277, Data3: 0x404B, Data4: [8]byte{0xB6, 0xDA, 0xE5, 0xFA, 0x1A, 0x57, 0x6D, 0xF5}}
)

// describePower fills in where the power comes from and what is done to save it.
func describePower(s *platform.System) {
	saving := false
	status := make([]byte, winapi.SizePower)
	if _, err := call(procPowerStatus, uintptr(unsafe.Pointer(&status[0]))); err == nil {
		if on, saves, err := winapi.DecodePower(status); err == nil {
			s.OnBattery, saving = on, saves
		}
	}
	var active *windows.GUID
	if powerCall(procActiveScheme, 0, uintptr(unsafe.Pointer(&active))) != nil || active == nil {
		return
	}
	plan := *active
	_, _ = windows.LocalFree(windows.Handle(unsafe.Pointer(active))) // nothing can be done about memory that is not given back
	s.PowerPlan = winapi.PlanName(schemeOf(plan), planCalled(&plan))
	var mode windows.GUID
	if powerCall(procPowerMode, uintptr(unsafe.Pointer(&mode))) == nil {
		s.Profile = winapi.ModeName(schemeOf(plan), schemeOf(mode), saving)
	}
	value := procValueOnLine
	if s.OnBattery == platform.Yes {
		value = procValueBattery
	}
	var index uint32
	if powerCall(value, 0, uintptr(unsafe.Pointer(&plan)), uintptr(unsafe.Pointer(&linkGroup)), uintptr(unsafe.Pointer(&linkPower)), uintptr(unsafe.Pointer(&index))) == nil {
		s.ASPM = winapi.LinkPolicy(index)
	}
}

func schemeOf(id windows.GUID) winapi.Scheme { return winapi.SchemeOf(id.String()) }

// planCalled is the name that a power plan has in the language of this Windows; empty if it has none.
func planCalled(plan *windows.GUID) string {
	var name [512]uint16
	size := uint32(unsafe.Sizeof(name))
	if powerCall(procSchemeName, 0, uintptr(unsafe.Pointer(plan)), 0, 0, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&size))) != nil {
		return ""
	}
	return windows.UTF16ToString(name[:])
}

// powerCall makes a call that answers 0 when it succeeds, else an error number.
//
//go:uintptrescapes
func powerCall(p *windows.LazyProc, args ...uintptr) error {
	if err := p.Find(); err != nil {
		return err
	}
	if r, _, _ := syscall.SyscallN(p.Addr(), args...); r != 0 {
		return syscall.Errno(uint32(r))
	}
	return nil
}
