package sysfs

import (
	"encoding/json"
	"testing"
)

func TestTempLimits(t *testing.T) {
	for name, c := range map[string]struct {
		facts []string
		want  string
	}{
		"both": {[]string{"temp1_max=81850", "temp1_crit=84850"}, `{"warn_millic":81850,"crit_millic":84850,"sensors":[{"label":"Drive","warn_millic":81850,"crit_millic":84850}]}`},
		"all of one": {[]string{"temp1_label=Composite", "temp1_max=81850", "temp1_min=-20150", "temp1_crit=84850", "temp1_alarm=1"},
			`{"warn_millic":81850,"crit_millic":84850,"sensors":[{"label":"Composite","min_millic":-20150,"warn_millic":81850,"crit_millic":84850,"alarm":"yes"}]}`},
		"critical only": {[]string{"temp1_crit=84850"}, `{"crit_millic":84850,"sensors":[{"label":"Drive","crit_millic":84850}]}`},
		"of 0 K":        {[]string{"temp1_max=-273150", "temp1_crit=-273150", "temp1_min=-273150"}, `{}`},
		"of 65535 K":    {[]string{"temp1_max=65261850"}, `{}`},
		"the second": {[]string{"temp2_input=1", "temp2_label=Sensor 1", "temp2_max=70850", "temp2_alarm=0"},
			`{"sensors":[{"label":"Sensor 1","warn_millic":70850,"alarm":"no"}]}`},
		"none": {nil, `{}`},
	} {
		f := computer()
		f.files("sys/devices/"+nvme0+"/hwmon1", append(c.facts, "name=nvme", "temp1_input=40000")...)
		f.link("sys/devices/"+nvme0+"/hwmon1/device", "../../nvme0")
		f.link("sys/class/hwmon/hwmon1", "../../devices/"+nvme0+"/hwmon1")
		l := NewTree(f).TempLimits("nvme0n1")
		if got, err := json.Marshal(l); err != nil || string(got) != c.want || l.Known() != (c.want != "{}") {
			t.Errorf("%s: %s, %v\nwant %s", name, got, err, c.want)
		}
		if got := NewTree(f).TempLimits("sda"); got.Known() {
			t.Errorf("%s: of a drive without sensors: %+v", name, got)
		}
	}
}

func TestAsleep(t *testing.T) {
	for name, c := range map[string]struct {
		drive, file, content string
		want                 bool
	}{
		"nothing known":         {"sda", "", "", false},
		"a disk":                {"sda", sata + "/power/runtime_status", "suspended", true},
		"a disk awake":          {"sda", sata + "/power/runtime_status", "active", false},
		"an NVMe drive":         {"nvme0n1", "pci0000:00/0000:00:01.0/0000:01:00.0/power/runtime_status", "suspended", true},
		"behind a USB adapter":  {"sdb", "pci0000:00/0000:00:14.0/usb2/2-1/power/runtime_status", "suspending", true},
		"another drive":         {"nvme0n1", sata + "/power/runtime_status", "suspended", false},
		"a drive without a way": {"nonesuch", sata + "/power/runtime_status", "suspended", false},
	} {
		f := computer()
		if c.file != "" {
			f.file("sys/devices/"+c.file, c.content+"\n")
		}
		if got := NewTree(f).Asleep(c.drive); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func FuzzParseTemp(f *testing.F) {
	f.Add([]byte("35850\n"))
	f.Add([]byte("-273150"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, ok := ParseTemp(b); ok && (v <= coldest || v >= hottest) || !ok && v != 0 {
			t.Errorf("%d, %t", v, ok)
		}
	})
}
