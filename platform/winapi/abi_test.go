package winapi

import (
	"reflect"
	"testing"
	"unsafe"
)

// TestABI pins sizes and offsets to what a C compiler makes of the headers of the Windows SDK for 64 bits.
func TestABI(t *testing.T) {
	var (
		query  propertyQuery
		device deviceDescriptor
		adapt  adapterDescriptor
		align  alignmentDescriptor
		flag   flagDescriptor
		cache  writeCacheProperty
		disk   diskCacheInformation
		ids    deviceIDDescriptor
		id     storageIdentifier
		proto  protocolDataDescriptor
		spec   protocolSpecificData
		pquery protocolQuery
		temps  temperatureDescriptor
		temp   temperatureInfo
		perf   diskPerformance
		number storageDeviceNumber
		length lengthInformation
		geo    diskGeometryEx
		in     sendCmdInParams
		regs   ideRegs
		out    sendCmdOutParams
		pass   ataPassThroughEx
		task   ataTaskFile
		fail   storagePredictFailure
	)
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"sizeof STORAGE_PROPERTY_QUERY", unsafe.Sizeof(query), 12},
		{"STORAGE_PROPERTY_QUERY.AdditionalParameters", unsafe.Offsetof(query.Additional), 8},
		{"sizeof STORAGE_DEVICE_DESCRIPTOR", unsafe.Sizeof(device), 40},
		{"STORAGE_DEVICE_DESCRIPTOR.RemovableMedia", unsafe.Offsetof(device.RemovableMedia), 10},
		{"STORAGE_DEVICE_DESCRIPTOR.VendorIdOffset", unsafe.Offsetof(device.VendorIDOffset), 12},
		{"STORAGE_DEVICE_DESCRIPTOR.ProductIdOffset", unsafe.Offsetof(device.ProductIDOffset), 16},
		{"STORAGE_DEVICE_DESCRIPTOR.ProductRevisionOffset", unsafe.Offsetof(device.ProductRevisionOffset), 20},
		{"STORAGE_DEVICE_DESCRIPTOR.SerialNumberOffset", unsafe.Offsetof(device.SerialNumberOffset), 24},
		{"STORAGE_DEVICE_DESCRIPTOR.BusType", unsafe.Offsetof(device.BusType), 28},
		{"STORAGE_DEVICE_DESCRIPTOR.RawPropertiesLength", unsafe.Offsetof(device.RawPropertiesLength), 32},
		{"STORAGE_DEVICE_DESCRIPTOR.RawDeviceProperties", unsafe.Offsetof(device.RawDeviceProperties), 36},
		{"sizeof STORAGE_ADAPTER_DESCRIPTOR", unsafe.Sizeof(adapt), 32},
		{"STORAGE_ADAPTER_DESCRIPTOR.MaximumTransferLength", unsafe.Offsetof(adapt.MaximumTransferLength), 8},
		{"STORAGE_ADAPTER_DESCRIPTOR.AlignmentMask", unsafe.Offsetof(adapt.AlignmentMask), 16},
		{"STORAGE_ADAPTER_DESCRIPTOR.CommandQueueing", unsafe.Offsetof(adapt.CommandQueueing), 22},
		{"STORAGE_ADAPTER_DESCRIPTOR.BusType", unsafe.Offsetof(adapt.BusType), 24},
		{"STORAGE_ADAPTER_DESCRIPTOR.BusMajorVersion", unsafe.Offsetof(adapt.BusMajorVersion), 26},
		{"sizeof STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR", unsafe.Sizeof(align), 28},
		{"STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR.BytesPerLogicalSector", unsafe.Offsetof(align.BytesPerLogicalSector), 16},
		{"STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR.BytesPerPhysicalSector", unsafe.Offsetof(align.BytesPerPhysicalSector), 20},
		{"STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR.BytesOffsetForSectorAlignment", unsafe.Offsetof(align.OffsetForSectorAlignment), 24},
		{"sizeof DEVICE_SEEK_PENALTY_DESCRIPTOR, DEVICE_TRIM_DESCRIPTOR", unsafe.Sizeof(flag), 12},
		{"DEVICE_TRIM_DESCRIPTOR.TrimEnabled", unsafe.Offsetof(flag.Flag), 8},
		{"sizeof STORAGE_WRITE_CACHE_PROPERTY", unsafe.Sizeof(cache), 28},
		{"STORAGE_WRITE_CACHE_PROPERTY.WriteCacheType", unsafe.Offsetof(cache.WriteCacheType), 8},
		{"STORAGE_WRITE_CACHE_PROPERTY.WriteCacheEnabled", unsafe.Offsetof(cache.WriteCacheEnabled), 12},
		{"STORAGE_WRITE_CACHE_PROPERTY.WriteThroughSupported", unsafe.Offsetof(cache.WriteThroughSupported), 20},
		{"STORAGE_WRITE_CACHE_PROPERTY.FlushCacheSupported", unsafe.Offsetof(cache.FlushCacheSupported), 24},
		{"sizeof DISK_CACHE_INFORMATION", unsafe.Sizeof(disk), 24},
		{"DISK_CACHE_INFORMATION.WriteCacheEnabled", unsafe.Offsetof(disk.WriteCacheEnabled), 2},
		{"DISK_CACHE_INFORMATION.DisablePrefetchTransferLength", unsafe.Offsetof(disk.DisablePrefetchTransferLength), 12},
		{"STORAGE_DEVICE_ID_DESCRIPTOR.NumberOfIdentifiers", unsafe.Offsetof(ids.NumberOfIdentifiers), 8},
		{"STORAGE_DEVICE_ID_DESCRIPTOR.Identifiers", unsafe.Sizeof(ids), 12},
		{"STORAGE_IDENTIFIER.Type", unsafe.Offsetof(id.Type), 4},
		{"STORAGE_IDENTIFIER.IdentifierSize", unsafe.Offsetof(id.IdentifierSize), 8},
		{"STORAGE_IDENTIFIER.NextOffset", unsafe.Offsetof(id.NextOffset), 10},
		{"STORAGE_IDENTIFIER.Association", unsafe.Offsetof(id.Association), 12},
		{"STORAGE_IDENTIFIER.Identifier", unsafe.Sizeof(id), 16},
		{"sizeof STORAGE_PROTOCOL_DATA_DESCRIPTOR", unsafe.Sizeof(proto), 48},
		{"STORAGE_PROTOCOL_DATA_DESCRIPTOR.ProtocolSpecificData", unsafe.Offsetof(proto.Specific), 8},
		{"sizeof STORAGE_PROTOCOL_SPECIFIC_DATA", unsafe.Sizeof(spec), 40},
		{"STORAGE_PROTOCOL_SPECIFIC_DATA.ProtocolDataOffset", unsafe.Offsetof(spec.DataOffset), 16},
		{"STORAGE_PROTOCOL_SPECIFIC_DATA.ProtocolDataLength", unsafe.Offsetof(spec.DataLength), 20},
		{"STORAGE_PROTOCOL_SPECIFIC_DATA.FixedProtocolReturnData", unsafe.Offsetof(spec.FixedReturnData), 24},
		{"STORAGE_PROPERTY_QUERY.AdditionalParameters, of a protocol", unsafe.Offsetof(pquery.Specific), 8},
		{"STORAGE_TEMPERATURE_DATA_DESCRIPTOR.CriticalTemperature", unsafe.Offsetof(temps.CriticalTemperature), 8},
		{"STORAGE_TEMPERATURE_DATA_DESCRIPTOR.WarningTemperature", unsafe.Offsetof(temps.WarningTemperature), 10},
		{"STORAGE_TEMPERATURE_DATA_DESCRIPTOR.InfoCount", unsafe.Offsetof(temps.InfoCount), 12},
		{"STORAGE_TEMPERATURE_DATA_DESCRIPTOR.TemperatureInfo", unsafe.Sizeof(temps), 24},
		{"sizeof STORAGE_TEMPERATURE_INFO", unsafe.Sizeof(temp), 16},
		{"STORAGE_TEMPERATURE_INFO.Temperature", unsafe.Offsetof(temp.Temperature), 2},
		{"STORAGE_TEMPERATURE_INFO.OverThreshold", unsafe.Offsetof(temp.OverThreshold), 4},
		{"sizeof DISK_PERFORMANCE", unsafe.Sizeof(perf), 88},
		{"DISK_PERFORMANCE.ReadTime", unsafe.Offsetof(perf.ReadTime), 16},
		{"DISK_PERFORMANCE.WriteTime", unsafe.Offsetof(perf.WriteTime), 24},
		{"DISK_PERFORMANCE.IdleTime", unsafe.Offsetof(perf.IdleTime), 32},
		{"DISK_PERFORMANCE.ReadCount", unsafe.Offsetof(perf.ReadCount), 40},
		{"DISK_PERFORMANCE.WriteCount", unsafe.Offsetof(perf.WriteCount), 44},
		{"DISK_PERFORMANCE.QueueDepth", unsafe.Offsetof(perf.QueueDepth), 48},
		{"DISK_PERFORMANCE.SplitCount", unsafe.Offsetof(perf.SplitCount), 52},
		{"DISK_PERFORMANCE.QueryTime", unsafe.Offsetof(perf.QueryTime), 56},
		{"DISK_PERFORMANCE.StorageDeviceNumber", unsafe.Offsetof(perf.StorageDeviceNumber), 64},
		{"DISK_PERFORMANCE.StorageManagerName", unsafe.Offsetof(perf.StorageManagerName), 68},
		{"sizeof STORAGE_DEVICE_NUMBER", unsafe.Sizeof(number), 12},
		{"STORAGE_DEVICE_NUMBER.DeviceNumber", unsafe.Offsetof(number.DeviceNumber), 4},
		{"STORAGE_DEVICE_NUMBER.PartitionNumber", unsafe.Offsetof(number.PartitionNumber), 8},
		{"sizeof GET_LENGTH_INFORMATION", unsafe.Sizeof(length), 8},
		{"sizeof DISK_GEOMETRY_EX", unsafe.Sizeof(geo), 40},
		{"DISK_GEOMETRY.MediaType", unsafe.Offsetof(geo.MediaType), 8},
		{"DISK_GEOMETRY.BytesPerSector", unsafe.Offsetof(geo.BytesPerSector), 20},
		{"DISK_GEOMETRY_EX.DiskSize", unsafe.Offsetof(geo.DiskSize), 24},
		{"sizeof SENDCMDINPARAMS less its buffer", unsafe.Sizeof(in), 32},
		{"SENDCMDINPARAMS.irDriveRegs", unsafe.Offsetof(in.Registers), 4},
		{"SENDCMDINPARAMS.bDriveNumber", unsafe.Offsetof(in.DriveNumber), 12},
		{"sizeof IDEREGS", unsafe.Sizeof(regs), 8},
		{"sizeof SENDCMDOUTPARAMS less its buffer", unsafe.Sizeof(out), 16},
		{"SENDCMDOUTPARAMS.DriverStatus", unsafe.Offsetof(out.DriverError), 4},
		{"sizeof ATA_PASS_THROUGH_EX", unsafe.Sizeof(pass), 48},
		{"ATA_PASS_THROUGH_EX.AtaFlags", unsafe.Offsetof(pass.Flags), 2},
		{"ATA_PASS_THROUGH_EX.DataTransferLength", unsafe.Offsetof(pass.DataTransferLength), 8},
		{"ATA_PASS_THROUGH_EX.TimeOutValue", unsafe.Offsetof(pass.TimeOutValue), 12},
		{"ATA_PASS_THROUGH_EX.DataBufferOffset", unsafe.Offsetof(pass.DataBufferOffset), 24},
		{"ATA_PASS_THROUGH_EX.PreviousTaskFile", unsafe.Offsetof(pass.Previous), 32},
		{"ATA_PASS_THROUGH_EX.CurrentTaskFile", unsafe.Offsetof(pass.Current), 40},
		{"sizeof a task file", unsafe.Sizeof(task), 8},
		{"sizeof STORAGE_PREDICT_FAILURE", unsafe.Sizeof(fail), 516},
		{"STORAGE_PREDICT_FAILURE.VendorSpecific", unsafe.Offsetof(fail.VendorSpecific), 4},
	} {
		if f.got != f.want {
			t.Errorf("%s is %d, want %d", f.name, f.got, f.want)
		}
	}
	// encoding/binary knows nothing of padding: what it makes must be as long as what the compiler makes.
	for _, v := range []any{query, device, adapt, align, flag, cache, disk, ids, id, proto, spec, pquery, temps, temp,
		perf, number, length, geo, in, regs, out, pass, task, fail} {
		if got, want := len(encode(v)), sizeOf(v); got != want {
			t.Errorf("%T has %d bytes in memory and %d when it is written", v, want, got)
		}
	}
}

