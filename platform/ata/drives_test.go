package ata

import (
	"encoding/json"
	"os"
	"testing"
)

// recorded is what smartctl said of a real drive. A row is number, flags, mark, worst mark, threshold, raw value.
type recorded struct {
	File, Model string
	Attributes  [][6]uint64
	Failed      []int
	Celsius     *int32
	Hours       *uint64
	Cycles      *uint64
}

func recordedDrives(t *testing.T) []recorded {
	t.Helper()
	b, err := os.ReadFile("testdata/drives.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Drives []recorded }
	if err := json.Unmarshal(b, &all); err != nil || len(all.Drives) == 0 {
		t.Fatalf("%d drives, %v", len(all.Drives), err)
	}
	return all.Drives
}

// The pages are put together again from what smartctl read in them, and must say the same here.
func TestRecordedDrives(t *testing.T) {
	for _, r := range recordedDrives(t) {
		var rows []attribute
		for _, a := range r.Attributes {
			rows = append(rows, attribute{uint8(a[0]), uint16(a[1]), uint8(a[2]), uint8(a[3]), uint8(a[4]), a[5]})
		}
		data, thresholds := smart(rows...)
		got, err := DecodeAttributes(data, thresholds, r.Model)
		if err != nil || len(got) != len(rows) {
			t.Errorf("%s: %d attributes, %v", r.File, len(got), err)
			continue
		}
		failed := map[int]bool{}
		for _, id := range r.Failed {
			failed[id] = true
		}
		for i, a := range got {
			want := rows[i]
			if a.ID != int(want.id) || a.Normalized != int(want.value) || a.Worst != int(want.worst) || a.Raw != want.raw || a.Threshold == nil ||
				*a.Threshold != int(want.threshold) || a.Vital != (want.flags&1 != 0) || a.Failing != failed[a.ID] {
				t.Errorf("%s: %+v, want %+v, failed: %t", r.File, a, want, failed[a.ID])
			}
		}
		h := Health(r.Model, got, Statistics{})
		if c := h.TempMilliC; !sameNumber(c, thousand(r.Celsius)) {
			t.Errorf("%s: temperature %v, want %v °C", r.File, shown(c), shown(r.Celsius))
		}
		if !sameNumber(h.PowerOnHours, r.Hours) || !sameNumber(h.PowerCycles, r.Cycles) {
			t.Errorf("%s: %v hours, %v cycles, want %v and %v", r.File, shown(h.PowerOnHours), shown(h.PowerCycles), shown(r.Hours), shown(r.Cycles))
		}
	}
}

func thousand(v *int32) *int32 {
	if v == nil {
		return nil
	}
	milli := *v * 1000
	return &milli
}

func sameNumber[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func shown[T any](v *T) any {
	if v == nil {
		return "none"
	}
	return *v
}

func TestRecordedStatistics(t *testing.T) {
	b, err := os.ReadFile("testdata/statistics.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Entries [][4]uint64 }
	if err := json.Unmarshal(b, &all); err != nil || len(all.Entries) == 0 {
		t.Fatalf("%d entries, %v", len(all.Entries), err)
	}
	pages := map[uint8]map[int]uint64{}
	for _, e := range all.Entries {
		n := uint8(e[0])
		if pages[n] == nil {
			pages[n] = map[int]uint64{}
		}
		pages[n][int(e[1])] = e[2]<<56 | e[3]
	}
	var s Statistics
	for _, n := range StatisticsPages() {
		if err := s.Add(statisticsPage(n, pages[n]), n, 512); err != nil {
			t.Errorf("page %d: %v", n, err)
		}
	}
	if got, want := told(t, s), `{"Uncorrectable":0,"TempMilliC":36000,"PercentUsed":19,"ReadCommands":538928995,"WarnMilliC":70000}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
