package sysfs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cachecliff/platform"
)

// statSector is the unit of sector counts in /sys, whatever the drive's own sectors are.
const statSector = 512

// ParseStat reads /sys/block/NAME/stat (kernel Documentation/block/stat.rst). Kernels before 4.18 have
// 11 fields, before 5.5 15; what is not there is zero.
func ParseStat(b []byte) (platform.Counters, error) {
	var v [17]uint64
	f := strings.Fields(string(b))
	if len(f) < 11 {
		return platform.Counters{}, errors.New("block device statistics with fewer than 11 fields")
	}
	for i := range min(len(f), len(v)) {
		n, err := strconv.ParseUint(f[i], 10, 64)
		if err != nil {
			return platform.Counters{}, fmt.Errorf("block device statistics, field %d: %w", i+1, err)
		}
		v[i] = n
	}
	return platform.Counters{
		ReadOps: v[0], ReadMerges: v[1], ReadBytes: v[2] * statSector, ReadTicks: v[3],
		WriteOps: v[4], WriteMerges: v[5], WriteBytes: v[6] * statSector, WriteTicks: v[7],
		InFlight: v[8], BusyTicks: v[9], QueueTicks: v[10],
		DiscardOps: v[11], DiscardBytes: v[13] * statSector, FlushOps: v[15],
	}, nil
}

// Counters reads the counts of a block device; nil if its owner switched counting off.
func (t Tree) Counters(name string) (*platform.Counters, error) {
	dir := "sys/class/block/" + name
	b, err := t.bytes(dir + "/stat")
	if err != nil {
		return nil, err
	}
	if t.text(dir+"/queue/iostats") == "0" {
		return nil, nil
	}
	c, err := ParseStat(b)
	if err != nil {
		return nil, err
	}
	return &c, nil
}
