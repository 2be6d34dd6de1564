package winapi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"
)

// The structures of Windows, laid out by hand with their padding spelled out; abi_test.go pins sizes and
// offsets. The type is named like the one it stands for.

// propertyQuery is STORAGE_PROPERTY_QUERY. What follows PropertyID and QueryType belongs to the property.
type propertyQuery struct {
	PropertyID, QueryType uint32
	Additional            [1]byte
	_                     [3]byte
}

// deviceDescriptor is STORAGE_DEVICE_DESCRIPTOR. Offsets are from its start.
type deviceDescriptor struct {
	Version, Size         uint32
	DeviceType            uint8
	DeviceTypeModifier    uint8
	RemovableMedia        uint8
	CommandQueueing       uint8
	VendorIDOffset        uint32
	ProductIDOffset       uint32
	ProductRevisionOffset uint32
	SerialNumberOffset    uint32
	BusType               uint32
	RawPropertiesLength   uint32
	RawDeviceProperties   [1]byte
	_                     [3]byte
}

// adapterDescriptor is STORAGE_ADAPTER_DESCRIPTOR.
type adapterDescriptor struct {
	Version, Size                                    uint32
	MaximumTransferLength, MaximumPhysicalPages      uint32
	AlignmentMask                                    uint32
	UsesPIO, ScansDown, CommandQueueing, Accelerated uint8
	BusType                                          uint8
	_                                                uint8
	BusMajorVersion, BusMinorVersion                 uint16
	SrbType, AddressType                             uint8
}

// alignmentDescriptor is STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR.
type alignmentDescriptor struct {
	Version, Size                                 uint32
	BytesPerCacheLine, OffsetForCacheAlignment    uint32
	BytesPerLogicalSector, BytesPerPhysicalSector uint32
	OffsetForSectorAlignment                      uint32
}

// flagDescriptor is DEVICE_SEEK_PENALTY_DESCRIPTOR and DEVICE_TRIM_DESCRIPTOR.
type flagDescriptor struct {
	Version, Size uint32
	Flag          uint8
	_             [3]byte
}

// writeCacheProperty is STORAGE_WRITE_CACHE_PROPERTY.
type writeCacheProperty struct {
	Version, Size         uint32
	WriteCacheType        uint32
	WriteCacheEnabled     uint32
	WriteCacheChangeable  uint32
	WriteThroughSupported uint32
	FlushCacheSupported   uint8
	PowerProtection       uint8
	NVCacheEnabled        uint8
	_                     uint8
}

// diskCacheInformation is DISK_CACHE_INFORMATION.
type diskCacheInformation struct {
	ParametersSavable, ReadCacheEnabled, WriteCacheEnabled uint8
	_                                                      uint8
	ReadRetentionPriority, WriteRetentionPriority          uint32
	DisablePrefetchTransferLength                          uint16
	PrefetchScalar                                         uint8
	_                                                      uint8
	Prefetch                                               [6]byte
	_                                                      [2]byte
}

// deviceIDDescriptor is the head of STORAGE_DEVICE_ID_DESCRIPTOR; identifiers follow it.
type deviceIDDescriptor struct {
	Version, Size       uint32
	NumberOfIdentifiers uint32
}

// storageIdentifier is the head of STORAGE_IDENTIFIER; the identifier follows it.
type storageIdentifier struct {
	CodeSet, Type  uint32
	IdentifierSize uint16
	NextOffset     uint16 // from the start of this one; 0 in the last
	Association    uint32
}

// protocolDataDescriptor is STORAGE_PROTOCOL_DATA_DESCRIPTOR.
type protocolDataDescriptor struct {
	Version, Size uint32
	Specific      protocolSpecificData
}

// protocolSpecificData is STORAGE_PROTOCOL_SPECIFIC_DATA. The offset is from its start.
type protocolSpecificData struct {
	ProtocolType, DataType          uint32
	RequestValue                    uint32
	RequestSubValue                 uint32
	DataOffset, DataLength          uint32
	FixedReturnData                 uint32
	SubValue2, SubValue3, SubValue4 uint32
}

// protocolQuery is a STORAGE_PROPERTY_QUERY whose additional parameters are a STORAGE_PROTOCOL_SPECIFIC_DATA.
type protocolQuery struct {
	PropertyID, QueryType uint32
	Specific              protocolSpecificData
}

