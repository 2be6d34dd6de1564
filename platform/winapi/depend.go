package winapi

import (
	"encoding/binary"
	"fmt"
)

// CodeDependent is FSCTL_QUERY_DEPENDENT_VOLUME, sent to a folder: on which files the drive below it lies, if
// it is a virtual one. It needs no rights.
const CodeDependent = 0x000901F0

// DependentRequest asks for the files that a virtual drive lies on (STORAGE_QUERY_DEPENDENT_VOLUME_REQUEST with
// the level of names and QUERY_DEPENDENT_VOLUME_REQUEST_FLAG_HOST_VOLUMES).
func DependentRequest() []byte {
	const level, hosts = 2, 1
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, level), hosts)
}

// dependentHead is STORAGE_QUERY_DEPENDENT_VOLUME_RESPONSE without its entries.
type dependentHead struct {
	ResponseLevel, NumberEntries uint32
}

// dependentEntry is STORAGE_QUERY_DEPENDENT_VOLUME_LEV2_ENTRY. Offsets are from its start, sizes in bytes.
type dependentEntry struct {
	EntryLength                                    uint32
	DependencyTypeFlags, ProviderSpecificFlags     uint32
	StorageType                                    [20]byte
	AncestorLevel                                  uint32
	HostVolumeNameOffset, HostVolumeNameSize       uint32
	DependentVolumeNameOffset, DependentVolumeSize uint32
	RelativePathOffset, RelativePathSize           uint32
	DependentDeviceNameOffset, DependentDeviceSize uint32
}

// A Backing is a file that a virtual drive lies on.
type Backing struct {
	Volume string // \\?\Volume{…}\, or empty if it is named in another way
	File   string // \folder\disk.vhdx
}

// DecodeDependent decodes the answer to CodeDependent. A drive that holds the difference to another lies on the
// files of both.
func DecodeDependent(b []byte) ([]Backing, error) {
	head, err := decode[dependentHead](b)
	if err != nil {
		return nil, err
	}
	if head.ResponseLevel != 2 {
		return nil, fmt.Errorf("%w: an answer of level %d", ErrStrange, head.ResponseLevel)
	}
	var out []Backing
	for b = b[8:]; uint32(len(out)) < head.NumberEntries; {
		e, err := decode[dependentEntry](b)
		if err != nil {
			return nil, err
		}
		if e.EntryLength < 68 || uint64(e.EntryLength) > uint64(len(b)) {
			return nil, fmt.Errorf("%w: an entry of %d bytes in %d", ErrStrange, e.EntryLength, len(b))
		}
		entry := b[:e.EntryLength]
		k := Backing{File: textAt(entry, e.RelativePathOffset, e.RelativePathSize)}
		if p, ok := ParsePath(textAt(entry, e.HostVolumeNameOffset, e.HostVolumeNameSize)); ok && p.Letter() == "" && !p.OnServer() {
			k.Volume = p.Root
		}
		out = append(out, k)
		b = b[e.EntryLength:]
	}
	return out, nil
}

// textAt reads size bytes of text at an offset, or nothing if they lie outside.
func textAt(b []byte, offset, size uint32) string {
	if uint64(offset)+uint64(size) > uint64(len(b)) {
		return ""
	}
	return decodeUTF16(b[offset : offset+size])
}
