package winapi

import (
	"errors"
	"testing"
	"unsafe"

	"cachecliff/platform"
)

func TestVersion(t *testing.T) {
	for _, c := range []struct {
		version      Version
		name, kernel string
	}{
		{Version{"Windows 10 Pro", "24H2", 10, 0, 26100, 1742}, "Windows 11 Pro 24H2", "10.0.26100.1742"},
		{Version{"Windows 10 Home", "22H2", 10, 0, 19045, 5011}, "Windows 10 Home 22H2", "10.0.19045.5011"},
		{Version{"Windows 11 Pro", "25H2", 10, 0, 26200, 1}, "Windows 11 Pro 25H2", "10.0.26200.1"},
		{Version{"Windows Server 2022 Datacenter", "21H2", 10, 0, 20348, 0}, "Windows Server 2022 Datacenter 21H2", "10.0.20348"},
		{Version{"Microsoft Windows 7", "", 6, 1, 7601, 0}, "Windows 7", "6.1.7601"}, // Wine 8.0
		{Version{"", "", 10, 0, 18362, 0}, "Windows", "10.0.18362"},
	} {
		if name, kernel := c.version.Name(), c.version.Kernel(); name != c.name || kernel != c.kernel {
			t.Errorf("%+v: %q, %q", c.version, name, kernel)
		}
	}
}

func TestDecodeMemory(t *testing.T) {
	if n := unsafe.Sizeof(memoryStatus{}); n != 64 || unsafe.Offsetof(memoryStatus{}.TotalPhys) != 8 {
		t.Errorf("MEMORYSTATUSEX has %d bytes", n)
	}
	if r := MemoryRequest(); len(r) != 64 || r[0] != 64 {
		t.Errorf("request % x", r)
	}
	got, err := DecodeMemory(bytesOf(64).u64(8, 34276679680))
	if err != nil || got != 34276679680 {
		t.Errorf("%d, %v", got, err)
	}
	if _, err := DecodeMemory(bytesOf(63)); !errors.Is(err, ErrShort) {
		t.Errorf("short: %v", err)
	}
}

func TestDecodePower(t *testing.T) {
	if SizePower != 12 {
		t.Errorf("SYSTEM_POWER_STATUS has %d bytes", SizePower)
	}
	for _, c := range []struct {
		name              string
		line, flag, saver uint8
		want              platform.Tri
		saving            bool
	}{
		{"a desktop", 1, 128, 0, platform.No, false},
		{"a laptop at the wall", 1, 8, 0, platform.No, false},
		{"a laptop", 0, 1, 0, platform.Yes, false},
		{"a laptop that saves", 0, 4, 1, platform.Yes, true},
		{"saving at the wall", 1, 1, 1, platform.No, true},
		{"no battery, line not known", 255, 128, 0, platform.No, false},
		{"not known", 255, 255, 0, platform.Unknown, false},
		{"on a battery that is not known", 0, 255, 0, platform.Yes, false},
	} {
		got, saving, err := DecodePower(bytesOf(12).u8(0, c.line).u8(1, c.flag).u8(3, c.saver))
		if err != nil || got != c.want || saving != c.saving {
			t.Errorf("%s: %v, %t, %v", c.name, got, saving, err)
		}
	}
	if _, _, err := DecodePower(bytesOf(11)); !errors.Is(err, ErrShort) {
		t.Errorf("short: %v", err)
	}
}

func TestPowerNames(t *testing.T) {
	const saver, zero, best = "961cc777-2547-4f9d-8174-7d86181b8a7a", "00000000-0000-0000-0000-000000000000", "ded574b5-45a0-4f42-8737-46345c09c238"
	for _, c := range []struct{ got, want string }{
		{PlanName(SchemeSaver, "Energiesparmodus"), "Power saver"},
		{PlanName(SchemeBalanced, ""), "Balanced"},
		{PlanName("12345678-0000-0000-0000-000000000000", " Mein  Plan"), "Mein Plan"},
		{PlanName("", ""), ""},
		{string(SchemeOf("{381B4222-F694-41F0-9685-FF5BB260DF2E}")), string(SchemeBalanced)},
		{ModeName(SchemeBalanced, saver, false), "low-power"},
		{ModeName(SchemeBalanced, zero, false), "balanced"},
		{ModeName(SchemeBalanced, best, false), "performance"},
		{ModeName(SchemeBalanced, best, true), "low-power"},
		{ModeName(SchemePerformance, saver, false), ""},
		{ModeName(SchemeBalanced, "", false), ""},
		{LinkPolicy(0), "off"}, {LinkPolicy(1), "moderate"}, {LinkPolicy(2), "maximum"}, {LinkPolicy(3), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