// temperatureDescriptor is the head of STORAGE_TEMPERATURE_DATA_DESCRIPTOR; InfoCount of temperatureInfo
// follow it.
type temperatureDescriptor struct {
	Version, Size                           uint32
	CriticalTemperature, WarningTemperature int16
	InfoCount                               uint16
	_                                       [2]byte
	_                                       [2]uint32
}

// temperatureInfo is STORAGE_TEMPERATURE_INFO. Temperatures are degrees Celsius.
type temperatureInfo struct {
	Index                           uint16
	Temperature                     int16
	OverThreshold, UnderThreshold   int16
	OverChangeable, UnderChangeable uint8
	EventGenerated, _               uint8
	_                               uint32
}

// diskPerformance is DISK_PERFORMANCE. Times are in units of 100 ns.
type diskPerformance struct {
	BytesRead, BytesWritten       int64
	ReadTime, WriteTime, IdleTime int64
	ReadCount, WriteCount         uint32
	QueueDepth, SplitCount        uint32
	QueryTime                     int64
	StorageDeviceNumber           uint32
	StorageManagerName            [8]uint16
	_                             uint32
}

// storageDeviceNumber is STORAGE_DEVICE_NUMBER.
type storageDeviceNumber struct {
	DeviceType, DeviceNumber, PartitionNumber uint32
}

// lengthInformation is GET_LENGTH_INFORMATION.
type lengthInformation struct {
	Length int64
}

// diskGeometryEx is DISK_GEOMETRY_EX without what is known of the partitions, which may follow.
type diskGeometryEx struct {
	Cylinders                          int64
	MediaType                          uint32
	TracksPerCylinder, SectorsPerTrack uint32
	BytesPerSector                     uint32
	DiskSize                           int64
	Data                               [1]byte
	_                                  [7]byte
}

// sendCmdInParams is SENDCMDINPARAMS without the one byte of its buffer. The structure is packed.
type sendCmdInParams struct {
	BufferSize  uint32
	Registers   ideRegs
	DriveNumber uint8
	_           [3]byte
	_           [4]uint32
}

// ideRegs is IDEREGS.
type ideRegs struct {
	Features, SectorCount, SectorNumber, CylinderLow, CylinderHigh, DriveHead, Command uint8
	_                                                                                  uint8
}

// sendCmdOutParams is SENDCMDOUTPARAMS without its buffer. The structure is packed.
type sendCmdOutParams struct {
	BufferSize            uint32
	DriverError, IDEError uint8
	_                     [2]byte
	_                     [2]uint32
}

// ataPassThroughEx is ATA_PASS_THROUGH_EX of a 64-bit program.
type ataPassThroughEx struct {
	Length, Flags         uint16
	PathID, TargetID, LUN uint8
	_                     uint8
	DataTransferLength    uint32
	TimeOutValue          uint32 // seconds
	_                     uint32
	_                     uint32
	DataBufferOffset      uint64
	Previous, Current     ataTaskFile
}

// ataTaskFile holds the registers of a command, and after it those of the answer.
type ataTaskFile struct {
	Features, Count, LBALow, LBAMid, LBAHigh, Device, Command uint8 // after it Features is the error and Command the status
	_                                                         uint8
}

// storagePredictFailure is STORAGE_PREDICT_FAILURE.
type storagePredictFailure struct {
	PredictFailure uint32
	VendorSpecific [512]byte
}

// ErrShort is an answer that ends before what it must hold.
var ErrShort = errors.New("the answer of Windows is too short")

// ErrStrange is an answer that contradicts itself.
var ErrStrange = errors.New("the answer of Windows does not make sense")

// decode reads one structure from the start of an answer.
func decode[T any](b []byte) (T, error) {
	var v T
	if n := int(unsafe.Sizeof(v)); len(b) < n {
		return v, fmt.Errorf("%w: %d bytes, a %T has %d", ErrShort, len(b), v, n)
	}
	_, err := binary.Decode(b, binary.LittleEndian, &v)
	return v, err
}

// encode writes one structure. It panics for one that has no fixed size, which no type of this file is.
func encode(v any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}
