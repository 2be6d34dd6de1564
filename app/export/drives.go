package export

import (
	"bytes"
	"time"

	"cachecliff/bench"
	"cachecliff/platform"
)

// writeDrives writes one row for each time a drive was looked at, with its counters as they were read and
// with what it did since the row before of the same drive. Times are since the run's start. Rates are per
// second; awaits, queue and use are those of iostat, kept apart for reads and writes. Drives are numbered as
// in the target, from 1.
func writeDrives(b *bytes.Buffer, r bench.Result, _ Options) error {
	t := &table{}
	t.add("run", "drive", "at_ns", "temperature_millic", "temperature_age_ns", "asleep",
		"read_ops", "read_merges", "read_bytes", "read_ticks_ms", "write_ops", "write_merges", "write_bytes", "write_ticks_ms",
		"in_flight", "busy_ticks_ms", "queue_ticks_ms", "discard_ops", "discard_merges", "discard_bytes", "discard_ticks_ms",
		"flush_ops", "flush_ticks_ms",
		"took_ns", "reads_per_s", "read_bytes_per_s", "read_await_ms", "writes_per_s", "write_bytes_per_s", "write_await_ms",
		"queue_length", "busy_percent")
	number := map[string]int{}
	for i, d := range r.Plan.Target.Drives {
		number[d.Key] = i + 1
	}
	before := map[string]bench.DriveReading{}
	for _, d := range r.Readings() {
		cells := []any{r.ID, nil, d.Since, nil, nil, d.Asleep}
		if n, ok := number[d.Drive]; ok {
			cells[1] = n
		}
		if len(d.Temperatures) > 0 {
			cells[3], cells[4] = d.Temperatures[0].MilliC, d.TempAge
		}
		if d.Counters == nil {
			t.add(append(cells, make([]any, 26)...)...)
			continue
		}
		cells = append(cells, counts(*d.Counters)...)
		t.add(append(cells, derived(before[d.Drive], d)...)...)
		before[d.Drive] = d
	}
	return t.write(b)
}

func counts(c platform.Counters) []any {
	return []any{c.ReadOps, c.ReadMerges, c.ReadBytes, c.ReadTicks, c.WriteOps, c.WriteMerges, c.WriteBytes, c.WriteTicks,
		c.InFlight, c.BusyTicks, c.QueueTicks, c.DiscardOps, c.DiscardMerges, c.DiscardBytes, c.DiscardTicks,
		c.FlushOps, c.FlushTicks}
}

// derived is what a drive did between two readings; empty before the second, and where it was reset.
func derived(before, now bench.DriveReading) []any {
	empty := make([]any, 9)
	took := now.At - before.At
	if before.Counters == nil || took <= 0 {
		return empty
	}
	d, ok := now.Counters.Since(*before.Counters)
	if !ok {
		return empty
	}
	s := took.Seconds()
	per := func(n uint64) float64 { return float64(n) / s }
	await := func(ticks, ops uint64) any {
		if ops == 0 {
			return nil
		}
		return float64(ticks) / float64(ops)
	}
	busy := per(d.BusyTicks) / float64(time.Second/time.Millisecond)
	return []any{took, per(d.ReadOps), per(d.ReadBytes), await(d.ReadTicks, d.ReadOps),
		per(d.WriteOps), per(d.WriteBytes), await(d.WriteTicks, d.WriteOps),
		per(d.QueueTicks) / float64(time.Second/time.Millisecond), min(100*busy, 100)}
}
