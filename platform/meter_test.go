package platform

import (
	"math"
	"reflect"
	"testing"
)

func TestCountersSince(t *testing.T) {
	for _, c := range []struct {
		name         string
		before, now  Counters
		want         Counters
		resetOrOther bool
	}{
		{name: "nothing happened", before: Counters{ReadOps: 7, InFlight: 1}, now: Counters{ReadOps: 7}},
		{name: "forward", before: Counters{ReadOps: 7, WriteBytes: 512, InFlight: 9}, now: Counters{ReadOps: 9, WriteBytes: 4608, InFlight: 3},
			want: Counters{ReadOps: 2, WriteBytes: 4096, InFlight: 3}},
		{name: "64 bits wrap", before: Counters{ReadBytes: math.MaxUint64 - 511, WriteOps: math.MaxUint64}, now: Counters{ReadBytes: 1024, WriteOps: 4},
			want: Counters{ReadBytes: 1536, WriteOps: 5}},
		{name: "32 bits wrap", before: Counters{ReadOps: math.MaxUint32, WriteBytes: math.MaxUint32 * 512, DiscardBytes: math.MaxUint32 * 512}, now: Counters{ReadOps: 2, WriteBytes: 1024, DiscardBytes: 512},
			want: Counters{ReadOps: 3, WriteBytes: 1536, DiscardBytes: 1024}},
		{name: "ticks wrap", before: Counters{ReadTicks: math.MaxUint32 - 4, QueueTicks: math.MaxUint32}, now: Counters{ReadTicks: 5, QueueTicks: 99},
			want: Counters{ReadTicks: 10, QueueTicks: 100}},
		{name: "more than 32 bits in one step", now: Counters{ReadBytes: 1 << 50, WriteOps: 1 << 40}, want: Counters{ReadBytes: 1 << 50, WriteOps: 1 << 40}},
		{name: "reset", before: Counters{ReadOps: 1000}, now: Counters{ReadOps: 5}, resetOrOther: true},
		{name: "reset of a large count", before: Counters{WriteBytes: 1 << 50}, now: Counters{WriteBytes: 512}, resetOrOther: true},
		{name: "ticks went back", before: Counters{BusyTicks: 10}, now: Counters{BusyTicks: 9}, resetOrOther: true},
	} {
		got, ok := c.now.Since(c.before)
		if ok == c.resetOrOther || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, ok, c.want)
		}
	}
}

// Every field takes part: one that was forgotten would stand still.
func TestCountersSinceHasAllFields(t *testing.T) {
	var now Counters
	v := reflect.ValueOf(&now).Elem()
	for i := range v.NumField() {
		v.Field(i).SetUint(uint64(1000 + i))
	}
	if got, ok := now.Since(Counters{}); !ok || got != now {
		t.Errorf("since zero: %+v, %v, want %+v", got, ok, now)
	}
}
