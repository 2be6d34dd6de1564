package winapi

import (
	"errors"
	"slices"
	"testing"
	"unicode/utf16"

	"cachecliff/platform"
)

func TestDecodeFacts(t *testing.T) {
	adapter, err := DecodeAdapter(bytesOf(32).u32(0, 32).u32(4, 32).u32(8, 128<<10).u32(12, 33).u32(16, 3).u8(22, 1).u8(24, 17).u16(26, 1).u16(28, 4))
	if want := (Adapter{Bus: BusNVMe, MaxTransfer: 128 << 10, Alignment: 4}); err != nil || adapter != want {
		t.Errorf("adapter %+v, %v", adapter, err)
	}
	for _, c := range []struct {
		logical, physical uint32
		want              Sectors
	}{
		{512, 4096, Sectors{512, 4096}}, {4096, 4096, Sectors{4096, 4096}}, {512, 0, Sectors{512, 0}},
		{520, 1 << 21, Sectors{}}, {0, 256, Sectors{}}, {1 << 20, 1 << 31, Sectors{1 << 20, 0}},
	} {
		if got, err := DecodeAlignment(bytesOf(28).u32(0, 28).u32(8, 64).u32(16, c.logical).u32(20, c.physical).u32(24, 7)); err != nil || got != c.want {
			t.Errorf("sectors of %d and %d: %+v, %v", c.logical, c.physical, got, err)
		}
	}
	for flag, want := range map[uint8]platform.Tri{0: platform.No, 1: platform.Yes, 255: platform.Yes} {
		b := bytesOf(12).u32(0, 12).u32(4, 12).u8(8, flag)
		seek, err1 := DecodeSeekPenalty(b[:12])
		trim, err2 := DecodeTrim(b)
		if seek != want || trim != want || err1 != nil || err2 != nil {
			t.Errorf("flag %d: %v, %v, %v, %v", flag, seek, err1, trim, err2)
		}
	}
	if n, err := DecodeLength(bytesOf(8).u64(0, 1<<40)); n != 1<<40 || err != nil {
		t.Errorf("length %d, %v", n, err)
	}
	if n, err := DecodeLength(bytesOf(8).u64(0, 1<<63)); !errors.Is(err, ErrStrange) {
		t.Errorf("length %d, %v", n, err)
	}
	for _, c := range []struct {
		partition uint32
		want      DeviceNumber
	}{{0, DeviceNumber{7, 3, 0}}, {2, DeviceNumber{7, 3, 2}}, {0xFFFFFFFF, DeviceNumber{7, 3, 0}}} {
		if got, err := DecodeDeviceNumber(bytesOf(12).u32(0, 7).u32(4, 3).u32(8, c.partition)); got != c.want || err != nil {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestDecodeWriteCache(t *testing.T) {
	for _, c := range []struct {
		kind, enabled uint32
		want          string
	}{
		{0, 0, ""}, {0, 1, "write through"}, {0, 2, "write back"},
		{1, 0, "write through"}, {1, 2, "write through"},
		{2, 0, ""}, {2, 1, "write through"}, {2, 2, "write back"},
		{3, 0, "write through"}, {3, 2, "write through"}, {9, 9, ""},
	} {
		got, err := DecodeWriteCache(bytesOf(28).u32(0, 28).u32(4, 28).u32(8, c.kind).u32(12, c.enabled).u32(16, 2).u8(24, 1))
		if got != c.want || err != nil {
			t.Errorf("type %d, enabled %d: %q, %v, want %q", c.kind, c.enabled, got, err, c.want)
		}
	}
	for enabled, want := range map[uint8]string{0: "write through", 1: "write back"} {
		if got, err := DecodeCache(bytesOf(24).u8(1, 1-enabled).u8(2, enabled)); got != want || err != nil {
			t.Errorf("enabled %d: %q, %v", enabled, got, err)
		}
	}
}

func TestDecodeGeometry(t *testing.T) {
	for _, c := range []struct {
		name      string
		answer    []byte
		want      Geometry
		removable platform.Tri
	}{
		{"fixed", bytesOf(40).u64(0, 60801).u32(8, 12).u32(12, 255).u32(16, 63).u32(20, 512).u64(24, 500107862016), Geometry{500107862016, 512, 12}, platform.No},
		{"stick", bytesOf(40).u32(8, 11).u32(20, 512).u64(24, 8<<30), Geometry{8 << 30, 512, 11}, platform.Yes},
		{"no medium", bytesOf(40), Geometry{}, platform.Unknown},
		{"Wine", unhex(t, wineGeometry), Geometry{0x1326a62000, 512, 12}, platform.No},
	} {
		got, err := DecodeGeometry(c.answer)
		if got != c.want || err != nil || got.Removable() != c.removable {
			t.Errorf("%s: %+v, removable %v, %v", c.name, got, got.Removable(), err)
		}
	}
	if got, err := DecodeGeometry(bytesOf(40).u64(24, 1<<63)); !errors.Is(err, ErrStrange) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Every decoder refuses an answer that is one byte too short.
func TestShortAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		size   int
		decode func(b []byte) error
	}{
		"adapter":         {32, func(b []byte) error { _, err := DecodeAdapter(b); return err }},
		"alignment":       {28, func(b []byte) error { _, err := DecodeAlignment(b); return err }},
		"seek penalty":    {12, func(b []byte) error { _, err := DecodeSeekPenalty(b); return err }},
		"trim":            {12, func(b []byte) error { _, err := DecodeTrim(b); return err }},
		"write cache":     {28, func(b []byte) error { _, err := DecodeWriteCache(b); return err }},
		"cache":           {24, func(b []byte) error { _, err := DecodeCache(b); return err }},
		"geometry":        {40, func(b []byte) error { _, err := DecodeGeometry(b); return err }},
		"length":          {8, func(b []byte) error { _, err := DecodeLength(b); return err }},
		"device number":   {12, func(b []byte) error { _, err := DecodeDeviceNumber(b); return err }},
		"temperatures":    {24, func(b []byte) error { _, _, err := DecodeTemperatures(b, ""); return err }},
		"performance":     {88, func(b []byte) error { _, err := DecodePerformance(b); return err }},
		"predict failure": {516, func(b []byte) error { _, _, err := DecodePredictFailure(b); return err }},
		"smart":           {16 + 512, func(b []byte) error { _, err := DecodeSmartReceive(b); return err }},
	} {
		if err := c.decode(make([]byte, c.size-1)); !errors.Is(err, ErrShort) {
			t.Errorf("%s of %d bytes: %v", name, c.size-1, err)
		}
		if err := c.decode(make([]byte, c.size)); errors.Is(err, ErrShort) {
			t.Errorf("%s of %d bytes: %v", name, c.size, err)
		}
	}
}

func FuzzDecodeFacts(f *testing.F) {
	f.Add(unhex(f, wineGeometry))
	f.Add(make([]byte, 28))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := DecodeAlignment(b); err == nil && (s.Logical < 0 || s.Logical&511 != 0 || s.Physical&511 != 0) {
			t.Errorf("sectors %+v", s)
		}
		if g, err := DecodeGeometry(b); err == nil && g.Size < 0 {
			t.Errorf("geometry %+v", g)
		}
		if n, err := DecodeLength(b); err == nil && n < 0 {
			t.Errorf("length %d", n)
		}
		for _, decode := range []func([]byte) (string, error){DecodeWriteCache, DecodeCache} {
			if s, err := decode(b); s != "" && s != writeBack && s != writeThrough || err != nil && s != "" {
				t.Errorf("write cache %q, %v", s, err)
			}
		}
		if a, err := DecodeAdapter(b); err == nil && (a.Alignment < 1 || a.MaxTransfer < 0) {
			t.Errorf("adapter %+v", a)
		}
	})
}

