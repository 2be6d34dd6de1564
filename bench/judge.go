package bench

import (
	"slices"
	"strings"
	"time"

	"cachecliff/platform"
)

// Level is how much a doubt takes from a number.
type Level string

// The levels.
const (
	LevelNote    Level = "note"    // good to know
	LevelDoubt   Level = "doubt"   // the number may be off
	LevelInvalid Level = "invalid" // the number is not the drive's
)

// levels has every code that is not a plain doubt.
var levels = map[WarningCode]Level{
	WarnBuffered: LevelInvalid, WarnUnwritten: LevelInvalid, WarnCached: LevelInvalid, WarnCloned: LevelInvalid,
	WarnShort:         LevelInvalid,
	WarnLayoutUnknown: LevelNote, WarnNamedFile: LevelNote, WarnSensorsLost: LevelNote, WarnSpaceChanged: LevelNote,
	WarnCopyOnWrite: LevelNote, WarnBattery: LevelNote,
}

// Level is how much the doubt takes from a number.
func (c WarningCode) Level() Level {
	if l, ok := levels[c]; ok {
		return l
	}
	return LevelDoubt
}

// The thresholds of the checks below.
const (
	// cachedShare: a drive that moved less than this share of what was asked did not serve the rest.
	// File systems and layers only ever add to what is asked.
	cachedShare = 0.9
	// otherShare and otherRate: what the drive moved beyond what was asked, both as a share of that and in
	// bytes per second. Metadata and logs stay below; a tenth of the drive's time shows in the rate.
	otherShare, otherRate = 0.1, 1e6
	// shortTime and shortOps: below, a rate is a snapshot. The flash preset measures for one second.
	shortTime, shortOps = time.Second, 30
	// noisySpread of the loops, as a share of their median.
	noisySpread = 0.1
	// busyShare of the counted time: a thread that works that much of it is what limits the rate.
	busyShare = 0.9
	// endedShare: a last loop below this share of the first has left the write cache or was slowed down.
	endedShare = 0.7
	// lateShare of the counted time: I/Os that are waited for longer at its end are missing in the latencies.
	lateShare = 0.1
)

// runChecks look at a whole run. Each gives the value and the text of its warning.
var runChecks = []struct {
	code WarningCode
	find func(*Result) (value float64, text string, hit bool)
}{
	{WarnCloned, func(r *Result) (float64, string, bool) {
		if r.File == nil || r.File.Layout == nil {
			return 0, "", false
		}
		return float64(r.File.Layout.Shared), "", r.File.Layout.Shared > 0
	}},
	{WarnCopyOnWrite, func(r *Result) (float64, string, bool) {
		v := r.Plan.Target.Volume
		return 0, v.FS, copiesOnWrite(v)
	}},
	{WarnCompressed, func(r *Result) (float64, string, bool) {
		v := r.Plan.Target.Volume
		return 0, v.FS, v.FS == "zfs" || strings.Contains(v.Options, "compress")
	}},
	{WarnBattery, func(r *Result) (float64, string, bool) { return 0, "", r.Machine.OnBattery == platform.Yes }},
	{WarnSpaceChanged, func(r *Result) (float64, string, bool) {
		if r.After == nil {
			return 0, "", false
		}
		left := r.After.Free - r.Plan.Profile.FileSize // what was free beside the test file
		return float64(max(left, 0)), "", left < Reserve(r.Plan.Target.Volume)
	}},
}

// copiesOnWrite says whether overwriting goes to a new place on a volume.
func copiesOnWrite(v platform.Volume) bool {
	return slices.Contains([]string{"btrfs", "bcachefs", "zfs"}, v.FS) && !strings.Contains(v.Options, "nodatacow")
}

