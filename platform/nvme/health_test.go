package nvme

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"testing"
	"unsafe"

	"cachecliff/platform"
)

// page is a health log with a value of its own in each field, written down byte by byte from the
// specification's table and not with the constants under test.
func page() []byte {
	p := make([]byte, 512)
	p[0] = 0b100010
	p[1], p[2] = 0x45, 0x01 // 325 K
	p[3], p[4], p[5] = 97, 10, 103
	p[32], p[33] = 0x10, 0x27 // 10,000 units
	p[48] = 2
	p[64], p[80], p[96] = 0xAA, 0xBB, 0xCC
	p[112] = 7
	p[128], p[129] = 0xE8, 0x03
	p[144] = 5
	p[160] = 1
	p[176] = 0xDD
	p[192], p[195] = 1, 1
	p[196] = 2
	p[216], p[219] = 3, 1
	p[220] = 4
	p[224] = 5
	p[228], p[229] = 6, 1
	return p
}

func TestDecodeHealth(t *testing.T) {
	set := func(change func(p []byte)) []byte {
		p := page()
		change(p)
		return p
	}
	const rest = `"power_on_hours":1000,"power_cycles":7,"unsafe_shutdowns":5,"media_errors":1,"warning_temp_minutes":16777217,"critical_temp_minutes":2,"light_throttles":16777219,"heavy_throttles":4,"light_throttle_seconds":5,"heavy_throttle_seconds":262,"read_commands":170,"write_commands":187,"controller_busy_minutes":204,"error_log_entries":221,`
	tests := []struct {
		name string
		page []byte
		want string
		err  error
	}{
		{"every field", page(), `{"critical":["temperature","persistent-memory"],"temp_millic":51850,"percent_used":103,"spare_left":97,"spare_threshold":10,` +
			`"host_reads":5120000000,"host_writes":1024000,` + rest + `"passed":"no","temperatures":[{"label":"Composite","millic":51850}]}`, nil},
		{"nothing that can be", set(func(p []byte) {
			p[0], p[1], p[2], p[3], p[4] = 0, 0, 0, 101, 0
			p[40] = 1                                         // 2^64 units
			binary.LittleEndian.PutUint64(p[48:], 1<<63)      // 2^63 units are more bytes than fit
			binary.LittleEndian.PutUint64(p[112:], 1<<64-1)   // all ones
			binary.LittleEndian.PutUint64(p[128:], 1<<63+999) //
		}), `{"percent_used":103,"power_on_hours":9223372036854776807,"unsafe_shutdowns":5,"media_errors":1,"warning_temp_minutes":16777217,"critical_temp_minutes":2,"light_throttles":16777219,"heavy_throttles":4,"light_throttle_seconds":5,"heavy_throttle_seconds":262,"read_commands":170,"write_commands":187,"controller_busy_minutes":204,"error_log_entries":221,"passed":"yes"}`, nil},
		{"hottest and no spare", set(func(p []byte) { p[0], p[1], p[2], p[3] = 0, 0xA7, 0x01, 0 }),
			`{"temp_millic":149850,"percent_used":103,"spare_left":0,"spare_threshold":10,"host_reads":5120000000,"host_writes":1024000,` + rest + `"passed":"yes","temperatures":[{"label":"Composite","millic":149850}]}`, nil},
		{"too hot, spare not counted", set(func(p []byte) { p[0], p[1], p[2], p[3], p[4] = 0, 0xA8, 0x01, 0, 0 }),
			`{"percent_used":103,"host_reads":5120000000,"host_writes":1024000,` + rest + `"passed":"yes"}`, nil},
		{"ones", bytes.Repeat([]byte{0xFF}, 512), "{}", ErrBlank},
		{"short", page()[:511], "{}", ErrLength},
		{"long", append(page(), 0), "{}", ErrLength},
		{"none", nil, "{}", ErrLength},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, err := DecodeHealth(tt.page)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			got, err := json.Marshal(h)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func FuzzDecodeHealth(f *testing.F) {
	f.Add(page())
	f.Add(bytes.Repeat([]byte{0xFF}, 512))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeHealth(b)
		if err != nil {
			return
		}
		if c := h.TempMilliC; c != nil && (*c < -60_000 || *c > 150_000) {
			t.Errorf("temperature %d", *c)
		}
		Complete(&h, &Controller{}, "")
		told := len(h.Absent)
		if h.Explain(platform.WhyFailed); len(h.Absent) != told {
			t.Errorf("no reason for %v", h.Absent[told:])
		}
		if s := h.SpareLeft; s != nil && *s > 100 {
			t.Errorf("spare %d", *s)
		}
	})
}

