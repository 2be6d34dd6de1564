package winapi

import (
	"bytes"
	"fmt"
	"unsafe"
)

// Control codes of volumes. They need no rights.
const (
	CodeVolumeExtents = 0x00560000 // IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS
	CodePartition     = 0x00070048 // IOCTL_DISK_GET_PARTITION_INFO_EX
)

// volumeDiskExtents is the head of VOLUME_DISK_EXTENTS; so many of diskExtent follow it.
type volumeDiskExtents struct {
	NumberOfDiskExtents uint32
	_                   uint32
}

// diskExtent is DISK_EXTENT.
type diskExtent struct {
	DiskNumber     uint32
	_              uint32
	StartingOffset int64
	ExtentLength   int64
}

// A DiskExtent is a piece of a volume on a drive, in bytes.
type DiskExtent struct {
	Drive         uint32 // of \\.\PhysicalDriveN
	Start, Length int64
}

// DecodeVolumeExtents decodes the answer to CodeVolumeExtents.
func DecodeVolumeExtents(b []byte) ([]DiskExtent, error) {
	head, err := decode[volumeDiskExtents](b)
	if err != nil {
		return nil, err
	}
	all, err := decodeList[diskExtent](b[unsafe.Sizeof(head):], int64(head.NumberOfDiskExtents))
	if err != nil {
		return nil, err
	}
	out := make([]DiskExtent, len(all))
	for i, e := range all {
		if e.StartingOffset < 0 || e.ExtentLength < 0 {
			return nil, fmt.Errorf("%w: %d bytes of a volume at %d", ErrStrange, e.ExtentLength, e.StartingOffset)
		}
		out[i] = DiskExtent{Drive: e.DiskNumber, Start: e.StartingOffset, Length: e.ExtentLength}
	}
	return out, nil
}

// decodeList reads n structures that follow each other.
func decodeList[T any](b []byte, n int64) ([]T, error) {
	var one T
	if size := int64(unsafe.Sizeof(one)); n > int64(len(b))/size {
		return nil, fmt.Errorf("%w: %d bytes for %d of %T", ErrShort, len(b), n, one)
	}
	out := make([]T, n)
	for i := range out {
		v, err := decode[T](b[uintptr(i)*unsafe.Sizeof(one):])
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// partitionInformationEx is the head of PARTITION_INFORMATION_EX, and what of a union follows it: a
// PARTITION_INFORMATION_GPT, whose first byte is the type of a PARTITION_INFORMATION_MBR.
type partitionInformationEx struct {
	PartitionStyle                  uint32
	_                               uint32
	StartingOffset, PartitionLength int64
	PartitionNumber                 uint32
	RewritePartition, ServicePart   uint8
	_                               [2]byte
	Type, ID                        [16]byte
	Attributes                      uint64
	Name                            [72]byte
}

// A Partition is what kind of partition a volume lies on.
type Partition struct {
	Number uint32 // on its drive, from 1; 0 if there is no table
	Data   bool   // made for files of people, neither to start the computer nor to repair it
}

// Values of PARTITION_STYLE.
const (
	styleMBR = 0
	styleGPT = 1
)

// dataTypes are the types of partitions for data, in the order of bytes that they are stored in.
var dataTypes = [][16]byte{
	{0xA2, 0xA0, 0xD0, 0xEB, 0xE5, 0xB9, 0x33, 0x44, 0x87, 0xC0, 0x68, 0xB6, 0xB7, 0x26, 0x99, 0xC7}, // PARTITION_BASIC_DATA_GUID
	{0xA0, 0x60, 0x9B, 0xAF, 0x31, 0x14, 0x62, 0x4F, 0xBC, 0x68, 0x33, 0x11, 0x71, 0x4A, 0x69, 0xAD}, // PARTITION_LDM_DATA_GUID
}

// dataTypesMBR are their types in tables of the older kind (PARTITION_*): FAT, NTFS and exFAT, dynamic disks.
var dataTypesMBR = []byte{0x01, 0x04, 0x06, 0x07, 0x0B, 0x0C, 0x0E, 0x42}

// Attributes of partitions that are not for files of people.
const (
	partitionRequired = 1       // GPT_ATTRIBUTE_PLATFORM_REQUIRED
	partitionHidden   = 1 << 62 // GPT_BASIC_DATA_ATTRIBUTE_HIDDEN
)

// DecodePartition decodes the answer to CodePartition.
func DecodePartition(b []byte) (Partition, error) {
	d, err := decode[partitionInformationEx](b)
	if err != nil {
		return Partition{}, err
	}
	p := Partition{Number: d.PartitionNumber}
	switch d.PartitionStyle {
	case styleMBR:
		p.Data = bytes.IndexByte(dataTypesMBR, d.Type[0]) >= 0
	case styleGPT:
		for _, t := range dataTypes {
			p.Data = p.Data || t == d.Type
		}
		p.Data = p.Data && d.Attributes&(partitionRequired|partitionHidden) == 0
	default:
		p.Number, p.Data = 0, true // no table, the volume has the drive for itself
	}
	return p, nil
}
