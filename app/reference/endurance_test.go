package reference

import (
	"testing"

	"cachecliff/platform"
)

func TestEndurance(t *testing.T) {
	all, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		model    string
		capacity int64
		want     int64
	}{
		{"CT2000P5SSD8", 2000398934016, 1200e12},
		{"Crucial P5", 500e9, 0}, // of another size nothing is told
		{"Fakedrive 1000", 1000e9, 0},
		{"", 2000e9, 0},
	} {
		got, ok := Endurance(all, platform.Drive{Model: tt.model, Capacity: tt.capacity})
		if got != tt.want || ok != (tt.want > 0) {
			t.Errorf("%s of %d: %d, %v, want %d", tt.model, tt.capacity, got, ok, tt.want)
		}
	}
}
