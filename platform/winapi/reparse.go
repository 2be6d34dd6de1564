package winapi

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
)

// CodeReparse is FSCTL_GET_REPARSE_POINT. It needs no rights.
const CodeReparse = 0x000900A8

// MaxReparse is the size of the largest answer to CodeReparse, in bytes (MAXIMUM_REPARSE_DATA_BUFFER_SIZE).
const MaxReparse = 16 << 10

// Tags of reparse points that lead elsewhere.
const (
	TagMountPoint = 0xA0000003 // IO_REPARSE_TAG_MOUNT_POINT: a junction, or a folder that a volume is mounted in
	TagSymlink    = 0xA000000C // IO_REPARSE_TAG_SYMLINK
)

// surrogate is the bit of a tag that stands for another file; all others are folders and files as such, which
// a driver brings from elsewhere (OneDrive, deduplication, compression).
const surrogate = 0x20000000

// IsLink says whether a folder with this tag stands for another one.
func IsLink(tag uint32) bool { return tag&surrogate != 0 }

// A Link is what a reparse point leads to.
type Link struct {
	Tag      uint32
	Target   string // in the names of the kernel: \??\C:\x
	Relative bool   // Target starts at the folder of the link, or at its root if it begins with a backslash
}

// reparseHead is the start of a REPARSE_DATA_BUFFER for the two tags. Offsets are from its end, in symbolic
// links after the flags.
type reparseHead struct {
	Tag                                uint32
	DataLength                         uint16
	_                                  uint16
	SubstituteOffset, SubstituteLength uint16 // bytes
	PrintOffset, PrintLength           uint16
}

// reparseRelative is SYMLINK_FLAG_RELATIVE.
const reparseRelative = 1

// DecodeReparse decodes the answer to CodeReparse for the two tags above. Of others it gives the tag alone.
func DecodeReparse(b []byte) (Link, error) {
	if len(b) < 4 {
		return Link{}, fmt.Errorf("%w: %d bytes of a reparse point", ErrShort, len(b))
	}
	l := Link{Tag: binary.LittleEndian.Uint32(b)}
	if l.Tag != TagMountPoint && l.Tag != TagSymlink {
		return l, nil
	}
	h, err := decode[reparseHead](b)
	if err != nil {
		return l, err
	}
	const head, body = 16, 8
	b = b[:min(len(b), body+int(h.DataLength))]
	names := b[min(head, len(b)):]
	if l.Tag == TagSymlink {
		if len(names) < 4 {
			return l, fmt.Errorf("%w: a symbolic link without flags", ErrShort)
		}
		l.Relative = binary.LittleEndian.Uint32(names)&reparseRelative != 0
		names = names[4:]
	}
	end := int(h.SubstituteOffset) + int(h.SubstituteLength)
	if end > len(names) {
		return l, fmt.Errorf("%w: a link to %d bytes of %d", ErrShort, end, len(names))
	}
	l.Target = decodeUTF16(names[h.SubstituteOffset:end])
	if l.Target == "" {
		return l, fmt.Errorf("%w: a link to nowhere", ErrStrange)
	}
	return l, nil
}

// decodeUTF16 reads letters of two bytes, up to a zero if there is one. What is no letter becomes U+FFFD.
func decodeUTF16(b []byte) string {
	var out []uint16
	for ; len(b) >= 2; b = b[2:] {
		c := binary.LittleEndian.Uint16(b)
		if c == 0 {
			break
		}
		out = append(out, c)
	}
	return string(utf16.Decode(out))
}

// From is where the link leads when it lies in a folder. ok is false for what is no path of a file.
func (l Link) From(folder Path) (p Path, ok bool) {
	if !l.Relative {
		return ParsePath(l.Target)
	}
	if strings.HasPrefix(l.Target, `\`) {
		return folderPath(folder.Root, nil, l.Target)
	}
	return folderPath(folder.Root, folder.Parts, l.Target)
}

func folderPath(root string, parts []string, target string) (Path, bool) {
	all := append(parts[:len(parts):len(parts)], target)
	return ParsePath(Path{Root: root, Parts: all}.String())
}

// IsVolume says whether the link is the folder that a volume is mounted in.
func (l Link) IsVolume() bool {
	p, ok := ParsePath(l.Target)
	return ok && l.Tag == TagMountPoint && strings.HasPrefix(p.Root, verbatim) && len(p.Parts) == 0
}
