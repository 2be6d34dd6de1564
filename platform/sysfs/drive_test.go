package sysfs

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"cachecliff/platform"
)

func TestDrive(t *testing.T) {
	f := stacks()
	f.block("pci0000:00/0000:00:07.0/host9/port-9:0/end_device-9:0/target9:0:0/9:0:0:0/block/sdc", "8:32", "size=100", "queue/rotational=1")
	f.files("sys/devices/pci0000:00/0000:00:07.0/host9/port-9:0/end_device-9:0/target9:0:0/9:0:0:0", "vendor=SEAGATE ", "model=ST600MM0006", "rev=0003")
	f.link("sys/devices/pci0000:00/0000:00:07.0/host9/port-9:0/end_device-9:0/target9:0:0/9:0:0:0/block/sdc/device", "../../../9:0:0:0")
	f.file("sys/devices/pci0000:00/0000:00:07.0/host9/port-9:0/end_device-9:0/target9:0:0/9:0:0:0/vpd_pg80", "\x00\x80\x00\x08S0M1ABCD")
	pcie := func(gen, lanes int) platform.Link { return platform.Link{PCIeGen: gen, Lanes: lanes} }
	rate := func(bits int64) platform.Link { return platform.Link{BitRate: bits} }
	tests := []platform.Drive{
		{Key: "eui.0000", Name: "nvme0n1", Model: "Fast SSD 1TB", Serial: "S000", Firmware: "1.0", Bus: platform.BusNVMe, Driver: "nvme",
			Link: pcie(3, 2), LinkMax: pcie(4, 4), LinkSlot: pcie(5, 16), APST: "100000", Capacity: 1024209543168, LogicalSector: 512, PhysicalSector: 4096, Rotational: platform.No,
			Removable: platform.No, Trim: platform.Yes, WriteCache: "write back", Scheduler: "none"},
		{Key: "eui.0002", Name: "nvme2n1", Model: "Two Ways", Serial: "S002", Firmware: "2.2", Bus: platform.BusNVMe,
			Link: pcie(5, 4), LinkMax: pcie(5, 4), Capacity: 512000000, Rotational: platform.No},
		{Key: "naa.5002538e00000001", Name: "sda", Model: "Samsung SSD 860 EVO 1TB", Serial: "S3Z9NB0K000001", Firmware: "RVT04B6Q",
			Bus: platform.BusSATA, Driver: "ahci", Link: rate(3e9), LinkMax: rate(6e9), LinkSlot: rate(6e9), Capacity: 256060514304, Rotational: platform.Yes,
			Removable: platform.No, Trim: platform.No},
		{Key: "SanDisk Ultra:4C530001", Name: "sdb", Model: "SanDisk Ultra", Serial: "4C530001", Firmware: "1.00", Bus: platform.BusUSB, Driver: "uas",
			Link: rate(5e9), USBID: "0781:5581", Adapter: "SanDisk Ultra USB 3.0", Capacity: 30752000000, Removable: platform.Yes},
		{Key: "SEAGATE ST600MM0006:S0M1ABCD", Name: "sdc", Model: "SEAGATE ST600MM0006", Serial: "S0M1ABCD", Firmware: "0003", Bus: platform.BusSAS,
			Capacity: 51200, Rotational: platform.Yes},
		{Key: "vda", Name: "vda", Model: "VirtIO disk", Bus: platform.BusVirtual, Driver: "virtio_blk", Capacity: 2147483648},
		{Key: "SD32G:0x12345678", Name: "mmcblk0", Model: "SD32G", Serial: "0x12345678", Bus: platform.BusMMC, Capacity: 31914983424, Rotational: platform.No},
		{Key: "loop1", Name: "loop1", Model: "Loop device", Bus: platform.BusVirtual, Capacity: 1024000000},
		{Key: "zram0", Name: "zram0", Model: "Compressed memory (zram)", Bus: platform.BusVirtual, Capacity: 1024000000},
		{Key: "naa.5002538e00000001", Name: "dm-4", Model: "Samsung SSD 860 EVO 1TB", Serial: "S3Z9NB0K000001", Firmware: "RVT04B6Q",
			Bus: platform.BusSATA, Driver: "ahci", Link: rate(3e9), LinkMax: rate(6e9), LinkSlot: rate(6e9), Capacity: 1024000000, Rotational: platform.Yes,
			Removable: platform.No, Trim: platform.No},
		{Key: "nonesuch", Name: "nonesuch"},
	}
	tree := NewTree(f)
	for _, want := range tests {
		if got := tree.Drive(want.Name); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", want.Name, got, want)
		}
	}
}

