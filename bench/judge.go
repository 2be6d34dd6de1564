package bench

import "time"

// Level is how much a doubt takes from a number.
type Level string

// The levels. A number without a doubt of the last two is valid.
const (
	LevelNote    Level = "note"    // good to know
	LevelDoubt   Level = "doubt"   // the number may be off
	LevelInvalid Level = "invalid" // the number is not the drive's
)

// The thresholds of the checks, each with its reason.
const (
	// cachedShare: a drive that moved less than this share of what was asked did not serve the rest. File
	// systems and layers only ever add to what is asked, and the counters are read when nothing is in flight,
	// so they agree to the byte on a path without a cache. The two percent leave room for a stray page, and
	// are less than 1 − 1000/1024, by which two sides differ that mean different kilobytes.
	cachedShare = 0.98
	// residentShare: direct I/O leaves hardly a page of the file in memory. From a tenth on, the means of a
	// row can be off by as much as its loops differ anyway.
	residentShare = 0.1
	// otherShare and otherRate: what the drive moved beyond what was asked, both as a share of that and in
	// bytes per second. Metadata and logs stay below; a tenth of the drive's time shows in the rate.
	otherShare, otherRate = 0.1, 1e6
	// shortTime and shortOps: below, a rate is a snapshot. The flash preset measures for one second.
	shortTime, shortOps = time.Second, 30
	// noisySpread of the loops, as a share of their median.
	noisySpread = 0.1
	// busyShare of the counted time: a thread that works that much of it is what limits the rate.
	busyShare = 0.9
	// waitShare of the counted time, on average over the threads: so long they were ready to work and had no
	// processor, since other programs, the kernel's threads or more threads than processors had it. An idle
	// computer stays below a tenth; with four times as many busy programs as processors it is half and more.
	waitShare = 0.25
	// ceilingShare of what the engine can do without a drive: nearer, the engine's own cost is most of an I/O.
	ceilingShare = 0.85
	// endedShare: a last loop below this share of the first has left the write cache or was slowed down.
	endedShare = 0.7
	// keptShare of the rate that was asked for: a drive that keeps up misses only what is in flight at the end.
	keptShare = 0.98
	// pausedShare of the counted time: a process that stood still longer asked the drive for less by that, which is
	// the most by which a rate may be off.
	pausedShare = 0.01
	// lateShare of the counted time: I/Os that are waited for longer at its end are missing in the latencies.
	lateShare = 0.1
	// hotMargin, in thousandths of a degree: drives step in a few degrees before the limit that they name, but
	// being there alone says nothing. slowShare is the rate of the last third of a workload's time as a share
	// of that of the first third, below which it fell: more than loops differ that are not noisy.
	hotMargin, slowShare = 3000, 0.9
	// restTime and restShare, restLeast: flash drives empty their write cache when idle, at half a gigabyte a
	// second or more, which takes minutes for the largest. The part of it that never goes away is about a
	// hundredth of the capacity (a few gigabytes), and less than that has hardly filled anything.
	restTime             = 10 * time.Minute
	restShare, restLeast = 0.01, 1e9
	// diskBuffer is the largest memory of hard disks as they are sold, in bytes: 64 to 512 MiB.
	diskBuffer = 512 << 20
	// flashBufferShare and flashBufferLeast, in bytes: flash drives have a gigabyte of memory for each terabyte
	// (four bytes for each page of 4 KiB) or borrow about 64 MiB from the computer (host memory buffer).
	flashBufferShare, flashBufferLeast = 0.001, 64 << 20
)

// The settings that cost speed to save power.
var (
	// savingPlans are governors that keep the processor slow. With an energy preference beside
	// it, "powersave" is the usual governor of intel_pstate and amd_pstate and keeps nothing slow (kernel
	// Documentation/admin-guide/pm/intel_pstate.rst).
	savingPlans = []string{"powersave"}
	// savingWindows are power plans of Windows that do.
	savingWindows = []string{"Power saver"}
	// savingPreferences are energy preferences that do.
	savingPreferences = []string{"power"}
	// savingProfiles are profiles of the whole computer (Documentation/ABI/testing/sysfs-platform_profile).
	savingProfiles = []string{"low-power"}
	// savingASPM are policies that let PCI Express links sleep deeper than the firmware asks for; waking takes
	// up to tens of microseconds, as long as a read.
	savingASPM = []string{"powersave", "powersupersave", "maximum"}
	// savingLinks are policies that let SATA links sleep to the deepest, which takes up to 10 ms to end
	// (Documentation/ABI/testing/sysfs-class-scsi_host). med_power_with_dipm is usual and not among them.
	savingLinks = []string{"min_power", "min_power_with_partial"}
)

// finding is what a check found out.
type finding struct {
	hit   bool
	value float64 // in the unit that the code names
	text  string
}

// check is one doubt: how much it takes from a number, and when there is reason for it.
type check struct {
	code  WarningCode
	level Level
	// run looks at a whole run; nil if the doubt is about single workloads.
	run func(*Result) finding
	// loops looks at the complete loops of a workload, of which there is at least one; nil as above.
	loops func(*Result, Outcome, []Measurement) finding
	early bool // can be told while the run goes on; its facts do not change any more
	fills bool // loops looks at the passes of a filling, too, which have no workload
	fold  bool // if all of several workloads have it, it is one doubt about the whole run
}

