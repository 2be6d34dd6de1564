package winapi

import (
	"encoding/hex"
	"strings"
	"unsafe"
)

// An Identifier is one name of a drive that is meant to be its own in the whole world (SCSI Primary Commands,
// "Device Identification VPD page").
type Identifier struct {
	Type  IdentifierType
	Text  bool // Value is text, else it is binary
	Value []byte
}

// IdentifierType is a STORAGE_IDENTIFIER_TYPE.
type IdentifierType uint32

// The types that name a drive for good.
const (
	IdentifierEUI64 IdentifierType = 2 // StorageIdTypeEUI64: also the NGUID of an NVMe namespace
	IdentifierNAA   IdentifierType = 3 // StorageIdTypeFCPHName
	IdentifierName  IdentifierType = 8 // StorageIdTypeScsiNameString
)

const (
	codeSetBinary     = 1
	associationDevice = 0 // else it names a port or a target
)

// DecodeIdentifiers decodes the answer to PropertyDeviceID: the names of the drive itself, not those of its
// ports.
func DecodeIdentifiers(b []byte) ([]Identifier, error) {
	head, err := decode[deviceIDDescriptor](b)
	if err != nil {
		return nil, err
	}
	var out []Identifier
	rest := b[unsafe.Sizeof(head):]
	for range head.NumberOfIdentifiers {
		id, err := decode[storageIdentifier](rest)
		if err != nil {
			return nil, err
		}
		value := rest[unsafe.Sizeof(id):]
		if int(id.IdentifierSize) > len(value) {
			return nil, ErrShort
		}
		value = value[:id.IdentifierSize]
		if id.Association == associationDevice && len(value) > 0 {
			out = append(out, Identifier{Type: IdentifierType(id.Type), Text: id.CodeSet != codeSetBinary, Value: value})
		}
		if id.NextOffset == 0 {
			break
		}
		if int(id.NextOffset) < int(unsafe.Sizeof(id))+len(value) || int(id.NextOffset) > len(rest) {
			return nil, ErrStrange
		}
		rest = rest[id.NextOffset:]
	}
	return out, nil
}

// WorldWideName is the name of a drive in the whole world as Linux writes it ("naa.5002538e4034d3fe",
// "eui.0025385b71b0c8e1"), so that a drive has one name in both systems; empty if it has none.
func WorldWideName(ids []Identifier) string {
	for _, kind := range []struct {
		of     IdentifierType
		prefix string
		sizes  [2]int
	}{{IdentifierNAA, "naa.", [2]int{8, 16}}, {IdentifierEUI64, "eui.", [2]int{8, 16}}} {
		for _, id := range ids {
			if id.Type == kind.of && !id.Text && (len(id.Value) == kind.sizes[0] || len(id.Value) == kind.sizes[1]) && !blank(id.Value) {
				return kind.prefix + hex.EncodeToString(id.Value)
			}
		}
	}
	for _, id := range ids {
		if name := strings.ToLower(label(string(id.Value))); id.Type == IdentifierName && id.Text && hasAnyPrefix(name, "naa.", "eui.", "uuid.") {
			return name
		}
	}
	return ""
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) && len(s) > len(p) {
			return true
		}
	}
	return false
}

// blank says whether bytes that should name a thing are all zero or all ones.
func blank(b []byte) bool {
	for _, c := range b {
		if c != b[0] || c != 0 && c != 0xFF {
			return false
		}
	}
	return true
}
