package sysfs

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"

	"cachecliff/platform"
)

// statSector is the unit of sector counts in /sys, whatever the drive's own sectors are.
const statSector = 512

var errFewFields = errors.New("block device statistics with fewer than 11 fields")

// ParseStat reads /sys/block/NAME/stat (kernel Documentation/block/stat.rst). Kernels before 4.18 have
// 11 fields, before 5.5 15; what is not there is zero. It allocates nothing.
func ParseStat(b []byte) (platform.Counters, error) {
	var v [17]uint64
	n := 0
	for n < len(v) {
		b = bytes.TrimLeft(b, " \n")
		if len(b) == 0 {
			break
		}
		var ok bool
		if v[n], b, ok = cutNumber(b); !ok {
			return platform.Counters{}, fmt.Errorf("block device statistics, field %d is not a count", n+1)
		}
		n++
	}
	if n < 11 {
		return platform.Counters{}, errFewFields
	}
	return platform.Counters{
		ReadOps: v[0], ReadMerges: v[1], ReadBytes: v[2] * statSector, ReadTicks: v[3],
		WriteOps: v[4], WriteMerges: v[5], WriteBytes: v[6] * statSector, WriteTicks: v[7],
		InFlight: v[8], BusyTicks: v[9], QueueTicks: v[10],
		DiscardOps: v[11], DiscardMerges: v[12], DiscardBytes: v[13] * statSector, DiscardTicks: v[14],
		FlushOps: v[15], FlushTicks: v[16],
	}, nil
}

// cutNumber takes an unsigned decimal number off the front of b, up to a space or the end.
func cutNumber(b []byte) (n uint64, rest []byte, ok bool) {
	for i, c := range b {
		if c == ' ' || c == '\n' {
			return n, b[i:], true
		}
		hi, lo := bits.Mul64(n, 10)
		sum, carry := bits.Add64(lo, uint64(c-'0'), 0)
		if c < '0' || c > '9' || hi != 0 || carry != 0 {
			return 0, b, false
		}
		n = sum
	}
	return n, nil, true
}

// Counters reads the counts of a block device; nil if its owner switched counting off.
func (t Tree) Counters(name string) (*platform.Counters, error) {
	dir := "sys/class/block/" + name
	b, err := t.bytes(dir + "/stat")
	if err != nil {
		return nil, err
	}
	if !Counts([]byte(t.raw(dir + "/queue/iostats"))) {
		return nil, nil
	}
	c, err := ParseStat(b)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// Counts says whether the content of /sys/block/NAME/queue/iostats means that the system counts. Where there
// is no such file it does.
func Counts(iostats []byte) bool { return !bytes.HasPrefix(iostats, []byte("0")) }
