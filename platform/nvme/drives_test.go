package nvme

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"testing"

	"cachecliff/platform"
)

// recorded is what smartctl said of a real drive, by its own names.
type recorded struct {
	File   string
	Passed *bool
	Log    struct {
		Warning     uint8  `json:"critical_warning"`
		Temperature uint16 // °C
		Spare       uint8  `json:"available_spare"`
		Threshold   uint8  `json:"available_spare_threshold"`
		Used        uint8  `json:"percentage_used"`
		UnitsRead   uint64 `json:"data_units_read"`
		UnitsWrite  uint64 `json:"data_units_written"`
		Reads       uint64 `json:"host_reads"`
		Writes      uint64 `json:"host_writes"`
		Busy        uint64 `json:"controller_busy_time"`
		Cycles      uint64 `json:"power_cycles"`
		Hours       uint64 `json:"power_on_hours"`
		Unsafe      uint64 `json:"unsafe_shutdowns"`
		Media       uint64 `json:"media_errors"`
		Errors      uint64 `json:"num_err_log_entries"`
		Warm        uint32 `json:"warning_temp_time"`
		Hot         uint32 `json:"critical_comp_time"`
		Sensors     []int  `json:"temperature_sensors"`
	}
}

// page puts the log together again, with the offsets of the specification's table.
func (r recorded) page() []byte {
	p, l := make([]byte, 512), r.Log
	p[0], p[3], p[4], p[5] = l.Warning, l.Spare, l.Threshold, l.Used
	binary.LittleEndian.PutUint16(p[1:], l.Temperature+273)
	for off, v := range map[int]uint64{32: l.UnitsRead, 48: l.UnitsWrite, 64: l.Reads, 80: l.Writes, 96: l.Busy, 112: l.Cycles, 128: l.Hours,
		144: l.Unsafe, 160: l.Media, 176: l.Errors} {
		binary.LittleEndian.PutUint64(p[off:], v)
	}
	binary.LittleEndian.PutUint32(p[192:], l.Warm)
	binary.LittleEndian.PutUint32(p[196:], l.Hot)
	for i, c := range l.Sensors {
		binary.LittleEndian.PutUint16(p[200+2*i:], uint16(c+273))
	}
	return p
}

// The log is put together again from what smartctl read in it, and must say the same here.
func TestRecordedDrives(t *testing.T) {
	b, err := os.ReadFile("testdata/drives.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Drives []recorded }
	if err := json.Unmarshal(b, &all); err != nil || len(all.Drives) == 0 {
		t.Fatalf("%d drives, %v", len(all.Drives), err)
	}
	for _, r := range all.Drives {
		h, err := DecodeHealth(r.page())
		if err != nil {
			t.Errorf("%s: %v", r.File, err)
			continue
		}
		l := r.Log
		for name, v := range map[string][2]*uint64{
			"read": {h.HostReads, new(l.UnitsRead * 512_000)}, "written": {h.HostWrites, new(l.UnitsWrite * 512_000)},
			"read commands": {h.ReadCommands, &l.Reads}, "write commands": {h.WriteCommands, &l.Writes}, "busy": {h.ControllerBusyMin, &l.Busy},
			"cycles": {h.PowerCycles, &l.Cycles}, "hours": {h.PowerOnHours, &l.Hours}, "unsafe shutdowns": {h.UnsafeShutdowns, &l.Unsafe},
			"media errors": {h.MediaErrors, &l.Media}, "errors": {h.ErrorLogEntries, &l.Errors},
			"warm minutes": {wide(h.WarningTempMin), new(uint64(l.Warm))}, "hot minutes": {wide(h.CriticalTempMin), new(uint64(l.Hot))},
		} {
			if v[0] == nil || *v[0] != *v[1] {
				t.Errorf("%s: %s %v, want %d", r.File, name, v[0], *v[1])
			}
		}
		r.check(t, h)
	}
}

func (r recorded) check(t *testing.T, h platform.Health) {
	t.Helper()
	l := r.Log
	if *h.PercentUsed != int(l.Used) || *h.SpareLeft != int(l.Spare) || (h.SpareThreshold == nil) != (l.Threshold == 0) ||
		h.SpareThreshold != nil && *h.SpareThreshold != int(l.Threshold) || (len(h.Critical) == 0) != (l.Warning == 0) {
		t.Errorf("%s: %d %% used, %d %% spare, %v", r.File, *h.PercentUsed, *h.SpareLeft, h.Critical)
	}
	if r.Passed != nil && h.Passed != platform.TriOf(*r.Passed) {
		t.Errorf("%s: passed %v, want %t", r.File, h.Passed, *r.Passed)
	}
	// smartctl shows whole degrees of 273 K less.
	degrees := []int{int(l.Temperature)}
	degrees = append(degrees, l.Sensors...)
	if len(h.Temperatures) != len(degrees) {
		t.Fatalf("%s: %v, want %v", r.File, h.Temperatures, degrees)
	}
	for i, c := range degrees {
		if h.Temperatures[i].MilliC != int32(c)*1000-150 {
			t.Errorf("%s: %+v, want %d °C", r.File, h.Temperatures[i], c)
		}
	}
}

func wide(v *uint32) *uint64 {
	if v == nil {
		return nil
	}
	return new(uint64(*v))
}
