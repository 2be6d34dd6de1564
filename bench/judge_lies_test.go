package bench

import (
	"slices"
	"testing"
	"time"

	"cachecliff/platform"
)

// Numbers that other programs are publicly reported to have shown, as far as the recorded facts tell: the project
// and the number of its report, and the doubts that such a run would have here.
func TestReportedLies(t *testing.T) {
	scale := func(r *Result, share float64) { // of what the drive moved
		for i := range r.Measurements {
			m := &r.Measurements[i]
			d := &m.Devices[0]
			d.After.ReadBytes = d.Before.ReadBytes + uint64(share*float64(m.Moved.ReadBytes))
			d.After.WriteBytes = d.Before.WriteBytes + uint64(share*float64(m.Moved.WriteBytes))
		}
	}
	for _, c := range []struct {
		name string
		read int
		lie  func(*Result)
		want []WarningCode
	}{
		{"KDiskMark 122: a USB hard disk at 5.7 GB/s, from the cache of NTFS-3G", 100, func(r *Result) {
			r.Plan.Target.Volume.FS = "fuseblk"
			r.Plan.Target.Drives[0] = platform.Drive{Key: "a", Bus: platform.BusUSB, Capacity: 2e12}
			scale(r, 120e6/5.7e9)
		}, []WarningCode{WarnCached}},
		{"KDiskMark 148: ZFS at 3 GB/s, from its ARC", 100, func(r *Result) {
			r.Plan.Target.Volume.FS = "zfs"
			scale(r, 0)
		}, []WarningCode{WarnCopyOnWrite, WarnCompressed, WarnCached}},
		{"KDiskMark 148: the same where no drive is found below the pool", 100, func(r *Result) {
			r.Plan.Target.Volume.FS, r.Plan.Target.Drives = "zfs", nil
			for i := range r.Measurements {
				r.Measurements[i].Devices = nil
			}
		}, []WarningCode{WarnNoCounters, WarnCopyOnWrite, WarnCompressed}},
		{"KDiskMark 136: 600 instead of 200 MB/s, compressed by btrfs", 0, func(r *Result) {
			r.Plan.Target.Volume.FS, r.Plan.Target.Volume.Options = "btrfs", "rw,compress=zstd:1,space_cache=v2"
			scale(r, 1.0/3)
		}, []WarningCode{WarnCopyOnWrite, WarnCompressed, WarnCached}},
		{"KDiskMark: 2.34 % off, by kilobytes of two sizes; here between the engine and the drive", 100, func(r *Result) { scale(r, 1000.0/1024) }, []WarningCode{WarnCached}},
		{"KDiskMark 50: one processor for all, 6,600 instead of 40,000 IOPS", 100, func(r *Result) {
			for i := range r.Measurements {
				r.Measurements[i].CPU.Busiest = 4950 * time.Millisecond
			}
		}, []WarningCode{WarnCPULimited}},
		{"diskspd 228 and fio 1473: 53.7 GB/s from a file that was never written", 100, func(r *Result) {
			r.File.Layout.Unwritten = r.File.Size
			scale(r, 0)
		}, []WarningCode{WarnUnwritten, WarnCached}},
		{"ANOLISA 2523: a loop device behind the page cache", 0, func(r *Result) {
			r.Plan.Target.Layers = []platform.Layer{{Kind: platform.LayerLoop, Name: "loop0"}}
			scale(r, 0.4)
		}, []WarningCode{WarnCached}},
		{"fio 329: the end of the file comes before a second has passed", 100, func(r *Result) {
			for i := range r.Measurements {
				r.Measurements[i].Elapsed, r.Measurements[i].CPU = 300*time.Millisecond, nil
			}
		}, []WarningCode{WarnShort}},
		{"KDiskMark 149: the good moments only", 0, func(r *Result) {
			for i, share := range []float64{1, 1, 0.6, 0.3} {
				slower(&r.Measurements[i], share)
			}
		}, []WarningCode{WarnNoisy, WarnCacheEnded}},
		{"nwipe 415: 79 °C", 0, func(r *Result) {
			r.Before.Drives[0].Limits.WarnMilliC = milli(78_850)
			for i := range r.Measurements {
				heat(&r.Measurements[i], 79_000, 0.6)
			}
		}, []WarningCode{WarnThrottled}},
		{"linuxdev.cc: a copy in no time, cloned", 100, func(r *Result) { r.File.Layout.Shared = r.File.Size }, []WarningCode{WarnCloned}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sound(c.read)
			c.lie(r)
			var got []WarningCode
			for _, w := range Judge(r) {
				got = append(got, w.Code)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
			r.Warnings = Judge(r)
			invalid := slices.ContainsFunc(c.want, func(code WarningCode) bool { return code.Level() == LevelInvalid })
			if o := r.Outcomes()[0]; o.Invalid != invalid {
				t.Errorf("the number is marked invalid: %v, want %v", o.Invalid, invalid)
			}
		})
	}
}

// KDiskMark shows zeros for a run that failed. Here a loop that failed, or in which nothing came back, has no
// number.
func TestFailedRunHasNoZeros(t *testing.T) {
	for name, fail := range map[string]func(*Measurement){
		"failed":          func(m *Measurement) { m.Failure = &Failure{Reason: platform.ErrIO.Error()} },
		"stopped":         func(m *Measurement) { m.Stopped = true },
		"nothing came":    func(m *Measurement) { m.Read, m.Write = Tally{}, Tally{} },
		"no time counted": func(m *Measurement) { m.Elapsed = 0 },
	} {
		r := sound(100)
		for i := range r.Measurements {
			fail(&r.Measurements[i])
		}
		if o := r.Outcomes()[0]; o.Bytes != (Estimate{}) || o.IOPS.N != 0 {
			t.Errorf("%s: %+v", name, o)
		}
		if got := Judge(r); len(got) != 0 {
			t.Errorf("%s: doubts about no number: %v", name, got)
		}
	}
}

// Rates are bytes by seconds, without a unit between: 102,000 I/Os of 4 KiB in 5 s are 83,558,400 B/s.
func TestNoUnitSlips(t *testing.T) {
	if got := sound(100).Outcomes()[0].Bytes; got.Median != 83_558_400 || got.Best != 103_000*4096/5.0 {
		t.Errorf("%+v", got)
	}
}
