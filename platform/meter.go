package platform

import "time"

// Meter reads one drive again and again at little cost: what it reads stays open. Counters and Temperatures
// may run at the same time, each in one goroutine; Close only when neither does.
type Meter interface {
	// Counters are the drive's own counts and when they were read, on the host's clock. The system answers
	// from its memory: the drive is neither asked nor woken. It fails with ErrUnsupported where the system
	// does not count, and with ErrGone when the drive is no longer there.
	Counters() (Counters, time.Duration, error)

	// Temperatures are commands to the drive. They warm one that has nothing to do, and hang behind one that
	// is busy or does not answer; so ask no more than once a second, and from where a wait holds up nobody. A
	// sensor that does not answer is left out. It fails with ErrUnsupported where there is no sensor, and with
	// ErrAsleep, without asking, while the system has the drive sleep.
	Temperatures() ([]Reading, error)

	// Source is where temperatures come from, as in Sensors.
	Source() string

	Close() error
}

// Since is what a drive did from an earlier reading to this one: every count as a difference, InFlight as
// it is now. Counts wrap at 64 bits, on 32-bit systems at 32 bits or, in bytes, at 2^32 sectors of 512;
// ticks wrap at 32 bits everywhere (kernel block/genhd.c, part_stat_show). A count that went back in
// any other way belongs to a drive that was reset or replaced, and ok is false: what it did is unknown.
func (c Counters) Since(before Counters) (d Counters, ok bool) {
	ok = true
	count := func(now, then uint64, sector uint) uint64 {
		if diff := now - then; diff < 1<<63 {
			return diff
		}
		narrow := uint64(1) << (32 + sector)
		diff := (now - then) & (narrow - 1)
		ok = ok && then < narrow && diff < narrow/2
		return diff
	}
	ticks := func(now, then uint64) uint64 {
		diff := uint32(now) - uint32(then)
		ok = ok && diff < 1<<31
		return uint64(diff)
	}
	const sector = 9 // bits of a byte count below the sector
	d = Counters{
		ReadOps: count(c.ReadOps, before.ReadOps, 0), ReadMerges: count(c.ReadMerges, before.ReadMerges, 0),
		ReadBytes: count(c.ReadBytes, before.ReadBytes, sector), ReadTicks: ticks(c.ReadTicks, before.ReadTicks),
		WriteOps: count(c.WriteOps, before.WriteOps, 0), WriteMerges: count(c.WriteMerges, before.WriteMerges, 0),
		WriteBytes: count(c.WriteBytes, before.WriteBytes, sector), WriteTicks: ticks(c.WriteTicks, before.WriteTicks),
		InFlight: c.InFlight, BusyTicks: ticks(c.BusyTicks, before.BusyTicks), QueueTicks: ticks(c.QueueTicks, before.QueueTicks),
		DiscardOps: count(c.DiscardOps, before.DiscardOps, 0), DiscardMerges: count(c.DiscardMerges, before.DiscardMerges, 0),
		DiscardBytes: count(c.DiscardBytes, before.DiscardBytes, sector), DiscardTicks: ticks(c.DiscardTicks, before.DiscardTicks),
		FlushOps: count(c.FlushOps, before.FlushOps, 0), FlushTicks: ticks(c.FlushTicks, before.FlushTicks),
	}
	if !ok {
		return Counters{}, false
	}
	return d, true
}
