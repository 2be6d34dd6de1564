package export

import (
	"reflect"
	"testing"
	"time"

	"cachecliff/bench"
)

// What is not known of a sample is left empty: no I/O has a latency of nothing.
func TestTally(t *testing.T) {
	for name, c := range map[string]struct {
		in   bench.Tally
		want []any
	}{
		"no I/O":       {bench.Tally{}, []any{int64(0), int64(0), nil, nil, nil, nil, nil}},
		"a sample":     {bench.Tally{Ops: 2, Bytes: 8, SumLat: 5, P50: 2, P99: 3, P999: 3, Max: 3}, []any{int64(2), int64(8), time.Duration(5), time.Duration(2), time.Duration(3), time.Duration(3), time.Duration(3)}},
		"of two files": {bench.Tally{Ops: 2, Bytes: 8, SumLat: 5, Max: 3}, []any{int64(2), int64(8), time.Duration(5), nil, nil, nil, time.Duration(3)}},
	} {
		if got := tally(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
