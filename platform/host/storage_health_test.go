package host

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"cachecliff/platform"
)

// passAnswer is what IOCTL_ATA_PASS_THROUGH gives back: a sector behind the registers.
func passAnswer(sector []byte) []byte {
	return append(le(48, 0, uint16(48), 8, uint32(len(sector)), 24, uint64(48), 46, uint8(0x50)), sector...)
}

// smartAnswer is what SMART_RCV_DRIVE_DATA gives back.
func smartAnswer(sector []byte) []byte { return append(le(16, 0, uint32(512)), sector...) }

func statusAnswer(mid, high uint8) []byte {
	return le(48, 0, uint16(48), 43, mid, 44, high, 46, uint8(0x50))
}

const (
	askAttributes     = "smart 0xb0 0xd0"
	askThresholds     = "smart 0xb0 0xd1"
	askAttributesPass = "pass through 0xb0 0xd0, log 0, page 79"
	askIdentifySmart  = "smart 0xec 0x0"
	askStatus         = "pass through 0xb0 0xda, log 0, page 79"
	askDirectory      = "pass through 0x2f 0x0, log 0, page 0"
	askPages          = "pass through 0x2f 0x0, log 4, page 0"
	askGeneral        = "pass through 0x2f 0x0, log 4, page 1"
	askWorn           = "pass through 0x2f 0x0, log 4, page 7"
	openDirectory     = "property 50: protocol 2, type 2, value 0, sub-value 0"
	openPages         = "property 50: protocol 2, type 2, value 4, sub-value 0"
	openGeneral       = "property 50: protocol 2, type 2, value 4, sub-value 1"
)

func thresholdPage(limits ...[2]uint8) []byte {
	b := make([]byte, 512)
	b[0] = 16
	for i, l := range limits {
		b[2+12*i], b[3+12*i] = l[0], l[1]
	}
	return summed(b)
}

// identifySector has general purpose logs and sectors of 512 bytes.
func identifySector() []byte {
	return le(512, 20, "V91M", 54, "TS5340140SA", 166, uint16(0x7D01), 170, uint16(0x7469), 172, uint16(0xBC01), 174, uint16(0x4163), 200, uint64(976773168), 212, uint16(0x4000))
}

func directorySector() []byte { return le(512, 0, uint16(1), 8, uint16(8)) }
func pagesSector() []byte     { return le(512, 0, uint16(1), 8, "\x03\x00\x01\x07") }
func generalSector() []byte {
	const valid = 0xC0 << 56
	return le(512, 0, uint16(1), 2, uint8(1), 8, uint64(valid|25), 16, uint64(valid|44000), 24, uint64(valid|1000), 40, uint64(valid|3000))
}
func wornSector() []byte { return le(512, 0, uint16(1), 2, uint8(7), 8, uint64(0xC0<<56|4)) }

// privileged answers as a SATA drive does to administrators.
func privileged() *replayed {
	d := sataDrive()
	d.denied = 0
	maps.Copy(d.answers, map[string]reply{
		askAttributes:    {bytes: smartAnswer(smartPage([2]uint64{5, 0}, [2]uint64{9, 44670}, [2]uint64{194, 32}))},
		askThresholds:    {bytes: smartAnswer(thresholdPage([2]uint8{5, 36}, [2]uint8{9, 0}, [2]uint8{194, 0}))},
		askIdentifySmart: {bytes: smartAnswer(identifySector())},
		askStatus:        {bytes: statusAnswer(0x4F, 0xC2)},
		askDirectory:     {bytes: passAnswer(directorySector())},
		askPages:         {bytes: passAnswer(pagesSector())},
		askGeneral:       {bytes: passAnswer(generalSector())},
		askWorn:          {bytes: passAnswer(wornSector())},
	})
	return d
}

func with1(d *replayed, question string, r reply) *replayed {
	d.answers[question] = r
	return d
}

