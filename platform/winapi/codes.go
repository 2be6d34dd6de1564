package winapi

// Control codes of DeviceIoControl (winioctl.h, ntddstor.h, ntdddisk.h, ntddscsi.h). Windows checks the
// rights that are part of the code: the first group needs none, so it works on a drive that was opened with
// no access at all, which everybody may do. The other two work on a drive opened for reading, or for reading
// and writing, which takes administrator rights.
const (
	CodeQueryProperty  = 0x002D1400 // IOCTL_STORAGE_QUERY_PROPERTY
	CodePredictFailure = 0x002D1100 // IOCTL_STORAGE_PREDICT_FAILURE
	CodeDeviceNumber   = 0x002D1080 // IOCTL_STORAGE_GET_DEVICE_NUMBER
	CodePerformance    = 0x00070020 // IOCTL_DISK_PERFORMANCE
	CodeGeometry       = 0x000700A0 // IOCTL_DISK_GET_DRIVE_GEOMETRY_EX

	CodeLength = 0x0007405C // IOCTL_DISK_GET_LENGTH_INFO
	CodeCache  = 0x000740D4 // IOCTL_DISK_GET_CACHE_INFORMATION

	CodeSmartReceive   = 0x0007C088 // SMART_RCV_DRIVE_DATA
	CodeAtaPassThrough = 0x0004D02C // IOCTL_ATA_PASS_THROUGH
)

// Property says what CodeQueryProperty is to tell (enum STORAGE_PROPERTY_ID).
type Property uint32

// The properties that are asked for.
const (
	PropertyDevice          Property = 0  // StorageDeviceProperty
	PropertyAdapter         Property = 1  // StorageAdapterProperty
	PropertyDeviceID        Property = 2  // StorageDeviceIdProperty
	PropertyWriteCache      Property = 4  // StorageDeviceWriteCacheProperty
	PropertyAlignment       Property = 6  // StorageAccessAlignmentProperty
	PropertySeekPenalty     Property = 7  // StorageDeviceSeekPenaltyProperty
	PropertyTrim            Property = 8  // StorageDeviceTrimProperty
	PropertyAdapterProtocol Property = 49 // StorageAdapterProtocolSpecificProperty
	PropertyDeviceProtocol  Property = 50 // StorageDeviceProtocolSpecificProperty
	PropertyTemperature     Property = 52 // StorageDeviceTemperatureProperty
)

// Query is the request for a property, a STORAGE_PROPERTY_QUERY. Its last four bytes, of which the
// structure uses one, have to be there: Windows counts them.
func Query(p Property) []byte {
	return encode(propertyQuery{PropertyID: uint32(p)})
}
