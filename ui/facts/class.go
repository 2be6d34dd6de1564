package facts

import (
	"cachecliff/platform"
	"cachecliff/ui/look"
)

// Class is the class of a target's drives, by which bars are coloured; of several the first.
func Class(t *platform.Target) look.Class {
	if t == nil || len(t.Drives) == 0 {
		return look.ClassUnknown
	}
	d := t.Drives[0]
	switch {
	case d.Rotational == platform.Yes:
		return look.ClassHardDisk
	case d.Bus == platform.BusUSB, d.Bus == platform.BusMMC:
		return look.ClassExternal
	case d.Bus == platform.BusSATA, d.Bus == platform.BusSAS:
		return look.ClassSATA
	case d.Bus == platform.BusNVMe && d.Link.PCIeGen >= 5:
		return look.ClassPCIe5
	case d.Bus == platform.BusNVMe && d.Link.PCIeGen == 4:
		return look.ClassPCIe4
	case d.Bus == platform.BusNVMe && d.Link.PCIeGen > 0:
		return look.ClassPCIe3
	}
	return look.ClassUnknown
}