func TestReplayedHealth(t *testing.T) {
	const (
		nvme = `{"source":"NVMe health log","temp_millic":49850,"percent_used":2,"spare_left":99,"spare_threshold":10,"host_reads":512000000,"host_writes":1024000000,` +
			`"power_on_hours":100,"power_cycles":7,"unsafe_shutdowns":0,"media_errors":0,"warning_temp_minutes":0,"critical_temp_minutes":0,` +
			`"read_commands":0,"write_commands":0,"controller_busy_minutes":0,"error_log_entries":0,"passed":"yes","throttles":"no",` +
			`"temperatures":[{"label":"Composite","millic":49850},{"label":"Sensor 1","millic":46850},{"label":"Sensor 2","millic":56850}],` +
			`"limits":{"warn_millic":81850,"crit_millic":84850}}`
		table = `"attributes":[{"id":9,"name":"Power_On_Hours","normalized":90,"worst":80,"raw":44670,"vital":true},` +
			`{"id":12,"name":"Power_Cycle_Count","normalized":90,"worst":80,"raw":26,"vital":true},` +
			`{"id":194,"name":"Temperature_Celsius","normalized":90,"worst":80,"raw":81604378656,"vital":true}]`
		limited = `"attributes":[{"id":5,"name":"Reallocated_Sector_Ct","normalized":90,"worst":80,"threshold":36,"raw":0,"vital":true},` +
			`{"id":9,"name":"Power_On_Hours","normalized":90,"worst":80,"threshold":0,"raw":44670,"vital":true},` +
			`{"id":194,"name":"Temperature_Celsius","normalized":90,"worst":80,"threshold":0,"raw":32,"vital":true}]`
		open = `{"source":"SMART attributes","temp_millic":32000,"power_on_hours":44670,"power_cycles":26,"passed":"yes",` + table + `}`
		full = `{"source":"SMART attributes","temp_millic":32000,"percent_used":4,"host_reads":1536000,"host_writes":512000,"power_on_hours":44000,"power_cycles":25,"passed":"yes",` + limited + `}`
	)
	told := sataDrive()
	maps.Copy(told.answers, map[string]reply{
		askIdentify: {bytes: pageAnswer(2, identifySector())}, openDirectory: {bytes: pageAnswer(2, directorySector())},
		openPages: {bytes: pageAnswer(2, pagesSector())}, openGeneral: {bytes: pageAnswer(2, generalSector())},
	})
	second := without(nvmeDrive(), askNVMeLog)
	second.answers[askNVMeLog2] = reply{bytes: healthPageAnswer()}
	pass := with1(without(privileged(), askAttributes), askAttributesPass, reply{bytes: passAnswer(smartPage([2]uint64{5, 0}, [2]uint64{9, 44670}, [2]uint64{194, 32}))})
	noLogs := identifySector()
	noLogs[174] &^= 0x20
	for _, c := range []struct {
		name  string
		drive *replayed
		as    platform.Drive
		want  string
	}{
		{"NVMe", nvmeDrive(), isNVMe, nvme},
		{"NVMe by its controller", second, isNVMe, nvme},
		{"NVMe behind RAID", nvmeDrive(), isOther, nvme},
		{"SATA without rights", sataDrive(), isSATA, open},
		{"SATA without rights, statistics told", told, isSATA,
			`{"source":"SMART attributes","temp_millic":32000,"host_reads":1536000,"host_writes":512000,"power_on_hours":44000,"power_cycles":25,"passed":"yes",` + table + `}`},
		{"SATA behind RAID", sataDrive(), isOther, open},
		{"the driver expects it to fail", with1(sataDrive(), askPredict, reply{bytes: predictAnswer(1, smartPage([2]uint64{194, 32}))}), isSATA,
			`{"source":"SMART attributes","critical":["failing"],"temp_millic":32000,"passed":"no","attributes":[{"id":194,"name":"Temperature_Celsius","normalized":90,"worst":80,"raw":32,"vital":true}]}`},
		{"SATA with rights", privileged(), isSATA, full},
		{"SATA by pass-through", pass, isSATA, full},
		{"the drive expects to fail", with1(privileged(), askStatus, reply{bytes: statusAnswer(0xF4, 0x2C)}), isSATA,
			strings.NewReplacer(`"temp_millic"`, `"critical":["failing"],"temp_millic"`, `"passed":"yes"`, `"passed":"no"`).Replace(full)},
		{"no verdict", without(privileged(), askStatus), isSATA, strings.Replace(full, `"passed":"yes",`, "", 1)},
		{"an attribute at its threshold", with1(privileged(), askThresholds, reply{bytes: smartAnswer(thresholdPage([2]uint8{5, 90}))}), isSATA,
			`{"source":"SMART attributes","critical":["failing"],"temp_millic":32000,"percent_used":4,"host_reads":1536000,"host_writes":512000,"power_on_hours":44000,"power_cycles":25,"passed":"yes",` +
				`"attributes":[{"id":5,"name":"Reallocated_Sector_Ct","normalized":90,"worst":80,"threshold":90,"raw":0,"vital":true,"failing":true},` +
				`{"id":9,"name":"Power_On_Hours","normalized":90,"worst":80,"raw":44670,"vital":true},{"id":194,"name":"Temperature_Celsius","normalized":90,"worst":80,"raw":32,"vital":true}]}`},
		{"no logs", with1(privileged(), askIdentifySmart, reply{bytes: smartAnswer(noLogs)}), isSATA,
			`{"source":"SMART attributes","temp_millic":32000,"power_on_hours":44670,"passed":"yes",` + limited + `}`},
		{"no statistics among the logs", with1(privileged(), askDirectory, reply{bytes: passAnswer(le(512, 0, uint16(1), 6, uint16(1)))}), isSATA,
			`{"source":"SMART attributes","temp_millic":32000,"power_on_hours":44670,"passed":"yes",` + limited + `}`},
		{"one page fails", without(privileged(), askGeneral), isSATA,
			`{"source":"SMART attributes","temp_millic":32000,"percent_used":4,"power_on_hours":44670,"passed":"yes",` + limited + `}`},
		{"with rights, but the driver passes nothing on", func() *replayed { d := sataDrive(); d.denied = 0; return d }(), isSATA, open},
	} {
		h, err := one(c.drive).health(t.Context(), c.as)
		told := len(h.Absent)
		if h.Explain(platform.WhyFailed); len(h.Absent) != told {
			t.Errorf("%s: no reason for %v", c.name, h.Absent[told:])
		}
		h.Absent = nil // see TestReplayedAbsence
		got, _ := json.Marshal(h)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.name, err, got, c.want)
		}
		c.drive.balanced(t)
	}
	// What a drive does not say it has it is not asked for.
	asked := privileged()
	asked.answers[askDirectory] = reply{bytes: passAnswer(le(512, 0, uint16(1), 6, uint16(1)))}
	if _, err := one(asked).health(t.Context(), isSATA); err != nil {
		t.Error(err)
	}
	for _, q := range asked.asked {
		if strings.Contains(q, "log 4") {
			t.Errorf("asked %q", q)
		}
	}
}

