package drive

import (
	"testing"
	"time"

	"cachecliff/app/words"
	"cachecliff/bench"
	"cachecliff/platform"
)

// told is what a drive tells: bytes written, power cycles and errors.
func told(written, cycles, errors uint64) *platform.Health {
	return &platform.Health{HostWrites: &written, PowerCycles: &cycles, MediaErrors: &errors}
}

// lastRun is a run on the drive of full.
func lastRun(before, after *platform.Health, written int64) *bench.Result {
	p, _ := bench.ByID("cdm-default")
	probe := func(h *platform.Health) *bench.Probe {
		return &bench.Probe{Drives: []bench.DriveProbe{{Drive: "other", Health: told(1, 1, 1)}, {Drive: "k1", Health: h}}}
	}
	return &bench.Result{
		At: began, Took: time.Minute, Plan: bench.Plan{Profile: p, Target: *full(words.English).Target},
		Before: probe(before), After: probe(after), Measurements: []bench.Measurement{{Moved: bench.Moved{WriteBytes: written}}},
	}
}

func TestSinceTheLastRun(t *testing.T) {
	s := full(words.English)
	d := *s.Drive()
	s.Last = LastOf(lastRun(told(100e9, 7, 0), told(113e9, 7, 0), 12_500_000_000), d)
	s.Health = told(120e9, 9, 2)
	wants(t, s, "Last run on this drive: ", "Default", "Written by the test\t12.5 GB\t–", "Data written\t13 GB\t7 GB", "Power cycles\t0\t2", "Media and data integrity errors\t0\t2")
	lacks(t, s, "more than the test wrote")
	s.Last = LastOf(lastRun(told(100e9, 7, 0), told(120e9, 7, 0), 12e9), d)
	wants(t, s, "The drive counted 8 GB more than the test wrote")

	s.Health = nil
	wants(t, s, "Data written\t20 GB\t–")
	lacks(t, s, "Power cycles")
	s.Last = LastOf(lastRun(nil, nil, 1), d)
	wants(t, s, "did not tell its counters")
	s.Last = LastOf(lastRun(nil, told(100e9, 7, 0), 1), d)
	s.Health = told(101e9, 7, 0)
	wants(t, s, "Data written\t–\t1 GB")
	lacks(t, s, "Written by the test")
}

func TestLastRunIsOnTheSameDrive(t *testing.T) {
	s := full(words.English)
	d := *s.Drive()
	r := lastRun(nil, nil, 7)
	if l := LastOf(r, d); l == nil || l.Written == nil || *l.Written != 7 {
		t.Errorf("of the same drive: %+v", l)
	}
	other := d
	other.Serial = "SECRET-2"
	if LastOf(r, other) != nil {
		t.Error("a drive of the same name and another number is taken for it")
	}
	r.Plan.Target.Drives = append(r.Plan.Target.Drives, other)
	if l := LastOf(r, d); l == nil || l.Written != nil {
		t.Error("what was written to two drives is told of one")
	}
	r.Before, r.After = nil, nil // of a run that was broken off
	if l := LastOf(r, d); l == nil || l.Before != nil || l.After != nil {
		t.Errorf("without probes: %+v", l)
	}
}
