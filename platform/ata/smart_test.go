package ata

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"cachecliff/platform"
)

// The tables of real drives: what they answered, and what smartctl made of it.
var (
	samsung = []attribute{
		{5, 51, 100, 100, 10, 0}, {9, 50, 83, 83, 0, 84619}, {12, 50, 99, 99, 0, 6}, {177, 19, 91, 91, 5, 1661}, {180, 19, 100, 100, 10, 5248},
		{184, 51, 100, 100, 97, 0}, {187, 50, 100, 100, 0, 0}, {190, 50, 73, 59, 0, 27}, {235, 18, 99, 99, 0, 1}, {241, 50, 99, 99, 0, 216456537880},
	}
	seagate = []attribute{
		{1, 15, 118, 99, 6, 168165566}, {5, 51, 100, 100, 36, 1}, {9, 50, 50, 11, 0, 44670}, {12, 50, 100, 100, 20, 26}, {187, 50, 100, 100, 0, 0},
		{189, 58, 42, 42, 0, 58}, {190, 34, 68, 58, 45, 588709920}, {194, 34, 32, 42, 0, 81604378656}, {240, 0, 100, 253, 0, 260725989826497},
		{241, 0, 100, 253, 0, 543343366}, {242, 0, 100, 253, 0, 224972325},
	}
	western = []attribute{
		{1, 47, 200, 200, 51, 114}, {9, 50, 35, 35, 0, 47657}, {12, 50, 100, 100, 0, 3}, {192, 50, 200, 200, 0, 1}, {194, 34, 113, 110, 0, 34}, {199, 50, 200, 200, 0, 0},
	}
	crucial = []attribute{
		{9, 50, 100, 100, 0, 0x000100002345}, {174, 50, 100, 100, 0, 31}, {194, 34, 66, 40, 0, 0x003C00140022}, {202, 48, 93, 93, 1, 7}, {246, 50, 100, 100, 0, 1000},
	}
)