// Each part that is absent carries its reason.
func TestReplayedAbsence(t *testing.T) {
	const never = "controller_busy_minutes, critical_temp_minutes, heavy_throttle_seconds, heavy_throttles, light_throttle_seconds, light_throttles, spare_left, spare_threshold: unsupported-bus"
	told := sataDrive()
	maps.Copy(told.answers, map[string]reply{
		askIdentify: {bytes: pageAnswer(2, identifySector())}, openDirectory: {bytes: pageAnswer(2, directorySector())}, openPages: {bytes: pageAnswer(2, pagesSector())},
	})
	passesNothing := sataDrive()
	passesNothing.denied = 0
	for _, c := range []struct {
		name  string
		drive *replayed
		as    platform.Drive
		want  string
	}{
		{"NVMe", nvmeDrive(), isNVMe, "heavy_throttle_seconds, heavy_throttles, light_throttle_seconds, light_throttles: not-reported"},
		{"NVMe whose controller is not told", without(nvmeDrive(), askController), isNVMe, "limits: not-reported"},
		{"NVMe whose controller fails", with1(nvmeDrive(), askController, reply{bytes: pageAnswer(3, make([]byte, 4096))}), isNVMe, "limits: failed"},
		{"SATA without rights", sataDrive(), isSATA,
			"host_reads, host_writes, limits, media_errors, percent_used, read_commands, thresholds, warning_temp_minutes, write_commands: needs-rights; " +
				"error_log_entries, unsafe_shutdowns: not-reported; " + never},
		{"SATA without rights, which shows that it has no statistics", told, isSATA, "thresholds: needs-rights; " +
			"error_log_entries, host_reads, host_writes, limits, media_errors, percent_used, read_commands, unsafe_shutdowns, warning_temp_minutes, write_commands: not-reported; " + never},
		{"SATA with rights", privileged(), isSATA,
			"error_log_entries, limits, media_errors, read_commands, unsafe_shutdowns, warning_temp_minutes, write_commands: not-reported; " + never},
		{"the verdict fails", with1(privileged(), askStatus, reply{err: platform.ErrIO}), isSATA, "passed: failed; " +
			"error_log_entries, limits, media_errors, read_commands, unsafe_shutdowns, warning_temp_minutes, write_commands: not-reported; " + never},
		{"with rights, but the driver passes nothing on", passesNothing, isSATA,
			"error_log_entries, host_reads, host_writes, limits, media_errors, percent_used, read_commands, thresholds, unsafe_shutdowns, warning_temp_minutes, write_commands: not-reported; " + never},
	} {
		h, err := one(c.drive).health(t.Context(), c.as)
		if got := reasonsOf(h); err != nil || got != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.name, err, got, c.want)
		}
	}
}

