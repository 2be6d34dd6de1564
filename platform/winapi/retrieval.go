package winapi

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// Control codes of files. They need no rights but those that the file was opened with.
const (
	CodeRetrieval  = 0x00090073 // FSCTL_GET_RETRIEVAL_POINTERS
	CodeReferences = 0x000903D3 // FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT, of ReFS
	CodeRanges     = 0x000940CF // FSCTL_QUERY_ALLOCATED_RANGES
	CodeRegions    = 0x00090284 // FSCTL_QUERY_FILE_REGIONS, since Windows 8
)

// retrievalHead is RETRIEVAL_POINTERS_BUFFER, or RETRIEVAL_POINTERS_AND_REFCOUNT_BUFFER, without its extents.
type retrievalHead struct {
	ExtentCount uint32
	_           uint32
	StartingVcn int64
}

// retrievalExtent is an extent of the first, retrievalReferences of the second.
type (
	retrievalExtent struct {
		NextVcn, Lcn int64
	}
	retrievalReferences struct {
		NextVcn, Lcn   int64
		ReferenceCount uint32
		_              uint32
	}
)

// A Run is a piece of a file, in clusters.
type Run struct {
	Start, Length int64
	Place         int64  // on the volume; -1 is a hole, or what compression saved
	References    uint32 // how many files have it; 0 is not told
}

// RetrievalRequest asks for the runs from a cluster of the file on (STARTING_VCN_INPUT_BUFFER).
func RetrievalRequest(start int64) []byte {
	return binary.LittleEndian.AppendUint64(nil, uint64(start))
}

// DecodeRetrieval decodes the answer to CodeRetrieval.
func DecodeRetrieval(b []byte) ([]Run, error) {
	return decodeRuns(b, func(e retrievalExtent) (next, place int64, references uint32) { return e.NextVcn, e.Lcn, 0 })
}

// DecodeReferences decodes the answer to CodeReferences.
func DecodeReferences(b []byte) ([]Run, error) {
	return decodeRuns(b, func(e retrievalReferences) (next, place int64, references uint32) {
		return e.NextVcn, e.Lcn, e.ReferenceCount
	})
}

func decodeRuns[T any](b []byte, of func(T) (next, place int64, references uint32)) ([]Run, error) {
	head, err := decode[retrievalHead](b)
	if err != nil {
		return nil, err
	}
	all, err := decodeList[T](b[unsafe.Sizeof(head):], int64(head.ExtentCount))
	if err != nil {
		return nil, err
	}
	at := head.StartingVcn
	out := make([]Run, len(all))
	for i, e := range all {
		next, place, references := of(e)
		if at < 0 || next <= at || place < -1 {
			return nil, fmt.Errorf("%w: a piece of a file from %d to %d at %d", ErrStrange, at, next, place)
		}
		out[i] = Run{Start: at, Length: next - at, Place: place, References: references}
		at = next
	}
	return out, nil
}

// A Span is a part of a file, in bytes.
type Span struct{ Start, Length int64 }

// RangesRequest asks for the parts of a file of size bytes that are stored, from one of its bytes on
// (FILE_ALLOCATED_RANGE_BUFFER).
func RangesRequest(start, size int64) []byte {
	return binary.LittleEndian.AppendUint64(RetrievalRequest(start), uint64(max(size-start, 0)))
}

// DecodeRanges decodes the answer to CodeRanges.
func DecodeRanges(b []byte) ([]Span, error) {
	all, err := decodeList[Span](b, int64(len(b))/int64(unsafe.Sizeof(Span{})))
	if err != nil {
		return nil, err
	}
	return all, inOrder(all)
}

// inOrder makes sure that parts follow each other.
func inOrder(all []Span) error {
	at := int64(0)
	for _, s := range all {
		if s.Start < at || s.Length < 0 || s.Start+s.Length < s.Start {
			return fmt.Errorf("%w: a part of a file of %d bytes at %d", ErrStrange, s.Length, s.Start)
		}
		at = s.Start + s.Length
	}
	return nil
}

// regionOutput is FILE_REGION_OUTPUT without its regions.
type regionOutput struct {
	Flags, TotalRegionEntryCount, RegionEntryCount, _ uint32
}

// regionInfo is FILE_REGION_INFO.
type regionInfo struct {
	FileOffset, Length int64
	Usage, _           uint32
}

// DecodeRegions decodes the answer to CodeRegions: the parts of a file that were written since its space was
// reserved. What follows them reads as zeros without the drive.
func DecodeRegions(b []byte) ([]Span, error) {
	head, err := decode[regionOutput](b)
	if err != nil {
		return nil, err
	}
	if head.RegionEntryCount < head.TotalRegionEntryCount {
		return nil, fmt.Errorf("%w: %d regions of %d", ErrShort, head.RegionEntryCount, head.TotalRegionEntryCount)
	}
	all, err := decodeList[regionInfo](b[unsafe.Sizeof(head):], int64(head.RegionEntryCount))
	if err != nil {
		return nil, err
	}
	var out []Span
	for _, r := range all {
		if r.Usage != 0 {
			out = append(out, Span{r.FileOffset, r.Length})
		}
	}
	return out, inOrder(out)
}

// compressionInfo is FILE_COMPRESSION_INFO.
type compressionInfo struct {
	CompressedFileSize                             int64
	CompressionFormat                              uint16
	CompressionUnitShift, ChunkShift, ClusterShift uint8
	_                                              [3]byte
}

// SizeCompression is the size of the answer that DecodeCompression takes, in bytes.
const SizeCompression = int(unsafe.Sizeof(compressionInfo{}))

// Compression is how a file is compressed.
type Compression struct {
	Stored int64 // bytes that it takes
	Unit   int64 // bytes that are compressed as one; 0 if it is not compressed
}

// DecodeCompression decodes the answer to FileCompressionInfo.
func DecodeCompression(b []byte) (Compression, error) {
	d, err := decode[compressionInfo](b)
	if err != nil {
		return Compression{}, err
	}
	c := Compression{Stored: d.CompressedFileSize}
	const largest = 30
	if d.CompressionFormat == 0 || d.CompressionUnitShift == 0 {
		return c, nil
	}
	if d.CompressionUnitShift > largest {
		return c, fmt.Errorf("%w: compression of 2^%d bytes", ErrStrange, d.CompressionUnitShift)
	}
	c.Unit = 1 << d.CompressionUnitShift
	return c, nil
}
