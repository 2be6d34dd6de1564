package sysfs

import (
	"io/fs"
	"path"
	"strings"
	"testing/fstest"
)

// fixture is a made-up root folder.
type fixture struct{ fstest.MapFS }

func newFixture() fixture { return fixture{fstest.MapFS{}} }

func (f fixture) file(name, content string) {
	f.MapFS[name] = &fstest.MapFile{Data: []byte(content), Mode: 0o444}
}

func (f fixture) link(name, to string) {
	f.MapFS[name] = &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink | 0o777}
}

// files adds several files below dir, "name=content" each.
func (f fixture) files(dir string, facts ...string) {
	for _, fact := range facts {
		name, content, _ := strings.Cut(fact, "=")
		f.file(path.Join(dir, name), content+"\n")
	}
}

// block adds a block device with the links that the kernel makes to it. dir is below sys/devices.
func (f fixture) block(dir, number string, facts ...string) {
	name := path.Base(dir)
	f.files("sys/devices/"+dir, append(facts, "dev="+number)...)
	f.link("sys/class/block/"+name, "../../devices/"+dir)
	f.link("sys/dev/block/"+number, "../../devices/"+dir)
	if !strings.Contains(strings.Join(facts, " "), "partition=") {
		f.link("sys/block/"+name, "../devices/"+dir)
	}
}

// virtual adds a block device that lies on others.
func (f fixture) virtual(name, number string, slaves []string, facts ...string) {
	f.block("virtual/block/"+name, number, append(facts, "size=2000000")...)
	for _, s := range slaves {
		f.link("sys/devices/virtual/block/"+name+"/slaves/"+s, "../../../../../class/block/"+s)
	}
}

// The places of devices in a computer with one of each bus.
const (
	nvme0 = "pci0000:00/0000:00:01.0/0000:01:00.0/nvme/nvme0"
	nvme1 = "pci0000:00/0000:00:02.0/0000:02:00.0/nvme/nvme1"
	nvme2 = "pci0000:00/0000:00:03.0/0000:03:00.0/nvme/nvme2"
	sata  = "pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0"
	stick = "pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0"
	virt  = "pci0000:00/0000:00:05.0/virtio1"
	card  = "pci0000:00/0000:00:1a.0/mmc_host/mmc0/mmc0:aaaa"
)

// computer has two NVMe drives, one more on two controllers (native multipath), a SATA drive, a USB stick, a
// VirtIO disk and a memory card.
func computer() fixture {
	f := newFixture()
	for i, dir := range []string{nvme0, nvme1} {
		n := string(rune('0' + i))
		f.files("sys/devices/"+dir, "model=Fast SSD 1TB                          ", "serial=S00"+n+"          ", "firmware_rev=1.0")
		f.block(dir+"/nvme"+n+"n1", "259:"+n, "size=2000409264", "wwid=eui.000"+n, "removable=0",
			"queue/rotational=0", "queue/logical_block_size=512", "queue/physical_block_size=4096",
			"queue/write_cache=write back", "queue/scheduler=[none] mq-deadline kyber ", "queue/discard_max_bytes=2147483136")
		f.link("sys/devices/"+dir+"/nvme"+n+"n1/device", "../../nvme"+n)
		f.block(dir+"/nvme"+n+"n1/nvme"+n+"n1p1", "259:1"+n, "partition=1", "size=1000000")
		pci := path.Dir(path.Dir(dir))
		f.files("sys/devices/"+pci, "current_link_speed=8.0 GT/s PCIe", "current_link_width=2", "max_link_speed=16.0 GT/s PCIe", "max_link_width=4")
		f.link("sys/devices/"+pci+"/driver", "../../../../bus/pci/drivers/nvme")
	}
	f.files("sys/devices/"+path.Dir(path.Dir(path.Dir(nvme0))), "current_link_speed=8.0 GT/s PCIe", "current_link_width=2", "max_link_speed=32.0 GT/s PCIe", "max_link_width=16")
	f.files("sys/devices/"+nvme0, "power/pm_qos_latency_tolerance_us=100000")
	subsystem := "virtual/nvme-subsystem/nvme-subsys2"
	f.files("sys/devices/"+subsystem, "model=Two Ways", "serial=S002", "firmware_rev=2.2")
	f.link("sys/devices/"+subsystem+"/nvme2", "../../../"+nvme2)
	f.link("sys/devices/"+subsystem+"/nvme3", "../../../"+path.Dir(nvme2)+"/nvme3")
	f.block(subsystem+"/nvme2n1", "259:5", "size=1000000", "hidden=0", "wwid=eui.0002", "queue/rotational=0")
	f.link("sys/devices/"+subsystem+"/nvme2n1/device", "../../nvme-subsys2")
	f.block(nvme2+"/nvme2c2n1", "259:6", "size=1000000", "hidden=1", "wwid=eui.0002")
	f.files("sys/devices/"+path.Dir(path.Dir(nvme2)), "current_link_speed=32.0 GT/s PCIe", "current_link_width=4", "max_link_speed=32.0 GT/s PCIe", "max_link_width=4")

	f.block(sata+"/block/sda", "8:0", "size=500118192", "removable=0", "queue/rotational=1", "queue/discard_max_bytes=0")
	f.files("sys/devices/"+sata, "model=Samsung SSD 860 ", "vendor=ATA     ", "rev=3B6Q", "wwid=naa.5002538e00000001")
	f.link("sys/devices/"+sata+"/block/sda/device", "../../../2:0:0:0")
	f.link("sys/devices/"+sata+"/driver", "../../../../../../../bus/scsi/drivers/sd")
	f.link("sys/devices/pci0000:00/0000:00:17.0/driver", "../../../bus/pci/drivers/ahci")
	f.files("sys/class/ata_link/link3", "sata_spd=3.0 Gbps", "hw_sata_spd_limit=6.0 Gbps")
	f.file("run/udev/data/b8:0", "S:disk/by-id/x\nE:ID_MODEL_ENC=Samsung\\x20SSD\\x20860\\x20EVO\\x201TB\\x20\\x20\nE:ID_SERIAL_SHORT=S3Z9NB0K000001\nE:ID_REVISION=RVT04B6Q\n")

	f.block(stick+"/block/sdb", "8:16", "size=60062500", "removable=1", "queue/rotational=1")
	f.block(stick+"/block/sdb/sdb1", "8:17", "partition=1", "size=60000000")
	f.files("sys/devices/"+stick, "model=Ultra           ", "vendor=SanDisk ", "rev=1.00")
	f.link("sys/devices/"+stick+"/block/sdb/device", "../../../6:0:0:0")
	f.files("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1", "idVendor=0781", "idProduct=5581", "manufacturer=SanDisk", "product= Ultra USB 3.0", "speed=5000", "serial=4C530001")
	f.files("sys/devices/pci0000:00/0000:00:14.0/usb2", "idVendor=1d6b", "idProduct=0003", "speed=20000")
	f.link("sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/driver", "../../../../../../bus/usb/drivers/uas")

	f.block(virt+"/block/vda", "252:0", "size=4194304", "serial=", "queue/rotational=1")
	f.link("sys/devices/"+virt+"/driver", "../../../../bus/virtio/drivers/virtio_blk")
	f.block(card+"/block/mmcblk0", "179:0", "size=62333952", "queue/rotational=0")
	f.files("sys/devices/"+card, "name=SD32G", "serial=0x12345678")
	f.link("sys/devices/"+card+"/block/mmcblk0/device", "../../../mmc0:aaaa")
	return f
}
