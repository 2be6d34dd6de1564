package udisks

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"cachecliff/platform"
)

const nvmePath, sataPath = Root + "/drives/LAB_NVME_1", Root + "/drives/LAB_SATA_2"

// objects are an NVMe drive with a partition, a SATA drive, a USB stick and a loop device.
func objects() Objects {
	blockOf := func(device, drive string) map[string]Properties {
		return map[string]Properties{block: {"Device": []byte(device + "\x00"), "Drive": drive}}
	}
	return Objects{
		Root + "/Manager":                   {},
		Root + "/block_devices/nvme0n1":     blockOf("/dev/nvme0n1", nvmePath),
		Root + "/block_devices/nvme0n1p1":   blockOf("/dev/nvme0n1p1", nvmePath),
		Root + "/block_devices/sda":         blockOf("/dev/sda", sataPath),
		Root + "/block_devices/sdb":         blockOf("/dev/sdb", Root+"/drives/Stick"),
		Root + "/block_devices/sdc":         blockOf("/dev/sdc", Root+"/drives/NotThere"),
		Root + "/block_devices/loop0":       blockOf("/dev/loop0", "/"),
		nvmePath:                            {Service + ".Drive": {}, nvmeCtrl: {"State": "live"}},
		sataPath:                            {Service + ".Drive": {}, ataDrive: {"SmartSupported": true, "SmartEnabled": true}},
		Root + "/drives/Stick":              {Service + ".Drive": {"Model": "Stick"}},
		Root + "/drives/OfNobody":           {ataDrive: {}},
		Root + "/block_devices/strange_one": {block: {"Device": "/dev/strange", "Drive": 7}},
	}
}

func TestFind(t *testing.T) {
	for name, path := range map[string]string{"nvme0n1": nvmePath, "nvme0n1p1": nvmePath, "sda": sataPath,
		"sdb": "", "sdc": "", "loop0": "", "sd": "", "": "", "strange": ""} {
		d, err := Find(objects(), name)
		if d.Path != path || (err != nil) != (path == "") || err != nil && !errors.Is(err, platform.ErrUnsupported) {
			t.Errorf("%q: %+v, %v", name, d, err)
		}
		if path != "" && d.NVMe() != (path == nvmePath) {
			t.Errorf("%q: %s", name, d.Interface)
		}
	}
	all := objects()
	all[sataPath][ataDrive]["SmartEnabled"] = false
	if _, err := Find(all, "sda"); !errors.Is(err, platform.ErrSwitchedOff) || !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("switched off: %v", err)
	}
	all[sataPath][ataDrive]["SmartSupported"] = false
	if _, err := Find(all, "sda"); errors.Is(err, platform.ErrSwitchedOff) || !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("without SMART: %v", err)
	}
}

func TestAge(t *testing.T) {
	now := time.Unix(1_800_000_000, 500_000_000)
	for _, c := range []struct {
		updated any
		age     time.Duration
		ok      bool
	}{
		{uint64(1_800_000_000), 500 * time.Millisecond, true},
		{uint64(1_799_999_400), 600*time.Second + 500*time.Millisecond, true},
		{uint64(1_800_000_001), 0, true}, // whole seconds
		{uint64(1_800_000_060), 0, false},
		{uint64(0), 0, false},
		{uint64(math.MaxUint64), 0, false},
		{int32(5), 0, false},
		{nil, 0, false},
	} {
		age, ok := Device{Properties: Properties{"SmartUpdated": c.updated}}.Age(now)
		if ok != c.ok || ok && age != c.age {
			t.Errorf("%v: %v, %t", c.updated, age, ok)
		}
	}
}

