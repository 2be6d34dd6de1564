package reference

import (
	"slices"
	"testing"
)

func TestSame(t *testing.T) {
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model string // as the system shows it
		gb    float64
		want  []string
	}{
		{"CT2000P5SSD8", 2000.4, []string{"crucial_p5", "crucial_p5_2tb"}},
		{"CT1000P5PSSD8", 1000.2, []string{"crucial_p5plus_1tb"}},
		{"CT1000MX500SSD1", 1000.2, []string{"crucial_mx500_1tb"}},
		{"Samsung SSD 970 EVO Plus 1TB", 1000.2, []string{"samsung_970evoplus_1tb"}},
		{"Samsung SSD 970 EVO 1TB", 1000.2, []string{"samsung_970evo_1000gb"}},
		{"Samsung SSD 970 EVO Plus 4TB", 4000.8, nil},
		{"SAMSUNG SSD 990 PRO 2TB", 2000.4, []string{"samsung_990pro_2tb"}},
		{"WDC WDS100T2B0C-00PXH0", 1000.2, []string{"wd_sn550_1tb"}},
		{"WD_BLACK SN850X 2000GB", 2000.4, []string{"wd_sn850x_2tb"}},
		{"WD Blue SN580 1TB", 1000.2, []string{"wd_sn580_1tb"}},
		{"WD_BLACK SN850 1TB", 1000.2, []string{"wd_sn850", "wd_sn850_1tb"}},
		{"VirtIO disk", 100, nil},
		{"SSD 1TB", 1000, nil},
		{"", 1000, nil},
	} {
		var got []string
		for _, d := range Same(all, Drive{ID: "own", Model: c.model, CapacityGB: c.gb}) {
			got = append(got, d.ID)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.model, got, c.want)
		}
	}
}

// Each shipped drive is found under its own name.
func TestSameAsItself(t *testing.T) {
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		own := d
		own.ID = "own"
		if !slices.ContainsFunc(Same(all, own), func(o Drive) bool { return o.ID == d.ID }) {
			t.Errorf("%s is not found", d.ID)
		}
	}
}
