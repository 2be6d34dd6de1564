package sysfs

import (
	"path"
	"strings"

	"cachecliff/platform"
)

// aspmStates are the files of a PCI device that say which states its link may sleep in (kernel
// Documentation/ABI/testing/sysfs-bus-pci, since 5.5), and what the states are called.
var aspmStates = []struct{ file, state string }{
	{"l0s_aspm", "L0s"}, {"l1_aspm", "L1"}, {"l1_1_aspm", "L1.1"}, {"l1_2_aspm", "L1.2"},
}

// drivePower says how far the link to a drive may sleep, and whether the drive itself may be put to sleep
// when it has nothing to do. What cannot be read is unknown.
func (t Tree) drivePower(bus platform.Bus, name, real string) (link string, runtime platform.Tri) {
	switch bus {
	case platform.BusNVMe:
		if c := t.controllers(name, real); len(c) > 0 {
			link = t.aspm(path.Dir(path.Dir(c[0])))
		}
		// Runtime power management is not looked at: the driver has none.
	case platform.BusSATA:
		if host := scsiHost(real); host != "" {
			link = t.label("sys/class/scsi_host/" + host + "/link_power_management_policy")
		}
		runtime = t.runtimePower("sys/class/block/" + name + "/device")
	case platform.BusUSB:
		up(real, func(dir string) bool {
			if !t.exists(dir + "/idVendor") {
				return false
			}
			runtime = t.runtimePower(dir)
			return true
		})
	}
	return link, runtime
}

// aspm names the states that the link of a PCI device may sleep in: "L1 L1.2", or "off".
func (t Tree) aspm(dir string) string {
	var on []string
	known := false
	for _, s := range aspmStates {
		enabled := t.yesNo(dir + "/link/" + s.file)
		known = known || enabled != platform.Unknown
		if enabled == platform.Yes {
			on = append(on, s.state)
		}
	}
	if known && len(on) == 0 {
		return "off"
	}
	return strings.Join(on, " ")
}

// runtimePower says whether the kernel may put a device to sleep. A negative delay says never
// (Documentation/power/runtime_pm.rst).
func (t Tree) runtimePower(dir string) platform.Tri {
	switch t.text(dir + "/power/control") {
	case "auto":
		return platform.TriOf(!strings.HasPrefix(t.text(dir+"/power/autosuspend_delay_ms"), "-"))
	case "on":
		return platform.No
	}
	return platform.Unknown
}

// scsiHost is the host that a SCSI device in the tree belongs to, "host2", or empty.
func scsiHost(real string) string {
	for part := range strings.SplitSeq(real, "/") {
		if n, ok := strings.CutPrefix(part, "host"); ok && n != "" && digits(n) == len(n) {
			return part
		}
	}
	return ""
}
