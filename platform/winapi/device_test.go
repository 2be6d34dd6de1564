package winapi

import (
	"errors"
	"testing"

	"cachecliff/platform"
)

func TestDecodeDevice(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer []byte
		want   Device
		model  string
		bus    platform.Bus
	}{
		{"an NVMe drive of Windows 10", device(17, "NVMe    ", "Samsung SSD 980 PRO 1TB                 ", "5B2QGXA7", "0025_385B_71B0_C8E1."),
			Device{Vendor: "NVMe", Product: "Samsung SSD 980 PRO 1TB", Revision: "5B2QGXA7", EUI: "0025385b71b0c8e1", Bus: BusNVMe},
			"Samsung SSD 980 PRO 1TB", platform.BusNVMe},
		{"an NVMe drive with an NGUID", device(17, "", "HFM512GDGTNG-87A0A", "80070C10", "ACE4_2E00_0502_2B01_0000_0000_00FF_0001."),
			Device{Product: "HFM512GDGTNG-87A0A", Revision: "80070C10", EUI: "ace42e0005022b010000000000ff0001", Bus: BusNVMe},
			"HFM512GDGTNG-87A0A", platform.BusNVMe},
		{"a SATA drive", device(11, "ATA     ", "Samsung SSD 840 EVO 750GB", "EXT0DB6Q", "     S1DMNEAD123456B"),
			Device{Vendor: "ATA", Product: "Samsung SSD 840 EVO 750GB", Revision: "EXT0DB6Q", Serial: "S1DMNEAD123456B", Bus: BusSATA},
			"Samsung SSD 840 EVO 750GB", platform.BusSATA},
		{"a SATA drive, pairs exchanged", device(11, "", "WDC WD20EFRX-68EUZN0", "80.00A80", "    W -DCW4C0N214365"),
			Device{Product: "WDC WD20EFRX-68EUZN0", Revision: "80.00A80", Serial: "WD-WCC4N0123456", Bus: BusSATA},
			"WDC WD20EFRX-68EUZN0", platform.BusSATA},
		{"a USB stick", device(7, "SanDisk ", "Cruzer Blade    ", "1.27", "4C530001230101117123"),
			Device{Vendor: "SanDisk", Product: "Cruzer Blade", Revision: "1.27", Serial: "4C530001230101117123", Bus: BusUSB},
			"SanDisk Cruzer Blade", platform.BusUSB},
		{"the vendor is in the product", device(7, "Samsung ", "Samsung PSSD T7 ", "0", "S5TDNS0R"),
			Device{Vendor: "Samsung", Product: "Samsung PSSD T7", Revision: "0", Serial: "S5TDNS0R", Bus: BusUSB}, "Samsung PSSD T7", platform.BusUSB},
		{"a disk of Hyper-V", device(10, "Msft    ", "Virtual Disk    ", "1.0 ", ""),
			Device{Vendor: "Msft", Product: "Virtual Disk", Revision: "1.0", Bus: BusSAS}, "Msft Virtual Disk", platform.BusSAS},
		{"a SCSI disk of a hypervisor", device(1, "VMware  ", "Virtual disk    ", "2.0 ", ""),
			Device{Vendor: "VMware", Product: "Virtual disk", Revision: "2.0", Bus: BusSCSI}, "VMware Virtual disk", platform.BusVirtual},
		{"a SCSI disk", device(1, "SEAGATE ", "ST336607LW      ", "0006", "3JA1"),
			Device{Vendor: "SEAGATE", Product: "ST336607LW", Revision: "0006", Serial: "3JA1", Bus: BusSCSI}, "SEAGATE ST336607LW", platform.BusUnknown},
		{"storage spaces", device(16, "Msft    ", "Storage Space", "0.1", "{0f1b}"),
			Device{Vendor: "Msft", Product: "Storage Space", Revision: "0.1", Serial: "{0f1b}", Bus: BusSpaces}, "Msft Storage Space", platform.BusVirtual},
		{"a driver of RAID", device(8, "", "INTEL SSDPEKNW512G8", "002C", ""),
			Device{Product: "INTEL SSDPEKNW512G8", Revision: "002C", Bus: BusRAID}, "INTEL SSDPEKNW512G8", platform.BusUnknown},
		{"garbage in the strings", device(7, "", "\x01Disk\xff  X\t", "\x02", "\x7f"),
			Device{Product: "Disk X", Bus: BusUSB}, "Disk X", platform.BusUSB},
		{"offsets outside", bytesOf(48).u32(0, 40).u32(4, 48).u32(12, 48).u32(16, 0xFFFFFFFF).u32(20, 47).u32(24, 0x80000000).u8(10, 1),
			Device{Removable: true}, "", platform.BusUnknown},
		{"a string without its zero", append(bytesOf(40).u32(16, 40), "SSD"...), Device{Product: "SSD"}, "SSD", platform.BusUnknown},
		{"Wine", unhex(t, wineDevice), Device{Bus: BusSCSI}, "", platform.BusUnknown},
	} {
		got, err := DecodeDevice(c.answer)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
		if got.Model() != c.model || got.PlatformBus() != c.bus {
			t.Errorf("%s: %q on %q, want %q on %q", c.name, got.Model(), got.PlatformBus(), c.model, c.bus)
		}
	}
	for _, b := range [][]byte{nil, make([]byte, 39)} {
		if _, err := DecodeDevice(b); !errors.Is(err, ErrShort) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

func TestSerialOf(t *testing.T) {
	for _, c := range []struct {
		raw         string
		bus         Bus
		serial, eui string
	}{
		{"S1DMNEAD123456B     ", BusSATA, "S1DMNEAD123456B", ""},
		{"1SMDENDA214365 B    ", BusSATA, "S1DMNEAD123456B", ""}, // exchanged
		{"    W -DCW4C0N214365", BusSATA, "WD-WCC4N0123456", ""},
		{"1SMDENDA214365 B    ", BusUSB, "1SMDENDA214365 B", ""},                                               // only ATA does that
		{"2020202057202d4443573443304e323134333635", BusATA, "WD-WCC4N0123456", ""},                            // hexadecimal and exchanged
		{"5331444d4e4541443132333435364220202020 20", BusATA, "5331444d4e4541443132333435364220202020 20", ""}, // neither
		{"5331444d4e45414431323334353642202020207f", BusATA, "5331444d4e45414431323334353642202020207f", ""},   // no text
		{"0123456789ABCDEF0123456789ABCDEF01234567", BusUSB, "0123456789ABCDEF0123456789ABCDEF01234567", ""},
		{"0025_3858_71B0_1234.", BusNVMe, "", "0025385871b01234"},
		{"0025_3858_71B0_1234.", BusRAID, "", "0025385871b01234"},
		{"0025_3858_71B0_1234", BusNVMe, "0025_3858_71B0_1234", ""},
		{"0025_3858_71B0.", BusNVMe, "0025_3858_71B0.", ""},
		{"S676NX0R123456      ", BusNVMe, "S676NX0R123456", ""},
		{"", BusSATA, "", ""},
		{"   ", BusSATA, "", ""},
	} {
		serial, eui := serialOf(c.raw, c.bus)
		if serial != c.serial || eui != c.eui {
			t.Errorf("%q on %d: %q, %q, want %q, %q", c.raw, c.bus, serial, eui, c.serial, c.eui)
		}
	}
}

// identifier is a STORAGE_IDENTIFIER, with padding up to a multiple of four.
func identifier(codeSet, kind, association uint32, value string, last bool) answer {
	b := bytesOf((16+len(value)+3)&^3).u32(0, codeSet).u32(4, kind).u16(8, uint16(len(value))).u32(12, association).text(16, value)
	if !last {
		b.u16(10, uint16(len(b)))
	}
	return b
}

func identifiers(ids ...answer) answer {
	b := bytesOf(12).u32(0, 16).u32(8, uint32(len(ids)))
	for _, id := range ids {
		b = append(b, id...)
	}
	return b.u32(4, uint32(len(b)))
}

func TestWorldWideName(t *testing.T) {
	const naa, eui = "\x50\x02\x53\x8e\x40\x34\xd3\xfe", "\x00\x25\x38\x5b\x71\xb0\xc8\xe1"
	for _, c := range []struct {
		name   string
		answer answer
		want   string
	}{
		{"SATA", identifiers(identifier(2, 1, 0, "ATA     Samsung SSD 860", false), identifier(1, 3, 0, naa, true)), "naa.5002538e4034d3fe"},
		{"SAS, ports too", identifiers(identifier(1, 3, 1, "\x50\x00\xc5\x00\x11\x22\x33\x45", false), identifier(1, 4, 1, "\x00\x00\x00\x01", false),
			identifier(1, 3, 0, "\x50\x00\xc5\x00\x11\x22\x33\x44", true)), "naa.5000c50011223344"},
		{"NVMe", identifiers(identifier(1, 2, 0, eui, false), identifier(3, 8, 0, "eui.0025385B71B0C8E1", true)), "eui.0025385b71b0c8e1"},
		{"NVMe, NGUID", identifiers(identifier(1, 2, 0, eui+naa, true)), "eui.0025385b71b0c8e15002538e4034d3fe"},
		{"NVMe, by name only", identifiers(identifier(3, 8, 0, "eui.0025385B71B0C8E1\x00\x00", true)), "eui.0025385b71b0c8e1"},
		{"a name of another kind", identifiers(identifier(3, 8, 0, "iqn.2001-04.com.example", true)), ""},
		{"a prefix alone", identifiers(identifier(3, 8, 0, "eui.", true)), ""},
		{"zeros", identifiers(identifier(1, 2, 0, "\x00\x00\x00\x00\x00\x00\x00\x00", true)), ""},
		{"ones", identifiers(identifier(1, 3, 0, "\xff\xff\xff\xff\xff\xff\xff\xff", true)), ""},
		{"odd length", identifiers(identifier(1, 3, 0, naa[:7], true)), ""},
		{"vendor's own", identifiers(identifier(1, 0, 0, naa, true)), ""},
		{"none", identifiers(), ""},
	} {
		ids, err := DecodeIdentifiers(c.answer)
		if got := WorldWideName(ids); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	good := identifiers(identifier(1, 3, 0, naa, false), identifier(1, 2, 0, eui, true))
	for name, b := range map[string][]byte{
		"nothing": nil, "cut head": good[:11], "cut identifier": good[:20], "cut value": good[:30], "cut second": good[:40],
		"too many":       append(answer{}, good...).u32(8, 3).u16(36+10, 24),
		"next too close": append(answer{}, good...).u16(12+10, 8),
		"next too far":   append(answer{}, good...).u16(12+10, 200),
	} {
		if ids, err := DecodeIdentifiers(b); !errors.Is(err, ErrShort) && !errors.Is(err, ErrStrange) {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
}

func FuzzDecodeDevice(f *testing.F) {
	f.Add([]byte(device(11, "ATA", "SSD", "1", "1SMDENDA214365 B    ")))
	f.Add(unhex(f, wineDevice))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := DecodeDevice(b)
		if err != nil {
			return
		}
		for _, s := range []string{d.Vendor, d.Product, d.Revision, d.Serial, d.EUI, d.Model()} {
			if s != label(s) {
				t.Errorf("%q is not fit to be shown", s)
			}
		}
	})
}

func FuzzDecodeIdentifiers(f *testing.F) {
	f.Add([]byte(identifiers(identifier(1, 3, 0, "\x50\x02\x53\x8e\x40\x34\xd3\xfe", false), identifier(3, 8, 0, "eui.00", true))))
	f.Fuzz(func(t *testing.T, b []byte) {
		ids, err := DecodeIdentifiers(b)
		if err != nil {
			return
		}
		total := 0
		for _, id := range ids {
			total += len(id.Value)
		}
		if name := WorldWideName(ids); total > len(b) || name != label(name) {
			t.Errorf("%d bytes of names out of %d, %q", total, len(b), name)
		}
	})
}
