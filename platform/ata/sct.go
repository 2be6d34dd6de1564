package ata

import (
	"encoding/binary"
	"fmt"

	"cachecliff/platform"
)

// DecodeSCT reads the temperature, thousandths of a degree Celsius, out of the SCT status of a drive (ATA Command
// Set, "SCT Status Response"); nil if the drive has no thermometer.
func DecodeSCT(page []byte) (*int32, error) {
	const (
		offVersion, offTemperature = 0, 200
		oldest, newest             = 2, 3
	)
	if err := check(page); err != nil {
		return nil, err
	}
	if v := word(page, offVersion); v < oldest || v > newest {
		return nil, fmt.Errorf("%w: SCT status of version %d", ErrStrange, v)
	}
	return celsius(int8(page[offTemperature])), nil
}

// KeepsErrors says whether a drive keeps a log of errors: in its identity, or, as drives from before ATA-6 do, in
// the answer to SMART READ DATA.
func KeepsErrors(id Identity, data []byte) bool {
	const offCapability = 370
	return id.ErrorLog == platform.Yes || checkSum(data) == nil && data[offCapability]&1 != 0
}

// DecodeErrorCount reads how many errors a drive has met in its life out of its log of errors (ATA Command Set,
// "Summary SMART Error log").
func DecodeErrorCount(page []byte) (uint64, error) {
	const version, offCount = 1, 452
	if err := checkSum(page); err != nil {
		return 0, err
	}
	if page[0] != version {
		return 0, fmt.Errorf("%w: log of errors of version %d", ErrStrange, page[0])
	}
	return uint64(binary.LittleEndian.Uint16(page[offCount:])), nil
}
