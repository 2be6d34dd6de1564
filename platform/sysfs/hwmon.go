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
func (t Tree) PowerStates(name string) []string {
	if dir := t.hwmon(name); dir != "" {
		return t.powerStates(dir)
	}
	return t.powerStates("sys/class/block/" + name)
}

// Asleep says whether the system has a drive sleep.
func (t Tree) Asleep(name string) bool {
	for _, file := range t.PowerStates(name) {
		if Sleeps([]byte(t.raw(file))) {
			return true
		}
	}
	return false
}

// powerStates are those of the device that a folder belongs to.
func (t Tree) powerStates(dir string) []string {
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
	if t.Asleep(name) {
		return nil, true
	}
	for _, sensor := range t.Sensors(name) {
		if v, ok := ParseTemp([]byte(t.raw(sensor.File))); ok {
			out = append(out, platform.Reading{Label: sensor.Label, MilliC: v})
		}
	}
	return out, false
}

// TempLimits reads the limits of a drive's sensors; those of the first count for the drive. On NVMe each is a
// command to the drive, and some log it as an error (kernel drivers/nvme/host/hwmon.c, drivers/hwmon/drivetemp.c):
// so this is asked once. Zero stands for none, and so does what cannot be.
func (t Tree) TempLimits(name string) platform.TempLimits {
	var out platform.TempLimits
	for i, sensor := range t.Sensors(name) {
		of := strings.TrimSuffix(sensor.File, "_input")
		one := platform.SensorLimits{
			Label: sensor.Label, MinMilliC: t.limit(of+"_min", coldest), WarnMilliC: t.limit(of+"_max", 0), CritMilliC: t.limit(of+"_crit", 0),
			Alarm: t.yesNo(of + "_alarm"),
		}
		if i == 0 {
			out.WarnMilliC, out.CritMilliC = one.WarnMilliC, one.CritMilliC
		}
		if one != (platform.SensorLimits{Label: sensor.Label}) {
			out.Sensors = append(out.Sensors, one)
		}
	}
	return out
}

// limit is a temperature in a file that is above least; nil if there is none, or it cannot be.
func (t Tree) limit(file string, least int64) *int32 {
	v, err := strconv.ParseInt(t.text(file), 10, 64)
	if err != nil || v <= least || v >= hottest {
		return nil
	}
	milli := int32(v)
	return &milli
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
