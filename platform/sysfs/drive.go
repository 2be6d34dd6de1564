package sysfs

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"cachecliff/platform"
)

// Drives lists the physical drives, or what stands for them in a virtual machine. Layers (device mapper,
// md, loop), memory and optical drives are left out, and so are devices without a medium.
func (t Tree) Drives() ([]platform.Drive, error) {
	entries, err := t.list("sys/block")
	if err != nil {
		return nil, err
	}
	var ways []string // to multipath drives: each is shown once
	var names []string
	for _, name := range entries {
		kind, below := t.stacked(name)
		if kind == platform.LayerMultipath {
			ways = append(ways, below...)
			names = append(names, name)
		} else if len(below) == 0 && !t.layerOnly(name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, natural)
	var out []platform.Drive
	for _, name := range names {
		if d := t.Drive(name); d.Capacity > 0 && !slices.Contains(ways, name) {
			out = append(out, d)
		}
	}
	return out, nil
}

// layerOnly says whether a block device without devices below is still not a drive.
func (t Tree) layerOnly(name string) bool {
	for _, prefix := range []string{"loop", "ram", "zram", "dm-", "md", "zd", "sr", "fd", "drbd", "bcache"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (rest == "" || rest[0] >= '0' && rest[0] <= '9' || rest[0] == '_') {
			return true
		}
	}
	// One of several ways to an NVMe namespace: it has no node in /dev.
	hidden, ok := t.number("sys/block/" + name + "/hidden")
	return ok && hidden != 0
}

// natural orders nvme2n1 before nvme10n1.
func natural(a, b string) int {
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		if da > 0 && db > 0 {
			na, nb := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), cmp.Compare(na, nb)); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is how many digits a string starts with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// Drive reads the facts of a block device. What cannot be found out stays unknown.
func (t Tree) Drive(name string) platform.Drive {
	// What a multipath device is can be read at any of the ways to it; how much goes through, only there.
	facts := name
	if kind, below := t.stacked(name); kind == platform.LayerMultipath && len(below) > 0 {
		facts = below[0]
	}
	dir := "sys/class/block/" + facts
	d := platform.Drive{
		Name:           name,
		Firmware:       t.label(dir + "/device/firmware_rev"),
		Capacity:       t.count("sys/class/block/"+name+"/size") * statSector,
		LogicalSector:  int(t.count(dir + "/queue/logical_block_size")),
		PhysicalSector: int(t.count(dir + "/queue/physical_block_size")),
		Removable:      t.yesNo(dir + "/removable"),
		WriteCache:     t.label(dir + "/queue/write_cache"),
		Scheduler:      chosen(t.text(dir + "/queue/scheduler")),
	}
	if n, ok := t.number(dir + "/queue/discard_max_bytes"); ok {
		d.Trim = platform.TriOf(n > 0)
	}
	udev := t.udev(dir)
	real, err := t.real(dir)
	if err != nil {
		real = "" // the name is all there is
	}
	d.Bus = t.bus(facts, real)
	d.Model = t.model(facts, d.Bus, udev)
	d.Serial = t.serial(facts, real, udev)
	if d.Firmware == "" {
		d.Firmware = cmp.Or(clean(udev["ID_REVISION"]), t.label(dir+"/device/rev"), t.label(dir+"/device/fwrev"))
	}
	t.attachment(&d, facts, real)
	d.LinkPower, d.RuntimePower = t.drivePower(d.Bus, facts, real)
	switch d.Bus { // elsewhere the kernel says 1 about anything it does not know
	case platform.BusNVMe, platform.BusSATA, platform.BusSAS, platform.BusMMC:
		d.Rotational = t.yesNo(dir + "/queue/rotational")
	}
	d.Key = t.key(facts, d, udev)
	if page, ok := ataInformation([]byte(t.raw(dir + "/device/vpd_pg89"))); ok && t.identify != nil {
		t.identify(page, &d)
	}
	return d
}

// udev is what udev knows of a block device.
func (t Tree) udev(dir string) map[string]string {
	return ParseUdev([]byte(t.raw("run/udev/data/b" + t.text(dir+"/dev"))))
}

// key makes a name that stays over reboots: the drive's own world-wide one if it has any.
func (t Tree) key(name string, d platform.Drive, udev map[string]string) string {
	dir := "sys/class/block/" + name
	wwid := cmp.Or(t.label(dir+"/wwid"), t.label(dir+"/device/wwid"), clean(udev["ID_WWN_WITH_EXTENSION"]), clean(udev["ID_WWN"]))
	if wwid != "" {
		return wwid
	}
	if d.Serial != "" {
		return strings.TrimPrefix(d.Model+":"+d.Serial, ":")
	}
	return name
}

func (t Tree) model(name string, bus platform.Bus, udev map[string]string) string {
	dir := "sys/class/block/" + name + "/device/"
	model := t.label(dir + "model")
	if bus != platform.BusNVMe { // SCSI cuts it to 16 characters, udev asked the drive itself
		if full := clean(unescapeHex(udev["ID_MODEL_ENC"])); len(full) >= len(model) && full != "" {
			model = full
		}
		vendor := t.label(dir + "vendor")
		if model != "" && vendor != "" && vendor != "ATA" && !strings.HasPrefix(vendor, "0x") &&
			!strings.HasPrefix(strings.ToLower(model), strings.ToLower(vendor)) {
			model = vendor + " " + model
		}
	}
	if bus == platform.BusMMC {
		model = t.label(dir + "name")
	}
	if model != "" {
		return model
	}
	for _, v := range [][2]string{{"loop", "Loop device"}, {"zram", "Compressed memory (zram)"}, {"ram", "RAM disk"},
		{"vd", "VirtIO disk"}, {"nbd", "Network block device"}, {"xvd", "Xen disk"}} {
		if strings.HasPrefix(name, v[0]) {
			return v[1]
		}
	}
	return ""
}

func (t Tree) serial(name, real string, udev map[string]string) string {
	dir := "sys/class/block/" + name
	if s := cmp.Or(t.label(dir+"/device/serial"), t.label(dir+"/serial"),
		clean(udev["ID_SCSI_SERIAL"]), clean(udev["ID_SERIAL_SHORT"])); s != "" {
		return s
	}
	if page := t.raw(dir + "/device/vpd_pg80"); len(page) > 4 { // 4 bytes of header
		return clean(page[4:])
	}
	var usb string
	up(real, func(dir string) bool {
		if !t.exists(dir + "/idVendor") {
			return false
		}
		usb = t.label(dir + "/serial")
		return true
	})
	return usb
}

var (
	usbPart = regexp.MustCompile(`/usb[0-9]+/`)
	ataPart = regexp.MustCompile(`/ata([0-9]+)/`)
)

// bus tells how a device is attached by its place in the device tree.
func (t Tree) bus(name, real string) platform.Bus {
	sas := strings.Contains(real, "/end_device-")
	switch {
	case strings.HasPrefix(name, "nvme"):
		return platform.BusNVMe
	case usbPart.MatchString(real):
		return platform.BusUSB
	case strings.Contains(real, "/virtio"), strings.HasPrefix(real, "sys/devices/virtual/"),
		strings.Contains(real, "/VMBUS:"), strings.Contains(real, "/vbd-"):
		return platform.BusVirtual
	case strings.Contains(real, "/mmc_host/"):
		return platform.BusMMC
	case ataPart.MatchString(real), sas && t.text("sys/class/block/"+name+"/device/vendor") == "ATA":
		return platform.BusSATA
	case sas:
		return platform.BusSAS
	}
	return platform.BusUnknown
}

// chosen takes the one in brackets out of "none [mq-deadline] kyber".
func chosen(s string) string {
	_, rest, found := strings.Cut(s, "[")
	one, _, closed := strings.Cut(rest, "]")
	if !found || !closed {
		return s
	}
	return one
}

// count is a number that fits an int64, or 0 if it is not known.
func (t Tree) count(name string) int64 {
	n, ok := t.number(name)
	if !ok || n > 1<<54 { // 2^54 sectors are 2^63 bytes
		return 0
	}
	return int64(n)
}

func (t Tree) yesNo(name string) platform.Tri {
	n, ok := t.number(name)
	if !ok {
		return platform.Unknown
	}
	return platform.TriOf(n != 0)
}

// ParseUdev reads the properties out of a file in /run/udev/data.
func ParseUdev(b []byte) map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(string(b)) {
		if property, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "E:"); ok {
			if key, value, ok := strings.Cut(property, "="); ok {
				out[key] = value
			}
		}
	}
	return out
}