func TestComplete(t *testing.T) {
	calm := page()
	clear(calm[216:232])
	milli := int32(81850)
	limits := platform.TempLimits{WarnMilliC: &milli}
	for _, c := range []struct {
		name       string
		page       []byte
		controller *Controller
		want       string
	}{
		{"all there", page(), &Controller{Limits: limits, Throttles: platform.Yes}, `null`},
		{"no limits", page(), &Controller{Throttles: platform.Yes}, `[{"what":"limits","reason":"not-reported"}]`},
		{"the controller may not be asked", page(), nil, `[{"what":"limits","reason":"needs-rights"}]`},
		{"counts though it does not say so", page(), &Controller{Limits: limits, Throttles: platform.No}, `null`},
		{"throttles, and never had to", calm, &Controller{Limits: limits, Throttles: platform.Yes}, `null`},
		{"does not count throttling", calm, &Controller{Limits: limits, Throttles: platform.No},
			`[{"what":"light_throttles","reason":"not-reported"},{"what":"heavy_throttles","reason":"not-reported"},` +
				`{"what":"light_throttle_seconds","reason":"not-reported"},{"what":"heavy_throttle_seconds","reason":"not-reported"}]`},
	} {
		h, err := DecodeHealth(c.page)
		if err != nil {
			t.Fatal(err)
		}
		Complete(&h, c.controller, platform.WhyRights)
		if got, err := json.Marshal(h.Absent); err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v\nwant %s", c.name, got, err, c.want)
		}
	}
}

// The kernel's struct nvme_passthru_cmd.
func TestAdminCommandLayout(t *testing.T) {
	var c AdminCommand
	for name, v := range map[string][2]uintptr{
		"size": {unsafe.Sizeof(c), 72}, "nsid": {unsafe.Offsetof(c.NSID), 4}, "metadata": {unsafe.Offsetof(c.Metadata), 16},
		"addr": {unsafe.Offsetof(c.Addr), 24}, "data_len": {unsafe.Offsetof(c.DataLen), 36}, "cdw10": {unsafe.Offsetof(c.CDW10), 40},
		"timeout_ms": {unsafe.Offsetof(c.TimeoutMS), 64}, "result": {unsafe.Offsetof(c.Result), 68},
	} {
		if v[0] != v[1] {
			t.Errorf("%s is %d, want %d", name, v[0], v[1])
		}
	}
	var c64 AdminCommand64
	if size, result := unsafe.Sizeof(c64), unsafe.Offsetof(c64.Result64); size != 80 || result != 72 {
		t.Errorf("the wide command has %d bytes, its result is at %d", size, result)
	}
	if wide := uint32(3)<<30 | 80<<16 | 'N'<<8 | 0x47; IoctlAdmin64 != wide {
		t.Errorf("ioctl %#x, want %#x", IoctlAdmin64, wide)
	}
	want := uint32(3)<<30 | 72<<16 | 'N'<<8 | 0x41 // _IOWR
	if IoctlAdmin != want {
		t.Errorf("ioctl %#x, want %#x", IoctlAdmin, want)
	}
}

func TestGetHealth(t *testing.T) {
	want := AdminCommand{Opcode: 2, NSID: 0xFFFFFFFF, Addr: 42, DataLen: 512, CDW10: 0x007F0002, TimeoutMS: 30_000}
	if got := GetHealth(42); got != want {
		t.Errorf("%+v", got)
	}
	want = AdminCommand{Opcode: 6, Addr: 42, DataLen: 4096, CDW10: 1, TimeoutMS: 30_000}
	if got := GetController(42); got != want {
		t.Errorf("%+v", got)
	}
}

func TestUnknown(t *testing.T) {
	for status, want := range map[uint16]bool{0: false, 1: true, 0x4002: true, 0x0109: true, 0x4109: true, 0x0006: false, 0x0102: false} {
		if Unknown(status) != want {
			t.Errorf("status %#x: %t", status, !want)
		}
	}
}
