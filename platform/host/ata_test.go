package host

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"cachecliff/platform"
	"cachecliff/platform/ata"
)

// ataDrive answers commands by their names.
type ataDrive struct {
	sectors map[string][]byte
	errs    map[string]error
	power   ata.Registers
	status  ata.Registers
	asked   []string
}

func (d *ataDrive) command(c ata.Command, data []byte) (ata.Registers, error) {
	d.asked = append(d.asked, c.String())
	if err := d.errs[c.String()]; err != nil {
		return ata.Registers{}, err
	}
	switch c {
	case ata.CommandPower:
		return d.power, nil
	case ata.CommandStatus:
		return d.status, nil
	}
	sector, ok := d.sectors[c.String()]
	if !ok || len(data) != len(sector) {
		return ata.Registers{}, platform.ErrUnsupported
	}
	copy(data, sector)
	return ata.Registers{}, nil
}

var (
	awake   = ata.Registers{Status: 0x50, Count: 0xFF}
	standby = ata.Registers{Status: 0x50}
	well    = ata.Registers{Status: 0x50, Mid: 0x4F, High: 0xC2}
	failing = ata.Registers{Status: 0x50, Mid: 0xF4, High: 0x2C}

	isDisk = platform.Drive{Name: "sda", Bus: platform.BusSATA, Model: "TS5340140S", Rotational: platform.Yes}
)

// identity has SMART with a log of errors, general purpose logs, and SCT; changed sets words to something else.
func identity(changed map[int]uint16) []byte {
	page := identifySector()
	for n, w := range map[int]uint16{82: 0x746B, 206: 0x0001} {
		binary.LittleEndian.PutUint16(page[2*n:], w)
	}
	for n, w := range changed {
		binary.LittleEndian.PutUint16(page[2*n:], w)
	}
	return page
}

func errorsSector(count uint16) []byte {
	return summed(le(512, 0, uint8(1), 452, count))
}

func sctSector(temperature uint8) []byte {
	return le(512, 0, uint16(2), 2, uint16(1), 200, temperature)
}

func hardDisk() *ataDrive {
	return &ataDrive{power: awake, status: well, sectors: map[string][]byte{
		ata.CommandIdentify.String():   identity(nil),
		ata.CommandAttributes.String(): smartPage([2]uint64{5, 0}, [2]uint64{9, 44670}, [2]uint64{194, 32}),
		ata.CommandThresholds.String(): thresholdPage([2]uint8{5, 36}, [2]uint8{9, 0}, [2]uint8{194, 0}),
		ata.CommandErrors.String():     errorsSector(3),
		ata.CommandSCT.String():        sctSector(31),
		ata.CommandLog(0, 0).String():  directorySector(),
		ata.CommandLog(4, 0).String():  pagesSector(),
		ata.CommandLog(4, 1).String():  generalSector(),
		ata.CommandLog(4, 7).String():  wornSector(),
	}}
}

// fails makes a command fail.
func fails(d *ataDrive, c ata.Command, err error) *ataDrive {
	if d.errs == nil {
		d.errs = map[string]error{}
	}
	d.errs[c.String()] = err
	return d
}

// answers makes a command answer something else.
func answering(d *ataDrive, c ata.Command, sector []byte) *ataDrive {
	d.sectors[c.String()] = sector
	return d
}

func refuses(c ata.Command) *ataDrive {
	d := hardDisk()
	delete(d.sectors, c.String())
	return d
}

