package main

import (
	"fmt"
	"os"
)

// deviceStat are counters of a block device since the system's start.
type deviceStat struct{ requests, bytes int64 }

// readStat reads a file like /sys/block/sda/stat; without a name there is nothing to read.
func readStat(name string) (deviceStat, error) {
	if name == "" {
		return deviceStat{}, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return deviceStat{}, err
	}
	return parseStat(string(data))
}

// parseStat adds up reads and writes. The fields are described in the kernel's Documentation/block/stat.rst.
func parseStat(text string) (deviceStat, error) {
	var f [7]int64
	if _, err := fmt.Sscan(text, &f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6]); err != nil {
		return deviceStat{}, fmt.Errorf("read the counters of the block device: %w", err)
	}
	const sector = 512
	return deviceStat{requests: f[0] + f[4], bytes: (f[2] + f[6]) * sector}, nil
}
