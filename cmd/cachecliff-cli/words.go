package main

import (
	"fmt"
	"strings"

	"cachecliff/app/format"
	"cachecliff/platform"
)

// busName is a bus as people write it.
func busName(b platform.Bus) string {
	switch b {
	case platform.BusNVMe, platform.BusUnknown:
		return map[platform.Bus]string{platform.BusNVMe: "NVMe"}[b]
	case platform.BusVirtual:
		return "virtual"
	case platform.BusMMC:
		return "SD or MMC"
	}
	return strings.ToUpper(string(b))
}

// linkName is a link as people write it: "PCIe 4.0 ×4", "6 Gbit/s"; empty if it is not known.
func linkName(l platform.Link) string {
	var parts []string
	if l.PCIeGen > 0 {
		parts = append(parts, fmt.Sprintf("PCIe %d.0", l.PCIeGen))
	}
	if l.Lanes > 0 {
		parts = append(parts, fmt.Sprintf("×%d", l.Lanes))
	}
	if l.BitRate > 0 {
		parts = append(parts, format.Number(float64(l.BitRate)/1e9, format.EN)+" Gbit/s")
	}
	return strings.Join(parts, " ")
}

// driveName is the model, or what the system calls the drive.
func driveName(d platform.Drive) string {
	if d.Model == "" {
		return d.Name
	}
	return d.Model
}

// driveLine is a drive in one line: "Samsung SSD 990 PRO 2TB, NVMe, PCIe 4.0 ×4, 2 TB".
func driveLine(d platform.Drive) string {
	parts := []string{driveName(d)}
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(busName(d.Bus))
	link := linkName(d.Link)
	if at := linkName(d.LinkMax); at != "" && at != link {
		link = strings.TrimPrefix(link+" (at most "+at+")", " ")
	}
	add(link)
	if d.Rotational == platform.Yes {
		add("hard disk")
	}
	if d.Capacity > 0 {
		add(format.VolumeSize(d.Capacity, format.EN))
	}
	if d.Firmware != "" {
		add("firmware " + d.Firmware)
	}
	return strings.Join(parts, ", ")
}

// layerWords names what lies between a volume and its drives; a plain partition is not worth a word.
func layerWords(layers []platform.Layer) string {
	var parts []string
	for _, l := range layers {
		word := map[platform.LayerKind]string{
			platform.LayerPartition: "", platform.LayerLVM: "LVM", platform.LayerLUKS: "LUKS", platform.LayerMapper: "device mapper",
			platform.LayerMD: "RAID (md)", platform.LayerBtrfs: "", platform.LayerOverlay: "overlay", platform.LayerLoop: "loop file",
			platform.LayerMultipath: "multipath", platform.LayerBitLocker: "BitLocker", platform.LayerSpaces: "Storage Spaces",
			platform.LayerEFS: "EFS",
		}[l.Kind]
		if word != "" {
			parts = append(parts, word)
		}
	}
	return strings.Join(parts, " on ")
}
