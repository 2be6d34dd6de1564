package condition

import (
	"testing"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
)

func TestDeltaInWords(t *testing.T) {
	w := words.New(words.English)
	h := platform.Health{Attributes: []platform.Attribute{{ID: 197, Name: "Current_Pending_Sector"}}}
	for _, c := range []struct {
		d          Delta
		name, text string
	}{
		{Delta{Part: platform.PartHostWrites, By: new(int64(12_300_000_000))}, "Data written", "12.3\u00a0GB"},
		{Delta{Part: platform.PartPowerCycles, By: new(int64(1200))}, "Power cycles", "1\u202f200"},
		{Delta{Part: platform.PartWarningTemp, By: new(int64(0))}, "Time above the warning temperature", "0\u00a0min"},
		{Delta{Part: platform.PartMediaErrors}, "Media and data integrity errors", ""},
		{Delta{Attr: 197, By: new(int64(-3))}, "197 (Current_Pending_Sector)", "−3"},
		{Delta{Attr: 5, By: new(int64(8))}, "5", "8"},
	} {
		if name, text := c.d.Name(w, h, format.EN), c.d.Text(format.EN); name != c.name || text != c.text {
			t.Errorf("%+v: %q %q, want %q %q", c.d, name, text, c.name, c.text)
		}
	}
}
