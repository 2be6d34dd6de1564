package winapi

import (
	"errors"
	"slices"
	"testing"

	"cachecliff/platform"
)

// temperatures is a STORAGE_TEMPERATURE_DATA_DESCRIPTOR; each sensor has index, temperature, upper and lower
// threshold.
func temperatures(critical, warning int16, sensors ...[4]int16) answer {
	b := bytesOf(24+16*len(sensors)).u16(8, uint16(critical)).u16(10, uint16(warning)).u16(12, uint16(len(sensors)))
	for i, s := range sensors {
		for k, v := range s {
			b.u16(24+16*i+2*k, uint16(v))
		}
	}
	return b.u32(0, 40).u32(4, uint32(len(b)))
}

func TestDecodeTemperatures(t *testing.T) {
	const none = -0x8000
	milli := func(v int32) *int32 { return &v }
	for _, c := range []struct {
		name       string
		answer     []byte
		want       []platform.Reading
		warn, crit *int32
	}{
		{"NVMe", temperatures(85, 82, [4]int16{0, 38, 82, none}, [4]int16{1, 38, none, none}, [4]int16{2, 47, none, none}),
			[]platform.Reading{{Label: "Composite", MilliC: 38000}, {Label: "Sensor 1", MilliC: 38000}, {Label: "Sensor 2", MilliC: 47000}}, milli(82000), milli(85000)},
		{"one, no limits", temperatures(none, none, [4]int16{0, 31, none, none}), []platform.Reading{{Label: "Composite", MilliC: 31000}}, nil, nil},
		{"not reported", temperatures(none, none, [4]int16{0, none, none, none}), nil, nil, nil},
		{"0 K", temperatures(0, 0, [4]int16{0, -273, none, none}), nil, nil, nil},
		{"65535 K does not fit", temperatures(-1, 32767, [4]int16{0, 32767, none, none}), nil, nil, nil},
		{"frost", temperatures(70, 60, [4]int16{0, -20, 60, none}, [4]int16{1, 0, none, none}),
			[]platform.Reading{{Label: "Composite", MilliC: -20000}, {Label: "Sensor 1", MilliC: 0}}, milli(60000), milli(70000)},
		{"never filled in", temperatures(0, 0, [4]int16{0, 0, 0, 0}, [4]int16{}), nil, nil, nil},
		{"edges", temperatures(150, 149, [4]int16{0, 150, none, none}, [4]int16{1, 149, none, none}, [4]int16{2, -60, none, none}, [4]int16{3, -59, none, none}),
			[]platform.Reading{{Label: "Sensor 1", MilliC: 149000}, {Label: "Sensor 3", MilliC: -59000}}, milli(149000), nil},
		{"none", temperatures(80, 70), nil, milli(70000), milli(80000)},
	} {
		got, limits, err := DecodeTemperatures(c.answer, "Composite")
		if err != nil || !slices.Equal(got, c.want) || !same(limits.WarnMilliC, c.warn) || !same(limits.CritMilliC, c.crit) {
			t.Errorf("%s: %v, %+v, %v", c.name, got, limits, err)
		}
	}
	if _, _, err := DecodeTemperatures(temperatures(1, 1, [4]int16{0, 30, 0, 0}).u16(12, 2), ""); !errors.Is(err, ErrShort) {
		t.Errorf("more sensors than there is room for: %v", err)
	}
	if TemperatureSize < 24+16*9 {
		t.Errorf("room for %d bytes: an NVMe drive has nine temperatures", TemperatureSize)
	}
}

func same(a, b *int32) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// performance is a DISK_PERFORMANCE with a value of its own in each field.
func performance() answer {
	return bytesOf(88).u64(0, 1<<40).u64(8, 2<<40).u64(16, 30_019_999).u64(24, 70_000_000).u64(32, 5_000_000_000).
		u32(40, 4_000_000_000).u32(44, 12).u32(48, 3).u32(52, 99).u64(56, 5_000_000_000+1_230_000).u32(64, 1).text(68, "P\x00h\x00y\x00s\x00")
}

func TestDecodePerformance(t *testing.T) {
	got, err := DecodePerformance(performance())
	want := platform.Counters{ReadOps: 4_000_000_000, ReadBytes: 1 << 40, ReadTicks: 3001, WriteOps: 12, WriteBytes: 2 << 40, WriteTicks: 7000,
		InFlight: 3, BusyTicks: 123, QueueTicks: 10001}
	if err != nil || got != want {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
	// Real times since 1601 have more milliseconds than fit 32 bits.
	got, err = DecodePerformance(performance().u64(56, 133_500_000_000_000_000).u64(32, 123_456_789_012_345))
	if ticks := uint64((133_500_000_000_000_000 - 123_456_789_012_345) / 10_000 % (1 << 32)); err != nil || got.BusyTicks != ticks {
		t.Errorf("busy %d, %v, want %d", got.BusyTicks, err, ticks)
	}
	for _, off := range []int{0, 8, 16, 24, 32, 56} {
		if got, err := DecodePerformance(performance().u64(off, 1<<63)); !errors.Is(err, ErrStrange) || got != (platform.Counters{}) {
			t.Errorf("negative at %d: %+v, %v", off, got, err)
		}
	}
	b := performance()
	if n := testing.AllocsPerRun(100, func() { _, err = DecodePerformance(b) }); n != 0 || err != nil {
		t.Errorf("%v allocations, %v", n, err)
	}
}

// What a drive did between two readings is known although counts of Windows have 32 bits.
func TestPerformanceSince(t *testing.T) {
	before, err := DecodePerformance(performance().u32(40, 0xFFFFFFF0))
	if err != nil {
		t.Fatal(err)
	}
	after, err := DecodePerformance(performance().u32(40, 0x10).u64(0, 1<<40+4096).u64(56, 5_000_000_000+1_240_000))
	if err != nil {
		t.Fatal(err)
	}
	if d, ok := after.Since(before); !ok || d.ReadOps != 0x20 || d.ReadBytes != 4096 || d.BusyTicks != 1 || d.WriteOps != 0 {
		t.Errorf("%+v, %t", d, ok)
	}
}

func FuzzDecodeTemperatures(f *testing.F) {
	f.Add([]byte(temperatures(85, 82, [4]int16{0, 38, 82, -0x8000}, [4]int16{1, 38, 0, 0})))
	f.Fuzz(func(t *testing.T, b []byte) {
		readings, limits, err := DecodeTemperatures(b, "Composite")
		if err != nil && (readings != nil || limits.Known()) {
			t.Errorf("%v, %+v and %v", readings, limits, err)
		}
		for _, r := range readings {
			if r.MilliC <= -60_000 || r.MilliC >= 150_000 || r.Label == "" {
				t.Errorf("%+v", r)
			}
		}
		for _, l := range []*int32{limits.WarnMilliC, limits.CritMilliC} {
			if l != nil && (*l <= 0 || *l >= 150_000) {
				t.Errorf("limit %d", *l)
			}
		}
	})
}

func FuzzDecodePerformance(f *testing.F) {
	f.Add([]byte(performance()))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := DecodePerformance(b)
		if err != nil {
			return
		}
		for _, ticks := range []uint64{c.ReadTicks, c.WriteTicks, c.BusyTicks, c.QueueTicks, c.ReadOps, c.WriteOps} {
			if ticks > 0xFFFFFFFF {
				t.Errorf("%+v", c)
			}
		}
	})
}
