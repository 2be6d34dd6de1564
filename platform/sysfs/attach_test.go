package sysfs

import (
	"bytes"
	"testing"

	"cachecliff/platform"
)

// ataPage is the page in which a translation from SCSI to ATA keeps the drive's answer to IDENTIFY DEVICE.
func ataPage() string {
	page := make([]byte, 572)
	page[1], page[2], page[3] = 0x89, 0x02, 0x38
	copy(page[60:], bytes.Repeat([]byte("I"), 512))
	return string(page)
}

func TestATA(t *testing.T) {
	f := computer()
	f.block("pci0000:00/0000:00:14.0/usb2/2-2/2-2:1.0/host7/target7:0:0/7:0:0:0/block/sdc", "8:32", "size=100")
	const translated = "pci0000:00/0000:00:14.0/usb2/2-2/2-2:1.0/host7/target7:0:0/7:0:0:0"
	f.file("sys/devices/"+translated+"/block/sdc/device/vpd_pg89", ataPage())
	f.block("pci0000:00/0000:00:14.0/usb2/2-3/2-3:1.0/host8/target8:0:0/8:0:0:0/block/sdd", "8:48", "size=100")
	f.file("run/udev/data/b8:48", "E:ID_ATA=1\n")
	f.block("pci0000:00/0000:00:14.0/usb2/2-4/2-4:1.0/host9/target9:0:0/9:0:0:0/block/sde", "8:64", "size=100")
	f.file("sys/devices/pci0000:00/0000:00:14.0/usb2/2-4/2-4:1.0/host9/target9:0:0/9:0:0:0/block/sde/device/vpd_pg89", ataPage()[:571])
	f.block("pci0000:00/0000:00:17.0/ata4/host3/target3:0:0/3:0:0:0/block/sr0", "11:0", "size=1000")
	f.block(sata+"/block/sda/sda1", "8:1", "partition=1", "size=1000")
	f.virtual("dm-4", "253:4", []string{"sda"}, "dm/uuid=mpath-x")
	tree := NewTree(f)
	for name, want := range map[string]bool{
		"sda": true, "sdb": false, "sdc": true, "sdd": true, "sde": false, "sr0": false, "sda1": false, "dm-4": false,
		"nvme0n1": false, "vda": false, "mmcblk0": false, "sdz": false, "../sda": false, "": false,
	} {
		if got := tree.ATA(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
	for name, want := range map[string]bool{"sda": true, "dm-4": true, "sdz": false, "../block/sda": false, "": false} {
		if got := tree.Present(name); got != want {
			t.Errorf("%q is there: %t", name, got)
		}
	}
}

// What the drive says of itself completes what the system says.
func TestDecoding(t *testing.T) {
	f := computer()
	f.file("sys/devices/"+sata+"/vpd_pg89", ataPage())
	var asked []string
	tree := NewTree(f).Decoding(func(page []byte, d *platform.Drive) {
		if len(page) == 512 && page[0] == 'I' && page[511] == 'I' && d.Bus == platform.BusSATA && d.Key != "" {
			asked = append(asked, d.Name)
		}
		d.Model, d.RPM = "by itself", 7200
	})
	if d := tree.Drive("sda"); d.Model != "by itself" || d.RPM != 7200 || d.Key != "naa.5002538e00000001" {
		t.Errorf("%+v", d)
	}
	if d := tree.Drive("sdb"); d.Model != "SanDisk Ultra" || len(asked) != 1 {
		t.Errorf("%+v, asked %q", d, asked)
	}
}

func TestAPST(t *testing.T) {
	for content, want := range map[string]string{"25000": "25000", "0": "off", "any": "any", "auto": "", "-1": "", "": ""} {
		f := computer()
		f.file("sys/devices/"+nvme1+"/power/pm_qos_latency_tolerance_us", content+"\n")
		if got := NewTree(f).Drive("nvme1n1").APST; got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

func FuzzATAInformation(f *testing.F) {
	f.Add([]byte(ataPage()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if page, ok := ataInformation(b); ok != (len(page) == 512) {
			t.Errorf("%d bytes, %t", len(page), ok)
		}
	})
}

// What the kernel says of links is text of its own making; whatever it is, a link is one that there can be.
func FuzzLinks(f *testing.F) {
	f.Add("8.0 GT/s PCIe", "4", "6.0 Gbps", "10000")
	f.Add("Unknown", "255", "<unknown>", "-1")
	f.Fuzz(func(t *testing.T, rate, lanes, sataRate, usbRate string) {
		fx := newFixture()
		fx.files("sys", "current_link_speed="+rate, "current_link_width="+lanes, "speed="+usbRate, "idVendor="+rate, "idProduct="+lanes)
		if l := NewTree(fx).pcie("sys", "current"); l.PCIeGen < 0 || l.PCIeGen > len(pcieRates) || l.Lanes < 0 || l.Lanes > 32 || (l.PCIeGen == 0) != (l.Lanes == 0) {
			t.Errorf("%+v", l)
		}
		var d platform.Drive
		if NewTree(fx).usb(&d, "sys"); d.Link.BitRate < 0 || d.Link.BitRate > 1e12 || d.USBID != clean(d.USBID) {
			t.Errorf("%+v", d)
		}
		if n := sataSpeed(sataRate); n < 0 || n > 1e12 {
			t.Errorf("%q: %d bit/s", sataRate, n)
		}
	})
}
