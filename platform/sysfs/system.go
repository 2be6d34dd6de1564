package sysfs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cachecliff/platform"
)

// System describes the computer as far as files tell. Arch and CPUs are the program's to fill in.
func (t Tree) System() platform.System {
	return platform.System{
		OS:        ParseOSRelease([]byte(cmp.Or(t.raw("etc/os-release"), t.raw("usr/lib/os-release")))),
		Kernel:    t.label("proc/sys/kernel/osrelease"),
		CPU:       ParseCPU([]byte(t.raw("proc/cpuinfo"))),
		Board:     t.board(),
		Firmware:  t.firmware(),
		Memory:    ParseMemTotal([]byte(t.raw("proc/meminfo"))),
		PowerPlan: t.powerPlan(),
		OnBattery: t.onBattery(),
		Profile:   t.label("sys/firmware/acpi/platform_profile"),
		ASPM:      chosen(t.label("sys/module/pcie_aspm/parameters/policy")),
	}
}

// ParseOSRelease gives the name of the distribution for people (os-release(5)), or empty.
func ParseOSRelease(b []byte) string {
	values := make(map[string]string)
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && !strings.HasPrefix(key, "#") {
			values[key] = unquote(value)
		}
	}
	if pretty := clean(values["PRETTY_NAME"]); pretty != "" {
		return pretty
	}
	return clean(values["NAME"] + " " + values["VERSION"])
}

// unquote undoes the quoting of shell assignments, which os-release and user-dirs.dirs are.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// armParts names processors of 64-bit ARM, whose cpuinfo has numbers only: implementer and part.
var armParts = map[string]string{
	"0x41 0xd03": "ARM Cortex-A53", "0x41 0xd04": "ARM Cortex-A35", "0x41 0xd05": "ARM Cortex-A55",
	"0x41 0xd07": "ARM Cortex-A57", "0x41 0xd08": "ARM Cortex-A72", "0x41 0xd09": "ARM Cortex-A73",
	"0x41 0xd0a": "ARM Cortex-A75", "0x41 0xd0b": "ARM Cortex-A76", "0x41 0xd0c": "ARM Neoverse N1",
	"0x41 0xd0d": "ARM Cortex-A77", "0x41 0xd40": "ARM Neoverse V1", "0x41 0xd41": "ARM Cortex-A78",
	"0x41 0xd44": "ARM Cortex-X1", "0x41 0xd49": "ARM Neoverse N2", "0x41 0xd4f": "ARM Neoverse V2",
	"0xc0 0xac3": "Ampere-1",
}

// ParseCPU names the processor from /proc/cpuinfo: its model name, or what its numbers stand for. Of
// several kinds of cores the last one listed, which is the fast one, gives the name.
func ParseCPU(b []byte) string {
	var implementer, part string
	for line := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "model name":
			return clean(value)
		case "CPU implementer":
			implementer = clean(value)
		case "CPU part":
			part = clean(value)
		}
	}
	if implementer == "" {
		return ""
	}
	return cmp.Or(armParts[implementer+" "+part], "ARM implementer "+implementer+" part "+part)
}

// ParseMemTotal is the memory of the computer in bytes from /proc/meminfo, or 0.
func ParseMemTotal(b []byte) int64 {
	for line := range strings.Lines(string(b)) {
		rest, ok := strings.CutPrefix(line, "MemTotal:")
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
		if err != nil || kib < 0 || kib > 1<<52 {
			return 0 // unknown
		}
		return kib << 10
	}
	return 0
}

// blanks are what makers leave in the firmware instead of a name.
var blanks = []string{"", "default string", "to be filled by o.e.m.", "system manufacturer", "system product name",
	"not applicable", "not specified", "none", "unknown", "o.e.m.", "n/a"}

// board is the maker and the name of the main board, else of the computer.
func (t Tree) board() string {
	read := func(name string) string { return t.label("sys/class/dmi/id/" + name) }
	board := BoardName(Product{read("board_vendor"), read("board_name")}, Product{read("sys_vendor"), read("product_name")})
	if board != "" {
		return board
	}
	return clean(strings.TrimRight(t.raw("proc/device-tree/model"), "\x00")) // boards without DMI
}

// A Product is something with a maker, as the firmware of a computer (SMBIOS) names it.
type Product struct{ Maker, Name string }

// BoardName is the first product that has a name, with its maker.
func BoardName(products ...Product) string {
	named := func(s string) string {
		if s = clean(s); slices.Contains(blanks, strings.ToLower(s)) {
			return ""
		}
		return s
	}
	for _, p := range products {
		if name := named(p.Name); name != "" {
			return clean(named(p.Maker) + " " + name)
		}
	}
	return ""
}

// firmware is the version and the date of the firmware.
func (t Tree) firmware() string {
	return FirmwareName(t.label("sys/class/dmi/id/bios_version"), t.label("sys/class/dmi/id/bios_date"))
}

// FirmwareName is the version of a firmware with its date; empty without a version.
func FirmwareName(version, date string) string {
	if version = clean(version); version == "" || slices.Contains(blanks, strings.ToLower(version)) {
		return ""
	}
	return clean(version + " " + date)
}

// powerPlan is the frequency governor of the first processor and, where there is one, its preference
// between speed and energy.
func (t Tree) powerPlan() string {
	dir := "sys/devices/system/cpu/cpu0/cpufreq/"
	governor := t.label(dir + "scaling_governor")
	preference := t.label(dir + "energy_performance_preference")
	if governor == "" || preference == "" {
		return governor
	}
	return governor + ", " + preference
}

// onBattery says whether the computer runs on its battery. One without a battery does not.
func (t Tree) onBattery() platform.Tri {
	supplies, err := t.list("sys/class/power_supply")
	if err != nil {
		return platform.Unknown
	}
	battery, discharging := false, false
	for _, s := range supplies {
		dir := "sys/class/power_supply/" + s
		if t.text(dir+"/scope") == "Device" { // of a mouse
			continue
		}
		switch t.text(dir + "/type") {
		case "Mains", "USB":
			if t.text(dir+"/online") == "1" {
				return platform.No
			}
		case "Battery":
			battery = true
			discharging = discharging || t.text(dir+"/status") == "Discharging"
		}
	}
	return platform.TriOf(battery && discharging)
}