// checks are all doubts there are. They are pure functions of what a Result holds.
func checks() []check {
	return []check{
		{code: WarnBuffered, level: LevelInvalid, early: true, run: buffered},
		{code: WarnNoCounters, level: LevelDoubt, early: true, run: noCounters},
		{code: WarnNamedFile, level: LevelNote, early: true, run: namedFile},
		{code: WarnLayoutUnknown, level: LevelNote, early: true, run: layoutUnknown},
		{code: WarnUnwritten, level: LevelInvalid, early: true, run: unwritten},
		{code: WarnCloned, level: LevelInvalid, early: true, run: cloned},
		{code: WarnCached, level: LevelInvalid, early: true, run: resident},
		{code: WarnCached, level: LevelInvalid, early: true, run: throughCache},
		{code: WarnCloned, level: LevelInvalid, run: copyCloned},
		{code: WarnCached, level: LevelInvalid, run: copyCached},
		{code: WarnDiffers, level: LevelInvalid, run: copyDiffers},
		{code: WarnBadRanges, level: LevelDoubt, run: cloneBad},
		{code: WarnMounted, level: LevelDoubt, early: true, run: cloneMounted},
		{code: WarnDiffers, level: LevelInvalid, run: cloneDiffers},
		{code: WarnNoisy, level: LevelDoubt, run: copyNoisy},
		{code: WarnSkipped, level: LevelNote, run: copySkipped},
		{code: WarnEngineFallback, level: LevelDoubt, early: true, run: engineFallback},
		{code: WarnSensorsLost, level: LevelNote}, // told by the runner alone: a result has no fact of it
		{code: WarnImported, level: LevelNote},    // told by the importer, as are its doubts
		{code: WarnImportDoubt, level: LevelDoubt},
		{code: WarnCopyOnWrite, level: LevelNote, early: true, run: copyOnWrite},
		{code: WarnCompressed, level: LevelDoubt, early: true, run: compressed},
		{code: WarnDeduplicated, level: LevelDoubt, early: true, run: deduplicated},
		{code: WarnBattery, level: LevelNote, early: true, run: battery},
		{code: WarnPowerSaving, level: LevelNote, early: true, run: powerSaving},
		{code: WarnNotRested, level: LevelNote, early: true, run: notRested},
		{code: WarnSpaceChanged, level: LevelNote, run: spaceChanged},
		{code: WarnLikeCopy, level: LevelNote, early: true, run: likeCopy},
		{code: WarnFull, level: LevelNote, early: true, run: filledUp},
		{code: WarnSplit, level: LevelNote, early: true, run: split},
		{code: WarnNotTrimmed, level: LevelDoubt, early: true, run: notTrimmed},
		{code: WarnHeld, level: LevelDoubt, early: true, run: heldByUser},
		{code: WarnNoSensor, level: LevelNote, run: noSensorTold},
		{code: WarnNotSettled, level: LevelNote, run: notSettled},
		{code: WarnThrottled, level: LevelDoubt, run: throttleCounters},
		{code: WarnSmallSpan, level: LevelNote, fold: true, loops: smallSpan},
		{code: WarnNoCounters, level: LevelDoubt, fold: true, fills: true, loops: uncounted},
		{code: WarnCached, level: LevelInvalid, fills: true, loops: servedByDrive},
		{code: WarnOtherIO, level: LevelDoubt, fills: true, loops: otherIO},
		{code: WarnShort, level: LevelInvalid, loops: tooShort},
		{code: WarnNoisy, level: LevelDoubt, loops: noisy},
		{code: WarnCPULimited, level: LevelDoubt, fills: true, loops: busyThread},
		{code: WarnCPULimited, level: LevelDoubt, fills: true, loops: crowdedOut},
		{code: WarnCPULimited, level: LevelDoubt, loops: nearCeiling},
		{code: WarnThrottled, level: LevelDoubt, fills: true, loops: hot},
		{code: WarnCacheEnded, level: LevelDoubt, loops: cacheEnded},
		{code: WarnRateMissed, level: LevelDoubt, loops: rateMissed},
		{code: WarnPaused, level: LevelDoubt, fills: true, loops: paused},
		{code: WarnLate, level: LevelDoubt, loops: late},
	}
}

// Level is how much the doubt takes from a number. A doubt of a newer version is a plain doubt.
func (c WarningCode) Level() Level {
	for _, k := range checks() {
		if k.code == c {
			return k.level
		}
	}
	return LevelDoubt
}

// Judge finds the doubts that the recorded facts of a run give rise to. It looks at nothing else, so that
// a stored result can be judged again.
func Judge(r *Result) []Warning {
	type row struct {
		Outcome
		loops []Measurement
	}
	var rows []row
	for _, o := range r.Outcomes() {
		if ms := r.complete(o.Workload.ID); len(ms) > 0 {
			rows = append(rows, row{o, ms})
		}
	}
	if ms := r.filled(); len(ms) > 0 {
		rows = append(rows, row{Outcome{Workload: Workload{Spec: r.Plan.Profile.Filling.Write}}, ms})
	}
	var out []Warning
	for _, c := range checks() {
		if c.run != nil {
			out = append(out, c.warnings("", c.run(r))...)
		}
		if c.loops == nil {
			continue
		}
		var found []Warning
		for _, row := range rows {
			if row.Workload.ID == "" && !c.fills {
				continue
			}
			found = append(found, c.warnings(row.Workload.ID, c.loops(r, row.Outcome, row.loops))...)
		}
		if c.fold && len(found) > 1 && len(found) == len(rows) {
			found = found[:1]
			found[0].Workload = ""
		}
		out = append(out, found...)
	}
	return out
}

// judgeEarly is the part of Judge that can be told while the run goes on.
func judgeEarly(r *Result) []Warning {
	var out []Warning
	for _, c := range checks() {
		if c.early {
			out = append(out, c.warnings("", c.run(r))...)
		}
	}
	return out
}

// warnings is the warning of a finding, if it is one.
func (c check) warnings(workload string, f finding) []Warning {
	if !f.hit {
		return nil
	}
	return []Warning{{Code: c.code, Workload: workload, Value: f.value, Text: f.text}}
}