func TestAttachment(t *testing.T) {
	for _, c := range []struct {
		a         Attachment
		now, most platform.Link
	}{
		{Attachment{Speed: 3, Lanes: 4, MaxSpeed: 4, MaxLanes: 4}, platform.Link{PCIeGen: 3, Lanes: 4}, platform.Link{PCIeGen: 4, Lanes: 4}},
		{Attachment{Speed: 6, Lanes: 32}, platform.Link{PCIeGen: 6, Lanes: 32}, platform.Link{}},
		{Attachment{Speed: 7, Lanes: 4, MaxSpeed: 1, MaxLanes: 33}, platform.Link{}, platform.Link{}},
		{Attachment{Speed: 1, MaxLanes: 1}, platform.Link{}, platform.Link{}},
	} {
		if now, most := c.a.PCIe(); now != c.now || most != c.most {
			t.Errorf("%+v: %+v, %+v", c.a, now, most)
		}
	}
	for path, want := range map[string]string{
		`\\?\SCSI#Disk&Ven_NVMe&Prod_X#5&1&0&000000#{53f56307-b6bf-11d0-94f2-00a0c91efb8b}`: `SCSI\Disk&Ven_NVMe&Prod_X\5&1&0&000000`,
		`\\?\USBSTOR#Disk&Ven_S#4C53&0#{53f56307}`:                                          `USBSTOR\Disk&Ven_S\4C53&0`,
		`SCSI#a#b#{c}`: "", `\\?\SCSI#a#{c}`: "", `\\?\SCSI##b#{c}`: "", `\\?\SCSI#a#b#c`: "", `\\?\a#b#c#d#{e}`: "", "": "",
	} {
		if got, ok := InstanceOf(path); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t, want %q", path, got, ok, want)
		}
	}
	for text, want := range map[string]string{"s\x00t\x00o\x00r\x00\x00\x00x\x00": "stor", "s\x00t": "s", "": "", "\x00\x00": "", "\xfc\x00": "ü"} {
		if got := DecodeText([]byte(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for number, want := range map[string]uint32{"\x04\x00\x00\x00": 4, "\x04\x00\x00": 0, "": 0, "\x01\x00\x00\x00\x00": 0} {
		if got := DecodeNumber([]byte(number)); got != want {
			t.Errorf("%q: %d", number, got)
		}
	}
}

func TestSplitList(t *testing.T) {
	for _, c := range []struct {
		list string
		want []string
	}{
		{"C:\x00NUL\x00PhysicalDrive0\x00\x00", []string{"C:", "NUL", "PhysicalDrive0"}}, {"\x00", nil}, {"", nil}, {"cut", []string{"cut"}},
		{"a\x00\x00b\x00", []string{"a", "b"}}, {"ü\x00", []string{"ü"}},
	} {
		if got := SplitList(utf16.Encode([]rune(c.list))); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.list, got)
		}
	}
}