// The values of CTL_CODE(device, function, METHOD_BUFFERED, access).
func TestCodes(t *testing.T) {
	const (
		storage, disk, scsi = 0x2D, 0x07, 0x04 // FILE_DEVICE_MASS_STORAGE, IOCTL_DISK_BASE, IOCTL_SCSI_BASE
		any, read, write    = 0, 1, 2
	)
	for _, c := range []struct {
		name                           string
		code, device, function, access uint32
	}{
		{"IOCTL_STORAGE_QUERY_PROPERTY", CodeQueryProperty, storage, 0x500, any},
		{"IOCTL_STORAGE_PREDICT_FAILURE", CodePredictFailure, storage, 0x440, any},
		{"IOCTL_STORAGE_GET_DEVICE_NUMBER", CodeDeviceNumber, storage, 0x420, any},
		{"IOCTL_DISK_PERFORMANCE", CodePerformance, disk, 0x08, any},
		{"IOCTL_DISK_GET_DRIVE_GEOMETRY_EX", CodeGeometry, disk, 0x28, any},
		{"IOCTL_DISK_GET_LENGTH_INFO", CodeLength, disk, 0x17, read},
		{"IOCTL_DISK_GET_CACHE_INFORMATION", CodeCache, disk, 0x35, read},
		{"SMART_RCV_DRIVE_DATA", CodeSmartReceive, disk, 0x22, read | write},
		{"IOCTL_ATA_PASS_THROUGH", CodeAtaPassThrough, scsi, 0x40B, read | write},
	} {
		if want := c.device<<16 | c.access<<14 | c.function<<2; c.code != want {
			t.Errorf("%s is %#x, want %#x", c.name, c.code, want)
		}
	}
}

func TestQuery(t *testing.T) {
	if got, want := string(Query(PropertyTemperature)), "\x34\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"; got != want {
		t.Errorf("%x, want %x", got, want)
	}
}

// sizeOf is the size of a value in memory.
func sizeOf(v any) int { return int(reflect.TypeOf(v).Size()) }