func TestDrives(t *testing.T) {
	f := computer()
	f.virtual("dm-0", "253:0", []string{"nvme0n1p1"}, "dm/uuid=LVM-abc")
	f.virtual("md127", "9:127", []string{"nvme0n1p1"}, "md/level=raid1")
	f.virtual("loop0", "7:0", nil)
	f.virtual("zram0", "250:0", nil)
	f.block("pci0000:00/0000:00:17.0/ata4/host3/target3:0:0/3:0:0:0/block/sr0", "11:0", "size=1000")
	f.block("virtual/block/nbd0", "43:0", "size=0")
	f.block(nvme0+"/nvme0n10", "259:30", "size=1000")
	f.block(nvme0+"/nvme0n2", "259:31", "size=1000")
	names := func() string {
		drives, err := NewTree(f).Drives()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range drives {
			out = append(out, d.Name)
		}
		return strings.Join(out, " ")
	}
	if got, want := names(), "mmcblk0 nvme0n1 nvme0n2 nvme0n10 nvme1n1 nvme2n1 sda sdb vda"; got != want {
		t.Errorf("drives %q, want %q", got, want)
	}
	f.virtual("dm-4", "253:4", []string{"sda", "sdb"}, "dm/uuid=mpath-36001405")
	if got, want := names(), "dm-4 mmcblk0 nvme0n1 nvme0n2 nvme0n10 nvme1n1 nvme2n1 vda"; got != want {
		t.Errorf("with multipath drives %q, want %q", got, want)
	}
	if _, err := NewTree(newFixture()).Drives(); err == nil {
		t.Error("no error without /sys")
	}
}

func TestTemperatures(t *testing.T) {
	f := computer()
	chip := func(n, device, name string, facts ...string) {
		f.files("sys/devices/"+device+"/hwmon/hwmon"+n, append(facts, "name="+name)...)
		f.link("sys/devices/"+device+"/hwmon/hwmon"+n+"/device", "../../../"+device[strings.LastIndex(device, "/")+1:])
		f.link("sys/class/hwmon/hwmon"+n, "../../devices/"+device+"/hwmon/hwmon"+n)
	}
	// hwmon belongs to the PCI device on older kernels and to the controller on newer ones.
	chip("7", "pci0000:00/0000:00:01.0/0000:01:00.0", "nvme", "temp1_input=41850", "temp1_label=Composite", "temp1_crit=84850",
		"temp10_input=1", "temp10_label=Sensor 9", "temp2_input=-273150", "temp2_label=Sensor 1", "temp3_input=65261850", "temp4_input=x",
		"temp5_input=-5000", "temp5_label=Sensor 4", "in0_input=3300")
	chip("1", nvme1, "nvme", "temp1_input=150000")
	chip("2", path2(nvme2, "nvme3"), "nvme", "temp1_input=30000", "temp1_label=Composite")
	chip("3", sata, "drivetemp", "temp1_input=33000")
	chip("4", "pci0000:00", "acpitz", "temp1_input=20000")
	f.files("sys/devices/"+path2(nvme2, "nvme3"), "state=live")
	f.virtual("dm-4", "253:4", []string{"sda"}, "dm/uuid=mpath-36001405")
	f.virtual("dm-5", "253:5", []string{"sda"}, "dm/uuid=LVM-x")
	tests := map[string][]platform.Reading{
		"nvme0n1":  {{Label: "Composite", MilliC: 41850}, {Label: "Sensor 4", MilliC: -5000}, {Label: "Sensor 9", MilliC: 1}},
		"nvme1n1":  nil,
		"nvme2n1":  {{Label: "Composite", MilliC: 30000}}, // by the second of its controllers
		"sda":      {{Label: "Drive", MilliC: 33000}},
		"dm-4":     {{Label: "Drive", MilliC: 33000}},
		"dm-5":     nil,
		"sdb":      nil,
		"vda":      nil,
		"nonesuch": nil,
		"../x":     nil,
	}
	tree := NewTree(f)
	for name, want := range tests {
		if got, asleep := tree.Temperatures(name); !slices.Equal(got, want) || asleep {
			t.Errorf("%s: %v, asleep %v, want %v", name, got, asleep, want)
		}
	}
}

