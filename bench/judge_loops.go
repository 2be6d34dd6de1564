package bench

import (
	"slices"
	"strings"
	"time"

	"cachecliff/platform"
)

// What follows looks at the complete loops of one workload, of which there is at least one.

// worst is the largest value of the loops, and whether it is above a limit.
func worst(ms []Measurement, value func(Measurement) float64, limit float64) finding {
	var most float64
	for _, m := range ms {
		most = max(most, value(m))
	}
	return finding{hit: most > limit, value: most}
}

// rate is bytes per second.
func (m Measurement) rate() float64 {
	_, bytes, _ := m.Total()
	return float64(bytes) / m.Elapsed.Seconds()
}

// working is the time in which a step had I/O in flight.
func (m Measurement) working() time.Duration { return m.Step.Spec.Warmup + m.Elapsed + m.Drain }

// deviceMoved is what all drives together moved during a step by their own counters; known is false if
// one of them does not count, or was reset meanwhile.
func (m Measurement) deviceMoved() (moved Moved, known bool) {
	for _, d := range m.Devices {
		c, ok := d.After.Since(d.Before)
		if !ok {
			return Moved{}, false
		}
		moved = moved.Add(Moved{int64(c.ReadOps), int64(c.ReadBytes), int64(c.WriteOps), int64(c.WriteBytes)})
	}
	return moved, len(m.Devices) > 0
}

// servedByDrive compares what was asked with what the drives moved, each direction on its own. The value is
// the smallest share that they moved. Of a mirror each read is served by one drive and each write by all, and
// RAID with parity writes more than it is asked to and reads for it: no stack moves less than what was asked.
func servedByDrive(r *Result, o Outcome, ms []Measurement) finding {
	if r.Plan.Buffered && o.Workload.ID == "" { // at the end of a copy a part is still in memory
		return finding{}
	}
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
	return finding{hit: least < cachedShare, value: max(least, 0)}
}

// uncounted looks for loops around which a drive did not tell what it moved: its owner switched counting off, or
// it did not answer.
func uncounted(r *Result, _ Outcome, ms []Measurement) finding {
	silent := func(m Measurement) bool { return len(m.Devices) == 0 && !m.Stopped } // after a stop nobody asks
	return finding{hit: len(r.Plan.Target.Drives) > 0 && slices.ContainsFunc(ms, silent), text: "silent"}
}

// has says whether a layer of one of the kinds lies below the target.
func has(t platform.Target, kinds ...platform.LayerKind) bool {
	return slices.ContainsFunc(t.Layers, func(l platform.Layer) bool { return slices.Contains(kinds, l.Kind) })
}

// movesMore says whether the drives move more than what is asked by the nature of what lies above them, so
// that the difference tells nothing of others.
func movesMore(r *Result, writes bool) bool {
	t := r.Plan.Target
	if has(t, platform.LayerBcache, platform.LayerVDO, platform.LayerMapper, platform.LayerOther) {
		return true // caches, journals of their own, blocks of addresses
	}
	return writes && (len(t.Drives) > 1 || copiesOnWrite(r) || // mirrors, parity; trees
		slices.Contains([]string{"f2fs", "nilfs2"}, t.Volume.FS) || // these tidy up
		slices.Contains(strings.Split(t.Volume.Options, ","), "data=journal"))
}

// otherIO looks for what the drives moved beyond what was asked. The value is bytes per second.
func otherIO(r *Result, o Outcome, ms []Measurement) finding {
	if movesMore(r, o.Workload.Spec.ReadPct < 100) {
		return finding{}
	}
	var most float64
	for _, m := range ms {
		moved, known := m.deviceMoved()
		asked := float64(m.Moved.ReadBytes + m.Moved.WriteBytes)
		other := float64(moved.ReadBytes+moved.WriteBytes) - asked
		took := m.working().Seconds()
		if known && other > otherShare*asked && other/took > otherRate {
			most = max(most, other/took)
		}
	}
	return finding{hit: most > 0, value: most}
}

func tooShort(_ *Result, _ Outcome, ms []Measurement) finding {
	var f finding
	for _, m := range ms {
		ops, _, _ := m.Total()
		if few := ops < shortOps || m.Elapsed < shortTime; few && (!f.hit || float64(ops) < f.value) {
			f = finding{hit: true, value: float64(ops)}
		}
	}
	return f
}

func noisy(_ *Result, o Outcome, _ []Measurement) finding {
	spread := o.Bytes.Spread()
	return finding{hit: spread > noisySpread, value: spread}
}

func busyThread(_ *Result, _ Outcome, ms []Measurement) finding {
	return worst(ms, func(m Measurement) float64 {
		if m.CPU == nil {
			return 0
		}
		return m.CPU.Busiest.Seconds() / m.working().Seconds()
	}, busyShare)
}

// crowdedOut looks at how long the threads waited for a processor: neither of them is busy then, and the drive
// waits with them.
func crowdedOut(_ *Result, o Outcome, ms []Measurement) finding {
	f := worst(ms, func(m Measurement) float64 {
		if m.CPU == nil {
			return 0
		}
		return m.CPU.Waited.Seconds() / float64(o.Workload.Spec.Threads) / m.working().Seconds()
	}, waitShare)
	f.text = "waited"
	return f
}

