package sysfs

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"cachecliff/platform"
)

// Readings outside of these are what drives report that have no sensor (0 K and 65535 K), in
// thousandths of a degree.
const (
	coldest = -60_000
	hottest = 150_000
)

// Temperatures reads the sensors of a drive: only temp*_input and its label, because each other file
// there is one more command to the drive, and some drives log it as an error. Values that cannot be are
// left out, and so is a sensor that does not answer.
func (t Tree) Temperatures(name string) []platform.Reading {
	dir := t.hwmon(name)
	if dir == "" {
		return nil
	}
	var out []platform.Reading
	entries := t.names(dir)
	slices.SortFunc(entries, natural)
	for _, entry := range entries {
		sensor, ok := strings.CutSuffix(entry, "_input")
		if !ok || !strings.HasPrefix(sensor, "temp") {
			continue
		}
		v, err := strconv.ParseInt(t.text(dir+"/"+entry), 10, 64)
		if err != nil || v <= coldest || v >= hottest {
			continue
		}
		out = append(out, platform.Reading{Label: cmp.Or(t.label(dir+"/"+sensor+"_label"), "Drive"), MilliC: int32(v)})
	}
	return out
}

// TempLimits reads the limits of a drive's first sensor. On NVMe the kernel asks the drive for the warning
// limit with a command (a feature that every drive has) and knows the critical one; for SATA it knows both
// (kernel drivers/nvme/host/hwmon.c, drivers/hwmon/drivetemp.c). Zero stands for none.
func (t Tree) TempLimits(name string) platform.TempLimits {
	dir := t.hwmon(name)
	if dir == "" {
		return platform.TempLimits{}
	}
	limit := func(file string) *int32 {
		v, err := strconv.ParseInt(t.text(dir+"/"+file), 10, 64)
		if err != nil || v <= 0 || v >= hottest {
			return nil
		}
		milli := int32(v)
		return &milli
	}
	return platform.TempLimits{WarnMilliC: limit("temp1_max"), CritMilliC: limit("temp1_crit")}
}

// hwmon finds the folder with the sensors of a drive, or gives an empty string. The sensors' device is the
// controller, the PCI device below it or the SCSI device: always above the block device in the tree.
// hwmon numbers mean nothing.
func (t Tree) hwmon(name string) string {
	real, err := t.real("sys/class/block/" + name)
	if err != nil {
		return ""
	}
	places := []string{real}
	if strings.HasPrefix(name, "nvme") {
		places = t.controllers(name, real)
	} else if kind, below := t.stacked(name); kind == platform.LayerMultipath {
		places = nil
		for _, slave := range below {
			if r, err := t.real("sys/class/block/" + slave); err == nil {
				places = append(places, r)
			}
		}
	}
	for _, entry := range t.names("sys/class/hwmon") {
		dir := "sys/class/hwmon/" + entry
		if chip := t.text(dir + "/name"); chip != "nvme" && chip != "drivetemp" {
			continue
		}
		device, err := t.real(dir + "/device")
		if err != nil {
			continue
		}
		for _, place := range places {
			if under("/"+path.Clean(place), "/"+device) {
				return dir
			}
		}
	}
	return ""
}
