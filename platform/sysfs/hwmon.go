package sysfs

import (
	"bytes"
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

// Sensor is one temperature of a drive.
type Sensor struct {
	Label string
	File  string // what ParseTemp reads
}

// Sensors lists the temperatures of a drive: only temp*_input, because each other file there is one more
// command to the drive, and some drives log it as an error.
func (t Tree) Sensors(name string) []Sensor { return t.sensors(t.hwmon(name)) }

func (t Tree) sensors(dir string) []Sensor {
	if dir == "" {
		return nil
	}
	var out []Sensor
	entries := t.names(dir)
	slices.SortFunc(entries, natural)
	for _, entry := range entries {
		sensor, ok := strings.CutSuffix(entry, "_input")
		if ok && strings.HasPrefix(sensor, "temp") {
			out = append(out, Sensor{Label: cmp.Or(t.label(dir+"/"+sensor+"_label"), "Drive"), File: dir + "/" + entry})
		}
	}
	return out
}

// ParseTemp reads a temp*_input, thousandths of a degree; ok is false for what cannot be.
func ParseTemp(b []byte) (milliC int32, ok bool) {
	v, err := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64)
	if err != nil || v <= coldest || v >= hottest {
		return 0, false
	}
	return int32(v), true
}

// PowerStates lists the files that say whether the system has the device of a drive's sensors sleep, or one
// that it hangs on (kernel Documentation/ABI/testing/sysfs-devices-power, runtime_status). Reading them asks
// no device. A disk that sleeps by its own timer is not told from one that does not.
func (t Tree) PowerStates(name string) []string { return t.powerStates(t.hwmon(name)) }

func (t Tree) powerStates(dir string) []string {
	if dir == "" {
		return nil
	}
	device, err := t.real(dir + "/device")
	if err != nil {
		return nil
	}
	var out []string
	up(device, func(dir string) bool {
		if file := dir + "/power/runtime_status"; t.exists(file) {
			out = append(out, file)
		}
		return false
	})
	return out
}

// Sleeps says whether the content of such a file means that asking the device would wake it.
func Sleeps(state []byte) bool {
	return bytes.HasPrefix(state, []byte("suspend")) // suspended, suspending
}

// Temperatures reads the sensors of a drive. Values that cannot be are left out, and so is a sensor that does
// not answer. A drive that sleeps is not asked.
func (t Tree) Temperatures(name string) (out []platform.Reading, asleep bool) {
	dir := t.hwmon(name)
	for _, file := range t.powerStates(dir) {
		if Sleeps([]byte(t.raw(file))) {
			return nil, true
		}
	}
	for _, sensor := range t.sensors(dir) {
		if v, ok := ParseTemp([]byte(t.raw(sensor.File))); ok {
			out = append(out, platform.Reading{Label: sensor.Label, MilliC: v})
		}
	}
	return out, false
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