// nearCeiling compares what each thread did with what the engine can do without a drive.
func nearCeiling(r *Result, o Outcome, ms []Measurement) finding {
	if r.Ceiling == nil || r.Ceiling.IO <= 0 {
		return finding{}
	}
	f := worst(ms, func(m Measurement) float64 {
		ops, _, _ := m.Total()
		return float64(ops) / float64(o.Workload.Spec.Threads) * r.Ceiling.IO.Seconds() / m.Elapsed.Seconds()
	}, ceilingShare)
	f.text = "ceiling"
	return f
}

func cacheEnded(_ *Result, o Outcome, ms []Measurement) finding {
	if o.Workload.Spec.ReadPct == 100 || len(ms) < 2 {
		return finding{}
	}
	share := ms[len(ms)-1].rate() / ms[0].rate()
	return finding{hit: share < endedShare, value: share}
}

// rateMissed compares the rate with the one that was asked for. The flush at the end is time in which nothing
// was asked.
func rateMissed(_ *Result, o Outcome, ms []Measurement) finding {
	least := 1.0
	for _, m := range ms {
		ops, _, _ := m.Total()
		asked := float64(o.Workload.Spec.Rate) * (m.Elapsed - m.FlushTook).Seconds()
		if asked > 0 {
			least = min(least, float64(ops)/asked)
		}
	}
	return finding{hit: least < keptShare, value: least}
}

// paused looks for loops in which the measuring process stood still: it was stopped, or the computer was.
func paused(_ *Result, _ Outcome, ms []Measurement) finding {
	return worst(ms, func(m Measurement) float64 { return m.HeldUp.Seconds() / m.Elapsed.Seconds() }, pausedShare)
}

// late leaves out what was waited for because the measuring process stood still.
func late(_ *Result, _ Outcome, ms []Measurement) finding {
	return worst(ms, func(m Measurement) float64 { return max(m.Drain-m.HeldUp, 0).Seconds() / m.Elapsed.Seconds() }, lateShare)
}

// smallSpan compares the part of the file that was used with the memory that such drives have. Of memory
// cards, sticks and virtual drives nothing is known.
func smallSpan(r *Result, o Outcome, _ []Measurement) finding {
	span := r.Plan.Profile.FileSize
	if s := o.Workload.Spec.Span; s > 0 {
		span = min(s, span)
	}
	var memory float64
	for _, d := range r.Plan.Target.Drives {
		switch {
		case d.Rotational == platform.Yes:
			memory += diskBuffer
		case d.Bus == platform.BusNVMe, d.Rotational == platform.No && (d.Bus == platform.BusSATA || d.Bus == platform.BusSAS):
			memory += max(flashBufferShare*float64(d.Capacity), flashBufferLeast)
		default:
			return finding{}
		}
	}
	return finding{hit: span > 0 && float64(span) <= memory, value: float64(span)}
}

// hot looks for a drive at the limit of its temperature, or a little below while the rate fell. The value is
// the highest temperature in °C of those that count.
func hot(r *Result, _ Outcome, ms []Measurement) finding {
	limits := r.tempLimits()
	margin, slower := int32(0), false
	if ms[0].Step.Kind == StepFill { // its rate falls anyway, where the cache ends
		slower = r.slowedByHeat()
	} else {
		slower = fell(ms)
	}
	if slower {
		margin = hotMargin
	}
	var f finding
	for _, m := range ms {
		for _, s := range m.Series {
			for _, d := range s.Drive {
				limit, known := limits[d.Drive]
				if !known || len(d.Temperatures) == 0 {
					continue
				}
				// The first is the drive's own account of itself; the others may lie on its hottest chip.
				if t := d.Temperatures[0].MilliC; t >= limit-margin {
					f.hit, f.value = true, max(f.value, float64(t)/1000)
				}
			}
		}
	}
	return f
}

// tempLimits are the temperatures in thousandths of a degree at which drives slow down, by their keys.
func (r *Result) tempLimits() map[string]int32 {
	out := map[string]int32{}
	if r.Before == nil {
		return out
	}
	for _, d := range r.Before.Drives {
		switch {
		case d.Limits == nil:
		case d.Limits.WarnMilliC != nil:
			out[d.Drive] = *d.Limits.WarnMilliC
		case d.Limits.CritMilliC != nil:
			out[d.Drive] = *d.Limits.CritMilliC
		}
	}
	return out
}

// fell says whether the rate fell from the first to the last third of the time that counts.
func fell(ms []Measurement) bool {
	var all []Sample
	var took time.Duration
	for _, m := range ms {
		for _, s := range m.Series {
			if !s.Warm {
				all = append(all, s)
				took += s.Took
			}
		}
	}
	first, last := mean(all, 0, took/3), mean(all, took-took/3, took)
	return first > 0 && last < slowShare*first
}

// mean is the rate in bytes per second of the samples that end between two moments, on a clock that runs in
// samples only.
func mean(all []Sample, from, to time.Duration) float64 {
	var bytes int64
	var at, took time.Duration
	for _, s := range all {
		if at += s.Took; at > from && at <= to {
			bytes += s.Read.Bytes + s.Write.Bytes
			took += s.Took
		}
	}
	if took == 0 {
		return 0
	}
	return float64(bytes) / took.Seconds()
}