// loopChecks look at the complete loops of one workload, of which there is at least one.
var loopChecks = []struct {
	code WarningCode
	find func(*Result, Outcome, []Measurement) (value float64, hit bool)
}{
	{WarnCached, servedByDrive},
	{WarnOtherIO, otherIO},
	{WarnShort, func(_ *Result, _ Outcome, ms []Measurement) (float64, bool) {
		for _, m := range ms {
			if ops, _, _ := m.Total(); ops < shortOps || m.Elapsed < shortTime {
				return float64(ops), true
			}
		}
		return 0, false
	}},
	{WarnNoisy, func(_ *Result, o Outcome, _ []Measurement) (float64, bool) {
		return o.Bytes.Spread(), o.Bytes.Spread() > noisySpread
	}},
	{WarnCPULimited, func(_ *Result, _ Outcome, ms []Measurement) (float64, bool) {
		return worst(ms, func(m Measurement) float64 {
			if m.CPU == nil {
				return 0
			}
			return m.CPU.Busiest.Seconds() / (m.Step.Spec.Warmup + m.Elapsed + m.Drain).Seconds()
		}, busyShare)
	}},
	{WarnCacheEnded, func(_ *Result, o Outcome, ms []Measurement) (float64, bool) {
		if o.Workload.Spec.ReadPct == 100 || len(ms) < 2 {
			return 0, false
		}
		share := ms[len(ms)-1].rate() / ms[0].rate()
		return share, share < endedShare
	}},
	{WarnLate, func(_ *Result, _ Outcome, ms []Measurement) (float64, bool) {
		share, hit := worst(ms, func(m Measurement) float64 { return m.Drain.Seconds() / m.Elapsed.Seconds() }, lateShare)
		return share, hit
	}},
}

// worst is the largest value of the loops, and whether it is above a limit.
func worst(ms []Measurement, value func(Measurement) float64, limit float64) (float64, bool) {
	var most float64
	for _, m := range ms {
		most = max(most, value(m))
	}
	return most, most > limit
}

// rate is bytes per second.
func (m Measurement) rate() float64 {
	_, bytes, _ := m.Total()
	return float64(bytes) / m.Elapsed.Seconds()
}

// deviceMoved is what all drives together moved during a step by their own counters; known is false if
// one of them does not count.
func (m Measurement) deviceMoved() (moved Moved, known bool) {
	for _, d := range m.Devices {
		moved = moved.Add(Moved{
			ReadOps: int64(d.After.ReadOps - d.Before.ReadOps), ReadBytes: int64(d.After.ReadBytes - d.Before.ReadBytes),
			WriteOps: int64(d.After.WriteOps - d.Before.WriteOps), WriteBytes: int64(d.After.WriteBytes - d.Before.WriteBytes),
		})
	}
	return moved, len(m.Devices) > 0
}

// servedByDrive compares what was asked with what the drives moved, each direction on its own. The value
// is the smallest share that they moved.
func servedByDrive(_ *Result, _ Outcome, ms []Measurement) (float64, bool) {
	least := 1.0
	for _, m := range ms {
		moved, known := m.deviceMoved()
		if !known {
			continue
		}
		for _, d := range [][2]int64{{moved.ReadBytes, m.Moved.ReadBytes}, {moved.WriteBytes, m.Moved.WriteBytes}} {
			if asked := d[1]; asked > 0 {
				least = min(least, float64(d[0])/float64(asked))
			}
		}
	}
	return least, least < cachedShare
}

// otherIO looks for what the drives moved beyond what was asked. The value is bytes per second. Volumes
// that write more than they are asked to by their nature, mirrors and copy on write, are left out.
func otherIO(r *Result, o Outcome, ms []Measurement) (float64, bool) {
	t := r.Plan.Target
	if o.Workload.Spec.ReadPct < 100 && (len(t.Drives) > 1 || copiesOnWrite(t.Volume)) {
		return 0, false
	}
	var most float64
	for _, m := range ms {
		moved, known := m.deviceMoved()
		asked := float64(m.Moved.ReadBytes + m.Moved.WriteBytes)
		other := float64(moved.ReadBytes+moved.WriteBytes) - asked
		took := (m.Step.Spec.Warmup + m.Elapsed + m.Drain).Seconds()
		if known && other > otherShare*asked && other/took > otherRate {
			most = max(most, other/took)
		}
	}
	return most, most > 0
}

// Judge finds the doubts that the recorded facts of a run give rise to. It looks at nothing else, so that
// a stored result can be judged again.
func Judge(r *Result) []Warning {
	var out []Warning
	for _, c := range runChecks {
		if value, text, hit := c.find(r); hit {
			out = append(out, Warning{Code: c.code, Value: value, Text: text})
		}
	}
	for _, o := range r.Outcomes() {
		ms := r.complete(o.Workload.ID)
		if len(ms) == 0 {
			continue
		}
		for _, c := range loopChecks {
			if value, hit := c.find(r, o, ms); hit {
				out = append(out, Warning{Code: c.code, Workload: o.Workload.ID, Value: value})
			}
		}
	}
	return out
}
