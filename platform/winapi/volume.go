package winapi

import (
	"strings"

	"cachecliff/platform"
)

// A DriveKind is what GetDriveType says of a volume.
type DriveKind uint32

// The kinds of drives.
const (
	KindUnknown   DriveKind = 0
	KindNone      DriveKind = 1 // there is no such root
	KindRemovable DriveKind = 2 // the medium: sticks, cards
	KindFixed     DriveKind = 3
	KindRemote    DriveKind = 4
	KindOptical   DriveKind = 5 // also an image that is mounted
	KindMemory    DriveKind = 6
)

// Flags of a file system, as GetVolumeInformation gives them.
const (
	FlagCompression     = 0x00000010 // FILE_FILE_COMPRESSION
	flagCompressed      = 0x00008000 // FILE_VOLUME_IS_COMPRESSED
	flagReadOnly        = 0x00080000 // FILE_READ_ONLY_VOLUME
	FlagIntegrity       = 0x04000000 // FILE_SUPPORTS_INTEGRITY_STREAMS
	FlagBlockReferences = 0x08000000 // FILE_SUPPORTS_BLOCK_REFCOUNTING: several files may share a block
	flagDAX             = 0x20000000 // FILE_DAX_VOLUME: on memory that keeps, which files are read from directly
)

// Attributes of files and folders.
const (
	AttrFolder     = 0x00000010 // FILE_ATTRIBUTE_DIRECTORY
	AttrReparse    = 0x00000400 // FILE_ATTRIBUTE_REPARSE_POINT
	AttrCompressed = 0x00000800 // FILE_ATTRIBUTE_COMPRESSED
	AttrEncrypted  = 0x00004000 // FILE_ATTRIBUTE_ENCRYPTED: by the file system, for this user
)

// A Volume is what Windows tells of a mounted file system.
type Volume struct {
	Root      Path   // where it is mounted
	Name      string // \\?\Volume{…}\, or empty if the mount manager does not know it
	Share     string // \\server\share that a letter stands for, or empty
	Kind      DriveKind
	Label, FS string
	Flags     uint32
	System    bool // Windows lives on it
}

// Probe is what system calls tell of a folder.
type Probe struct {
	Answered   bool   // the file system answered in time; everything else is only known if so
	Folder     bool   // it is a folder
	NoMedium   bool   // there is no medium in the drive
	Locked     bool   // BitLocker has the volume locked
	ReadOnly   bool   // the file system takes no writes
	Denied     bool   // this user may not make files here
	Attributes uint32 // of the folder
	Integrity  string // how the file system checks what is written here: CRC64; empty if it does not or does not tell
	Size       int64  // bytes this user may have; 0 if the file system does not tell
	Used       int64  // bytes that are taken
	Free       int64  // bytes this user may still write
}

// SetSpace takes the answer of GetDiskFreeSpaceEx, bytes. With a quota the size is this user's share, and what
// others have taken is not known.
func (p *Probe) SetSpace(available, all, free uint64) {
	p.Size, p.Free = toInt64(all), toInt64(available)
	p.Used = max(p.Size-toInt64(free), 0)
}

func toInt64(n uint64) int64 { return int64(min(n, 1<<63-1)) }

// SmallestTest is how many free bytes a folder must have to be of use at all: the smallest test file.
const SmallestTest = 16 << 20

// Target puts together what is known of a folder on a volume.
func (v Volume) Target(path Path, p Probe, layers []platform.Layer, drives []platform.Drive) platform.Target {
	if p.Attributes&AttrEncrypted != 0 {
		layers = append([]platform.Layer{{Kind: platform.LayerEFS, Name: path.String()}}, layers...)
	}
	return platform.Target{
		Path: path.String(),
		Volume: platform.Volume{
			Mount:    v.Root.String(),
			Source:   v.source(),
			FS:       v.fs(),
			Options:  v.options(p),
			Label:    label(v.Label),
			Size:     p.Size,
			Used:     p.Used,
			Free:     p.Free,
			ReadOnly: v.readOnly(p),
			System:   v.System,
		},
		Layers:  layers,
		Drives:  drives,
		Refusal: v.refusal(p),
	}
}

// source is the name of what is mounted, which stays when the letter changes.
func (v Volume) source() string {
	for _, s := range []string{v.Share, strings.TrimSuffix(v.Name, `\`)} {
		if s != "" {
			return s
		}
	}
	return v.Root.String()
}

// fs is the name of the file system. That of a server says nothing of a drive here.
func (v Volume) fs() string {
	if v.Remote() {
		return strings.TrimSpace("remote " + label(v.FS))
	}
	return label(v.FS)
}

// Remote says whether the files are on another computer.
func (v Volume) Remote() bool { return v.Kind == KindRemote || v.Root.OnServer() }

// Local says whether the volume can lie on a drive of this computer.
func (v Volume) Local() bool { return !v.Remote() && v.Kind != KindMemory && v.Kind != KindOptical }

func (v Volume) readOnly(p Probe) bool { return v.Flags&flagReadOnly != 0 || p.ReadOnly }

// options are what decides about the speed of writing, in the form of mount options.
func (v Volume) options(p Probe) string {
	if v.FS == "" {
		return ""
	}
	out := "rw"
	if v.readOnly(p) {
		out = "ro"
	}
	if v.Flags&flagCompressed != 0 {
		out += ",compressed"
	}
	if v.Flags&flagDAX != 0 {
		out += ",dax"
	}
	if p.Integrity != "" {
		out += ",integrity=" + p.Integrity
	}
	return out
}

// isImage says whether the file system is read-only by nature.
func (v Volume) isImage() bool {
	return v.FS == "CDFS" || v.Kind == KindOptical && v.Flags&flagReadOnly != 0
}

// refusal finds the first reason why a folder cannot be tested, in the order in which the contract lists them.
func (v Volume) refusal(p Probe) platform.Refusal {
	switch {
	case p.Answered && !p.Folder:
		return platform.RefusedNotFolder
	case v.isImage():
		return platform.RefusedImage
	case v.readOnly(p):
		return platform.RefusedReadOnlyFS
	case p.Answered && p.Denied:
		return platform.RefusedPermission
	case p.Answered && p.Size > 0 && p.Free < SmallestTest:
		return platform.RefusedFull
	case p.NoMedium:
		return platform.RefusedNoMedium
	case p.Locked:
		return platform.RefusedLocked
	case !p.Answered:
		return platform.RefusedUnreachable
	}
	return platform.Usable
}
