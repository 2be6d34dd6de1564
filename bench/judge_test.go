package bench

import (
	"slices"
	"testing"
	"time"

	"cachecliff/platform"
)

// sound is a result without a doubt: three loops of one workload on an NVMe drive, which the drive's counters
// confirm. All facts are known.
func sound(readPct int) *Result {
	spec := Spec{Access: Random, ReadPct: readPct, Block: 4096, Depth: 32, Threads: 1, Measure: 5 * time.Second}
	p := AdHoc(spec)
	r := &Result{
		Machine: platform.System{PowerPlan: "powersave, balance_performance", Profile: "balanced", ASPM: "default", OnBattery: platform.No},
		Plan: Plan{Profile: p, Target: platform.Target{
			Volume: platform.Volume{FS: "ext4", Options: "rw,relatime", Size: 1e12, Free: 5e11},
			Layers: []platform.Layer{{Kind: platform.LayerLUKS, Name: "dm-0"}, {Kind: platform.LayerPartition, Name: "a1"}},
			Drives: []platform.Drive{{Key: "a", Bus: platform.BusNVMe, Capacity: 1e12, Rotational: platform.No, LinkPower: "L1", RuntimePower: platform.No}},
		}},
		File: &FileFacts{Size: p.FileSize, Direct: true, Layout: &platform.Layout{Extents: 1}, Cached: new(int64)},
		Before: &Probe{Free: 5e11, Recent: []Written{{Bytes: 500e9, Ago: time.Hour}, {Bytes: 900e6, Ago: time.Minute}}, Drives: []DriveProbe{{Drive: "a",
			Limits: &platform.TempLimits{WarnMilliC: milli(80_000), CritMilliC: milli(85_000)}, Health: health()}}},
		After: &Probe{Free: 5e11, Drives: []DriveProbe{{Drive: "a", Health: health()}}},
	}
	for loop := range 4 {
		r.Measurements = append(r.Measurements, soundLoop(p.Workloads[0], loop, 100000+1000*int64(loop)))
	}
	return r
}

// soundLoop is one loop of a workload, of so many I/Os, on a drive at 60 °C.
func soundLoop(w Workload, loop int, ops int64) Measurement {
	readPct := int64(w.Spec.ReadPct)
	m := Measurement{
		Step: Step{Kind: StepLoad, Workload: w.ID, Spec: w.Spec, Loop: loop}, Elapsed: 5 * time.Second, Engine: platform.EngineURing,
		Drain: time.Millisecond, CPU: &CPU{Busiest: 2 * time.Second},
	}
	m.Moved = Moved{ReadOps: ops * readPct / 100, WriteOps: ops * (100 - readPct) / 100}
	m.Moved.ReadBytes, m.Moved.WriteBytes = 4096*m.Moved.ReadOps, 4096*m.Moved.WriteOps
	m.Read = Tally{Ops: m.Moved.ReadOps, Bytes: m.Moved.ReadBytes}
	m.Write = Tally{Ops: m.Moved.WriteOps, Bytes: m.Moved.WriteBytes}
	d := DeviceCount{Drive: "a", Before: platform.Counters{ReadBytes: 1e9, WriteBytes: 2e9}}
	d.After = d.Before
	d.After.ReadBytes += uint64(m.Moved.ReadBytes)
	d.After.WriteBytes += uint64(m.Moved.WriteBytes)
	m.Devices = []DeviceCount{d}
	for i := range 50 {
		s := Sample{At: time.Duration(i+1) * 100 * time.Millisecond, Took: 100 * time.Millisecond, Read: Tally{Bytes: m.Read.Bytes / 50}, Write: Tally{Bytes: m.Write.Bytes / 50}}
		if i%10 == 0 {
			s.Drive = []DriveReading{{Drive: "a", Sensors: platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: 60_000}, {Label: "Sensor 2", MilliC: 90_000}}}}}
		}
		m.Series = append(m.Series, s)
	}
	return m
}

func milli(v int32) *int32 { return &v }

// health is that of a drive that was warm once.
func health() *platform.Health {
	n := func(v uint32) *uint32 { return &v }
	return &platform.Health{WarningTempMin: n(3), CriticalTempMin: n(0), LightThrottles: n(5), HeavyThrottles: n(0), LightSeconds: n(60), HeavySeconds: n(0)}
}

// heat sets the temperature of one loop's readings, and slows its last half down to a share.
func heat(m *Measurement, milliC int32, share float64) {
	for i := range m.Series {
		s := &m.Series[i]
		if i >= len(m.Series)/2 {
			s.Read.Bytes, s.Write.Bytes = int64(float64(s.Read.Bytes)*share), int64(float64(s.Write.Bytes)*share)
		}
		for d := range s.Drive {
			s.Drive[d].Temperatures[0].MilliC = milliC
		}
	}
}

