package sysfs

import (
	"testing"

	"cachecliff/platform"
)

func TestSystem(t *testing.T) {
	f := newFixture()
	f.file("etc/os-release", "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
	f.file("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
	f.file("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD Ryzen 7  5800X\n")
	f.file("proc/meminfo", "MemTotal:       24683652 kB\nMemFree: 1 kB\n")
	f.files("sys/class/dmi/id", "board_vendor=Default string", "board_name=B550 Plus", "sys_vendor=Maker", "product_name=Thing",
		"bios_version=2806 ", "bios_date=10/27/2022")
	f.files("sys/devices/system/cpu/cpu0/cpufreq", "scaling_governor=powersave", "energy_performance_preference=balance_performance")
	f.file("sys/firmware/acpi/platform_profile", "low-power\n")
	f.file("sys/module/pcie_aspm/parameters/policy", "default performance [powersave] powersupersave \n")
	want := platform.System{OS: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.1.0-18-amd64", CPU: "AMD Ryzen 7 5800X", Board: "B550 Plus", Firmware: "2806 10/27/2022",
		Memory: 24683652 << 10, PowerPlan: "powersave, balance_performance", Profile: "low-power", ASPM: "powersave"}
	if got := NewTree(f).System(); got != want {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	if got := NewTree(newFixture()).System(); got != (platform.System{}) {
		t.Errorf("out of nothing: %+v", got)
	}
}

func TestParseOSRelease(t *testing.T) {
	for in, want := range map[string]string{
		"PRETTY_NAME='Arch Linux'":                 "Arch Linux",
		"PRETTY_NAME=Gentoo\r\n":                   "Gentoo",
		"NAME=Void\n":                              "Void",
		"NAME=\"A\"\nVERSION=\"1 \\\"x\\\"\"\n":    "A 1 \"x\"",
		"#PRETTY_NAME=no\nPRETTY_NAME=\"\"\nNAME=": "",
		"": "",
	} {
		if got := ParseOSRelease([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestParseCPU(t *testing.T) {
	for in, want := range map[string]string{
		"processor : 0\nmodel name : Intel(R) Core(TM) i7 @ 3.60GHz: x\n":                        "Intel(R) Core(TM) i7 @ 3.60GHz: x",
		"CPU implementer\t: 0x41\nCPU part\t: 0xd0b\n":                                           "ARM Cortex-A76",
		"CPU implementer : 0x41\nCPU part : 0xd03\n\nCPU implementer : 0x41\nCPU part : 0xd09\n": "ARM Cortex-A73",
		"CPU implementer : 0x99\nCPU part : 0x1\n":                                               "ARM implementer 0x99 part 0x1",
		"hart : 0\n": "",
		"":           "",
	} {
		if got := ParseCPU([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestParseMemTotal(t *testing.T) {
	for in, want := range map[string]int64{
		"MemFree: 1 kB\nMemTotal:  16 kB\n": 16384, "MemTotal: x kB": 0, "MemTotal: -1 kB": 0, "MemTotal: 9223372036854775807 kB": 0, "": 0,
	} {
		if got := ParseMemTotal([]byte(in)); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

func TestFirmwareName(t *testing.T) {
	for in, want := range map[[2]string]string{
		{"F.10", "01/02/2024"}: "F.10 01/02/2024", {" 1.0", ""}: "1.0", {"", "01/02/2024"}: "", {"Default string", "x"}: "",
	} {
		if got := FirmwareName(in[0], in[1]); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestBoard(t *testing.T) {
	tests := []struct {
		facts []string
		want  string
	}{
		{[]string{"board_vendor=ASUS", "board_name=PRIME"}, "ASUS PRIME"},
		{[]string{"board_vendor=X", "board_name=To Be Filled By O.E.M.", "sys_vendor=LENOVO", "product_name=20XW"}, "LENOVO 20XW"},
		{[]string{"board_name=", "product_name=Default string"}, "Raspberry Pi 5"},
	}
	for _, tt := range tests {
		f := newFixture()
		f.files("sys/class/dmi/id", tt.facts...)
		f.file("proc/device-tree/model", "Raspberry Pi 5\x00")
		if got := NewTree(f).board(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.facts, got, tt.want)
		}
	}
}

func TestOnBattery(t *testing.T) {
	const dir = "sys/class/power_supply/"
	tests := []struct {
		name     string
		supplies map[string][]string
		want     platform.Tri
	}{
		{"desktop with a mouse", map[string][]string{"hid": {"type=Battery", "scope=Device", "status=Discharging"}}, platform.No},
		{"laptop on the mains", map[string][]string{"AC": {"type=Mains", "online=1"}, "BAT0": {"type=Battery", "status=Charging"}}, platform.No},
		{"laptop off the mains", map[string][]string{"AC": {"type=Mains", "online=0"}, "BAT0": {"type=Battery", "status=Discharging"}}, platform.Yes},
		{"full, by USB-C", map[string][]string{"BAT0": {"type=Battery", "status=Discharging"}, "ucsi": {"type=USB", "online=1"}}, platform.No},
		{"two batteries", map[string][]string{"BAT0": {"type=Battery", "status=Discharging"}, "BAT1": {"type=Battery", "status=Not charging"}}, platform.Yes},
		{"nothing to read", nil, platform.Unknown},
	}
	for _, tt := range tests {
		f := newFixture()
		for name, facts := range tt.supplies {
			f.files(dir+name, facts...)
		}
		if got := NewTree(f).onBattery(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestFolders(t *testing.T) {
	f := newFixture()
	f.file("home/me/.config/user-dirs.dirs", "# written by xdg-user-dirs-update\nXDG_MUSIC_DIR=\"$HOME/Musik\"\nXDG_PICTURES_DIR=\"$HOME/Meine \\\"Bilder\\\"\"\n")
	f.file("cfg/user-dirs.dirs", "XDG_PICTURES_DIR=\"/srv/pics/\"")
	f.file("home/off/.config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/\"")
	f.file("home/odd/.config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOMER/x\"\nXDG_PICTURES_DIR=relative")
	tests := []struct {
		home string
		env  map[string]string
		want platform.Folders
	}{
		{"/home/me", nil, platform.Folders{Data: "/home/me/.local/share/cachecliff", Config: "/home/me/.config/cachecliff", Pictures: `/home/me/Meine "Bilder"/Cachecliff`}},
		{"/home/me", map[string]string{"XDG_CONFIG_HOME": "/cfg", "XDG_DATA_HOME": "/data/"},
			platform.Folders{Data: "/data/cachecliff", Config: "/cfg/cachecliff", Pictures: "/srv/pics/Cachecliff"}},
		{"/home/you", map[string]string{"XDG_DATA_HOME": "relative"},
			platform.Folders{Data: "/home/you/.local/share/cachecliff", Config: "/home/you/.config/cachecliff", Pictures: "/home/you/Pictures/Cachecliff"}},
		{"/home/off", nil, platform.Folders{Data: "/home/off/.local/share/cachecliff", Config: "/home/off/.config/cachecliff", Pictures: "/home/off/Cachecliff"}},
		{"/home/odd", nil, platform.Folders{Data: "/home/odd/.local/share/cachecliff", Config: "/home/odd/.config/cachecliff", Pictures: "/home/odd/Pictures/Cachecliff"}},
	}
	for _, tt := range tests {
		if got := NewTree(f).Folders(tt.home, func(k string) string { return tt.env[k] }); got != tt.want {
			t.Errorf("%s %v:\n got %+v\nwant %+v", tt.home, tt.env, got, tt.want)
		}
	}
}

func FuzzParseOSRelease(f *testing.F) {
	f.Add([]byte("PRETTY_NAME=\"Debian \\\"12\\\"\"\n"))
	f.Add([]byte("NAME='"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s := ParseOSRelease(b); s != clean(s) {
			t.Fatalf("%q is not clean", s)
		}
		if s := ParseUserDir(b, "NAME", "/home/me"); s != "" && s[0] != '/' {
			t.Fatalf("%q is not absolute", s)
		}
		if n := ParseMemTotal(b); n < 0 {
			t.Fatalf("memory %d", n)
		}
		ParseCPU(b)
	})
}
