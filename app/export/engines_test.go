package export

import (
	"testing"

	"cachecliff/bench"
)

// How I/O was done is said with the engines.
func TestEngines(t *testing.T) {
	measured := []bench.Measurement{{Engine: "iocp"}, {}, {Engine: "iocp"}, {Engine: "threads"}}
	for want, r := range map[string]bench.Result{
		"":                                {},
		"iocp and threads":                {Measurements: measured},
		"iocp and threads, buffered":      {Measurements: measured, File: &bench.FileFacts{}},
		"iocp and threads, direct I/O":    {Measurements: measured, File: &bench.FileFacts{Direct: true}},
		"iocp and threads, write-through": {Measurements: measured, Plan: bench.Plan{Through: true}},
		"direct I/O, write-through, buffers in huge pages, at most 500k IOPS a thread": {
			File: &bench.FileFacts{Direct: true}, Plan: bench.Plan{Through: true, Huge: true}, Ceiling: &bench.EngineCeiling{IO: 2000}},
	} {
		if got := engines(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