// slower lowers what a loop counted.
func slower(m *Measurement, share float64) {
	for _, x := range []*Tally{&m.Read, &m.Write} {
		x.Ops, x.Bytes = int64(float64(x.Ops)*share), int64(float64(x.Bytes)*share)
	}
}

// judgeCase spoils a sound result in one way and must find just what it wants. One that wants nothing names the
// doubt that it nearly has.
type judgeCase struct {
	name  string
	read  int
	spoil func(*Result)
	want  []WarningCode
	not   WarningCode
}

func one(c WarningCode) []WarningCode { return []WarningCode{c} }

// loopCases are about single workloads.
func loopCases() []judgeCase {
	loop := func(r *Result, i int) *Measurement { return &r.Measurements[i] }
	disk := func(r *Result, d platform.Drive) { d.Key, r.Plan.Target.Drives = "a", []platform.Drive{d} }
	return []judgeCase{
		{name: "sound reads", read: 100, spoil: func(*Result) {}},
		{name: "sound writes", spoil: func(*Result) {}},
		{name: "sound mix", read: 70, spoil: func(*Result) {}},
		{name: "half of the reads came from memory", read: 100, want: one(WarnCached), spoil: func(r *Result) {
			loop(r, 2).Devices[0].After.ReadBytes -= uint64(loop(r, 2).Moved.ReadBytes / 2)
		}},
		{name: "the drive moved nothing", want: one(WarnCached), spoil: func(r *Result) { loop(r, 1).Devices[0].After = loop(r, 1).Devices[0].Before }},
		{name: "only the writes of a mix reached the drive", read: 70, want: one(WarnCached), spoil: func(r *Result) {
			loop(r, 1).Devices[0].After.ReadBytes = loop(r, 1).Devices[0].Before.ReadBytes
		}},
		{name: "a stray page", read: 100, not: WarnCached, spoil: func(r *Result) { loop(r, 2).Devices[0].After.ReadBytes -= 64 << 10 }},
		{name: "a mirror reads from both", read: 100, not: WarnCached, spoil: func(r *Result) {
			r.Plan.Target.Drives = append(r.Plan.Target.Drives, r.Plan.Target.Drives[0])
			r.Plan.Profile.FileSize = 4 << 30
			for i := range r.Measurements {
				half := loop(r, i).Devices[0]
				half.After.ReadBytes = half.Before.ReadBytes + uint64(loop(r, i).Moved.ReadBytes/2)
				loop(r, i).Devices = []DeviceCount{half, half}
			}
		}},
		{name: "a discarded pass from memory", read: 100, not: WarnCached, spoil: func(r *Result) { loop(r, 0).Devices[0].After = loop(r, 0).Devices[0].Before }},
		{name: "no counters", read: 100, want: one(WarnNoCounters), not: WarnCached, spoil: func(r *Result) {
			for i := range r.Measurements {
				loop(r, i).Devices = nil
			}
		}},
		{name: "others wrote 20 MB a second", read: 100, want: one(WarnOtherIO), spoil: func(r *Result) { loop(r, 1).Devices[0].After.WriteBytes += 100e6 }},
		{name: "metadata beside the writes", not: WarnOtherIO, spoil: func(r *Result) { loop(r, 1).Devices[0].After.WriteBytes += 30e6 }},
		{name: "a mirror writes twice", not: WarnOtherIO, spoil: func(r *Result) {
			r.Plan.Target.Drives = append(r.Plan.Target.Drives, r.Plan.Target.Drives[0])
			r.Plan.Profile.FileSize = 4 << 30
			for i := range r.Measurements {
				m := loop(r, i)
				m.Devices = append(m.Devices, m.Devices[0])
			}
		}},
		{name: "RAID 5 reads and writes more for a write", not: WarnOtherIO, spoil: func(r *Result) {
			r.Plan.Target.Layers = []platform.Layer{{Kind: platform.LayerMD, Name: "md0"}}
			d := r.Plan.Target.Drives[0]
			r.Plan.Target.Drives, r.Plan.Profile.FileSize = []platform.Drive{d, d, d}, 4<<30
			for i := range r.Measurements {
				m := loop(r, i) // each small write reads and writes data and parity
				x := m.Devices[0]
				x.After.ReadBytes = x.Before.ReadBytes + uint64(m.Moved.WriteBytes*2/3)
				x.After.WriteBytes = x.Before.WriteBytes + uint64(m.Moved.WriteBytes*2/3)
				m.Devices = []DeviceCount{x, x, x}
			}
		}},
		{name: "others read from one of three stripes", read: 100, want: one(WarnOtherIO), spoil: func(r *Result) {
			d := r.Plan.Target.Drives[0]
			r.Plan.Target.Drives, r.Plan.Profile.FileSize = []platform.Drive{d, d, d}, 4<<30
			for i := range r.Measurements {
				m := loop(r, i)
				x := m.Devices[0]
				x.After.ReadBytes = x.Before.ReadBytes + uint64(m.Moved.ReadBytes/3)
				y := x
				y.After.ReadBytes += 100e6
				m.Devices = []DeviceCount{x, y, x}
			}
		}},
		{name: "a journal of data", not: WarnOtherIO, spoil: func(r *Result) {
			r.Plan.Target.Volume.Options = "rw,data=journal"
			loop(r, 1).Devices[0].After.WriteBytes += uint64(loop(r, 1).Moved.WriteBytes)
		}},
		{name: "a cache fills itself by reads", read: 100, not: WarnOtherIO, spoil: func(r *Result) {
			r.Plan.Target.Layers = []platform.Layer{{Kind: platform.LayerBcache, Name: "bcache0"}}
			loop(r, 1).Devices[0].After.WriteBytes += 100e6
		}},
		{name: "half a second", read: 100, want: one(WarnShort), spoil: func(r *Result) {
			loop(r, 3).Elapsed, loop(r, 3).CPU = 500*time.Millisecond, nil
			slower(loop(r, 3), 0.1)
		}},
		{name: "29 I/Os", read: 100, want: one(WarnShort), spoil: func(r *Result) {
			for i := range r.Measurements {
				loop(r, i).Read.Ops, loop(r, i).Read.Bytes = 29, 29*4096
			}
		}},
		{name: "30 I/Os", read: 100, not: WarnShort, spoil: func(r *Result) {
			for i := range r.Measurements {
				loop(r, i).Read.Ops, loop(r, i).Read.Bytes = 30, 30*4096
			}
		}},
		{name: "one loop 15 % slower", read: 100, want: one(WarnNoisy), spoil: func(r *Result) { slower(loop(r, 1), 0.85) }},
		{name: "one loop 7 % slower", read: 100, not: WarnNoisy, spoil: func(r *Result) { slower(loop(r, 1), 0.93) }},
		{name: "a stopped loop", read: 100, not: WarnNoisy, spoil: func(r *Result) { loop(r, 1).Stopped = true; slower(loop(r, 1), 0.1) }},
		{name: "last write loop at half", want: []WarningCode{WarnNoisy, WarnCacheEnded}, spoil: func(r *Result) { slower(loop(r, 3), 0.5) }},
		{name: "last read loop at half", read: 100, want: one(WarnNoisy), not: WarnCacheEnded, spoil: func(r *Result) { slower(loop(r, 3), 0.5) }},
		{name: "busy thread", read: 100, want: one(WarnCPULimited), spoil: func(r *Result) { loop(r, 2).CPU.Busiest = 4800 * time.Millisecond }},
		{name: "as fast as the engine", read: 100, want: one(WarnCPULimited), spoil: func(r *Result) {
			r.Ceiling = &EngineCeiling{IO: loop(r, 2).Elapsed * 9 / 10 / time.Duration(loop(r, 2).Read.Ops)}
		}},
		{name: "half as fast as the engine", read: 100, not: WarnCPULimited, spoil: func(r *Result) {
			r.Ceiling = &EngineCeiling{IO: loop(r, 2).Elapsed / 2 / time.Duration(loop(r, 2).Read.Ops)}
		}},
		{name: "half busy thread", read: 100, not: WarnCPULimited, spoil: func(r *Result) { loop(r, 2).CPU.Busiest = 3 * time.Second }},
		{name: "waited 2 of 5 s for a processor", read: 100, want: one(WarnCPULimited), spoil: func(r *Result) { loop(r, 2).CPU.Waited = 2 * time.Second }},
		{name: "waited a second for a processor", read: 100, not: WarnCPULimited, spoil: func(r *Result) { loop(r, 2).CPU.Waited = time.Second }},
		{name: "four threads waited 2 s in all", read: 100, not: WarnCPULimited, spoil: func(r *Result) {
			r.Plan.Profile.Workloads[0].Spec.Threads = 4
			loop(r, 2).CPU.Waited = 2 * time.Second
		}},
		{name: "no CPU time known", read: 100, not: WarnCPULimited, spoil: func(r *Result) { loop(r, 2).CPU = nil }},
		{name: "the process stood still", read: 100, want: one(WarnPaused), spoil: func(r *Result) { loop(r, 2).HeldUp = time.Second }},
		{name: "the process stood still at the end", read: 100, want: one(WarnPaused), spoil: func(r *Result) {
			loop(r, 2).HeldUp, loop(r, 2).Drain = time.Second, time.Second
		}},
		{name: "the process was a little late", read: 100, not: WarnPaused, spoil: func(r *Result) { loop(r, 2).HeldUp = loop(r, 2).Elapsed / 200 }},
		{name: "last I/Os took a second", read: 100, want: one(WarnLate), spoil: func(r *Result) { loop(r, 2).Drain = time.Second }},
		{name: "last I/Os took 100 ms", read: 100, not: WarnLate, spoil: func(r *Result) { loop(r, 2).Drain = 100 * time.Millisecond }},
		{name: "4 % below the rate that was asked for", read: 100, want: one(WarnRateMissed), spoil: func(r *Result) {
			r.Plan.Profile.Workloads[0].Spec.Rate = 21000
		}},
		{name: "the rate that was asked for", read: 100, not: WarnRateMissed, spoil: func(r *Result) {
			r.Plan.Profile.Workloads[0].Spec.Rate = 20300
		}},
		{name: "the rate before a long flush", not: WarnRateMissed, spoil: func(r *Result) {
			r.Plan.Profile.Workloads[0].Spec.Rate = 25500
			for i := range r.Measurements {
				loop(r, i).FlushTook = time.Second
			}
		}},
		{name: "at the limit", read: 100, want: one(WarnThrottled), spoil: func(r *Result) { heat(loop(r, 2), 80_000, 1) }},
		{name: "near the limit and slower", want: one(WarnThrottled), spoil: func(r *Result) {
			for i := range r.Measurements {
				heat(loop(r, i), 78_000, 1)
			}
			heat(loop(r, 3), 78_000, 0.5)
		}},
		{name: "near the limit", read: 100, not: WarnThrottled, spoil: func(r *Result) { heat(loop(r, 2), 78_000, 1) }},
		{name: "slower and cool", read: 100, not: WarnThrottled, spoil: func(r *Result) { heat(loop(r, 3), 60_000, 0.5) }},
		{name: "hot only in the discarded pass", read: 100, not: WarnThrottled, spoil: func(r *Result) { heat(loop(r, 0), 90_000, 1) }},
		{name: "at the critical limit, the other is not known", read: 100, want: one(WarnThrottled), spoil: func(r *Result) {
			r.Before.Drives[0].Limits.WarnMilliC = nil
			heat(loop(r, 1), 85_000, 1)
		}},
		{name: "hot, no limit known", read: 100, not: WarnThrottled, spoil: func(r *Result) {
			r.Before.Drives[0].Limits = nil
			heat(loop(r, 1), 95_000, 1)
		}},
		{name: "64 MiB on a small flash drive", read: 100, want: one(WarnSmallSpan), spoil: func(r *Result) {
			r.Plan.Target.Drives[0].Capacity, r.Plan.Profile.FileSize = 32e9, 64<<20
		}},
		{name: "128 MiB on a small flash drive", read: 100, not: WarnSmallSpan, spoil: func(r *Result) {
			r.Plan.Target.Drives[0].Capacity, r.Plan.Profile.FileSize = 32e9, 128<<20
			r.After.Free = 5e11
		}},
		{name: "1 GiB on 2 TB of SATA flash", read: 100, want: one(WarnSmallSpan), spoil: func(r *Result) {
			disk(r, platform.Drive{Bus: platform.BusSATA, Rotational: platform.No, Capacity: 2e12})
		}},
		{name: "1 GiB on a hard disk", read: 100, not: WarnSmallSpan, spoil: func(r *Result) {
			disk(r, platform.Drive{Bus: platform.BusSATA, Rotational: platform.Yes, Capacity: 20e12})
		}},
		{name: "256 MiB of the file on a hard disk", read: 100, want: one(WarnSmallSpan), spoil: func(r *Result) {
			disk(r, platform.Drive{Bus: platform.BusSATA, Rotational: platform.Yes, Capacity: 20e12})
			r.Plan.Profile.Workloads[0].Spec.Span = 256 << 20
		}},
		{name: "16 MiB on a stick", read: 100, not: WarnSmallSpan, spoil: func(r *Result) {
			disk(r, platform.Drive{Bus: platform.BusUSB, Capacity: 64e9})
			r.Plan.Profile.FileSize = 16 << 20
		}},
	}
}

