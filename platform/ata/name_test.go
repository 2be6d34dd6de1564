package ata

import (
	"testing"

	"cachecliff/platform"
)

func TestRename(t *testing.T) {
	got := []platform.Attribute{{ID: 5, Name: "reallocated-sector-count"}, {ID: 300, Name: "of its own"}, {ID: 9}}
	Rename(got, "")
	for i, want := range []string{"Reallocated_Sector_Ct", "of its own", "Power_On_Hours"} {
		if got[i].Name != want {
			t.Errorf("%d is called %q, not %q", got[i].ID, got[i].Name, want)
		}
	}
}
