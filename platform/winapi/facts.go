package winapi

import (
	"cachecliff/platform"
)

// Adapter is what the driver of a controller knows of it.
type Adapter struct {
	Bus         Bus
	MaxTransfer int64 // bytes of one request
	Alignment   int64 // of buffers, bytes
}

// DecodeAdapter decodes the answer to PropertyAdapter.
func DecodeAdapter(b []byte) (Adapter, error) {
	d, err := decode[adapterDescriptor](b)
	if err != nil {
		return Adapter{}, err
	}
	return Adapter{Bus: Bus(d.BusType), MaxTransfer: int64(d.MaximumTransferLength), Alignment: int64(d.AlignmentMask) + 1}, nil
}

// Sectors are the sizes of a drive's sectors in bytes. 0 is unknown.
type Sectors struct {
	Logical, Physical int
}

// DecodeAlignment decodes the answer to PropertyAlignment. A size that is no power of two, or below what any
// drive has, is left unknown.
func DecodeAlignment(b []byte) (Sectors, error) {
	d, err := decode[alignmentDescriptor](b)
	if err != nil {
		return Sectors{}, err
	}
	return Sectors{Logical: sectorSize(d.BytesPerLogicalSector), Physical: sectorSize(d.BytesPerPhysicalSector)}, nil
}

func sectorSize(n uint32) int {
	const least, most = 512, 1 << 20
	if n < least || n > most || n&(n-1) != 0 {
		return 0
	}
	return int(n)
}

// DecodeSeekPenalty decodes the answer to PropertySeekPenalty: whether the drive turns.
func DecodeSeekPenalty(b []byte) (platform.Tri, error) { return decodeFlag(b) }

// DecodeTrim decodes the answer to PropertyTrim: whether the drive can be told what is no longer in use.
func DecodeTrim(b []byte) (platform.Tri, error) { return decodeFlag(b) }

func decodeFlag(b []byte) (platform.Tri, error) {
	d, err := decode[flagDescriptor](b)
	if err != nil {
		return platform.Unknown, err
	}
	return platform.TriOf(d.Flag != 0), nil
}

// The kinds of write cache in the words of the contract.
const (
	writeBack    = "write back"
	writeThrough = "write through"
)

// DecodeWriteCache decodes the answer to PropertyWriteCache into the words of platform.Drive.WriteCache.
func DecodeWriteCache(b []byte) (string, error) {
	const (
		kindNone, kindThrough = 1, 3 // WRITE_CACHE_TYPE; 0 is unknown, 2 is write back
		disabled, enabled     = 1, 2 // WRITE_CACHE_ENABLE; 0 is unknown
	)
	d, err := decode[writeCacheProperty](b)
	switch {
	case err != nil:
		return "", err
	case d.WriteCacheEnabled == disabled, d.WriteCacheType == kindNone, d.WriteCacheType == kindThrough:
		return writeThrough, nil
	case d.WriteCacheEnabled == enabled:
		return writeBack, nil
	}
	return "", nil
}

// DecodeCache decodes the answer to CodeCache in the same words.
func DecodeCache(b []byte) (string, error) {
	d, err := decode[diskCacheInformation](b)
	switch {
	case err != nil:
		return "", err
	case d.WriteCacheEnabled != 0:
		return writeBack, nil
	}
	return writeThrough, nil
}

// Geometry is the size of a drive.
type Geometry struct {
	Size   int64 // bytes; 0 without a medium
	Sector int   // bytes; 0 is unknown
	Media  uint32
}

// mediaRemovable is RemovableMedia of MEDIA_TYPE, mediaFixed FixedMedia. All others are floppy disks.
const (
	mediaRemovable = 11
	mediaFixed     = 12
)

// Removable says whether the medium can be taken out.
func (g Geometry) Removable() platform.Tri {
	switch g.Media {
	case mediaRemovable:
		return platform.Yes
	case mediaFixed:
		return platform.No
	}
	return platform.Unknown
}

// DecodeGeometry decodes the answer to CodeGeometry.
func DecodeGeometry(b []byte) (Geometry, error) {
	d, err := decode[diskGeometryEx](b)
	switch {
	case err != nil:
		return Geometry{}, err
	case d.DiskSize < 0:
		return Geometry{}, ErrStrange
	}
	return Geometry{Size: d.DiskSize, Sector: sectorSize(d.BytesPerSector), Media: d.MediaType}, nil
}

// DecodeLength decodes the answer to CodeLength, the size of a drive or a volume in bytes.
func DecodeLength(b []byte) (int64, error) {
	d, err := decode[lengthInformation](b)
	switch {
	case err != nil:
		return 0, err
	case d.Length < 0:
		return 0, ErrStrange
	}
	return d.Length, nil
}

// DeviceNumber says which device something is, or lies on: PhysicalDriveN for disks.
type DeviceNumber struct {
	Type      uint32 // FILE_DEVICE_*
	Number    uint32
	Partition uint32 // 0 is the whole device
}

// DeviceDisk is FILE_DEVICE_DISK, the type of all that is called PhysicalDriveN.
const DeviceDisk = 7

// noPartition is what a device has for a partition that has none.
const noPartition = 0xFFFFFFFF

// DecodeDeviceNumber decodes the answer to CodeDeviceNumber.
func DecodeDeviceNumber(b []byte) (DeviceNumber, error) {
	d, err := decode[storageDeviceNumber](b)
	if err != nil {
		return DeviceNumber{}, err
	}
	if d.PartitionNumber == noPartition {
		d.PartitionNumber = 0
	}
	return DeviceNumber{Type: d.DeviceType, Number: d.DeviceNumber, Partition: d.PartitionNumber}, nil
}
