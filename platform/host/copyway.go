package host

import "cachecliff/platform"

// copyEngines are the ways into the system that make a copy on Linux, in the order in which they are tried. cp and
// GNOME Files ask for a reflink, then for copy_file_range, then read and write (coreutils copy.c, glib
// gfile.c). But where a file system can share blocks, copy_file_range shares them too (xfs, btrfs), and on a network
// it has the server copy: so a copy that must not share takes what comes after it there. clones says that the
// file system can share blocks, local that its drives are in this computer.
func copyEngines(way platform.CopyWay, clones, local bool) []platform.CopyEngine {
	switch {
	case way == platform.CopyDirect:
		return []platform.CopyEngine{platform.CopyByDirect}
	case way == platform.CopyClone:
		return []platform.CopyEngine{platform.CopyByClone, platform.CopyByRange, platform.CopyByLoop}
	case clones || !local:
		return []platform.CopyEngine{platform.CopyByLoop}
	}
	return []platform.CopyEngine{platform.CopyByRange, platform.CopyByLoop}
}

const (
	// copyBuffer is what cp and GNOME Files read and write at a time, bytes (coreutils ioblksize.h since 9.3,
	// glib gfile.c STREAM_BUFFER_SIZE).
	copyBuffer = 256 << 10
	// copyPiece is what is asked of copy_file_range at a time, bytes: it moves a pipe full of pages at a time inside
	// whatever it is asked for, so the size only decides how often the copy can be stopped.
	copyPiece = 8 << 20
	// directPiece is a read and a write past the page cache, bytes.
	directPiece = 1 << 20
)
