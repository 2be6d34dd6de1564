package winapi

// What CopyFile2 takes and tells (winbase.h of the Windows SDK 10.0.26100).

// CopyParameters is COPYFILE2_EXTENDED_PARAMETERS_V2, which Windows 11 takes; its first SizeCopyParameters1 bytes are
// COPYFILE2_EXTENDED_PARAMETERS, which Windows 8 takes.
type CopyParameters struct {
	Size     uint32 // of this, or of the part of it that is meant
	Flags    uint32
	Cancel   uintptr
	Progress uintptr
	Context  uintptr
	FlagsV2  uint32
	IOSize   uint32
	IORate   uint32
	_        [4]byte
	Reserved [8]uintptr
}

// SizeCopyParameters1 and SizeCopyParameters2 are the two sizes, bytes.
const SizeCopyParameters1, SizeCopyParameters2 = 32, 112

// Flags of CopyParameters.
const (
	CopyFailIfExists = 0x00000001
	CopySymlink      = 0x00000800 // a symbolic link is not followed
	CopyNoBuffering  = 0x00001000
	CopyNoOffload    = 0x00040000 // the storage itself does not copy (ODX)
	CopyNoCloningV2  = 0x00000002 // of FlagsV2: no blocks are shared (COPY_FILE2_V2_DISABLE_BLOCK_CLONING)
)

// CopyMessage is COPYFILE2_MESSAGE with the body of a chunk that was copied. The bodies of other types say other
// things.
type CopyMessage struct {
	Type             uint32
	_                uint32
	Stream, Flags    uint32
	Source, Target   uintptr
	Chunk, ChunkSize uint64
	StreamSize       uint64
	StreamMoved      uint64
	TotalSize        uint64
	TotalMoved       uint64
}

// The types of messages, and what is answered to them.
const (
	CopyChunkFinished = 2 // COPYFILE2_CALLBACK_CHUNK_FINISHED
	CopyGoOn          = 0 // COPYFILE2_PROGRESS_CONTINUE
	CopyCancel        = 1 // COPYFILE2_PROGRESS_CANCEL
)

// InvalidArgument is E_INVALIDARG: a system that does not know the size of the parameters.
const InvalidArgument = 0x80070057

// OfResult is the error number in an HRESULT, and whether it is one of Win32's; 0 for success.
func OfResult(r uint32) (number uint32, ok bool) {
	const facilityWin32 = 0x80070000
	if int32(r) >= 0 {
		return 0, true
	}
	return r & 0xFFFF, r&0xFFFF0000 == facilityWin32
}

// CopyFlags are the two flags of a copy: only a clone may be made by the storage or by sharing blocks.
func CopyFlags(direct, clone bool) (flags, v2 uint32) {
	flags, v2 = CopyFailIfExists|CopySymlink|CopyNoOffload, CopyNoCloningV2
	if direct {
		flags |= CopyNoBuffering
	}
	if clone {
		flags, v2 = flags&^CopyNoOffload, 0
	}
	return flags, v2
}
