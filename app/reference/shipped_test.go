package reference

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
	"testing"

	"cachecliff/assets"
)

// What is shipped is counted, so that no value gets lost on the way.
const (
	shippedDrives   = 114
	shippedValues   = 545
	shippedMeasured = 249
	shippedRated    = 296
)

func TestShipped(t *testing.T) {
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[Kind]int{}
	classes := map[Class]int{}
	sources := map[string]bool{}
	for _, d := range all {
		classes[d.Class]++
		used := map[string]bool{}
		for _, v := range d.Values {
			counts[v.Kind]++
			used[v.Source] = true
			s := d.Sources[v.Source]
			sources[s.Address] = true
			if v.Conditions == "" || s.Title == "" || s.Address == "" {
				t.Errorf("%s, %s: no conditions or no source", d.ID, v.Metric)
			}
			if s.Quality == QualityOwn || v.Loops != nil || v.Spec != nil {
				t.Errorf("%s, %s: looks like a run of this program", d.ID, v.Metric)
			}
		}
		if len(used) != len(d.Sources) {
			t.Errorf("%s: %d sources, of which %d are used", d.ID, len(d.Sources), len(used))
		}
	}
	if len(all) != shippedDrives || counts[Measured] != shippedMeasured || counts[Rated] != shippedRated || counts[Measured]+counts[Rated] != shippedValues {
		t.Errorf("%d drives, values %v", len(all), counts)
	}
	if classes[ClassUnknown] > 0 || classes[ClassPCIe3] != 54 || classes[ClassPCIe4] != 33 || classes[ClassPCIe5] != 4 || classes[ClassSATA] != 13 || classes[ClassExternal] != 7 || classes[ClassHardDisk] != 3 {
		t.Errorf("classes %v", classes)
	}
	if len(sources) != 91 {
		t.Errorf("%d sources", len(sources))
	}
}

// A file is named after its drive, so that "add a reference drive" is one file and its name says which.
func TestShippedFiles(t *testing.T) {
	names, err := fs.Glob(assets.Reference, "reference/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := assets.Reference.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Decode(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if path.Base(name) != d.ID+".json" {
			t.Errorf("%s has the drive %s", name, d.ID)
		}
	}
}

// One value of each kind of source, as it was printed.
func TestShippedValues(t *testing.T) {
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		drive, metric string
		kind          Kind
		value         float64
		qualifier     Qualifier
		source        string // beginning of its title
	}{
		{"crucial_p5_2tb", "slc_cache_gb_fill0", Measured, 650, About, "Crucial P5 im Test"},
		{"crucial_p5_2tb", "seq_read_max", Rated, 3400, UpTo, "Crucial P5 im Test"},
		{"crucial_p5_2tb", "vdb_4k_rr_iops", Measured, 375545, Exactly, "Crucial P5 2TB SSD review"},
		{"crucial_p5_2tb", "dd_read_max", Measured, 3000, About, "Leserartikel"},
		{"crucial_m550_256gb", "iometer_4k_rw_qd32_mean_21_30", Measured, 100, MoreThan, "Crucial M550"},
		{"samsung_980pro_1tb", "slc_cache_gb_fill0", Measured, 113, About, "TechPowerUp"},
	} {
		i := indexOf(all, c.drive)
		if i < 0 {
			t.Errorf("no drive %s", c.drive)
			continue
		}
		v, ok := all[i].Find(c.metric, c.kind)
		if !ok || v.Value != c.value || v.Qualifier != c.qualifier || !strings.HasPrefix(all[i].Sources[v.Source].Title, c.source) {
			t.Errorf("%s, %s: %+v", c.drive, c.metric, v)
		}
	}
}

// Metrics have different IDs, and each one but those that only runs of this program have is used.
func TestMetrics(t *testing.T) {
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{"slc_cache_gb_present": true, "write_last": true}
	for _, d := range all {
		for _, v := range d.Values {
			used[v.Metric] = true
		}
	}
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if seen[m.ID] || !used[m.ID] || m.Unit == "" || m.Group == "" {
			t.Errorf("metric %+v", m)
		}
		seen[m.ID] = true
	}
	for _, id := range []string{"", "rate.", "speed", "rate"} {
		if m, ok := MetricByID(id); ok {
			t.Errorf("%q is %+v", id, m)
		}
	}
	m, ok := MetricByID("latency.rnd4k-q1t1-read")
	if kind, load := m.Workload(); !ok || !m.Lower || kind != "latency" || load != "rnd4k-q1t1-read" {
		t.Errorf("%+v", m)
	}
}