// A drive that the system has sleep is not asked, whichever device on the way to it sleeps.
func TestTemperaturesOfASleepingDrive(t *testing.T) {
	for name, c := range map[string]struct {
		facts  []string
		asleep bool
	}{
		"nothing known":         {nil, false},
		"awake":                 {[]string{sata + "/power/runtime_status=active", "pci0000:00/power/runtime_status=unsupported"}, false},
		"the disk sleeps":       {[]string{sata + "/power/runtime_status=suspended"}, true},
		"the disk falls asleep": {[]string{sata + "/power/runtime_status=suspending"}, true},
		"it wakes up":           {[]string{sata + "/power/runtime_status=resuming"}, false},
		"the controller sleeps": {[]string{"pci0000:00/0000:00:17.0/power/runtime_status=suspended", sata + "/power/runtime_status=active"}, true},
		"another disk sleeps":   {[]string{stick + "/power/runtime_status=suspended"}, false},
	} {
		f := computer()
		f.files("sys/devices/"+sata+"/hwmon/hwmon3", "name=drivetemp", "temp1_input=33000")
		f.link("sys/devices/"+sata+"/hwmon/hwmon3/device", "../../../2:0:0:0")
		f.link("sys/class/hwmon/hwmon3", "../../devices/"+sata+"/hwmon/hwmon3")
		f.files("sys/devices", c.facts...)
		got, asleep := NewTree(f).Temperatures("sda")
		if asleep != c.asleep || (len(got) == 0) != c.asleep {
			t.Errorf("%s: %v, asleep %v", name, got, asleep)
		}
	}
}

func TestDrivePower(t *testing.T) {
	const usb = "sys/devices/pci0000:00/0000:00:14.0/usb2/2-1"
	for name, c := range map[string]struct {
		drive, file, content, link string
		runtime                    platform.Tri
	}{
		"NVMe, nothing known": {drive: "nvme0n1"},
		"NVMe, L1.2":          {drive: "nvme0n1", file: "sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/link/l1_2_aspm", content: "1", link: "L1.2"},
		"NVMe, off":           {drive: "nvme0n1", file: "sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/link/l1_aspm", content: "0", link: "off"},
		"SATA":                {drive: "sda", file: "sys/class/scsi_host/host2/link_power_management_policy", content: "min_power", link: "min_power"},
		"SATA, auto":          {drive: "sda", file: "sys/devices/" + sata + "/power/control", content: "auto", runtime: platform.Yes},
		"USB, on":             {drive: "sdb", file: usb + "/power/control", content: "on", runtime: platform.No},
		"USB, auto":           {drive: "sdb", file: usb + "/power/control", content: "auto", runtime: platform.Yes},
		"VirtIO":              {drive: "vda", file: "sys/devices/" + virt + "/power/control", content: "auto"},
	} {
		f := computer()
		if c.file != "" {
			f.file(c.file, c.content+"\n")
		}
		d := NewTree(f).Drive(c.drive)
		if d.LinkPower != c.link || d.RuntimePower != c.runtime {
			t.Errorf("%s: link %q, runtime %v", name, d.LinkPower, d.RuntimePower)
		}
	}
}

// path2 puts another last element in place of a path's own.
func path2(path, last string) string { return path[:strings.LastIndex(path, "/")+1] + last }

