package sysfs

import (
	"reflect"
	"testing"
	"time"

	"cachecliff/platform"
)

func TestParseCPUTimes(t *testing.T) {
	ms := func(n int) *time.Duration { d := time.Duration(n) * time.Millisecond; return &d }
	full := platform.CPUTimes{User: 10 * time.Millisecond, Nice: ms(20), System: 30*time.Millisecond + 130*time.Millisecond,
		Idle: 40 * time.Millisecond, IOWait: ms(50), Steal: ms(80)}
	old := full
	old.Steal = nil
	for _, tt := range []struct {
		in    string
		want  platform.CPUTimes
		fails bool
	}{
		{in: "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n", want: full},
		{in: "cpu 1 2 3 4 5 6 7 8", want: full},
		{in: "cpu  1 2 3 4 5 6 7\n", want: old},
		{in: "cpu  1 2 3 4 5 6\n", fails: true},
		{in: "cpu0 1 2 3 4 5 6 7 8\n", fails: true},
		{in: "cpu  1 2 3 4 x 6 7 8\n", fails: true},
		{in: "cpu  1 2 3 -4 5 6 7 8\n", fails: true},
		{in: "cpu  18446744073709551615 2 3 4 5 6 7 8\n", fails: true},
		{in: "", fails: true},
	} {
		got, err := ParseCPUTimes([]byte(tt.in))
		if (err != nil) != tt.fails || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %+v, %v", tt.in, got, err)
		}
	}
}

func FuzzParseCPUTimes(f *testing.F) {
	f.Add([]byte("cpu  1 2 3 4 5 6 7 8 9 10\n"))
	f.Add([]byte("cpu  18446744073709551615 2 3 4 5 6 7"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ParseCPUTimes(b)
		if err != nil {
			return
		}
		if got.User < 0 || got.System < 0 || got.Idle < 0 || *got.Nice < 0 || *got.IOWait < 0 {
			t.Errorf("%q: a time below zero: %+v", b, got)
		}
	})
}