func TestReason(t *testing.T) {
	for name, want := range map[string]error{
		"org.freedesktop.UDisks2.Error.WouldWakeup":            platform.ErrAsleep,
		"org.freedesktop.UDisks2.Error.NotAuthorizedCanObtain": platform.ErrPermission,
		"org.freedesktop.DBus.Error.AccessDenied":              platform.ErrPermission,
		"org.freedesktop.UDisks2.Error.DeviceBusy":             platform.ErrBusy,
		"org.freedesktop.DBus.Error.NoReply":                   platform.ErrStalled,
		"org.freedesktop.DBus.Error.ServiceUnknown":            platform.ErrUnsupported,
		"org.freedesktop.DBus.Error.UnknownMethod":             platform.ErrUnsupported,
		"org.freedesktop.UDisks2.Error.Failed":                 nil,
		"":                                                     nil,
	} {
		if got := Reason(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if Missing("org.freedesktop.DBus.Error.UnknownMethod") || !Missing("org.freedesktop.DBus.Error.Spawn.ChildExited") {
		t.Error("what is missing")
	}
}

// nvmeDevice and nvmeAnswer are what UDisks 2.10 makes of a health log.
func nvmeDevice() Device {
	return Device{nvmePath, nvmeCtrl, Properties{"SmartUpdated": uint64(1_800_000_000), "SmartTemperature": uint16(320),
		"SmartCriticalWarning": []string{}, "SmartPowerOnHours": uint64(2211)}}
}

func nvmeAnswer() map[string]any {
	return map[string]any{
		"avail_spare": uint8(100), "spare_thresh": uint8(10), "percent_used": uint8(3),
		"total_data_read": uint64(900_000_000_000), "total_data_written": uint64(1_840_000_000_000),
		"ctrl_busy_time": uint64(77), "power_cycles": uint64(60), "unsafe_shutdowns": uint64(7), "media_errors": uint64(0),
		"num_err_log_entries": uint64(4), "temp_sensors": []uint16{320, 0, 331, 0, 0, 0, 0, 0},
		"wctemp": uint16(355), "cctemp": uint16(358), "warning_temp_time": uint32(0), "critical_temp_time": uint32(1),
	}
}

func TestNVMeHealth(t *testing.T) {
	got, err := json.Marshal(nvmeDevice().NVMeHealth(nvmeAnswer()))
	const want = `{"source":"udisks2","temp_millic":46850,"percent_used":3,"spare_left":100,"spare_threshold":10,` +
		`"host_reads":900000000000,"host_writes":1840000000000,"power_on_hours":2211,"power_cycles":60,"unsafe_shutdowns":7,` +
		`"media_errors":0,"warning_temp_minutes":0,"critical_temp_minutes":1,"controller_busy_minutes":77,"error_log_entries":4,` +
		`"passed":"yes","temperatures":[{"label":"Composite","millic":46850},{"label":"Sensor 1","millic":46850},{"label":"Sensor 3","millic":57850}],` +
		`"limits":{"warn_millic":81850,"crit_millic":84850},"absent":[{"what":"read_commands","reason":"needs-rights"},` +
		`{"what":"write_commands","reason":"needs-rights"},{"what":"light_throttles","reason":"needs-rights"},` +
		`{"what":"heavy_throttles","reason":"needs-rights"},{"what":"light_throttle_seconds","reason":"needs-rights"},` +
		`{"what":"heavy_throttle_seconds","reason":"needs-rights"}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestNVMeHealthKeepsUnknownUnknown(t *testing.T) {
	h := Device{nvmePath, nvmeCtrl, Properties{}}.NVMeHealth(nil)
	for _, p := range []platform.Part{platform.PartTemperature, platform.PartHostWrites, platform.PartPassed, platform.PartLimits} {
		if h.Why(p) != platform.WhyFailed {
			t.Errorf("%s: %q", p, h.Why(p))
		}
	}
	if h.Temperatures != nil || h.Passed != platform.Unknown || h.PercentUsed != nil || h.PowerOnHours != nil {
		t.Errorf("%+v", h)
	}
	answer := nvmeAnswer()
	answer["spare_thresh"], answer["avail_spare"], answer["media_errors"] = uint8(0), uint8(0), uint64(math.MaxUint64)
	delete(answer, "total_data_written")
	d := nvmeDevice()
	d.Properties["SmartTemperature"] = uint16(0)
	h = d.NVMeHealth(answer)
	for _, p := range []platform.Part{platform.PartSpare, platform.PartSpareThreshold, platform.PartMediaErrors, platform.PartHostWrites, platform.PartTemperature} {
		if h.Why(p) != platform.WhyNotReported {
			t.Errorf("%s: %q", p, h.Why(p))
		}
	}
}

func TestNVMeWarnings(t *testing.T) {
	d := nvmeDevice()
	d.Properties["SmartCriticalWarning"] = []string{"spare", "temperature", "degraded", "readonly", "volatile_mem", "pmr_readonly", "new"}
	h := d.NVMeHealth(nvmeAnswer())
	if want := []string{"spare", "temperature", "reliability", "read-only", "backup", "persistent-memory"}; !slices.Equal(h.Critical, want) || h.Passed != platform.No {
		t.Errorf("%v, %v", h.Critical, h.Passed)
	}
}

func sataDevice() Device {
	return Device{sataPath, ataDrive, Properties{"SmartSupported": true, "SmartEnabled": true, "SmartFailing": false,
		"SmartUpdated": uint64(1_800_000_000), "SmartTemperature": 308.15, "SmartPowerOnSeconds": uint64(7_203_600)}}
}

// line is an attribute as the service gives it: mark, worst and threshold are -1 where they are not valid.
func line(id uint8, name string, flags uint16, mark, worst, limit int32, value int64, unit int32) []any {
	return []any{id, name, flags, mark, worst, limit, value, unit, map[string]any{}}
}

func TestDecodeATA(t *testing.T) {
	got := sataDevice().DecodeATA([][]any{
		line(5, "reallocated-sector-count", 0x33, 100, 99, 10, 8, unitSectors),
		line(9, "power-on-hours", 0x32, 90, 90, 0, 7_203_600_000, 2),
		line(12, "power-cycle-count", 0x32, 99, 99, -1, 1234, unitNone),
		line(194, "temperature-celsius-2", 0x22, 65, 45, 0, 308_150, 4),
		line(184, "end-to-end-error", 0x33, 97, 97, 97, 3, unitNone),
		line(184, "again", 0, 1, 1, 1, 1, unitNone),
		line(2, "throughput-performance", 0x25, -1, -1, 54, 0, 0),
		line(0, "nothing", 0, 1, 1, 1, 1, 1),
		line(3, "too much", 0, 256, 1, 1, 1, 1),
		line(7, "negative", 0, 100, 100, 300, -1, unitNone),
		{uint8(8), "short"},
		{"8", 1, 2, 3, 4, 5, 6, 7, 8},
	})
	limit := func(n int) *int { return &n }
	want := []platform.Attribute{
		{ID: 5, Name: "reallocated-sector-count", Normalized: 100, Worst: 99, Threshold: limit(10), Raw: 8, Vital: true},
		{ID: 9, Name: "power-on-hours", Normalized: 90, Worst: 90, Threshold: limit(0), Raw: NoRaw},
		{ID: 12, Name: "power-cycle-count", Normalized: 99, Worst: 99, Raw: 1234},
		{ID: 194, Name: "temperature-celsius-2", Normalized: 65, Worst: 45, Threshold: limit(0), Raw: NoRaw},
		{ID: 184, Name: "end-to-end-error", Normalized: 97, Worst: 97, Threshold: limit(97), Raw: 3, Vital: true, Failing: true},
		{ID: 2, Name: "throughput-performance", Threshold: limit(54), Raw: NoRaw, Vital: true},
		{ID: 7, Name: "negative", Normalized: 100, Worst: 100, Raw: NoRaw},
	}
	same := func(a, b platform.Attribute) bool {
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		return string(x) == string(y)
	}
	if !slices.EqualFunc(got.Attributes, want, same) {
		t.Errorf("attributes %+v", got.Attributes)
	}
	if got.TempMilliC == nil || *got.TempMilliC != 35_000 || got.PowerOnHours == nil || *got.PowerOnHours != 2001 || got.Passed != platform.Yes {
		t.Errorf("%+v", got)
	}
	if told := Told(got.Attributes); !slices.EqualFunc(told, []platform.Attribute{want[0], want[2], want[4]}, same) {
		t.Errorf("told %+v", told)
	}
}

func TestDecodeATAKeepsUnknownUnknown(t *testing.T) {
	for _, p := range []Properties{nil, {}, {"SmartTemperature": 0.0, "SmartPowerOnSeconds": uint64(0)},
		{"SmartTemperature": math.NaN()}, {"SmartTemperature": math.Inf(1)}, {"SmartTemperature": 600.0}} {
		d := Device{sataPath, ataDrive, p}
		if got := d.DecodeATA(nil); got.TempMilliC != nil || got.PowerOnHours != nil || got.Passed != platform.Unknown || got.Attributes != nil {
			t.Errorf("%v: %+v", p, got)
		}
	}
}

// What takes the life that is left for a temperature is not believed.
func TestATATemperature(t *testing.T) {
	d := sataDevice()
	d.Properties["SmartTemperature"] = 371.15
	hot := line(attrLifeLeft, "temperature-celsius", 0x13, 98, 98, 10, 371_150, unitMilliKelvin)
	mild := line(attrAirflow, "airflow-temperature-celsius", 0x22, 65, 45, 0, 303_150, unitMilliKelvin)
	odd := line(attrTemperature, "temperature-celsius-2", 0x22, 65, 45, 0, 5_428_000, 0)
	for _, c := range []struct {
		lines [][]any
		want  int32 // 0 for none
	}{
		{[][]any{hot}, 0},
		{[][]any{hot, mild}, 30_000},
		{[][]any{odd, mild}, 30_000},
		{[][]any{odd}, 98_000},
		{nil, 98_000},
	} {
		got := d.DecodeATA(c.lines).TempMilliC
		if c.want == 0 && got != nil || c.want != 0 && (got == nil || *got != c.want) {
			t.Errorf("%v: %v", c.lines, got)
		}
	}
}

func TestOutdated(t *testing.T) {
	h := Outdated(nvmeDevice().NVMeHealth(nvmeAnswer()))
	if h.Temperatures != nil || h.PercentUsed == nil || h.Passed != platform.Yes || h.PowerOnHours == nil || !h.Limits.Known() {
		t.Errorf("%+v", h)
	}
	for _, p := range []platform.Part{platform.PartHostWrites, platform.PartTemperature, platform.PartMediaErrors, platform.PartWarningTemp} {
		if h.Why(p) != platform.WhyRights {
			t.Errorf("%s: %q", p, h.Why(p))
		}
	}
}

// FuzzAnything puts values of any type in any place: nothing panics, and nothing is believed that cannot be.
func FuzzAnything(f *testing.F) {
	f.Add([]byte(`{"nvme":{"SmartTemperature":320,"SmartCriticalWarning":["spare"]},"answer":{"temp_sensors":[320,0]},"lines":[[5,"a",1,100,100,10,3,1,{}]]}`), uint8(0))
	f.Add([]byte(`{"nvme":{"Drive":[],"Device":"x","SmartUpdated":1e30},"answer":{"avail_spare":101},"lines":[[],[[]],7]}`), uint8(255))
	f.Fuzz(func(t *testing.T, b []byte, turn uint8) {
		var in struct {
			NVMe   map[string]any
			Answer map[string]any
			Lines  []any
		}
		if json.Unmarshal(b, &in) != nil {
			return
		}
		props := Properties{}
		for name, v := range in.NVMe {
			props[name] = typed(v, turn)
		}
		answer := map[string]any{}
		for name, v := range in.Answer {
			answer[name] = typed(v, turn)
		}
		var lines [][]any
		for _, l := range in.Lines {
			var line []any
			cells, _ := l.([]any)
			for i, c := range cells {
				line = append(line, typed(c, turn+uint8(i)))
			}
			lines = append(lines, line)
		}
		all := Objects{"/a": {block: props}, "/": {nvmeCtrl: props, ataDrive: props}, "/b": {block: {"Device": []byte("/dev/x"), "Drive": "/"}}}
		for _, name := range []string{"x", "sda", ""} {
			if d, err := Find(all, name); err == nil {
				d.Age(time.Unix(1_800_000_000, 0))
			}
		}
		for _, kind := range []string{nvmeCtrl, ataDrive} {
			d := Device{"/", kind, props}
			h := d.NVMeHealth(answer)
			for _, r := range h.Temperatures {
				if r.MilliC < -60_000 || r.MilliC > 150_000 {
					t.Errorf("%+v", r)
				}
			}
			if h.SpareLeft != nil && *h.SpareLeft > 100 {
				t.Errorf("%d %% left", *h.SpareLeft)
			}
			for _, what := range []any{lines, answer, props, typed(in.Lines, turn)} {
				told := d.DecodeATA(what)
				if c := told.TempMilliC; c != nil && (*c < -60_000 || *c > 150_000) {
					t.Errorf("%d", *c)
				}
				for _, a := range Told(told.Attributes) {
					if a.ID < 1 || a.ID > 255 || a.Raw >= 1<<48 || a.Normalized < 0 || a.Normalized > 255 {
						t.Errorf("%+v", a)
					}
				}
			}
		}
	})
}

// typed makes of a JSON value one of the types that D-Bus has, turn by turn.
func typed(v any, turn uint8) any {
	switch v := v.(type) {
	case float64:
		return []any{uint8(v), uint64(v), uint16(v), int32(v), int32(v), int32(v), int64(v), int32(v), uint32(v), v}[turn%10] // the order of an attribute's
	case []any:
		var words []string
		var numbers []uint16
		var raw []byte
		for _, e := range v {
			if s, ok := e.(string); ok {
				words = append(words, s)
			}
			if n, ok := e.(float64); ok {
				numbers, raw = append(numbers, uint16(n)), append(raw, byte(n))
			}
		}
		return []any{words, numbers, raw, v}[turn%4]
	}
	return v
}