// runCases are about whole runs.
func runCases() []judgeCase {
	volume := func(fs, options string) func(*Result) {
		return func(r *Result) { r.Plan.Target.Volume.FS, r.Plan.Target.Volume.Options = fs, options }
	}
	return []judgeCase{
		{name: "buffered", read: 100, want: one(WarnBuffered), spoil: func(r *Result) { r.File.Direct = false }},
		{name: "no file yet", read: 100, not: WarnBuffered, spoil: func(r *Result) { r.File, r.Measurements = nil, nil }},
		{name: "memory", read: 100, want: one(WarnNoCounters), spoil: func(r *Result) { r.Plan.Target.Drives = nil }},
		{name: "buffered memory", read: 100, want: one(WarnBuffered), not: WarnNoCounters, spoil: func(r *Result) {
			r.Plan.Target.Drives, r.File.Direct = nil, false
		}},
		{name: "named", read: 100, want: one(WarnNamedFile), spoil: func(r *Result) { r.File.Named, r.File.Name = true, "/a/b" }},
		{name: "nameless", read: 100, not: WarnNamedFile, spoil: func(r *Result) { r.File.Named = false }},
		{name: "layout unknown", read: 100, want: one(WarnLayoutUnknown), spoil: func(r *Result) { r.File.Layout = nil }},
		{name: "number of extents unknown", read: 100, not: WarnLayoutUnknown, spoil: func(r *Result) { r.File.Layout.Extents = 0 }},
		{name: "a hole", read: 100, want: one(WarnUnwritten), spoil: func(r *Result) { r.File.Layout.Unwritten = 4096 }},
		{name: "many extents", read: 100, not: WarnUnwritten, spoil: func(r *Result) { r.File.Layout.Extents = 1000 }},
		{name: "cloned", read: 100, want: one(WarnCloned), spoil: func(r *Result) { r.File.Layout.Shared = 4096 }},
		{name: "no extent shared", read: 100, not: WarnCloned, spoil: func(r *Result) { r.File.Layout.Shared = 0 }},
		{name: "a fifth of the file in memory", read: 100, want: one(WarnCached), spoil: func(r *Result) { *r.File.Cached = r.File.Size / 5 }},
		{name: "a few pages in memory", read: 100, not: WarnCached, spoil: func(r *Result) { *r.File.Cached = 1 << 20 }},
		{name: "a loop device through the page cache", read: 100, want: one(WarnCached), spoil: func(r *Result) {
			r.Plan.Target.Layers = []platform.Layer{{Kind: platform.LayerLoop, Name: "loop0", Cached: platform.Yes}}
		}},
		{name: "a loop device with direct I/O", read: 100, not: WarnCached, spoil: func(r *Result) {
			r.Plan.Target.Layers = []platform.Layer{{Kind: platform.LayerLoop, Name: "loop0", Cached: platform.No}, {Kind: platform.LayerLoop, Name: "loop1"}}
		}},
		{name: "residency unknown", read: 100, not: WarnCached, spoil: func(r *Result) { r.File.Cached = nil }},
		{name: "libaio", read: 100, want: one(WarnEngineFallback), spoil: func(r *Result) { r.Measurements[0].Engine = platform.EngineAIO }},
		{name: "libaio was asked for", read: 100, not: WarnEngineFallback, spoil: func(r *Result) {
			r.Measurements[0].Engine, r.Plan.Engine = platform.EngineAIO, platform.EngineAIO
		}},
		{name: "btrfs", read: 100, want: one(WarnCopyOnWrite), spoil: volume("btrfs", "rw")},
		{name: "btrfs without", read: 100, not: WarnCopyOnWrite, spoil: volume("btrfs", "rw,nodatacow")},
		{name: "folder without on btrfs", read: 100, not: WarnCopyOnWrite, spoil: func(r *Result) {
			volume("btrfs", "rw,compress=zstd:3")(r)
			r.File.Layout.InPlace = true
		}},
		{name: "compressed btrfs", read: 100, want: []WarningCode{WarnCopyOnWrite, WarnCompressed}, spoil: volume("btrfs", "rw,compress-force=zstd:3")},
		{name: "folder to be compressed on btrfs", read: 100, want: []WarningCode{WarnCopyOnWrite, WarnCompressed}, spoil: func(r *Result) {
			volume("btrfs", "rw")(r)
			r.File.Layout.Packing = true
		}},
		{name: "compressed extents", read: 100, want: one(WarnCompressed), spoil: func(r *Result) { r.File.Layout.Encoded = 4096 }},
		{name: "ReFS", read: 100, not: WarnCopyOnWrite, spoil: volume("ReFS", "rw")},
		{name: "ReFS with checksums", read: 100, want: one(WarnCopyOnWrite), spoil: volume("ReFS", "rw,integrity=crc64")},
		{name: "bcachefs", read: 100, want: []WarningCode{WarnCopyOnWrite, WarnCompressed}, spoil: volume("bcachefs", "rw,compression=lz4")},
		{name: "bcachefs without compression", read: 100, want: one(WarnCopyOnWrite), not: WarnCompressed, spoil: volume("bcachefs", "rw,compression=none")},
		{name: "zfs", read: 100, want: []WarningCode{WarnCopyOnWrite, WarnCompressed}, spoil: volume("zfs", "rw,xattr")},
		{name: "VDO", read: 100, want: one(WarnDeduplicated), spoil: func(r *Result) {
			r.Plan.Target.Layers = []platform.Layer{{Kind: platform.LayerLVM, Name: "dm-1"}, {Kind: platform.LayerVDO, Name: "dm-0"}}
		}},
		{name: "LVM", read: 100, not: WarnDeduplicated, spoil: func(r *Result) { r.Plan.Target.Layers = []platform.Layer{{Kind: platform.LayerLVM, Name: "dm-1"}} }},
		{name: "battery", read: 100, want: one(WarnBattery), spoil: func(r *Result) { r.Machine.OnBattery = platform.Yes }},
		{name: "battery unknown", read: 100, not: WarnBattery, spoil: func(r *Result) { r.Machine.OnBattery = platform.Unknown }},
		{name: "slow governor", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Machine.PowerPlan = "powersave" }},
		{name: "slow plan", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Machine.PowerPlan = "Power saver" }},
		{name: "usual plan", read: 100, not: WarnPowerSaving, spoil: func(r *Result) { r.Machine.PowerPlan = "Balanced" }},
		{name: "links of Windows", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Machine.ASPM = "maximum" }},
		{name: "links of Windows as usual", read: 100, not: WarnPowerSaving, spoil: func(r *Result) { r.Machine.ASPM = "moderate" }},
		{name: "energy preference", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Machine.PowerPlan = "powersave, power" }},
		{name: "fast governor", read: 100, not: WarnPowerSaving, spoil: func(r *Result) { r.Machine.PowerPlan = "performance" }},
		{name: "saving profile", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Machine.Profile = "low-power" }},
		{name: "sleepy PCI Express", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Machine.ASPM = "powersupersave" }},
		{name: "sleepy PCI Express, hard disk", read: 100, not: WarnPowerSaving, spoil: func(r *Result) {
			r.Machine.ASPM, r.Plan.Target.Drives[0].Bus, r.Plan.Target.Drives[0].Rotational = "powersupersave", platform.BusSATA, platform.Yes
		}},
		{name: "sleepy SATA", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Plan.Target.Drives[0].LinkPower = "min_power" }},
		{name: "usual SATA", read: 100, not: WarnPowerSaving, spoil: func(r *Result) { r.Plan.Target.Drives[0].LinkPower = "med_power_with_dipm" }},
		{name: "drive may sleep", read: 100, want: one(WarnPowerSaving), spoil: func(r *Result) { r.Plan.Target.Drives[0].RuntimePower = platform.Yes }},
		{name: "11 GB written a minute ago", read: 100, want: one(WarnNotRested), spoil: func(r *Result) { r.Before.Recent[1].Bytes = 11e9 }},
		{name: "11 GB written in two runs", read: 100, want: one(WarnNotRested), spoil: func(r *Result) {
			r.Before.Recent = append(r.Before.Recent, Written{Bytes: 10.1e9, Ago: 9 * time.Minute})
		}},
		{name: "11 GB written to a virtual drive", read: 100, not: WarnNotRested, spoil: func(r *Result) {
			r.Before.Recent[1].Bytes, r.Plan.Target.Drives[0].Bus = 11e9, platform.BusVirtual
		}},
		{name: "11 GB written eleven minutes ago", read: 100, not: WarnNotRested, spoil: func(r *Result) {
			r.Before.Recent[1] = Written{Bytes: 11e9, Ago: 11 * time.Minute}
		}},
		{name: "full before the reserve", read: 100, want: one(WarnFull), spoil: func(r *Result) { r.Measurements[0].Full = true }},
		{name: "held by the user", read: 100, want: one(WarnHeld), spoil: func(r *Result) { r.Measurements[0].Held = []Hold{{Took: time.Minute}} }},
		{name: "not held", read: 100, not: WarnHeld, spoil: func(r *Result) { r.Measurements[0].Held = []Hold{} }},
		{name: "a fill like a copy", read: 100, want: one(WarnLikeCopy), spoil: func(r *Result) {
			r.Plan.Profile.Filling, r.Plan.Buffered = &Filling{}, true
		}},
		{name: "a fill past the cache", read: 100, not: WarnLikeCopy, spoil: func(r *Result) { r.Plan.Profile.Filling = &Filling{} }},
		{name: "as full as planned", read: 100, not: WarnFull, spoil: func(r *Result) { r.Plan.Profile.Filling = &Filling{} }},
		{name: "smaller files", read: 100, want: one(WarnSplit), spoil: func(r *Result) {
			r.Plan.Profile.FileSize = 10 << 30
			r.Measurements[0].Files = []FileMean{{Bytes: splitSize}, {Bytes: 5}}
		}},
		{name: "one file", read: 100, not: WarnSplit, spoil: func(r *Result) { r.Measurements[0].Files = []FileMean{{Bytes: splitSize}} }},
		{name: "deleted and not told", read: 100, want: one(WarnNotTrimmed), spoil: func(r *Result) {
			r.Measurements[0].Freed = &Freed{Bytes: 10e9, Discarded: new(int64), NotTrimmed: "not supported here"}
		}},
		{name: "deleted and trimmed", read: 100, not: WarnNotTrimmed, spoil: func(r *Result) {
			bytes := int64(10e9)
			r.Measurements[0].Freed = &Freed{Bytes: bytes, Discarded: new(int64), Trimmed: &bytes}
		}},
		{name: "deleted and discarded", read: 100, not: WarnNotTrimmed, spoil: func(r *Result) {
			bytes := int64(10e9)
			r.Measurements[0].Freed = &Freed{Bytes: bytes, Discarded: &bytes}
		}},
		{name: "filled on purpose", read: 100, not: WarnSpaceChanged, spoil: func(r *Result) {
			r.After.Free, r.Plan.Profile.Filling = 1e9, &Filling{}
		}},
		{name: "temperature without a sensor", read: 100, want: one(WarnNoSensor), not: WarnNotSettled, spoil: func(r *Result) {
			r.Plan.Profile.Thermal = &Thermal{}
			warmth(r, nil)
		}},
		{name: "temperature at rest", read: 100, not: WarnNotSettled, spoil: func(r *Result) {
			r.Plan.Profile.Thermal = &Thermal{}
			warmth(r, func(int) int32 { return 30_000 })
		}},
		{name: "temperature that still falls", read: 100, want: one(WarnNotSettled), not: WarnNoSensor, spoil: func(r *Result) {
			r.Plan.Profile.Thermal = &Thermal{}
			warmth(r, func(second int) int32 { return 60_000 - int32(second)*100 })
		}},
		{name: "little space left", read: 100, want: one(WarnSpaceChanged), spoil: func(r *Result) { r.After.Free = 1e9 }},
		{name: "not looked at afterwards", read: 100, not: WarnSpaceChanged, spoil: func(r *Result) { r.After = nil }},
		{name: "slowed down once more", read: 100, want: one(WarnThrottled), spoil: func(r *Result) { *r.After.Drives[0].Health.HeavyThrottles++ }},
		{name: "slowed down for the first time, and had not said that it counts", read: 100, want: one(WarnThrottled), spoil: func(r *Result) {
			h := r.Before.Drives[0].Health
			h.Throttles, h.LightThrottles, h.HeavyThrottles, h.LightSeconds, h.HeavySeconds = platform.No, nil, nil, nil, nil
		}},
		{name: "counts not read before", read: 100, not: WarnThrottled, spoil: func(r *Result) {
			h := r.Before.Drives[0].Health
			h.LightThrottles, h.HeavyThrottles, h.LightSeconds, h.HeavySeconds = nil, nil, nil, nil
		}},
		{name: "a minute above the warning", read: 100, want: one(WarnThrottled), spoil: func(r *Result) { *r.After.Drives[0].Health.WarningTempMin++ }},
		{name: "says that it is too hot", read: 100, want: one(WarnThrottled), spoil: func(r *Result) { r.After.Drives[0].Health.Critical = []string{"temperature"} }},
		{name: "no health afterwards", read: 100, not: WarnThrottled, spoil: func(r *Result) { r.After.Drives[0].Health = nil }},
		{name: "another drive afterwards", read: 100, not: WarnThrottled, spoil: func(r *Result) {
			r.After.Drives[0].Drive = "b"
			*r.After.Drives[0].Health.HeavyThrottles++
		}},
		{name: "nothing measured", read: 100, not: WarnShort, spoil: func(r *Result) { r.Measurements = nil }},
	}
}

