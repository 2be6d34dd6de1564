package store

import (
	"testing"
	"time"

	"cachecliff/bench"
	"cachecliff/bench/tree"
)

// A copy that cannot have been is found out.
func TestBadCopy(t *testing.T) {
	sound := func() bench.Measurement {
		return bench.Measurement{
			Step: bench.Step{Kind: bench.StepCopy, Loop: 1, Bytes: 9}, Elapsed: time.Second, Write: bench.Tally{Bytes: 9},
			Copy: &bench.CopyFacts{Files: 1, Bytes: 9, Handed: time.Second, Shared: new(int64), Verified: &bench.Verified{Files: 1}},
		}
	}
	if bad(sound()) {
		t.Error("a copy that can be is refused")
	}
	for name, spoil := range map[string]func(*bench.Measurement){
		"files":      func(m *bench.Measurement) { m.Copy.Files = -1 },
		"bytes":      func(m *bench.Measurement) { m.Copy.Bytes = -1 },
		"progress":   func(m *bench.Measurement) { m.Copy.Handed = 2 * time.Second },
		"shared":     func(m *bench.Measurement) { *m.Copy.Shared = -1 },
		"names":      func(m *bench.Measurement) { m.Copy.Skipped.Named = []tree.Skip{{Path: "x"}} },
		"compared":   func(m *bench.Measurement) { m.Copy.Verified.Bytes = -1 },
		"differ":     func(m *bench.Measurement) { m.Copy.Verified.Differ.Count = -1 },
		"facts":      func(m *bench.Measurement) { m.Copy = nil },
		"no time":    func(m *bench.Measurement) { m.Elapsed, m.Copy.Handed = 0, 0 },
		"operations": func(m *bench.Measurement) { m.Write.Ops = 3 },
	} {
		m := sound()
		if spoil(&m); !bad(m) {
			t.Errorf("%s: taken for sound", name)
		}
	}
	if planned(bench.Profile{}, nil, sound().Step) || !planned(bench.Profile{Copying: &bench.Copying{}}, nil, sound().Step) {
		t.Error("a copy is a step of a copy test and of no other")
	}
}
