package bench

import (
	"slices"
	"strings"

	"cachecliff/platform"
)

// What follows looks at a whole run. Where a fact is not known there is nothing to find.

// layout is what is known of the test file's place.
func (r *Result) layout() platform.Layout {
	if r.File == nil || r.File.Layout == nil {
		return platform.Layout{}
	}
	return *r.File.Layout
}

func buffered(r *Result) finding {
	return finding{hit: r.File != nil && !r.File.Direct}
}

// noCounters: through the cache there is nothing to confirm anyway.
func noCounters(r *Result) finding {
	tells := r.File != nil && r.File.Direct || r.Plan.Profile.Copying != nil || r.Plan.Profile.Filling != nil && !r.Plan.Buffered
	return finding{hit: tells && len(r.Plan.Target.Drives) == 0}
}

func namedFile(r *Result) finding {
	if r.File == nil {
		return finding{}
	}
	return finding{hit: r.File.Named, text: r.File.Name}
}

func layoutUnknown(r *Result) finding {
	return finding{hit: r.File != nil && r.File.Layout == nil}
}

func unwritten(r *Result) finding {
	n := r.layout().Unwritten
	return finding{hit: n > 0, value: float64(n)}
}

func cloned(r *Result) finding {
	n := r.layout().Shared
	return finding{hit: n > 0, value: float64(n)}
}

// resident looks for a file that lies in the page cache although it was written past it.
func resident(r *Result) finding {
	if r.File == nil || r.File.Cached == nil || !r.File.Direct || r.File.Size <= 0 {
		return finding{}
	}
	share := float64(*r.File.Cached) / float64(r.File.Size)
	return finding{hit: share > residentShare, value: share, text: "resident"}
}

// throughCache looks for a loop device that takes what was written past the cache through it after all.
func throughCache(r *Result) finding {
	return finding{text: "loop", hit: slices.ContainsFunc(r.Plan.Target.Layers, func(l platform.Layer) bool {
		return l.Kind == platform.LayerLoop && l.Cached == platform.Yes
	})}
}

// engineFallback: the system has another engine than the best, and the user did not ask for it.
func engineFallback(r *Result) finding {
	for _, m := range r.Measurements {
		if r.Plan.Engine == platform.EngineAuto && (m.Engine == platform.EngineAIO || m.Engine == platform.EngineThreads) {
			return finding{hit: true, text: string(m.Engine)}
		}
	}
	return finding{}
}

// copiesOnWrite says whether overwriting the test file goes to a new place.
func copiesOnWrite(r *Result) bool {
	v := r.Plan.Target.Volume
	if v.FS == "ReFS" { // what it keeps checksums of it never overwrites
		return strings.Contains(v.Options, ",integrity=")
	}
	return slices.Contains([]string{"btrfs", "bcachefs", "zfs"}, v.FS) &&
		!slices.Contains(strings.Split(v.Options, ","), "nodatacow") && !r.layout().InPlace
}

func copyOnWrite(r *Result) finding {
	return finding{hit: copiesOnWrite(r), text: r.Plan.Target.Volume.FS}
}

// compressed: btrfs compresses nothing that it does not copy on write, and zfs tells no options.
func compressed(r *Result) finding {
	v := r.Plan.Target.Volume
	f := finding{text: v.FS, value: float64(r.layout().Encoded)}
	asked := asksToCompress(v.Options) || r.layout().Packing
	f.hit = f.value > 0 || v.FS == "zfs" || asked && (v.FS != "btrfs" || copiesOnWrite(r))
	return f
}

// asksToCompress looks for compress=zstd:3, compress-force=lzo, compression=lz4, background_compression=zstd,
// compress_algorithm=lz4 and the like.
func asksToCompress(options string) bool {
	for option := range strings.SplitSeq(options, ",") {
		key, value, _ := strings.Cut(option, "=")
		by := strings.HasPrefix(key, "compress") || key == "background_compression"
		if by && !slices.Contains([]string{"no", "none"}, value) {
			return true
		}
	}
	return false
}

// deduplicated knows VDO. File systems that deduplicate while they write (zfs with dedup=on) do not say so
// to others than their administrator; those that do it later (btrfs) leave shared extents, which are cloned.
func deduplicated(r *Result) finding {
	return finding{hit: has(r.Plan.Target, platform.LayerVDO), text: "VDO"}
}

func battery(r *Result) finding {
	return finding{hit: r.Machine.OnBattery == platform.Yes}
}

// powerSaving names the settings that save power: "governor powersave, link min_power".
func powerSaving(r *Result) finding {
	m := r.Machine
	plan, preference, _ := strings.Cut(m.PowerPlan, ", ")
	var saves []string
	add := func(name, value string, saving []string) {
		if s := strings.TrimSpace(name + " " + value); slices.Contains(saving, value) && !slices.Contains(saves, s) {
			saves = append(saves, s)
		}
	}
	if preference == "" {
		add("governor", plan, savingPlans)
		add("power plan", plan, savingWindows)
	}
	add("energy preference", preference, savingPreferences)
	add("profile", m.Profile, savingProfiles)
	for _, d := range r.Plan.Target.Drives {
		if d.Bus == platform.BusNVMe {
			add("ASPM", m.ASPM, savingASPM)
		}
		add("link", d.LinkPower, savingLinks)
		if d.RuntimePower == platform.Yes {
			add("autosuspend", "", []string{""})
		}
	}
	return finding{hit: len(saves) > 0, text: strings.Join(saves, ", ")}
}

