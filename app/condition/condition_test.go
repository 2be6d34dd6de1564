package condition

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cachecliff/platform"
)

// short is a reason in a line: "bad spare 4/10", "caution sectors-pending 8 #197".
func short(r Reason) string {
	s := fmt.Sprintf("%s %s", r.Grade, r.Code)
	if r.Value != nil {
		s += fmt.Sprint(" ", *r.Value)
	}
	if r.Limit != nil {
		s += fmt.Sprint("/", *r.Limit)
	}
	if r.Attr != 0 {
		s += fmt.Sprint(" #", r.Attr)
	}
	return s
}

func shortAll(c Condition) string {
	parts := []string{string(c.Grade)}
	for _, r := range c.Reasons {
		parts = append(parts, short(r))
	}
	return strings.Join(parts, "; ")
}

// nvme is a log of a drive that is well, and what makes it another.
func nvme(change func(*platform.Health)) platform.Health {
	h := platform.Health{
		Passed: platform.Yes, PercentUsed: new(3), SpareLeft: new(100), SpareThreshold: new(10), MediaErrors: new(uint64(0)),
		TempMilliC: new(int32(40_000)), ErrorLogEntries: new(uint64(62)), UnsafeShutdowns: new(uint64(400)), WarningTempMin: new(uint32(90)),
		Limits: platform.TempLimits{WarnMilliC: new(int32(82_000)), CritMilliC: new(int32(85_000))},
	}
	change(&h)
	return h
}

// sata is a table of a drive that is well, but for some attributes.
func sata(attributes ...platform.Attribute) platform.Health {
	return platform.Health{Passed: platform.Yes, Attributes: attributes}
}

// line is an attribute, its mark at its threshold or below if the three say so.
func line(id, now, worst, threshold int, raw uint64) platform.Attribute {
	return platform.Attribute{ID: id, Normalized: now, Worst: worst, Threshold: &threshold, Raw: raw, Failing: mark(threshold) && mark(now) && now <= threshold}
}

func warns(names ...string) func(*platform.Health) {
	return func(h *platform.Health) { h.Critical, h.Passed = names, platform.No }
}