// reasonsOf tells what is absent from a drive's health, by reason.
func reasonsOf(h platform.Health) string {
	by := map[platform.Why][]string{}
	for _, a := range h.Absent {
		by[a.Reason] = append(by[a.Reason], string(a.What))
	}
	var out []string
	for _, why := range slices.Sorted(maps.Keys(by)) {
		out = append(out, strings.Join(slices.Sorted(slices.Values(by[why])), ", ")+": "+string(why))
	}
	return strings.Join(out, "; ")
}

func TestReplayedHealthFails(t *testing.T) {
	asleep := nvmeDrive()
	asleep.sleeps = true
	for _, c := range []struct {
		name  string
		drive *replayed
		as    platform.Drive
		want  error
		says  string
	}{
		{"USB", nvmeDrive(), isUSB, platform.ErrUnsupported, "this USB adapter does not pass SMART"},
		{"asleep", asleep, isNVMe, platform.ErrAsleep, "asleep"},
		{"missing", &replayed{missing: true}, isNVMe, platform.ErrGone, ""},
		{"NVMe that is not told", without(nvmeDrive(), askNVMeLog), isNVMe, platform.ErrUnsupported, ""},
		{"ones", with1(nvmeDrive(), askNVMeLog, reply{bytes: pageAnswer(3, []byte(strings.Repeat("\xff", 512)))}), isNVMe, platform.ErrIO, "nothing but ones"},
		{"SATA that only administrators may ask", without(sataDrive(), askPredict), isSATA, platform.ErrPermission, "with administrator rights the drive could be asked for its SMART data"},
		{"SATA, garbage", with1(sataDrive(), askPredict, reply{bytes: predictAnswer(0, []byte(strings.Repeat("x", 511)+"y"))}), isSATA, platform.ErrIO, "checksum"},
		{"SATA, garbage to administrators", with1(privileged(), askAttributes, reply{bytes: smartAnswer([]byte(strings.Repeat("x", 511) + "y"))}), isSATA, platform.ErrIO, "checksum"},
		{"SATA, pulled out", with1(privileged(), askAttributes, reply{err: platform.ErrGone}), isSATA, platform.ErrGone, ""},
		{"Wine", wineDrive(), isOther, platform.ErrUnsupported, ""},
	} {
		h, err := one(c.drive).health(t.Context(), c.as)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, %v, want %v, %q", c.name, h, err, c.want, c.says)
		}
		c.drive.balanced(t)
	}
}
