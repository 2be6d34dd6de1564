package bench

import (
	"slices"
	"testing"
	"time"

	"cachecliff/platform"
)

// soundFill is a filling of two passes without a doubt: 40 GB at 2 GB/s and as much at 500 MB/s, which the drive's
// counters confirm, at 60 °C.
func soundFill() *Result {
	r := sound(0)
	p, _ := ByID("fill")
	r.Plan.Profile, r.File, r.Measurements = p, nil, nil
	for pass := 1; pass <= 2; pass++ {
		m := Measurement{Step: Step{Kind: StepFill, Spec: p.Filling.Write, Loop: 1, Pass: pass}, Engine: platform.EngineURing, CPU: &CPU{Busiest: 20 * time.Second}}
		for i := range 100 {
			s := Sample{Took: time.Second, Write: Tally{Ops: 2000, Bytes: 2e9}}
			if i >= 20 {
				s.Write = Tally{Ops: 500, Bytes: 500e6}
			}
			m.Elapsed += s.Took
			s.At = m.Elapsed
			s.Drive = []DriveReading{{Drive: "a", Sensors: platform.Sensors{Temperatures: []platform.Reading{{MilliC: 60_000}}}}}
			m.Write.Ops, m.Write.Bytes = m.Write.Ops+s.Write.Ops, m.Write.Bytes+s.Write.Bytes
			m.Series = append(m.Series, s)
		}
		m.Moved = Moved{WriteOps: m.Write.Ops, WriteBytes: m.Write.Bytes}
		m.Devices = []DeviceCount{{Drive: "a", After: platform.Counters{WriteBytes: uint64(m.Write.Bytes)}}}
		if pass > 1 {
			freed := Step{Kind: StepDelete, Loop: 1, Pass: pass}
			r.Measurements = append(r.Measurements, Measurement{Step: freed, Freed: &Freed{Files: 4, Bytes: 40e9, Trimmed: new(int64(40e9))}})
		}
		r.Measurements = append(r.Measurements, m)
	}
	return r
}

// warmer sets the temperature of samples of a pass, and its rate as a share of what it was.
func warmer(m *Measurement, from, to int, milliC int32, share float64) {
	for i := from; i < to; i++ {
		s := &m.Series[i]
		s.Drive[0].Temperatures[0].MilliC = milliC
		s.Write.Bytes = int64(float64(s.Write.Bytes) * share)
	}
}

// A pass of a filling is judged as a loop of a table is, where that means something. A doubt has no workload.
func TestJudgeFill(t *testing.T) {
	last := func(r *Result) *Measurement { return &r.Measurements[2] }
	for _, c := range []struct {
		name  string
		spoil func(*Result)
		want  []WarningCode
	}{
		{"sound, though the rate falls at the end of the cache", func(*Result) {}, nil},
		{"half of it stayed in memory", func(r *Result) { last(r).Devices[0].After.WriteBytes /= 2 }, one(WarnCached)},
		{"not counted", func(r *Result) { last(r).Devices = nil }, one(WarnNoCounters)},
		{"stopped, so that the counters were not read any more", func(r *Result) { last(r).Devices, last(r).Stopped = nil, true }, nil},
		{"not trimmed", func(r *Result) { r.Measurements[1].Freed.Trimmed = nil }, one(WarnNotTrimmed)},
		{"stopped before it was trimmed", func(r *Result) {
			r.Measurements[1].Freed.Trimmed, r.Measurements[1].Stopped = nil, true
			r.Measurements = r.Measurements[:2]
		}, nil},
		{"half of it stayed in memory, of a pass that was stopped", func(r *Result) {
			last(r).Devices[0].After.WriteBytes /= 2
			last(r).Stopped = true
		}, one(WarnCached)},
		{"like a copy", func(r *Result) {
			r.Plan.Buffered = true
			last(r).Devices[0].After.WriteBytes -= 8e9
		}, one(WarnLikeCopy)},
		{"something else wrote a fifth as much", func(r *Result) { last(r).Devices[0].After.WriteBytes += 16e9 }, one(WarnOtherIO)},
		{"a journal wrote a little", func(r *Result) { last(r).Devices[0].After.WriteBytes += 1e9 }, nil},
		{"one thread worked all the time", func(r *Result) { last(r).CPU.Busiest = 95 * time.Second }, one(WarnCPULimited)},
		{"the thread waited for a processor", func(r *Result) { last(r).CPU.Waited = 30 * time.Second }, one(WarnCPULimited)},
		{"at the limit of its temperature", func(r *Result) { warmer(last(r), 90, 95, 80_000, 1) }, one(WarnThrottled)},
		{"near the limit, and slower since the cache ended", func(r *Result) { warmer(last(r), 90, 95, 78_000, 1) }, nil},
		{"near the limit, and slower for that", func(r *Result) {
			warmer(last(r), 20, 60, 60_000, 4)
			warmer(last(r), 60, 100, 78_000, 1)
		}, one(WarnThrottled)},
		{"stood still", func(r *Result) { last(r).HeldUp = 5 * time.Second }, one(WarnPaused)},
		{"the drive did not count", func(r *Result) { r.Measurements[0].Devices, last(r).Devices = nil, nil }, one(WarnNoCounters)},
		{"no drive", func(r *Result) { r.Plan.Target.Drives = nil }, one(WarnNoCounters)},
		{"no space left beside the files", func(r *Result) { r.After.Free = 12e9 }, nil},
		{"nothing written", func(r *Result) { r.Measurements = r.Measurements[:0] }, nil},
	} {
		r := soundFill()
		c.spoil(r)
		var got []WarningCode
		for _, w := range Judge(r) {
			got = append(got, w.Code)
			if w.Workload != "" {
				t.Errorf("%s: %s is about %q", c.name, w.Code, w.Workload)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", c.name, got, c.want)
		}
	}
}
