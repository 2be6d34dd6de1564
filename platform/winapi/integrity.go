package winapi

import "cachecliff/platform"

// CodeIntegrity is FSCTL_GET_INTEGRITY_INFORMATION, sent to a file or a folder, whose new files are made alike.
// It needs no rights.
const CodeIntegrity = 0x0009027C

// integrityBuffer is FSCTL_GET_INTEGRITY_INFORMATION_BUFFER.
type integrityBuffer struct {
	ChecksumAlgorithm uint16
	_                 uint16
	Flags             uint32
	ChecksumChunkSize uint32 // bytes
	ClusterSize       uint32 // bytes
}

// checksums are the values of CHECKSUM_TYPE_*.
var checksums = map[uint16]string{0: "", 1: "crc32", 2: "crc64"}

// DecodeIntegrity decodes the answer to CodeIntegrity: how what is written is checked, "crc64", or empty if it is
// not. ReFS writes what it checks to a new place each time.
func DecodeIntegrity(b []byte) (string, error) {
	d, err := decode[integrityBuffer](b)
	if err != nil {
		return "", err
	}
	name, ok := checksums[d.ChecksumAlgorithm]
	if !ok {
		name = "other"
	}
	return name, nil
}

// BitLocker says whether a volume is encrypted, from the shell's property System.Volume.BitLockerProtection,
// which any user may read. Microsoft does not document its values; these are what others found.
func BitLocker(protection int32) platform.Tri {
	switch protection {
	case 1, // on
		3, // encrypting
		4, // decrypting
		5, // suspended: encrypted, the key lies beside the data
		6, // on, and locked
		8: // waiting for its owner: encrypted, the key lies beside the data
		return platform.Yes
	case 0, 2: // cannot be; off
		return platform.No
	}
	return platform.Unknown
}
