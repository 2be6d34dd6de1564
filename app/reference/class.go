package reference

import (
	"strings"

	"cachecliff/app/format"
	"cachecliff/platform"
)

// ClassOf is the class of a drive: by what it could do at most, not by the slot it is in. It is ClassUnknown for
// virtual drives and memory cards, and for an NVMe drive whose link is not told.
func ClassOf(d platform.Drive) Class {
	switch d.Bus {
	case platform.BusNVMe:
		gen := d.LinkMax.PCIeGen
		if gen == 0 {
			gen = d.Link.PCIeGen
		}
		switch {
		case gen >= 5:
			return ClassPCIe5
		case gen == 4:
			return ClassPCIe4
		case gen >= 1:
			return ClassPCIe3
		}
	case platform.BusSATA, platform.BusSAS:
		switch d.Rotational {
		case platform.Yes:
			return ClassHardDisk
		case platform.No:
			return ClassSATA
		}
	case platform.BusUSB:
		if d.Rotational == platform.Yes {
			return ClassHardDisk
		}
		return ClassExternal
	}
	return ClassUnknown
}

// Size is the capacity as it is printed on a drive, "2 TB", "512 GB"; empty if it is not known.
func (d Drive) Size() string {
	if d.CapacityGB <= 0 {
		return ""
	}
	size := format.About(int64(d.CapacityGB*1e9), format.EN)
	if gb := d.CapacityGB; gb < 1000 {
		size = format.VolumeSize(int64(gb+0.5)*1e9, format.EN)
	}
	return strings.ReplaceAll(size, "\u00a0", " ")
}
