package sysfs

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"cachecliff/platform"
)

// attachment finds the driver of the controller and the speed of the link.
func (t Tree) attachment(d *platform.Drive, name, real string) {
	start := real
	if d.Bus == platform.BusNVMe {
		if c := t.controllers(name, real); len(c) > 0 {
			start = c[0]
			d.APST = t.apst(start)
		}
	}
	up(start, func(dir string) bool {
		if d.Driver == "" {
			if driver := t.link(dir + "/driver"); driver != "sd" { // which is the driver of all SCSI disks
				d.Driver = driver
			}
		}
		switch {
		case d.Link != platform.Link{}: // the ports further up have links of their own
		case d.Bus == platform.BusNVMe:
			d.Link = t.pcie(dir, "current")
			d.LinkMax = t.pcie(dir, "max")
			if (d.Link != platform.Link{}) {
				d.LinkSlot = t.pcie(path.Dir(dir), "max")
			}
		case d.Bus == platform.BusUSB && t.exists(dir+"/idVendor"):
			t.usb(d, dir)
			return true // further up are hubs
		}
		return d.Driver != "" && d.Link != platform.Link{}
	})
	if m := ataPart.FindStringSubmatch(real); m != nil && d.Bus == platform.BusSATA {
		dir := "sys/class/ata_link/link" + m[1]
		d.Link.BitRate = sataSpeed(t.text(dir + "/sata_spd"))
		d.LinkSlot.BitRate = sataSpeed(t.text(dir + "/hw_sata_spd_limit"))
		d.LinkMax = d.LinkSlot // until the drive says what it can
	}
}

// usb reads what a USB device says of itself: its numbers, its name and its speed.
func (t Tree) usb(d *platform.Drive, dir string) {
	if maker, product := t.label(dir+"/idVendor"), t.label(dir+"/idProduct"); maker != "" && product != "" {
		d.USBID = maker + ":" + product
	}
	maker, product := t.label(dir+"/manufacturer"), t.label(dir+"/product")
	if strings.HasPrefix(strings.ToLower(product), strings.ToLower(maker)) {
		maker = ""
	}
	d.Adapter = clean(maker + " " + product)
	if mbit, err := strconv.ParseFloat(t.text(dir+"/speed"), 64); err == nil && mbit > 0 && mbit < 1e6 {
		d.Link.BitRate = int64(mbit * 1e6)
	}
}

// apst is how long an NVMe drive may take to wake from the states that it enters by itself. Controllers that
// have no such states have no such file (kernel drivers/nvme/host/core.c, nvme_init_ctrl).
func (t Tree) apst(controller string) string {
	switch s := t.label(controller + "/power/pm_qos_latency_tolerance_us"); s {
	case "0":
		return "off"
	case "any":
		return s
	default:
		if _, err := strconv.ParseUint(s, 10, 64); err != nil {
			return "" // unknown
		}
		return s
	}
}

// controllers are the folders of the NVMe controllers that lead to a namespace. With native multipath the
// namespace belongs to a subsystem, which has links to its controllers.
func (t Tree) controllers(name, real string) []string {
	if !strings.Contains(real, "/nvme-subsystem/") {
		return []string{path.Dir(real)}
	}
	var out []string
	dir := path.Dir(real)
	for _, entry := range t.names(dir) {
		if n, ok := strings.CutPrefix(entry, "nvme"); ok && n != "" && digits(n) == len(n) {
			if c, err := t.real(dir + "/" + entry); err == nil {
				out = append(out, c)
			}
		}
	}
	return out
}

// pcieRates are the transfer rates of the PCI Express generations, in GT/s.
var pcieRates = []string{"2.5", "5", "8", "16", "32", "64"}

func (t Tree) pcie(dir, which string) platform.Link {
	rate, _, _ := strings.Cut(t.text(dir+"/"+which+"_link_speed"), " ")
	lanes, _ := t.number(dir + "/" + which + "_link_width") // 0 if there is none
	for i, r := range pcieRates {
		if strings.TrimSuffix(rate, ".0") == r && lanes > 0 && lanes <= 32 {
			return platform.Link{PCIeGen: i + 1, Lanes: int(lanes)}
		}
	}
	return platform.Link{}
}

// sataSpeed turns "6.0 Gbps" into bits per second; "<unknown>" is 0.
func sataSpeed(s string) int64 {
	var gbit float64
	if _, err := fmt.Sscanf(s, "%f Gbps", &gbit); err != nil || !(gbit > 0 && gbit < 1000) {
		return 0
	}
	return int64(gbit * 1e9)
}

var (
	namespace = regexp.MustCompile(`^nvme[0-9]+n[0-9]+$`)
	disk      = regexp.MustCompile(`^sd[a-z]+$`)
)

// Present says whether there is a block device of a name.
func (t Tree) Present(name string) bool {
	return name != "" && !strings.Contains(name, "/") && t.exists("sys/class/block/"+name)
}

// NVMe says whether a name is that of an NVMe namespace which is there. Nothing else may be sent NVMe
// commands.
func (t Tree) NVMe(name string) bool {
	return namespace.MatchString(name) && t.exists("sys/block/"+name)
}

// ATA says whether a name is that of a disk which is there and understands ATA commands: one at a SATA port, or
// one behind a USB adapter that translates them. Of an adapter that is known when it shows the page of the
// translation, or when udev, which asks each new disk, had an answer. Others may hang from commands that they
// do not know, and are not tried.
func (t Tree) ATA(name string) bool {
	dir := "sys/class/block/" + name
	real, err := t.real(dir)
	if err != nil || !disk.MatchString(name) {
		return false
	}
	switch t.bus(name, real) {
	case platform.BusSATA:
		return true
	case platform.BusUSB:
		_, ok := ataInformation([]byte(t.raw(dir + "/device/vpd_pg89")))
		return ok || t.udev(dir)["ID_ATA"] == "1"
	}
	return false
}

// ataInformation takes the drive's answer to IDENTIFY DEVICE out of the page that a translation from SCSI to ATA
// keeps it in (SCSI / ATA Translation, "ATA Information VPD page").
func ataInformation(page []byte) (identify []byte, ok bool) {
	const number, size, from, length = 0x89, 572, 60, 512
	if len(page) < size || page[1] != number {
		return nil, false
	}
	return page[from : from+length], true
}