func TestJudge(t *testing.T) {
	found, spared := map[WarningCode]bool{}, map[WarningCode]bool{}
	for _, code := range factless {
		found[code], spared[code] = true, true
	}
	for _, c := range slices.Concat(loopCases(), runCases(), copyCases(), cloneCases()) {
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
			for _, code := range got {
				found[code] = true
			}
			spared[c.not] = !slices.Contains(got, c.not)
		})
	}
	for _, c := range checks() {
		if !found[c.code] || !spared[c.code] {
			t.Errorf("%s: needs a case that has it (%v) and one that nearly has it (%v)", c.code, found[c.code], spared[c.code])
		}
	}
}

// A doubt that all rows have for the same reason is one about the whole run.
func TestFold(t *testing.T) {
	r := sound(100)
	r.Plan.Profile.FileSize = 64 << 20
	more := r.Plan.Profile.Workloads[0]
	more.ID = "more"
	r.Plan.Profile.Workloads = append(r.Plan.Profile.Workloads, more)
	for loop := range 4 {
		r.Measurements = append(r.Measurements, soundLoop(more, loop, 100000))
	}
	if got := Judge(r); !slices.Equal(got, []Warning{{Code: WarnSmallSpan, Value: 64 << 20}}) {
		t.Errorf("both rows: %+v", got)
	}
	r.Plan.Profile.FileSize, r.Plan.Profile.Workloads[1].Spec.Span = 2<<30, 1<<20
	if got := Judge(r); !slices.Equal(got, []Warning{{Code: WarnSmallSpan, Workload: "more", Value: 1 << 20}}) {
		t.Errorf("one row: %+v", got)
	}
}

