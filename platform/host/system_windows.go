package host

import (
	"context"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"

	"cachecliff/platform"
	"cachecliff/platform/sysfs"
	"cachecliff/platform/winapi"
)

// Calls that x/sys does not name.
var (
	procMemoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	procPowerStatus  = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetSystemPowerStatus")
)

// Where the registry keeps what is asked for, below HKEY_LOCAL_MACHINE.
const (
	keyWindows   = `SOFTWARE\Microsoft\Windows NT\CurrentVersion`
	keyProcessor = `HARDWARE\DESCRIPTION\System\CentralProcessor\0`
	keyFirmware  = `HARDWARE\DESCRIPTION\System\BIOS`
)

// System describes this computer. What the registry or a call does not tell is left unknown.
func (h *Host) System(ctx context.Context) (platform.System, error) {
	return ask(ctx, h.asked, "description of the computer", func() (platform.System, error) { return describeSystem(), nil })
}

func describeSystem() platform.System {
	v := windows.RtlGetVersion()
	about := openFacts(keyWindows)
	defer about.close()
	version := winapi.Version{
		Product: about.text("ProductName"), Release: about.text("DisplayVersion"),
		Major: v.MajorVersion, Minor: v.MinorVersion, Build: v.BuildNumber, Revision: about.number("UBR"),
	}
	if version.Release == "" {
		version.Release = about.text("ReleaseId") // before 20H2
	}
	processor, firmware := openFacts(keyProcessor), openFacts(keyFirmware)
	defer processor.close()
	defer firmware.close()
	s := platform.System{
		OS: version.Name(), Kernel: version.Kernel(), Arch: runtime.GOARCH,
		CPU: strings.Join(strings.Fields(processor.text("ProcessorNameString")), " "), CPUs: runtime.NumCPU(),
		Board: sysfs.BoardName(
			sysfs.Product{Maker: firmware.text("BaseBoardManufacturer"), Name: firmware.text("BaseBoardProduct")},
			sysfs.Product{Maker: firmware.text("SystemManufacturer"), Name: firmware.text("SystemProductName")},
		),
		Firmware:      sysfs.FirmwareName(firmware.text("BIOSVersion"), firmware.text("BIOSReleaseDate")),
		Administrator: platform.TriOf(windows.GetCurrentProcessToken().IsElevated()),
	}
	memory := winapi.MemoryRequest()
	if _, err := call(procMemoryStatus, uintptr(unsafe.Pointer(&memory[0]))); err == nil {
		if n, err := winapi.DecodeMemory(memory); err == nil {
			s.Memory = n
		}
	}
	describePower(&s)
	return s
}

// facts is a key of the registry to read. The zero value has nothing.
type facts struct{ key registry.Key }

// openFacts opens a key of this computer; one that is not there has nothing.
func openFacts(path string) facts {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, path, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return facts{}
	}
	return facts{key}
}

func (f facts) text(name string) string {
	if f.key == 0 {
		return ""
	}
	s, _, err := f.key.GetStringValue(name)
	if err != nil {
		return ""
	}
	return s
}

func (f facts) number(name string) uint32 {
	if f.key == 0 {
		return 0
	}
	n, _, err := f.key.GetIntegerValue(name)
	if err != nil {
		return 0
	}
	return uint32(n)
}

func (f facts) close() {
	if f.key != 0 {
		f.key.Close() // a key that was only read
	}
}
