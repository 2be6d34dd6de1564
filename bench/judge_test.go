package bench

import (
	"slices"
	"testing"
	"time"

	"cachecliff/platform"
)

// sound is a result without a doubt: three loops of one workload, which the drive's counters confirm.
func sound(readPct int) *Result {
	spec := Spec{Access: Random, ReadPct: readPct, Block: 4096, Depth: 32, Threads: 1, Measure: 5 * time.Second}
	p := AdHoc(spec)
	r := &Result{
		Plan: Plan{Profile: p, Target: platform.Target{
			Volume: platform.Volume{FS: "ext4", Options: "rw,relatime", Size: 1e12, Free: 5e11},
			Drives: []platform.Drive{{Key: "a"}},
		}},
		File:  &FileFacts{Layout: &platform.Layout{Extents: 1}},
		After: &Probe{Free: 5e11},
	}
	for loop := range 4 {
		m := Measurement{
			Step: Step{Kind: StepLoad, Workload: p.Workloads[0].ID, Spec: spec, Loop: loop}, Elapsed: 5 * time.Second,
			Drain: time.Millisecond, CPU: &CPU{Busiest: 2 * time.Second},
		}
		ops := int64(100000 + 1000*loop)
		m.Moved = Moved{ReadOps: ops * int64(readPct) / 100, WriteOps: ops * int64(100-readPct) / 100}
		m.Moved.ReadBytes, m.Moved.WriteBytes = 4096*m.Moved.ReadOps, 4096*m.Moved.WriteOps
		m.Read = Tally{Ops: m.Moved.ReadOps, Bytes: m.Moved.ReadBytes}
		m.Write = Tally{Ops: m.Moved.WriteOps, Bytes: m.Moved.WriteBytes}
		d := DeviceCount{Drive: "a", Before: platform.Counters{ReadBytes: 1e9, WriteBytes: 2e9}}
		d.After = d.Before
		d.After.ReadBytes += uint64(m.Moved.ReadBytes)
		d.After.WriteBytes += uint64(m.Moved.WriteBytes)
		m.Devices = []DeviceCount{d}
		r.Measurements = append(r.Measurements, m)
	}
	return r
}

// Each case spoils a sound result in one way and must find just that.
func TestJudge(t *testing.T) {
	loop := func(r *Result, i int) *Measurement { return &r.Measurements[i] }
	slower := func(m *Measurement, share float64) {
		for _, x := range []*Tally{&m.Read, &m.Write} {
			x.Ops, x.Bytes = int64(float64(x.Ops)*share), int64(float64(x.Bytes)*share)
		}
	}
	for _, c := range []struct {
		name  string
		read  int
		spoil func(*Result)
		want  []WarningCode
	}{
		{"sound reads", 100, func(*Result) {}, nil},
		{"sound writes", 0, func(*Result) {}, nil},
		{"sound mix", 70, func(*Result) {}, nil},
		{"half of the reads came from memory", 100, func(r *Result) {
			loop(r, 2).Devices[0].After.ReadBytes -= uint64(loop(r, 2).Moved.ReadBytes / 2)
		}, []WarningCode{WarnCached}},
		{"the drive moved nothing", 0, func(r *Result) { loop(r, 1).Devices[0].After = loop(r, 1).Devices[0].Before }, []WarningCode{WarnCached}},
		{"metadata beside the writes", 0, func(r *Result) { loop(r, 1).Devices[0].After.WriteBytes += 30e6 }, nil},
		{"others wrote 20 MB a second", 100, func(r *Result) { loop(r, 1).Devices[0].After.WriteBytes += 100e6 }, []WarningCode{WarnOtherIO}},
		{"a mirror writes twice", 0, func(r *Result) {
			r.Plan.Target.Drives = append(r.Plan.Target.Drives, platform.Drive{Key: "b"})
			for i := range r.Measurements {
				m := loop(r, i)
				m.Devices = append(m.Devices, m.Devices[0])
			}
		}, nil},
		{"no counters", 100, func(r *Result) {
			for i := range r.Measurements {
				loop(r, i).Devices = nil
			}
		}, nil},
		{"a discarded pass from memory", 100, func(r *Result) { loop(r, 0).Devices[0].After = loop(r, 0).Devices[0].Before }, nil},
		{"half a second", 100, func(r *Result) {
			loop(r, 3).Elapsed, loop(r, 3).CPU = 500*time.Millisecond, nil
			slower(loop(r, 3), 0.1)
		}, []WarningCode{WarnShort}},
		{"29 I/Os", 100, func(r *Result) {
			for i := range r.Measurements {
				loop(r, i).Read.Ops, loop(r, i).Read.Bytes = 29, 29*4096
			}
		}, []WarningCode{WarnShort}},
		{"one loop 15 % slower", 100, func(r *Result) { slower(loop(r, 1), 0.85) }, []WarningCode{WarnNoisy}},
		{"last write loop at half", 0, func(r *Result) { slower(loop(r, 3), 0.5) }, []WarningCode{WarnNoisy, WarnCacheEnded}},
		{"busy thread", 100, func(r *Result) { loop(r, 2).CPU.Busiest = 4800 * time.Millisecond }, []WarningCode{WarnCPULimited}},
		{"no CPU time known", 100, func(r *Result) { loop(r, 2).CPU = nil }, nil},
		{"last I/Os took a second", 100, func(r *Result) { loop(r, 2).Drain = time.Second }, []WarningCode{WarnLate}},
		{"cloned", 100, func(r *Result) { r.File.Layout.Shared = 4096 }, []WarningCode{WarnCloned}},
		{"layout unknown", 100, func(r *Result) { r.File.Layout = nil }, nil},
		{"btrfs", 100, func(r *Result) { r.Plan.Target.Volume.FS = "btrfs" }, []WarningCode{WarnCopyOnWrite}},
		{"btrfs without", 100, func(r *Result) { r.Plan.Target.Volume.FS, r.Plan.Target.Volume.Options = "btrfs", "rw,nodatacow" }, nil},
		{"compressed btrfs", 100, func(r *Result) {
			r.Plan.Target.Volume.FS, r.Plan.Target.Volume.Options = "btrfs", "rw,compress-force=zstd:3"
		}, []WarningCode{WarnCopyOnWrite, WarnCompressed}},
		{"battery", 100, func(r *Result) { r.Machine.OnBattery = platform.Yes }, []WarningCode{WarnBattery}},
		{"battery unknown", 100, func(r *Result) { r.Machine.OnBattery = platform.Unknown }, nil},
		{"little space left", 100, func(r *Result) { r.After.Free = 1e9 }, []WarningCode{WarnSpaceChanged}},
		{"nothing measured", 100, func(r *Result) { r.Measurements = nil }, nil},
		{"a stopped loop", 100, func(r *Result) { loop(r, 1).Stopped = true; slower(loop(r, 1), 0.1) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sound(c.read)
			c.spoil(r)
			var got []WarningCode
			for _, w := range Judge(r) {
				got = append(got, w.Code)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}

func TestLevels(t *testing.T) {
	for code, want := range map[WarningCode]Level{
		WarnCached: LevelInvalid, WarnShort: LevelInvalid, WarnNoisy: LevelDoubt, WarnBattery: LevelNote, "from-the-future": LevelDoubt,
	} {
		if got := code.Level(); got != want {
			t.Errorf("%s is a %s, want %s", code, got, want)
		}
	}
}
