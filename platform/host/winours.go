package host

// Attributes of a file on Windows.
const (
	attrDirectory = 0x10
	attrDevice    = 0x40
	attrReparse   = 0x400 // a symbolic link, a mount point or the like
)

// isOursHere is isOurs for Windows: base is the file's name without its folder.
func isOursHere(base string, attributes, links uint32) bool {
	return isTestName(base) && attributes&(attrDirectory|attrDevice|attrReparse) == 0 && links <= 1
}

// everyone is the identifier of all users, whom file systems without owners name as the owner.
const everyone = "S-1-1-0"

// isOwner says whether a file belongs to one of the identifiers that this user has.
func isOwner(owner string, mine ...string) bool {
	for _, m := range mine {
		if owner == m {
			return true
		}
	}
	return owner == everyone
}

// tooLargeFor says whether a file system cannot have a file of size bytes. Windows says of such a file that
// the disk is full.
func tooLargeFor(fs string, size int64) bool {
	return (fs == "FAT" || fs == "FAT32") && size >= 1<<32
}

// winAlign is what direct I/O must be aligned to where a volume has sectors of so many bytes.
func winAlign(sector int64, known bool) int {
	const least, page = 512, 4096
	if !known || sector < least || sector&(sector-1) != 0 {
		return page
	}
	return int(sector)
}
