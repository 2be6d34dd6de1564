package winapi

import (
	"fmt"
	"unsafe"
)

// The pages that can be asked for in the words of the drive's own protocol.
var (
	// NVMeHealth is the SMART / Health Information log of all namespaces.
	NVMeHealth = Page{protocolNVMe, nvmeLogPage, 0x02, 0, 512}
	// NVMeController is the answer of IDENTIFY about the controller.
	NVMeController = Page{protocolNVMe, nvmeIdentify, 0x01, 0, 4096}
	// ATAIdentify is the answer of IDENTIFY DEVICE.
	ATAIdentify = Page{protocolATA, ataIdentify, 0, 0, 512}
)

// Values of STORAGE_PROTOCOL_TYPE, STORAGE_PROTOCOL_NVME_DATA_TYPE and STORAGE_PROTOCOL_ATA_DATA_TYPE.
const (
	protocolATA  = 2
	protocolNVMe = 3

	nvmeIdentify = 1
	nvmeLogPage  = 2

	ataIdentify = 1
	ataLogPage  = 2 // by READ LOG EXT
)

// Page is what is asked of a drive in its own protocol, without administrator rights.
type Page struct {
	protocol, dataType uint32
	value, subValue    uint32
	size               int // bytes
}

// ATALog is one page of a log that READ LOG EXT reads.
func ATALog(log, page uint8) Page {
	return Page{protocolATA, ataLogPage, uint32(log), uint32(page), 512}
}

// Size is how many bytes the page has.
func (p Page) Size() int { return p.size }

// Query is the request for a page, to be sent as CodeQueryProperty with room for an answer of the same
// length: a STORAGE_PROPERTY_QUERY with a STORAGE_PROTOCOL_SPECIFIC_DATA and room for the page. property is
// PropertyDeviceProtocol or PropertyAdapterProtocol; drivers differ in which they answer.
func (p Page) Query(property Property) []byte {
	head := encode(protocolQuery{
		PropertyID: uint32(property),
		Specific: protocolSpecificData{
			ProtocolType: p.protocol, DataType: p.dataType, RequestValue: p.value, RequestSubValue: p.subValue,
			DataOffset: uint32(unsafe.Sizeof(protocolSpecificData{})), DataLength: uint32(p.size),
		},
	})
	return append(head, make([]byte, p.size)...)
}

// Decode takes the page out of the answer. The answer says itself where the page lies; it is believed only as
// far as the answer reaches.
func (p Page) Decode(b []byte) ([]byte, error) {
	d, err := decode[protocolDataDescriptor](b)
	if err != nil {
		return nil, err
	}
	const head = uint32(unsafe.Sizeof(d))
	start := uint64(unsafe.Offsetof(d.Specific)) + uint64(d.Specific.DataOffset)
	switch {
	case d.Version != head || d.Size != head, d.Specific.ProtocolType != p.protocol:
		return nil, fmt.Errorf("%w: version %d, size %d, protocol %d", ErrStrange, d.Version, d.Size, d.Specific.ProtocolType)
	case d.Specific.DataOffset < uint32(unsafe.Sizeof(d.Specific)):
		return nil, fmt.Errorf("%w: the page lies %d bytes into the descriptor", ErrStrange, d.Specific.DataOffset)
	case uint64(d.Specific.DataLength) < uint64(p.size), start+uint64(p.size) > uint64(len(b)):
		return nil, fmt.Errorf("%w: %d bytes at %d of %d, the page has %d", ErrShort, d.Specific.DataLength, start, len(b), p.size)
	}
	return b[start : start+uint64(p.size)], nil
}
