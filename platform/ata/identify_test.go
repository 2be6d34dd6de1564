package ata

import (
	"errors"
	"maps"
	"testing"

	"cachecliff/platform"
)

// ssd is what a SATA SSD of 750 GB answers.
func ssd() (map[int]uint16, map[int]string) {
	return map[int]uint16{
			0: 0x0040, 60: 0xFFFF, 61: 0x0FFF, 76: 0x850E, 77: 0x0046, 80: 0x03FC,
			82: 0x746B, 83: 0x7D01, 84: 0x4163, 85: 0x7469, 86: 0xBC01, 87: 0x4163,
			100: 0x66F0, 101: 0x5754, 106: 0x4000, 108: 0x5002, 109: 0x5388, 110: 0x5009, 111: 0x397F,
			169: 1, 217: 1, 222: 0x107F,
		}, map[int]string{
			10: "S1DMNEAD123456B     ", 23: "EXT0DB6Q", 27: "Samsung SSD 840 EVO 750GB               ",
		}
}

func TestDecodeIdentify(t *testing.T) {
	base := Identity{
		Model: "Samsung SSD 840 EVO 750GB", Serial: "S1DMNEAD123456B", Firmware: "EXT0DB6Q", WWN: "naa.500253885009397f",
		Capacity: 750156374016, LogicalSector: 512, PhysicalSector: 512, Rotational: platform.No, Trim: platform.Yes,
		WriteCache: "write back", Smart: platform.Yes, Logs: platform.Yes, ErrorLog: platform.Yes, SCT: platform.No,
		Link: platform.Link{BitRate: 6_000_000_000}, LinkMax: platform.Link{BitRate: 6_000_000_000},
	}
	for _, c := range []struct {
		name string
		set  map[int]uint16
		want func(*Identity)
	}{
		{"an SSD", nil, func(*Identity) {}},
		{"a disk with large sectors", map[int]uint16{106: 0x6003, 217: 7200, 169: 0},
			func(d *Identity) {
				d.PhysicalSector, d.Rotational, d.RPM, d.Trim = 4096, platform.Yes, 7200, platform.No
			}},
		{"a disk of 4 KiB sectors", map[int]uint16{106: 0x5000, 117: 2048, 217: 0x0401},
			func(d *Identity) {
				d.Capacity *= 8
				d.LogicalSector, d.PhysicalSector, d.Rotational, d.RPM = 4096, 4096, platform.Yes, 0x0401
			}},
		{"sectors that cannot be", map[int]uint16{106: 0x5000, 117: 255},
			func(d *Identity) { d.Capacity, d.LogicalSector, d.PhysicalSector = 0, 0, 0 }},
		{"sector sizes not told", map[int]uint16{106: 0xC000}, func(d *Identity) { d.PhysicalSector = 0 }},
		{"28 bits of sectors", map[int]uint16{86: 0xB801}, func(d *Identity) { d.Capacity = 0x0FFFFFFF * 512 }},
		{"more sectors than can be", map[int]uint16{103: 0xFFFF}, func(d *Identity) { d.Capacity = 0 }},
		{"no world-wide name", map[int]uint16{87: 0x4063}, func(d *Identity) { d.WWN = "" }},
		{"word 87 not valid", map[int]uint16{87: 0x0163}, func(d *Identity) {
			d.WWN, d.WriteCache, d.Smart, d.Logs, d.ErrorLog = "", "", platform.Unknown, platform.Unknown, platform.Unknown
		}},
		{"SMART switched off, no write cache", map[int]uint16{85: 0x7448}, func(d *Identity) { d.Smart, d.WriteCache = platform.No, "write through" }},
		{"no log of errors", map[int]uint16{87: 0x4162}, func(d *Identity) { d.ErrorLog = platform.No }},
		{"SCT", map[int]uint16{206: 0x003D}, func(d *Identity) { d.SCT = platform.Yes }},
		{"SCT not told", map[int]uint16{206: 0xFFFF}, func(*Identity) {}},
		{"no logs", map[int]uint16{87: 0x4143}, func(d *Identity) { d.Logs = platform.No }},
		{"rotation not told", map[int]uint16{217: 0}, func(d *Identity) { d.Rotational = platform.Unknown }},
		{"rotation reserved", map[int]uint16{217: 0xFFFF}, func(d *Identity) { d.Rotational = platform.Unknown }},
		{"rotation too slow", map[int]uint16{217: 0x0400}, func(d *Identity) { d.Rotational = platform.Unknown }},
		{"a slow port", map[int]uint16{77: 0x0044}, func(d *Identity) { d.Link.BitRate = 3_000_000_000 }},
		{"link not told", map[int]uint16{77: 0}, func(d *Identity) { d.Link.BitRate = 0 }},
		{"link unheard of", map[int]uint16{77: 0x000E}, func(d *Identity) { d.Link.BitRate = 0 }},
		{"parallel ATA", map[int]uint16{76: 0xFFFF, 77: 0xFFFF}, func(d *Identity) { d.Link, d.LinkMax = platform.Link{}, platform.Link{} }},
	} {
		set, text := ssd()
		maps.Copy(set, c.set)
		want := base
		c.want(&want)
		if got, err := DecodeIdentify(words(set, text)); err != nil || got != want {
			t.Errorf("%s: %+v, %v\nwant %+v", c.name, got, err, want)
		}
	}
}

func TestDecodeIdentifyRefuses(t *testing.T) {
	set, text := ssd()
	wrong := words(set, text)
	wrong[0] ^= 2
	set[0] = 0x85C0
	optical := words(set, text)
	for name, c := range map[string]struct {
		page []byte
		want error
	}{
		"checksum": {wrong, ErrChecksum}, "CD drive": {optical, ErrStrange}, "nothing": {make([]byte, 512), ErrBlank}, "short": {wrong[:256], ErrLength},
	} {
		if got, err := DecodeIdentify(c.page); !errors.Is(err, c.want) || got != (Identity{}) {
			t.Errorf("%s: %+v, %v, want %v", name, got, err, c.want)
		}
	}
	set, text = ssd()
	old := words(set, text)
	old[510], old[511] = 0, 0 // before ATA-5 there was no checksum
	if got, err := DecodeIdentify(old); err != nil || got.Serial != "S1DMNEAD123456B" {
		t.Errorf("no checksum: %+v, %v", got, err)
	}
}

func FuzzDecodeIdentify(f *testing.F) {
	f.Add(words(ssd()))
	old := words(ssd())
	old[510] = 0
	f.Add(old)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 512 && b[510] == 0xA5 {
			sum(b) // else hardly any page would be looked at
		}
		d, err := DecodeIdentify(b)
		if err != nil {
			return
		}
		if d.Capacity < 0 || d.RPM < 0 || d.RPM > 0 && d.Rotational != platform.Yes || d.LogicalSector < 0 || d.PhysicalSector < 0 || d.Model != text([]byte(d.Model)) || d.Serial != text([]byte(d.Serial)) {
			t.Errorf("%+v", d)
		}
	})
}
