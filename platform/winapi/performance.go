package winapi

import (
	"encoding/binary"
	"math"
	"unsafe"

	"cachecliff/platform"
)

// PerformanceSize is the length of the answer to CodePerformance, bytes.
const PerformanceSize = int(unsafe.Sizeof(diskPerformance{}))

// perMilli is how many units of 100 ns, in which Windows counts, are in a millisecond.
const perMilli = 10_000

// DecodePerformance decodes the answer to CodePerformance. It allocates nothing.
//
// Windows counts neither merged requests nor discards nor flushes. The queue is the time that finished
// requests took in all, as "Avg. Disk Queue Length" of Windows has it. Busy is the time since 1601 less the
// idle time, so only its differences mean something, as with all counts. Counts of requests have 32 bits.
func DecodePerformance(b []byte) (platform.Counters, error) {
	var d diskPerformance
	if len(b) < PerformanceSize {
		return platform.Counters{}, ErrShort
	}
	wide := func(offset uintptr) uint64 { return binary.LittleEndian.Uint64(b[offset:]) }
	count := func(offset uintptr) uint64 { return uint64(binary.LittleEndian.Uint32(b[offset:])) }
	var (
		read, written = wide(unsafe.Offsetof(d.BytesRead)), wide(unsafe.Offsetof(d.BytesWritten))
		reads, writes = wide(unsafe.Offsetof(d.ReadTime)), wide(unsafe.Offsetof(d.WriteTime))
		idle, queried = wide(unsafe.Offsetof(d.IdleTime)), wide(unsafe.Offsetof(d.QueryTime))
		ticks         = func(units uint64) uint64 { return units / perMilli & math.MaxUint32 }
		negative      = read | written | reads | writes | idle | queried // as signed numbers
	)
	if negative > math.MaxInt64 {
		return platform.Counters{}, ErrStrange
	}
	return platform.Counters{
		ReadOps: count(unsafe.Offsetof(d.ReadCount)), ReadBytes: read, ReadTicks: ticks(reads),
		WriteOps: count(unsafe.Offsetof(d.WriteCount)), WriteBytes: written, WriteTicks: ticks(writes),
		InFlight:  count(unsafe.Offsetof(d.QueueDepth)),
		BusyTicks: ticks(queried - idle), QueueTicks: ticks(reads + writes),
	}, nil
}