const (
	diskTable = `"attributes":[{"id":5,"name":"Reallocated_Sector_Ct","normalized":90,"worst":80,"threshold":36,"raw":0,"vital":true},` +
		`{"id":9,"name":"Power_On_Hours","normalized":90,"worst":80,"threshold":0,"raw":44670,"vital":true},` +
		`{"id":194,"name":"Temperature_Celsius","normalized":90,"worst":80,"threshold":0,"raw":32,"vital":true}]}`
	diskHead   = `{"source":"SMART attributes","temp_millic":32000,`
	diskCounts = `"percent_used":4,"host_reads":1536000,"host_writes":512000,"power_on_hours":44000,"power_cycles":25,`
	diskTail   = `"error_log_entries":3,"passed":"yes","temperatures":[{"label":"Drive","millic":32000}],` + diskTable
	diskNever  = "controller_busy_minutes, critical_temp_minutes, heavy_throttle_seconds, heavy_throttles, light_throttle_seconds, light_throttles, spare_left, spare_threshold: unsupported-bus"
	diskSilent = "limits, media_errors, read_commands, unsafe_shutdowns, warning_temp_minutes, write_commands"
)

func TestReadATA(t *testing.T) {
	failure := hardDisk()
	failure.status = failing
	silent := hardDisk()
	silent.status = ata.Registers{}
	untold := answering(hardDisk(), ata.CommandAttributes, smartPage([2]uint64{9, 44670}))
	broken := answering(hardDisk(), ata.CommandThresholds, append(thresholdPage([2]uint8{5, 36})[:511], 1))
	for _, c := range []struct {
		name  string
		drive *ataDrive
		want  string
		why   string
	}{
		{"all", hardDisk(), diskHead + diskCounts + diskTail, diskSilent + ": not-reported; " + diskNever},
		{"it expects to fail", failure, `{"source":"SMART attributes","critical":["failing"],"temp_millic":32000,` + diskCounts + strings.Replace(diskTail, `"yes"`, `"no"`, 1),
			diskSilent + ": not-reported; " + diskNever},
		{"no registers come back", silent, diskHead + diskCounts + strings.Replace(diskTail, `"passed":"yes",`, "", 1),
			"limits, media_errors, passed, read_commands, unsafe_shutdowns, warning_temp_minutes, write_commands: not-reported; " + diskNever},
		{"no verdict", fails(hardDisk(), ata.CommandStatus, platform.ErrIO), diskHead + diskCounts + strings.Replace(diskTail, `"passed":"yes",`, "", 1),
			"passed: failed; " + diskSilent + ": not-reported; " + diskNever},
		{"CHECK POWER MODE is not known", fails(hardDisk(), ata.CommandPower, platform.ErrUnsupported), diskHead + diskCounts + diskTail, diskSilent + ": not-reported; " + diskNever},
		{"no log of errors", answering(hardDisk(), ata.CommandIdentify, identity(map[int]uint16{87: 0x4162})), diskHead + diskCounts + strings.Replace(diskTail, `"error_log_entries":3,`, "", 1),
			"error_log_entries, " + diskSilent + ": not-reported; " + diskNever},
		{"the log of errors is garbage", answering(hardDisk(), ata.CommandErrors, smartPage()), diskHead + diskCounts + strings.Replace(diskTail, `"error_log_entries":3,`, "", 1),
			"error_log_entries: failed; " + diskSilent + ": not-reported; " + diskNever},
		{"temperature by SCT", untold, `{"source":"SMART attributes","temp_millic":31000,` + diskCounts + `"error_log_entries":3,"passed":"yes","temperatures":[{"label":"Drive","millic":31000}],` +
			`"attributes":[{"id":9,"name":"Power_On_Hours","normalized":90,"worst":80,"threshold":0,"raw":44670,"vital":true}]}`, diskSilent + ": not-reported; " + diskNever},
		{"no statistics", refuses(ata.CommandLog(0, 0)), diskHead + `"power_on_hours":44670,` + diskTail,
			"host_reads, host_writes, limits, media_errors, percent_used, power_cycles, read_commands, warning_temp_minutes, write_commands: failed; unsafe_shutdowns: not-reported; " + diskNever},
		{"no thresholds", refuses(ata.CommandThresholds), diskHead + diskCounts + strings.NewReplacer(`"threshold":36,`, "", `"threshold":0,`, "").Replace(diskTail),
			"limits, media_errors, read_commands, thresholds, unsafe_shutdowns, warning_temp_minutes, write_commands: not-reported; " + diskNever},
		{"thresholds are garbage", broken, diskHead + diskCounts + strings.NewReplacer(`"threshold":36,`, "", `"threshold":0,`, "").Replace(diskTail),
			"thresholds: failed; " + diskSilent + ": not-reported; " + diskNever},
	} {
		h, err := readATA(c.drive, isDisk)
		if why := reasonsOf(h); err != nil || why != c.why {
			t.Errorf("%s: %v\n got %s\nwant %s", c.name, err, why, c.why)
		}
		h.Absent = nil
		if got, err := json.Marshal(h); err != nil || string(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestReadATAFails(t *testing.T) {
	asleep := hardDisk()
	asleep.power = standby
	garbage := []byte(strings.Repeat("x", 511) + "y")
	usb := isDisk
	usb.Bus = platform.BusUSB
	for _, c := range []struct {
		name  string
		drive *ataDrive
		as    platform.Drive
		want  error
		why   platform.Why
		asked int
	}{
		{"asleep", asleep, isDisk, platform.ErrAsleep, platform.WhyAsleep, 1},
		{"no rights", fails(hardDisk(), ata.CommandPower, platform.ErrPermission), isDisk, platform.ErrPermission, platform.WhyRights, 1},
		{"pulled out", fails(hardDisk(), ata.CommandPower, platform.ErrGone), isDisk, platform.ErrGone, platform.WhyFailed, 1},
		{"hangs", fails(hardDisk(), ata.CommandPower, platform.ErrStalled), isDisk, platform.ErrStalled, platform.WhyFailed, 1},
		{"IDENTIFY fails", fails(hardDisk(), ata.CommandIdentify, platform.ErrIO), isDisk, platform.ErrIO, platform.WhyFailed, 2},
		{"IDENTIFY is garbage", answering(hardDisk(), ata.CommandIdentify, make([]byte, 512)), isDisk, platform.ErrIO, platform.WhyFailed, 2},
		{"a USB adapter that refuses", refuses(ata.CommandIdentify), usb, platform.ErrUnsupported, platform.WhyBridge, 2},
		{"a USB adapter that answers nothing", answering(hardDisk(), ata.CommandIdentify, make([]byte, 512)), usb, platform.ErrUnsupported, platform.WhyBridge, 2},
		{"pulled out of USB", fails(hardDisk(), ata.CommandIdentify, platform.ErrGone), usb, platform.ErrGone, platform.WhyFailed, 2},
		{"SMART is off", answering(hardDisk(), ata.CommandIdentify, identity(map[int]uint16{85: 0x7468})), isDisk, platform.ErrSwitchedOff, platform.WhyNotReported, 2},
		{"no attributes", refuses(ata.CommandAttributes), isDisk, platform.ErrUnsupported, platform.WhyBus, 3},
		{"attributes are garbage", answering(hardDisk(), ata.CommandAttributes, garbage), isDisk, platform.ErrIO, platform.WhyFailed, 4},
		{"pulled out meanwhile", fails(hardDisk(), ata.CommandAttributes, platform.ErrGone), isDisk, platform.ErrGone, platform.WhyFailed, 3},
	} {
		h, err := readATA(c.drive, c.as)
		if !errors.Is(err, c.want) || platform.WhyOf(err) != c.why || h.Attributes != nil || len(c.drive.asked) != c.asked {
			t.Errorf("%s: %v (%s), asked %q", c.name, err, platform.WhyOf(err), c.drive.asked)
		}
	}
}

// A drive without a motor is asked in spite of its standby.
func TestReadATAOfAnSSDInStandby(t *testing.T) {
	d := hardDisk()
	d.power = standby
	ssd := isDisk
	ssd.Rotational = platform.No
	if h, err := readATA(d, ssd); err != nil || h.Attributes == nil || slices.Contains(d.asked, ata.CommandPower.String()) {
		t.Errorf("%+v, %v, asked %q", h, err, d.asked)
	}
}

func TestATAReadings(t *testing.T) {
	asleep := hardDisk()
	asleep.power = standby
	untold := func() *ataDrive { return answering(hardDisk(), ata.CommandAttributes, smartPage([2]uint64{9, 44670})) }
	for _, c := range []struct {
		name  string
		drive *ataDrive
		want  int32
		err   error
	}{
		{"attribute 194", hardDisk(), 32000, nil},
		{"attribute 190", answering(hardDisk(), ata.CommandAttributes, smartPage([2]uint64{190, 28})), 28000, nil},
		{"SCT", untold(), 31000, nil},
		{"SCT where attributes are garbage", answering(hardDisk(), ata.CommandAttributes, make([]byte, 512)), 31000, nil},
		{"neither", answering(untold(), ata.CommandSCT, sctSector(0x80)), 0, platform.ErrUnsupported},
		{"SCT fails", fails(untold(), ata.CommandSCT, platform.ErrIO), 0, platform.ErrIO},
		{"asleep", asleep, 0, platform.ErrAsleep},
		{"gone", fails(hardDisk(), ata.CommandAttributes, platform.ErrGone), 0, platform.ErrGone},
	} {
		got, err := ataReadings(c.drive, isDisk)
		want := []platform.Reading{{Label: "Drive", MilliC: c.want}}
		if !errors.Is(err, c.err) || c.err == nil && !slices.Equal(got, want) || c.err != nil && got != nil {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	if len(asleep.asked) != 1 {
		t.Errorf("a drive that sleeps is asked %q", asleep.asked)
	}
}

func TestATALimits(t *testing.T) {
	const valid = 0xC0 << 56
	hot := answering(answering(hardDisk(), ata.CommandLog(4, 0), le(512, 0, uint16(1), 8, "\x02\x00\x05")),
		ata.CommandLog(4, 5), le(512, 0, uint16(1), 2, uint8(5), 88, uint64(valid|70)))
	if l, err := ataLimits(hot, isDisk); err != nil || l.WarnMilliC == nil || *l.WarnMilliC != 70_000 {
		t.Errorf("%+v, %v", l, err)
	}
	asleep := hardDisk()
	asleep.power = standby
	for name, c := range map[string]struct {
		drive *ataDrive
		want  error
	}{
		"no limits": {hardDisk(), nil}, "no statistics": {refuses(ata.CommandLog(0, 0)), nil},
		"asleep": {asleep, platform.ErrAsleep}, "garbage": {answering(hardDisk(), ata.CommandIdentify, make([]byte, 512)), platform.ErrIO},
	} {
		if l, err := ataLimits(c.drive, isDisk); !errors.Is(err, c.want) || l.Known() {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
}

func TestIdentified(t *testing.T) {
	six := platform.Link{BitRate: 6e9}
	page := identity(map[int]uint16{217: 7200, 76: 0x0006, 77: 0x0002})
	d := platform.Drive{Name: "sda", Bus: platform.BusSATA, Model: "cut to 16 lette", Firmware: "cut", Serial: "S", Link: six, LinkMax: six, LinkSlot: six, WriteCache: "write back"}
	identified(page, &d)
	want := platform.Drive{Name: "sda", Bus: platform.BusSATA, Model: "ST350441S0 A", Serial: "9VM1", Firmware: "cut", Link: six, LinkMax: platform.Link{BitRate: 3e9}, LinkSlot: six,
		Rotational: platform.Yes, RPM: 7200, WriteCache: "write back"}
	if d != want { // the letters of the page stand in the wrong order in each word, and it has no firmware
		t.Errorf("%+v\nwant %+v", d, want)
	}
	usb := platform.Drive{Name: "sdb", Bus: platform.BusUSB, Link: platform.Link{BitRate: 5e9}}
	identified(page, &usb)
	if usb.Link.BitRate != 5e9 || usb.LinkMax != (platform.Link{}) || usb.RPM != 7200 {
		t.Errorf("%+v", usb)
	}
	before := d
	identified(make([]byte, 512), &d)
	if d != before {
		t.Errorf("garbage changes %+v", d)
	}
}
