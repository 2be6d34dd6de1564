package sysfs

import (
	"testing"
	"time"
)

func TestParseSchedstat(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"750409 246617 4\n": 246617,
		"0 0 0\n":           0, // a kernel that does not count
		"":                  -1,
		"1 2\n":             -1,
		"1 -2 3\n":          -1,
		"1 x 3\n":           -1,
		"1 2 3 4\n":         -1,
	} {
		got, err := ParseSchedstat([]byte(text))
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
	}
}

func FuzzParseSchedstat(f *testing.F) {
	f.Add([]byte("750409 246617 4\n"))
	f.Add([]byte("1 9223372036854775808 3"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if d, err := ParseSchedstat(b); err == nil && d < 0 {
			t.Errorf("%q waited %v", b, d)
		}
	})
}