// health is the answer of a drive without its table.
func health(t *testing.T, model string, attributes []attribute, limits bool, s Statistics) string {
	t.Helper()
	data, thresholds := smart(attributes...)
	if !limits {
		thresholds = nil
	}
	decoded, err := DecodeAttributes(data, thresholds, model)
	if err != nil {
		t.Fatal(err)
	}
	h := Health(model, decoded, s)
	if len(h.Attributes) != len(attributes) {
		t.Errorf("%s: %d attributes out of %d", model, len(h.Attributes), len(attributes))
	}
	h.Attributes = nil
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHealth(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	milli, used := int32(41000), 12
	statistics := Statistics{PowerCycles: n(5), PowerOnHours: n(84000), BytesWritten: n(1 << 40), BytesRead: n(1 << 41), Uncorrectable: n(0), TempMilliC: &milli, PercentUsed: &used}
	changed := func(of []attribute, i int, change func(*attribute)) []attribute {
		out := slices.Clone(of)
		change(&out[i])
		return out
	}
	for _, c := range []struct {
		name, model string
		attributes  []attribute
		statistics  Statistics
		want        string
	}{
		{"Samsung", "SAMSUNG MZ7WD240HAFV-00003", samsung, Statistics{},
			`{"temp_millic":27000,"percent_used":9,"host_writes":110825747394560,"power_on_hours":84619,"power_cycles":6,"media_errors":0}`},
		{"Samsung with statistics", "SAMSUNG MZ7WD240HAFV-00003", samsung, statistics,
			`{"temp_millic":41000,"percent_used":12,"host_reads":2199023255552,"host_writes":1099511627776,"power_on_hours":84000,"power_cycles":5,"media_errors":0}`},
		{"Seagate: nobody says what 241 counts", "ST3500418AS", seagate, Statistics{},
			`{"temp_millic":32000,"power_on_hours":44670,"power_cycles":26,"media_errors":0}`},
		{"Western Digital", "WDC WD20EFRX-68EUZN0", western, Statistics{}, `{"temp_millic":34000,"power_on_hours":47657,"power_cycles":3}`},
		{"Crucial, hours in the lower half", "CT500MX500SSD1", crucial, Statistics{},
			`{"temp_millic":34000,"percent_used":7,"host_writes":512000,"power_on_hours":9029,"unsafe_shutdowns":31}`},
		{"a vital attribute fails", "ST3500418AS", changed(seagate, 0, func(a *attribute) { a.value = 6 }), Statistics{},
			`{"critical":["failing"],"temp_millic":32000,"power_on_hours":44670,"power_cycles":26,"media_errors":0}`},
		{"an attribute of age fails", "ST3500418AS", changed(seagate, 3, func(a *attribute) { a.value = 20 }), Statistics{},
			`{"temp_millic":32000,"power_on_hours":44670,"power_cycles":26,"media_errors":0}`},
		{"194 says nothing, 190 does", "ST3500418AS", changed(seagate, 7, func(a *attribute) { a.raw = 0 }), Statistics{},
			`{"temp_millic":32000,"power_on_hours":44670,"power_cycles":26,"media_errors":0}`},
		{"frost is not told from nonsense", "X", []attribute{{194, 34, 100, 100, 0, 0xF6}}, Statistics{}, `{}`},
		{"minutes", "X", []attribute{{9, 50, 100, 100, 0, 13_000_000}}, Statistics{}, `{}`},
		{"packed counts", "X", []attribute{{12, 50, 100, 100, 0, 0x0000_0002_0000_0001}, {187, 50, 1, 1, 0, 1 << 40}}, Statistics{}, `{}`},
		{"temperature elsewhere", "SAMSUNG SV0802N", []attribute{{194, 34, 100, 100, 0, 0x20}}, Statistics{}, `{}`},
		{"a mark above 100", "CT500MX500SSD1", []attribute{{202, 48, 253, 253, 1, 0}}, Statistics{}, `{}`},
		{"more than 64 bits of bytes", "INTEL SSDSC2BB240G4", []attribute{{241, 50, 100, 100, 0, 1<<48 - 1}, {242, 50, 100, 100, 0, 1 << 38}}, Statistics{},
			`{"host_reads":9223372036854775808}`},
		{"nothing to say", "X", []attribute{{1, 1, 100, 100, 0, 0}}, Statistics{}, `{}`},
	} {
		if got := health(t, c.model, c.attributes, true, c.statistics); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	if got, want := health(t, "ST3500418AS", changed(seagate, 0, func(a *attribute) { a.value = 6 }), false, Statistics{}),
		`{"temp_millic":32000,"power_on_hours":44670,"power_cycles":26,"media_errors":0}`; got != want {
		t.Errorf("without thresholds nothing is known to fail: %s", got)
	}
}

func TestDecodeAttributes(t *testing.T) {
	data, thresholds := smart(seagate[0], attribute{}, samsung[1], attribute{250, 2, 10, 1, 11, 1<<48 - 1})
	six, zero, eleven := 6, 0, 11
	got, err := DecodeAttributes(data, thresholds, "X")
	want := []platform.Attribute{
		{ID: 1, Name: "Raw_Read_Error_Rate", Normalized: 118, Worst: 99, Threshold: &six, Raw: 168165566, Vital: true},
		{ID: 9, Name: "Power_On_Hours", Normalized: 83, Worst: 83, Threshold: &zero, Raw: 84619},
		{ID: 250, Normalized: 10, Worst: 1, Threshold: &eleven, Raw: 281474976710655, Failing: true},
	}
	asText := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	if err != nil || asText(got) != asText(want) {
		t.Errorf("%v\n got %s\nwant %s", err, asText(got), asText(want))
	}
	got, err = DecodeAttributes(data, nil, "X")
	if err != nil || got[0].Threshold != nil || got[2].Failing {
		t.Errorf("without thresholds: %s, %v", asText(got), err)
	}

	twice, _ := smart(seagate[0], seagate[0])
	none, _ := smart()
	broken := slices.Clone(data)
	broken[7]++
	brokenLimits := slices.Clone(thresholds)
	brokenLimits[7]++
	for name, c := range map[string]struct {
		data, thresholds []byte
		want             error
	}{
		"twice": {twice, nil, ErrStrange}, "none": {none, nil, ErrStrange}, "checksum": {broken, nil, ErrChecksum},
		"checksum of the thresholds": {data, brokenLimits, ErrChecksum}, "no thresholds in the page": {data, make([]byte, 512), ErrBlank},
		"short": {data[:100], nil, ErrLength}, "short thresholds": {data, thresholds[:100], ErrLength},
	} {
		if got, err := DecodeAttributes(c.data, c.thresholds, "X"); !errors.Is(err, c.want) || got != nil {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

func TestFailing(t *testing.T) {
	for _, c := range []struct {
		mark, limit int
		want        bool
	}{{100, 10, false}, {10, 10, true}, {9, 10, true}, {0, 10, false}, {9, 0, false}, {254, 253, false}, {253, 253, true}, {1, 254, false}, {1, 255, false}} {
		if failing(c.mark, c.limit) != c.want {
			t.Errorf("mark %d with threshold %d: %t", c.mark, c.limit, !c.want)
		}
	}
}

// A look-up leaves nothing behind that the next one sees, and names belong to whole models.
func TestNames(t *testing.T) {
	for range 2 {
		for _, c := range []struct {
			model string
			id    int
			want  string
		}{
			{"CT500MX500SSD1", 202, "Percent_Lifetime_Remain"}, {"X", 202, "Data_Address_Mark_Errs"},
			{"Samsung SSD 860 EVO 1TB", 202, "Exception_Mode_Status"}, {"Not a Samsung SSD 860", 202, "Data_Address_Mark_Errs"},
			{"INTEL SSDSC2BB240G4", 241, "Host_Writes_32MiB"}, {"WDC  WDS500G2B0A", 241, "Host_Writes_GiB"},
			{"WDC WD20EFRX", 241, "Host_Writes"}, {"Samsung SSD 860 EVO 1TB", 241, "Total_LBAs_Written"}, {"", 5, "Reallocated_Sector_Ct"}, {"X", 250, ""},
		} {
			data, _ := smart(attribute{id: uint8(c.id)})
			if got, err := DecodeAttributes(data, nil, c.model); err != nil || got[0].Name != c.want {
				t.Errorf("%q, %d: %+v, %v, want %q", c.model, c.id, got, err, c.want)
			}
		}
	}
}

func FuzzDecodeAttributes(f *testing.F) {
	for _, table := range [][]attribute{samsung, seagate, western, crucial} {
		data, thresholds := smart(table...)
		f.Add(data, thresholds, "CT500MX500SSD1")
	}
	f.Fuzz(func(t *testing.T, data, thresholds []byte, model string) {
		for _, b := range [][]byte{data, thresholds} {
			if len(b) == 512 {
				sum(b)
			}
		}
		attributes, err := DecodeAttributes(data, thresholds, model)
		if err != nil {
			return
		}
		seen := map[int]bool{}
		for _, a := range attributes {
			if seen[a.ID] || a.ID < 1 || a.ID > 255 || a.Raw >= 1<<48 || a.Failing && a.Threshold == nil {
				t.Errorf("%+v", a)
			}
			seen[a.ID] = true
		}
		h := Health(model, attributes, Statistics{})
		if c := h.TempMilliC; c != nil && (*c <= 0 || *c > 127_000) {
			t.Errorf("temperature %d", *c)
		}
		if u := h.PercentUsed; u != nil && (*u < 0 || *u > 100) {
			t.Errorf("used %d %%", *u)
		}
	})
}
