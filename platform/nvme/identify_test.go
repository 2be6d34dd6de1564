package nvme

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"cachecliff/platform"
)

// controller is an answer of IDENTIFY, written down byte by byte from the specification's table.
func controller() []byte {
	p := bytes.Repeat([]byte{0xEE}, 4096)
	copy(p[4:24], "S5GXNX0R123456      ")
	copy(p[24:64], "Samsung SSD 980 PRO 1TB                 ")
	copy(p[64:72], "5B2QGXA7")
	p[266], p[267] = 0x63, 0x01 // 355 K
	p[268], p[269] = 0x66, 0x01 // 358 K
	p[322] = 0x01               // thermal management
	return p
}

func TestDecodeController(t *testing.T) {
	milli := func(v int32) *int32 { return &v }
	set := func(change func(p []byte)) []byte { p := controller(); change(p); return p }
	for _, c := range []struct {
		name       string
		page       []byte
		want       Controller
		warn, crit *int32
		err        error
	}{
		{"every field", controller(), Controller{Model: "Samsung SSD 980 PRO 1TB", Serial: "S5GXNX0R123456", Firmware: "5B2QGXA7", Throttles: platform.Yes}, milli(81850), milli(84850), nil},
		{"no limits", set(func(p []byte) { p[266], p[267], p[268], p[269] = 0, 0, 0xFF, 0xFF }),
			Controller{Model: "Samsung SSD 980 PRO 1TB", Serial: "S5GXNX0R123456", Firmware: "5B2QGXA7", Throttles: platform.Yes}, nil, nil, nil},
		{"a limit below freezing", set(func(p []byte) { p[266], p[267] = 0x10, 0x01 }),
			Controller{Model: "Samsung SSD 980 PRO 1TB", Serial: "S5GXNX0R123456", Firmware: "5B2QGXA7", Throttles: platform.Yes}, nil, milli(84850), nil},
		{"no thermal management", set(func(p []byte) { p[322] = 0xFE }),
			Controller{Model: "Samsung SSD 980 PRO 1TB", Serial: "S5GXNX0R123456", Firmware: "5B2QGXA7", Throttles: platform.No}, milli(81850), milli(84850), nil},
		{"garbage in the letters", set(func(p []byte) { copy(p[4:24], bytes.Repeat([]byte{0}, 20)); copy(p[24:64], "A\x00\xff  B\n") }),
			Controller{Model: "A B SSD 980 PRO 1TB", Firmware: "5B2QGXA7", Throttles: platform.Yes}, milli(81850), milli(84850), nil},
		{"zeros", make([]byte, 4096), Controller{}, nil, nil, ErrControllerBlank},
		{"ones", bytes.Repeat([]byte{0xFF}, 4096), Controller{}, nil, nil, ErrControllerBlank},
		{"short", controller()[:4095], Controller{}, nil, nil, ErrControllerLength},
	} {
		got, err := DecodeController(c.page)
		warn, crit := got.Limits.WarnMilliC, got.Limits.CritMilliC
		got.Limits = platform.TempLimits{}
		if !errors.Is(err, c.err) || !reflect.DeepEqual(got, c.want) || !same(warn, c.warn) || !same(crit, c.crit) {
			t.Errorf("%s: %+v, %v, %v, %v", c.name, got, warn, crit, err)
		}
	}
}

func same(a, b *int32) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func TestDecodeTemperatures(t *testing.T) {
	set := func(change func(p []byte)) []byte { p := page(); change(p); return p }
	for _, c := range []struct {
		name string
		page []byte
		want []platform.Reading
		err  error
	}{
		{"composite", page(), []platform.Reading{{Label: "Composite", MilliC: 51850}}, nil},
		{"sensors", set(func(p []byte) { p[200], p[201], p[214], p[215] = 0x40, 0x01, 0x37, 0x01 }),
			[]platform.Reading{{Label: "Composite", MilliC: 51850}, {Label: "Sensor 1", MilliC: 46850}, {Label: "Sensor 8", MilliC: 37850}}, nil},
		{"0 K and 65535 K", set(func(p []byte) { p[1], p[2], p[202], p[203] = 0, 0, 0xFF, 0xFF }), nil, nil},
		{"ones", bytes.Repeat([]byte{0xFF}, 512), nil, ErrBlank},
		{"short", page()[:256], nil, ErrLength},
	} {
		if got, err := DecodeTemperatures(c.page); !errors.Is(err, c.err) || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

func FuzzDecodeController(f *testing.F) {
	f.Add(controller())
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := DecodeController(b)
		if err != nil {
			return
		}
		for _, s := range []string{c.Model, c.Serial, c.Firmware} {
			if s != text([]byte(s)) {
				t.Errorf("%q is not fit to be shown", s)
			}
		}
		for _, l := range []*int32{c.Limits.WarnMilliC, c.Limits.CritMilliC} {
			if l != nil && (*l <= 0 || *l > 150_000) {
				t.Errorf("limit %d", *l)
			}
		}
	})
}

func FuzzDecodeTemperatures(f *testing.F) {
	f.Add(page())
	f.Fuzz(func(t *testing.T, b []byte) {
		readings, err := DecodeTemperatures(b)
		if err != nil && readings != nil || len(readings) > 9 {
			t.Errorf("%v, %v", readings, err)
		}
		for _, r := range readings {
			if r.MilliC < -60_000 || r.MilliC > 150_000 {
				t.Errorf("%+v", r)
			}
		}
	})
}