func TestParseStat(t *testing.T) {
	full := "  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
	want := platform.Counters{ReadOps: 1, ReadMerges: 2, ReadBytes: 3 * 512, ReadTicks: 4, WriteOps: 5, WriteMerges: 6,
		WriteBytes: 7 * 512, WriteTicks: 8, InFlight: 9, BusyTicks: 10, QueueTicks: 11, DiscardOps: 12,
		DiscardMerges: 13, DiscardBytes: 14 * 512, DiscardTicks: 15, FlushOps: 16, FlushTicks: 17}
	old := want
	old.DiscardOps, old.DiscardMerges, old.DiscardBytes, old.DiscardTicks, old.FlushOps, old.FlushTicks = 0, 0, 0, 0, 0, 0
	wide := old
	wide.ReadOps = 1<<64 - 1
	tests := []struct {
		in    string
		want  platform.Counters
		fails bool
	}{
		{in: full, want: want},
		{in: "1 2 3 4 5 6 7 8 9 10 11", want: old},
		{in: full[:len(full)-1] + " 18 19", want: want},
		{in: "1 2 3 4 5 6 7 8 9 10", fails: true},
		{in: "1 2 3 4 5 6 7 8 9 10 -1", fails: true},
		{in: "1 2 3 4 5 6 7 8 9 10 11x", fails: true},
		{in: "1 2 3 4 5 6 7 8 9 10 18446744073709551616", fails: true},
		{in: "18446744073709551615 2 3 4 5 6 7 8 9 10 11", want: wide},
		{in: "", fails: true},
	}
	for _, tt := range tests {
		got, err := ParseStat([]byte(tt.in))
		if (err != nil) != tt.fails || got != tt.want {
			t.Errorf("%q: %+v, %v", tt.in, got, err)
		}
	}
}

func TestCounters(t *testing.T) {
	f := computer()
	dir := "sys/devices/" + sata + "/block/sda"
	f.files(dir, "stat=1 2 3 4 5 6 7 8 9 10 11", "queue/iostats=1")
	f.files("sys/devices/"+virt+"/block/vda", "stat=0 0 0 0 0 0 0 0 0 0 0", "queue/iostats=0")
	tree := NewTree(f)
	if c, err := tree.Counters("sda"); err != nil || c == nil || c.WriteBytes != 7*512 {
		t.Errorf("sda: %+v, %v", c, err)
	}
	if c, err := tree.Counters("vda"); err != nil || c != nil {
		t.Errorf("counting switched off: %+v, %v", c, err)
	}
	if _, err := tree.Counters("nonesuch"); err == nil {
		t.Error("no error for a drive that is gone")
	}
}

func TestNVMe(t *testing.T) {
	tree := NewTree(computer())
	for name, want := range map[string]bool{"nvme0n1": true, "nvme2n1": true, "nvme0n1p1": false, "nvme9n1": false, "nvme0": false, "sda": false, "": false} {
		if got := tree.NVMe(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestNatural(t *testing.T) {
	names := []string{"nvme10n1", "sdb", "nvme2n10", "nvme2n2", "sda", "nvme02n1", "sd", ""}
	slices.SortFunc(names, natural)
	if want := []string{"", "nvme02n1", "nvme2n2", "nvme2n10", "nvme10n1", "sd", "sda", "sdb"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

func TestParseUdev(t *testing.T) {
	got := ParseUdev([]byte("S:disk\nI:123\nE:A=1=2\nE:B=\nE:broken\nG:systemd\nE:C=x"))
	if want := map[string]string{"A": "1=2", "B": "", "C": "x"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{`a\x20b`: "a b", `\x2`: `\x2`, `\xzz\x41`: `\xzzA`, `x`: "x", ``: "", `\x5cx20`: `\x20`} {
		if got := unescapeHex(in); got != want {
			t.Errorf("hex %q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{`\134040`: `\040`, `\0`: `\0`, `\400`: `\400`, `a\040`: "a "} {
		if got := unescapeOctal(in); got != want {
			t.Errorf("octal %q: %q, want %q", in, got, want)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := ParseStat(b); err != nil && c != (platform.Counters{}) {
			t.Fatal("counters beside an error")
		}
	})
}

func FuzzParseUdev(f *testing.F) {
	f.Add([]byte("E:ID_MODEL_ENC=a\\x20b\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, value := range ParseUdev(b) {
			if s := clean(unescapeHex(value)); s != clean(s) {
				t.Fatalf("%q is not clean", s)
			}
		}
	})
}
