package winapi

import "unsafe"

// fileStorageInfo is FILE_STORAGE_INFO.
type fileStorageInfo struct {
	LogicalBytesPerSector                                 uint32
	PhysicalBytesPerSectorForAtomicity                    uint32
	PhysicalBytesPerSectorForPerformance                  uint32
	FileSystemEffectivePhysicalBytesPerSectorForAtomicity uint32
	Flags                                                 uint32
	ByteOffsetForSectorAlignment                          uint32
	ByteOffsetForPartitionAlignment                       uint32
}

// SizeFileStorage is the size of the answer that DecodeFileStorage takes, in bytes.
const SizeFileStorage = int(unsafe.Sizeof(fileStorageInfo{}))

// DecodeFileStorage decodes the answer to FileStorageInfo: the sectors of the volume that a file lies on.
func DecodeFileStorage(b []byte) (Sectors, error) {
	d, err := decode[fileStorageInfo](b)
	if err != nil {
		return Sectors{}, err
	}
	return Sectors{Logical: sectorSize(d.LogicalBytesPerSector), Physical: sectorSize(d.PhysicalBytesPerSectorForPerformance)}, nil
}