func TestNVMe(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*platform.Health)
		want   string
	}{
		// Errors in the log, hard power cuts and warm hours are no faults.
		{"well", func(*platform.Health) {}, "good"},
		{"reliability", warns("reliability"), "bad; bad reliability"},
		{"read-only, worst first", func(h *platform.Health) { warns("temperature", "read-only")(h); h.PercentUsed = new(101) },
			"bad; bad read-only; caution temperature 40000; caution worn 101/100"},
		{"backup", warns("backup"), "bad; bad backup"},
		{"persistent memory", warns("persistent-memory"), "bad; bad persistent-memory"},
		{"temperature alone is no failure", warns("temperature"), "caution; caution temperature 40000"},
		{"temperature that is not told", func(h *platform.Health) { warns("temperature")(h); h.TempMilliC = nil }, "caution; caution temperature"},
		{"a warning of later times", warns("melting"), "bad; bad warning"},
		{"no, and no word why", func(h *platform.Health) { h.Passed = platform.No }, "bad; bad failing"},
		{"spare warned of", func(h *platform.Health) { warns("spare")(h); h.SpareLeft, h.SpareThreshold = nil, nil }, "bad; bad spare"},
		{"spare warned of, and told", func(h *platform.Health) { warns("spare")(h); h.SpareLeft = new(4) }, "bad; bad spare 4/10"},
		{"spare below", func(h *platform.Health) { h.SpareLeft = new(9) }, "bad; bad spare 9/10"},
		{"spare at", func(h *platform.Health) { h.SpareLeft = new(10) }, "caution; caution spare-low 10/10"},
		{"spare above", func(h *platform.Health) { h.SpareLeft = new(11) }, "good"},
		{"spare can be no more", func(h *platform.Health) { h.SpareThreshold = new(100) }, "good"},
		{"spare without a threshold", func(h *platform.Health) { h.SpareLeft, h.SpareThreshold = new(0), nil }, "good"},
		{"nearly worn", func(h *platform.Health) { h.PercentUsed = new(99) }, "good"},
		{"worn", func(h *platform.Health) { h.PercentUsed = new(100) }, "caution; caution worn 100/100"},
		{"worn beyond count", func(h *platform.Health) { h.PercentUsed = new(255) }, "caution; caution worn 255/100"},
		{"media errors", func(h *platform.Health) { h.MediaErrors = new(uint64(7)) }, "caution; caution media-errors 7"},
		{"more than fits", func(h *platform.Health) { h.MediaErrors = new(uint64(1 << 63)) }, "caution; caution media-errors 9223372036854775807"},
		{"at its limit", func(h *platform.Health) { h.TempMilliC = new(int32(82_000)) }, "caution; caution hot 82000/82000"},
		{"below its limit", func(h *platform.Health) { h.TempMilliC = new(int32(81_999)) }, "good"},
		{"the second limit, where there is no first", func(h *platform.Health) { h.TempMilliC, h.Limits.WarnMilliC = new(int32(86_000)), nil },
			"caution; caution hot 86000/85000"},
		{"no limits", func(h *platform.Health) { h.TempMilliC, h.Limits = new(int32(120_000)), platform.TempLimits{} }, "good"},
		{"no verdict in an older result", func(h *platform.Health) { h.Passed = platform.Unknown }, "good"},
		{"nothing but a temperature", func(h *platform.Health) {
			*h = platform.Health{TempMilliC: h.TempMilliC, Limits: h.Limits}
		}, "unknown"},
		{"nothing", func(h *platform.Health) { *h = platform.Health{} }, "unknown"},
	} {
		if got := shortAll(Of(nvme(c.change), platform.Drive{Rotational: platform.No})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestATA(t *testing.T) {
	bare := func(a platform.Attribute) platform.Attribute { a.Threshold = nil; return a }
	for _, c := range []struct {
		name string
		h    platform.Health
		disk platform.Tri
		want string
	}{
		{"well", sata(line(1, 100, 100, 50, 0), line(5, 100, 100, 10, 0)), platform.Yes, "good"},
		{"verdict", platform.Health{Passed: platform.No, Critical: []string{"failing"}, Attributes: []platform.Attribute{line(5, 10, 10, 36, 0)}}, platform.No,
			"bad; bad failing; bad below-threshold 10/36 #5"},
		{"at its threshold", sata(line(233, 10, 10, 10, 0)), platform.No, "bad; bad below-threshold 10/10 #233"},
		{"in the past", sata(line(3, 80, 20, 21, 0)), platform.Yes, "caution; caution was-below 20/21 #3"},
		{"just above, always", sata(line(3, 80, 22, 21, 0)), platform.Yes, "good"},
		{"worst mark not given", sata(line(3, 80, 254, 254, 0), line(4, 80, 0, 21, 0), line(7, 100, 255, 0, 0)), platform.Yes, "good"},
		{"warm now", sata(line(190, 44, 40, 45, 56)), platform.Yes, "caution; caution below-threshold 44/45 #190"},
		{"warm in the past", sata(line(190, 68, 40, 45, 32), line(194, 68, 40, 45, 32)), platform.Yes, "good"},
		{"sectors of a disk", sata(line(5, 100, 100, 36, 8), line(10, 100, 100, 97, 1), line(184, 99, 99, 9, 2), line(197, 100, 100, 0, 16), line(198, 100, 100, 0, 3)), platform.Yes,
			"caution; caution sectors-replaced 8 #5; caution spin-retries 1 #10; caution end-to-end 2 #184; caution sectors-pending 16 #197; caution sectors-lost 3 #198"},
		{"behind USB, with a motor", sata(line(3, 100, 100, 0, 400), line(197, 100, 100, 0, 1)), platform.Unknown, "caution; caution sectors-pending 1 #197"},
		{"behind USB, without one", sata(line(5, 100, 100, 10, 8), line(177, 95, 95, 0, 40)), platform.Unknown, "good"},
		{"blocks of flash", sata(line(5, 100, 100, 10, 8), line(197, 100, 100, 0, 1)), platform.No, "good"},
		{"two counts in one", sata(line(5, 100, 100, 10, 0x0003_0000_0000)), platform.Yes, "good"},
		{"all ones", sata(line(5, 100, 100, 10, 1<<48-1), line(197, 100, 100, 0, 1<<32-1), line(198, 100, 100, 0, 1<<48-1)), platform.Yes, "good"},
		{"not corrected", platform.Health{Passed: platform.Yes, MediaErrors: new(uint64(2)), Attributes: []platform.Attribute{line(187, 98, 98, 0, 2)}}, platform.No,
			"caution; caution media-errors 2 #187"},
		{"not corrected, by the statistics", platform.Health{Passed: platform.Yes, MediaErrors: new(uint64(2))}, platform.No, "caution; caution media-errors 2"},
		{"attributes alone are no verdict", platform.Health{PercentUsed: new(3), Attributes: []platform.Attribute{bare(line(5, 100, 100, 0, 0))}}, platform.No, "unknown"},
		{"nor is wear, with the attributes kept back", platform.Health{PercentUsed: new(3),
			Absent: []platform.Absence{{What: platform.PartThresholds, Reason: platform.WhyRights}}}, platform.No, "unknown"},
		{"but may be a reason", platform.Health{Attributes: []platform.Attribute{bare(line(197, 1, 1, 0, 4))}}, platform.Yes, "caution; caution sectors-pending 4 #197"},
		{"thresholds without a verdict", platform.Health{Attributes: []platform.Attribute{line(1, 100, 100, 50, 0)}}, platform.No, "good"},
		{"a verdict without thresholds", sata(bare(line(1, 1, 1, 0, 0))), platform.No, "good"},
	} {
		if got := shortAll(Of(c.h, platform.Drive{Rotational: c.disk})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// recorded is what smartctl said of a real drive.
type recorded struct {
	File, Model string
	Passed      *bool
	Attributes  [][6]uint64 // number, flags, mark, worst mark, threshold, raw value
	Log         *struct {
		Warning   int    `json:"critical_warning"`
		Spare     int    `json:"available_spare"`
		Threshold int    `json:"available_spare_threshold"`
		Used      int    `json:"percentage_used"`
		Media     uint64 `json:"media_errors"`
	}
}

func (r recorded) health(t *testing.T) platform.Health {
	var h platform.Health
	for _, a := range r.Attributes {
		l := line(int(a[0]), int(a[2]), int(a[3]), int(a[4]), a[5])
		if l.ID == attrUncorrectable {
			h.MediaErrors = &l.Raw
		}
		h.Attributes = append(h.Attributes, l)
	}
	if l := r.Log; l != nil {
		if l.Warning != 0 {
			t.Fatalf("%s warns: the test has no names for that", r.File)
		}
		h.Passed, h.PercentUsed, h.SpareLeft, h.MediaErrors = platform.Yes, &l.Used, &l.Spare, &l.Media
		if l.Threshold > 0 {
			h.SpareThreshold = &l.Threshold
		}
	}
	return h
}

// TestRecordedDrives judges the real drives whose pages the decoders are tested with.
func TestRecordedDrives(t *testing.T) {
	want := map[string]string{
		"ST3500418AS_11.json":    "caution; caution sectors-replaced 1 #5",
		"smart-nvme-failed.json": "caution; caution media-errors 7",
	}
	for _, kind := range []string{"ata", "nvme"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "platform", kind, "testdata", "drives.json"))
		if err != nil {
			t.Fatal(err)
		}
		var all struct{ Drives []recorded }
		if err := json.Unmarshal(b, &all); err != nil || len(all.Drives) < 5 {
			t.Fatalf("%d drives, %v", len(all.Drives), err)
		}
		for _, r := range all.Drives {
			disk := platform.TriOf(strings.HasPrefix(r.Model, "ST35") || strings.HasPrefix(r.Model, "WDC WD20") || strings.HasPrefix(r.Model, "TOSHIBA HDW"))
			wanted := "good"
			for file, w := range want {
				if strings.HasPrefix(r.File, file) {
					wanted = w
					delete(want, file)
				}
			}
			if got := shortAll(Of(r.health(t), platform.Drive{Rotational: disk})); got != wanted {
				t.Errorf("%s: %s, want %s", r.File, got, wanted)
			}
		}
	}
	for file := range want {
		t.Errorf("%s is not there", file)
	}
}

func TestDifference(t *testing.T) {
	before := platform.Health{
		HostWrites: new(uint64(1000)), HostReads: new(uint64(500)), PowerOnHours: new(uint64(7)), UnsafeShutdowns: new(uint64(2)),
		MediaErrors: new(uint64(5)), WarningTempMin: new(uint32(1)), WriteCommands: new(uint64(1)),
		Attributes: []platform.Attribute{{ID: 197, Raw: 8}, {ID: 199, Raw: 1}, {ID: 5, Raw: 3}, {ID: 194, Raw: 30}},
		Absent:     []platform.Absence{{What: platform.PartLightThrottles, Reason: platform.WhyNotReported}},
	}
	after := platform.Health{
		HostWrites: new(uint64(3000)), HostReads: new(uint64(500)), PowerOnHours: new(uint64(8)), UnsafeShutdowns: new(uint64(2)),
		MediaErrors: new(uint64(4)), WarningTempMin: new(uint32(3)), LightThrottles: new(uint32(9)),
		Attributes: []platform.Attribute{{ID: 199, Raw: 4}, {ID: 197, Raw: 6}, {ID: 194, Raw: 50}, {ID: 198, Raw: 1}},
		Absent:     []platform.Absence{{What: platform.PartWriteCommands, Reason: platform.WhyRights}},
	}
	want := map[string]string{
		"host_writes": "2000", "host_reads": "0", "power_on_hours": "1", "unsafe_shutdowns": "0",
		"media_errors":         "?", // they cannot become fewer
		"warning_temp_minutes": "2", "write_commands": "? needs-rights", "light_throttles": "? not-reported",
		"197": "-2", "199": "3",
	}
	var moved []string
	for _, d := range Difference(before, after) {
		name, got := string(d.Part), "?"
		if d.Attr != 0 {
			name = fmt.Sprint(d.Attr)
		}
		if d.By != nil {
			got = fmt.Sprint(*d.By)
		}
		if d.Why != "" {
			got += " " + string(d.Why)
		}
		if d.Moved() {
			moved = append(moved, name)
		}
		wanted, named := want[name]
		if !named && (got != "?" || d.Attr != 0) || named && got != wanted {
			t.Errorf("%s: %s, want %s", name, got, wanted)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("nothing about %v", want)
	}
	if all := []string{"host_writes", "power_on_hours", "warning_temp_minutes", "197", "199"}; !slices.Equal(moved, all) {
		t.Errorf("moved: %v, want %v", moved, all)
	}
	if d := Difference(after, after); len(d) != len(counters)+3 || *d[0].By != 0 {
		t.Errorf("the same twice: %v", d)
	}
}