// notRested adds up what runs wrote that ended a short while ago. Of what lies below a virtual drive nothing
// is known.
func notRested(r *Result) finding {
	if r.Before == nil {
		return finding{}
	}
	var sum float64
	for _, w := range r.Before.Recent {
		if w.Ago <= restTime {
			sum += float64(w.Bytes)
		}
	}
	var capacity int64
	for _, d := range r.Plan.Target.Drives {
		if d.Bus != platform.BusVirtual {
			capacity += d.Capacity
		}
	}
	return finding{hit: capacity > 0 && sum > max(restShare*float64(capacity), restLeast), value: sum}
}

func spaceChanged(r *Result) finding {
	if r.After == nil || r.Plan.Profile.Filling != nil { // that one goes to the reserve on purpose
		return finding{}
	}
	left := r.After.Free - r.Plan.Profile.FileSize // what was free beside the test file
	return finding{hit: left < Reserve(r.Plan.Target.Volume), value: float64(max(left, 0))}
}

// throttleCounters compares what the drives count of their own heat before and after.
func throttleCounters(r *Result) finding {
	if r.Before == nil || r.After == nil {
		return finding{}
	}
	var f finding
	for _, after := range r.After.Drives {
		i := slices.IndexFunc(r.Before.Drives, func(d DriveProbe) bool { return d.Drive == after.Drive })
		if i < 0 || after.Health == nil || r.Before.Drives[i].Health == nil {
			continue
		}
		if hotter(r.Before.Drives[i].Health, after.Health) {
			f.hit, f.text = true, "counters"
			if c := after.Health.TempMilliC; c != nil {
				f.value = max(f.value, float64(*c)/1000)
			}
		}
	}
	return f
}

// hotter says whether a drive was too hot or slowed itself down between two looks at it.
func hotter(before, after *platform.Health) bool {
	// A drive that does not say that it counts this, and has counted nothing yet, reports none.
	counted := func(n *uint32) *uint32 {
		if n == nil && before.Throttles == platform.No {
			return new(uint32)
		}
		return n
	}
	for _, c := range [][2]*uint32{
		{counted(before.LightThrottles), after.LightThrottles}, {counted(before.HeavyThrottles), after.HeavyThrottles},
		{counted(before.LightSeconds), after.LightSeconds}, {counted(before.HeavySeconds), after.HeavySeconds},
		{before.WarningTempMin, after.WarningTempMin}, {before.CriticalTempMin, after.CriticalTempMin},
	} {
		if c[0] != nil && c[1] != nil && *c[1] > *c[0] {
			return true
		}
	}
	return slices.Contains(after.Critical, "temperature")
}

// filledUp looks for a pass of a filling that ended since the volume was full. The value is what was written until then.
func filledUp(r *Result) finding {
	for _, m := range r.Measurements {
		if m.Full {
			return finding{hit: true, value: float64(m.Moved.WriteBytes)}
		}
	}
	return finding{}
}

// split looks for numbered files that are smaller than planned, since the file system takes no larger ones.
func split(r *Result) finding {
	for _, m := range r.Measurements {
		if len(m.Files) > 1 && m.Files[0].Bytes < r.Plan.Profile.FileSize && m.Files[0].Bytes == splitSize {
			return finding{hit: true, value: float64(m.Files[0].Bytes)}
		}
	}
	return finding{}
}

// notTrimmed looks for files that were deleted without the drives being told. The value is their bytes.
func notTrimmed(r *Result) finding {
	for _, m := range r.Measurements {
		if m.Freed != nil && !m.Freed.told() && !m.Stopped {
			return finding{hit: true, value: float64(m.Freed.Bytes)}
		}
	}
	return finding{}
}

// noSensorTold looks for a test of the temperature without one.
func noSensorTold(r *Result) finding {
	passes := r.ThermalPasses()
	return finding{hit: len(passes) > 0 && !slices.ContainsFunc(passes, func(p ThermalPass) bool { return len(p.Sensors) > 0 })}
}

// notSettled looks for a load that began before the temperature was steady.
func notSettled(r *Result) finding {
	return finding{hit: slices.ContainsFunc(r.ThermalPasses(), func(p ThermalPass) bool { return len(p.Sensors) > 0 && !p.Settled })}
}

// heldByUser looks for pauses in a filling, in which the drive could empty its cache. The value is their length in seconds.
func heldByUser(r *Result) finding {
	var f finding
	for _, m := range r.Measurements {
		for _, h := range m.Held {
			f.hit, f.value = true, f.value+h.Took.Seconds()
		}
	}
	return f
}
