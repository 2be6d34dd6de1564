package platform

import (
	"fmt"
	"slices"
	"time"
)

// Tri is a yes or no that may be unknown. The zero value is unknown.
type Tri uint8

// The values of Tri.
const (
	Unknown Tri = iota
	No
	Yes
)

// TriOf turns a known answer into a Tri.
func TriOf(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

// tris are the values of Tri in text.
var tris = []string{Unknown: "unknown", No: "no", Yes: "yes"}

// MarshalText writes "yes", "no" or "unknown".
func (t Tri) MarshalText() ([]byte, error) {
	if int(t) >= len(tris) {
		return nil, fmt.Errorf("%d is neither yes nor no nor unknown", t)
	}
	return []byte(tris[t]), nil
}

// UnmarshalText reads what MarshalText wrote.
func (t *Tri) UnmarshalText(text []byte) error {
	i := slices.Index(tris, string(text))
	if i < 0 {
		return fmt.Errorf("%q is neither yes nor no nor unknown", text)
	}
	*t = Tri(i)
	return nil
}

// Bus is how a drive is attached.
type Bus string

// The buses that are told apart.
const (
	BusUnknown Bus = ""
	BusNVMe    Bus = "nvme"
	BusSATA    Bus = "sata"
	BusSAS     Bus = "sas"
	BusUSB     Bus = "usb"
	BusMMC     Bus = "mmc"
	BusVirtual Bus = "virtual" // virtio, Hyper-V, a file-backed disk
)

// Drive is a physical drive, or the lowest device the system shows.
type Drive struct {
	Key            string `json:"key"`  // stable over reboots: wwid, else model and serial, else the name
	Name           string `json:"name"` // what the system calls it now: nvme0n1, PhysicalDrive1
	Model          string `json:"model,omitempty"`
	Serial         string `json:"serial,omitempty"`
	Firmware       string `json:"firmware,omitempty"`
	Bus            Bus    `json:"bus,omitempty"`
	Driver         string `json:"driver,omitempty"`
	Link           Link   `json:"link,omitzero"`
	LinkMax        Link   `json:"link_max,omitzero"`
	LinkSlot       Link   `json:"link_slot,omitzero"` // the best that the port above a PCIe drive can: its slot
	USBID          string `json:"usb_id,omitempty"`   // maker and product of a USB drive or its adapter, in hexadecimal: 0bda:9210
	Adapter        string `json:"adapter,omitempty"`  // what that calls itself: "Realtek RTL9210"
	Capacity       int64  `json:"capacity"`           // bytes
	LogicalSector  int    `json:"logical_sector,omitempty"`
	PhysicalSector int    `json:"physical_sector,omitempty"`
	Rotational     Tri    `json:"rotational,omitempty"`
	RPM            int    `json:"rpm,omitempty"` // revolutions per minute of a hard disk
	Removable      Tri    `json:"removable,omitempty"`
	Trim           Tri    `json:"trim,omitempty"`
	WriteCache     string `json:"write_cache,omitempty"` // "write back", "write through", or empty if unknown
	Scheduler      string `json:"scheduler,omitempty"`
	LinkPower      string `json:"link_power,omitempty"`    // how far the link may sleep: the policy of SATA (min_power), the states of PCIe ("L1 L1.2", "off")
	RuntimePower   Tri    `json:"runtime_power,omitempty"` // the system may put the drive to sleep after seconds without I/O
	// APST is how long the states may take to wake from that an NVMe drive may enter by itself: microseconds,
	// "any", or "off" if it may enter none.
	APST string `json:"apst,omitempty"`
}

// Link is the speed of the connection. The zero value is unknown.
type Link struct {
	PCIeGen int   `json:"pcie_gen,omitempty"` // 1 to 6
	Lanes   int   `json:"lanes,omitempty"`
	BitRate int64 `json:"bit_rate,omitempty"` // bits per second, for SATA and USB
}

// Volume is a mounted file system.
type Volume struct {
	Mount    string `json:"mount"`  // where it is mounted
	Source   string `json:"source"` // device or name behind it
	FS       string `json:"fs"`     // ext4, btrfs, NTFS
	Options  string `json:"options,omitempty"`
	Label    string `json:"label,omitempty"`
	Size     int64  `json:"size"`             // bytes
	Used     int64  `json:"used,omitempty"`   // bytes; 0 if it is not known
	Free     int64  `json:"free"`             // bytes this user may still write; the system may keep some more
	ReadOnly bool   `json:"read_only"`        //
	System   bool   `json:"system,omitempty"` // the operating system lives here
}

// Fill is the share of a volume that is taken when free bytes are left, as df reckons it: what the system
// keeps for itself counts neither as taken nor as free. ok is false if the size is not known.
func (v Volume) Fill(free int64) (share float64, ok bool) {
	usable := v.Used + v.Free
	if v.Used <= 0 {
		usable = v.Size
	}
	if usable <= 0 {
		return 0, false
	}
	return min(max(1-float64(free)/float64(usable), 0), 1), true
}

// Layer is one step on the way from a volume to its drives, the volume's side first.
type Layer struct {
	Kind LayerKind `json:"kind"`
	Name string    `json:"name"` // dm-0, md127, loop3, nvme0n1p2
	// Cached says whether what passes goes through this computer's page cache, or ends in its memory: loop
	// devices without direct I/O, or over a file in memory.
	Cached Tri `json:"cached,omitempty"`
}

// LayerKind names a kind of layer.
type LayerKind string

// The layers that are told apart.
const (
	LayerPartition LayerKind = "partition"
	LayerLVM       LayerKind = "lvm"
	LayerLUKS      LayerKind = "luks"
	LayerVDO       LayerKind = "vdo"           // deduplicates and compresses
	LayerMapper    LayerKind = "device-mapper" // another device-mapper target
	LayerBcache    LayerKind = "bcache"
	LayerOther     LayerKind = "other" // on other devices in a way not told apart
	LayerMD        LayerKind = "md"
	LayerBtrfs     LayerKind = "btrfs"
	LayerOverlay   LayerKind = "overlay"
	LayerLoop      LayerKind = "loop"
	LayerMultipath LayerKind = "multipath"
	LayerBitLocker LayerKind = "bitlocker"
	LayerSpaces    LayerKind = "storage-spaces"
	LayerEFS       LayerKind = "efs" // files that the file system of Windows encrypts for a user
)

// Target is a folder to test in, and what lies below it.
type Target struct {
	Path    string  `json:"path"` // absolute, symbolic links resolved
	Volume  Volume  `json:"volume"`
	Layers  []Layer `json:"layers,omitempty"`
	Drives  []Drive `json:"drives,omitempty"` // several for RAID, LVM or btrfs; none for memory and network
	Refusal Refusal `json:"refusal,omitempty"`
}

// Refusal is why a target cannot be used. Empty means it can.
type Refusal string

// The reasons, in the order in which they are looked for.
const (
	Usable             Refusal = ""
	RefusedNotFolder   Refusal = "not-a-folder"
	RefusedVirtual     Refusal = "virtual-fs" // proc, sysfs and the like
	RefusedImage       Refusal = "image-fs"   // squashfs, iso9660
	RefusedReadOnlyFS  Refusal = "read-only-fs"
	RefusedPermission  Refusal = "no-permission"
	RefusedFull        Refusal = "full" // less free than the smallest test needs
	RefusedNoMedium    Refusal = "no-medium"
	RefusedLocked      Refusal = "locked"      // encrypted, and nobody has given the key
	RefusedUnreachable Refusal = "unreachable" // the file system did not answer in time
)

// Reading is one temperature. Only valid readings are returned: none below −60 or above 150 °C.
type Reading struct {
	Label  string `json:"label"`  // "Composite", "Sensor 1"
	MilliC int32  `json:"millic"` // thousandths of a degree Celsius
}

// Sensors is what a drive shows of itself at one moment.
type Sensors struct {
	At           time.Duration `json:"at"` // on the host's clock
	Temperatures []Reading     `json:"temperatures,omitempty"`
	TempAge      time.Duration `json:"temp_age,omitempty"` // how long before At the temperatures were read
	Asleep       bool          `json:"asleep,omitempty"`   // the drive sleeps, and was not asked for its temperature
	Counters     *Counters     `json:"counters,omitempty"` // nil if the system does not count
	Source       string        `json:"source,omitempty"`   // where the temperature comes from: hwmon
	NoTemp       Why           `json:"no_temp,omitempty"`  // why there are no temperatures, where that is known
}

// Counters are the block device's own counts since boot (Linux: /sys/block/X/stat, kernel
// Documentation/admin-guide/iostats.rst; sectors turned into bytes). Only differences mean something.
type Counters struct {
	ReadOps       uint64 `json:"read_ops"`
	ReadMerges    uint64 `json:"read_merges"`
	ReadBytes     uint64 `json:"read_bytes"`
	ReadTicks     uint64 `json:"read_ticks"` // milliseconds, modulo 2^32
	WriteOps      uint64 `json:"write_ops"`
	WriteMerges   uint64 `json:"write_merges"`
	WriteBytes    uint64 `json:"write_bytes"`
	WriteTicks    uint64 `json:"write_ticks"`
	InFlight      uint64 `json:"in_flight"`
	BusyTicks     uint64 `json:"busy_ticks"`
	QueueTicks    uint64 `json:"queue_ticks"`
	DiscardOps    uint64 `json:"discard_ops,omitempty"`
	DiscardMerges uint64 `json:"discard_merges,omitempty"`
	DiscardBytes  uint64 `json:"discard_bytes,omitempty"`
	DiscardTicks  uint64 `json:"discard_ticks,omitempty"`
	FlushOps      uint64 `json:"flush_ops,omitempty"` // of the drive's cache; their time is in no other ticks
	FlushTicks    uint64 `json:"flush_ticks,omitempty"`
}

// System is the computer a result was made on. Empty means unknown. Nothing here identifies a person
// or a single machine.
type System struct {
	OS        string `json:"os"`     // "Debian GNU/Linux 12 (bookworm)", "Windows 11 Pro 24H2"
	Kernel    string `json:"kernel"` // "6.1.0-18-amd64", "10.0.26100.1742"
	Arch      string `json:"arch"`   // "amd64"
	CPU       string `json:"cpu,omitempty"`
	CPUs      int    `json:"cpus"` // logical processors this process may use
	Board     string `json:"board,omitempty"`
	Firmware  string `json:"firmware,omitempty"`   // of the board: version and date
	Memory    int64  `json:"memory,omitempty"`     // bytes
	PowerPlan string `json:"power_plan,omitempty"` // cpufreq governor or Windows power plan
	OnBattery Tri    `json:"on_battery,omitempty"`
	Profile   string `json:"power_profile,omitempty"` // of the whole computer: low-power, balanced, performance
	// ASPM is the policy for the power of PCI Express links: default, performance, powersave, powersupersave, on
	// Windows off, moderate, maximum.
	ASPM          string `json:"aspm,omitempty"`
	Administrator Tri    `json:"administrator,omitempty"` // this program has the rights of one
}