// warmth puts two minutes and a half of readings, one a second, before the first step; nil leaves none in the result.
func warmth(r *Result, at func(second int) int32) {
	r.Between = nil
	for i := range r.Measurements {
		for j := range r.Measurements[i].Series {
			r.Measurements[i].Series[j].Drive = nil
		}
		r.Measurements[i].Began += 150 * time.Second
	}
	for i := range 150 {
		if at != nil {
			d := DriveReading{Drive: "d", Since: time.Duration(i+1) * time.Second}
			d.Temperatures = []platform.Reading{{Label: "Composite", MilliC: at(i)}}
			r.Between = append(r.Between, d)
		}
	}
}

// factless are the doubts that are told by others than Judge: a result has no fact of them.
var factless = []WarningCode{WarnSensorsLost, WarnImported, WarnImportDoubt}

// The three levels, code by code.
func TestLevels(t *testing.T) {
	want := map[WarningCode]Level{
		WarnBuffered: LevelInvalid, WarnUnwritten: LevelInvalid, WarnCached: LevelInvalid, WarnCloned: LevelInvalid, WarnShort: LevelInvalid,
		WarnNoCounters: LevelDoubt, WarnEngineFallback: LevelDoubt, WarnCompressed: LevelDoubt, WarnDeduplicated: LevelDoubt, WarnOtherIO: LevelDoubt,
		WarnNoisy: LevelDoubt, WarnCPULimited: LevelDoubt, WarnThrottled: LevelDoubt, WarnCacheEnded: LevelDoubt, WarnLate: LevelDoubt, WarnPaused: LevelDoubt,
		WarnRateMissed:    LevelDoubt,
		WarnImported:      LevelNote,
		WarnImportDoubt:   LevelDoubt,
		WarnLayoutUnknown: LevelNote, WarnNamedFile: LevelNote, WarnSensorsLost: LevelNote, WarnSpaceChanged: LevelNote, WarnCopyOnWrite: LevelNote,
		WarnBattery: LevelNote, WarnPowerSaving: LevelNote, WarnNotRested: LevelNote, WarnSmallSpan: LevelNote,
		WarnLikeCopy: LevelNote, WarnFull: LevelNote, WarnSplit: LevelNote, WarnNotTrimmed: LevelDoubt,
		WarnHeld: LevelDoubt, WarnSkipped: LevelNote, WarnDiffers: LevelInvalid, WarnNoSensor: LevelNote, WarnNotSettled: LevelNote,
		WarnBadRanges: LevelDoubt, WarnMounted: LevelDoubt,
	}
	for code, level := range want {
		if got := code.Level(); got != level {
			t.Errorf("%s is a %s, want %s", code, got, level)
		}
	}
	for _, c := range checks() {
		if level, ok := want[c.code]; !ok || level != c.level {
			t.Errorf("%s is a %s in the table, want %s", c.code, c.level, level)
		}
		if (c.run != nil) == (c.loops != nil) && !slices.Contains(factless, c.code) {
			t.Errorf("%s looks at a run or at loops, not at both or neither", c.code)
		}
		if c.early && c.run == nil || c.fold && c.loops == nil {
			t.Errorf("%s: early is for runs and fold for loops", c.code)
		}
	}
	if got := WarningCode("from-the-future").Level(); got != LevelDoubt {
		t.Errorf("an unknown code is a %s", got)
	}
}
