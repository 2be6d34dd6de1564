package sysfs

import (
	"strconv"

	"cachecliff/platform"
)

// class is what kind of thing a file system is to someone who looks for a place to test.
type class int

const (
	classDisk    class = iota // on block devices; also types not known here
	classMemory               // files in memory
	classNetwork              // files on another computer
	classImage                // read-only by nature
	classVirtual              // no files that were stored: the kernel's own and automounter stubs
	classFuse                 // a program answers; it may or may not use a drive
	classOverlay
)

// classes holds the types that are not on block devices of their own (filesystems in the kernel's
// fs/ and in use on distributions).
var classes = map[string]class{
	"tmpfs": classMemory,

	"nfs": classNetwork, "nfs4": classNetwork, "cifs": classNetwork, "smb3": classNetwork, "smbfs": classNetwork,
	"9p": classNetwork, "afs": classNetwork, "ceph": classNetwork, "coda": classNetwork, "ncpfs": classNetwork,
	"virtiofs": classNetwork, "vboxsf": classNetwork, "vmhgfs": classNetwork, "prl_fs": classNetwork,
	"fuse.sshfs": classNetwork, "fuse.rclone": classNetwork, "fuse.s3fs": classNetwork, "fuse.davfs": classNetwork,
	"fuse.glusterfs": classNetwork, "fuse.curlftpfs": classNetwork, "fuse.vmhgfs-fuse": classNetwork,

	"squashfs": classImage, "iso9660": classImage, "erofs": classImage, "cramfs": classImage, "romfs": classImage,

	"autofs": classVirtual, "binfmt_misc": classVirtual, "bpf": classVirtual, "cgroup": classVirtual,
	"cgroup2": classVirtual, "configfs": classVirtual, "cpuset": classVirtual, "debugfs": classVirtual,
	"devpts": classVirtual, "devtmpfs": classVirtual, "efivarfs": classVirtual, "functionfs": classVirtual,
	"fuse.gvfsd-fuse": classVirtual, "fuse.lxcfs": classVirtual, "fuse.portal": classVirtual,
	"fusectl": classVirtual, "hugetlbfs": classVirtual, "mqueue": classVirtual, "nfsd": classVirtual,
	"nsfs": classVirtual, "pipefs": classVirtual, "proc": classVirtual, "pstore": classVirtual,
	"ramfs": classVirtual, "resctrl": classVirtual, "rootfs": classVirtual, "rpc_pipefs": classVirtual,
	"securityfs": classVirtual, "selinuxfs": classVirtual, "smackfs": classVirtual, "sockfs": classVirtual,
	"sysfs": classVirtual, "tracefs": classVirtual,

	"fuse": classFuse, "overlay": classOverlay, "fuse.fuse-overlayfs": classOverlay,
}

// classOf tells the kind by the type's name. A FUSE file system over a block device is a disk (fuseblk).
func classOf(fsType string) class {
	if c, ok := classes[fsType]; ok {
		return c
	}
	if len(fsType) > 5 && fsType[:5] == "fuse." {
		return classFuse
	}
	return classDisk
}

// Device is the device number as the names in /sys/dev/block have it.
func (m Mount) Device() string {
	return strconv.Itoa(m.Major) + ":" + strconv.Itoa(m.Minor)
}

// Probe is what system calls tell of a folder.
type Probe struct {
	Answered bool  // the file system answered in time; everything else is only known if so
	Folder   bool  // it is a folder
	NoMedium bool  // the system says that there is no medium
	ReadOnly bool  // the file system takes no writes
	Denied   bool  // this user may not make files here
	Size     int64 // bytes; 0 if the file system does not tell
	Used     int64 // bytes that are taken
	Free     int64 // bytes this user may still write
}

// SmallestTest is how many free bytes a folder must have to be of use at all: the smallest test file.
// Whether a test also leaves the reserve free is for the planner to say, who knows its size.
const SmallestTest = 16 << 20

// refusal finds the first reason why a folder cannot be tested, in the order in which the contract lists
// them.
func refusal(m Mount, p Probe) platform.Refusal {
	c := classOf(m.FS)
	switch {
	case p.Answered && !p.Folder:
		return platform.RefusedNotFolder
	case c == classVirtual:
		return platform.RefusedVirtual
	case c == classImage:
		return platform.RefusedImage
	case m.ReadOnly() || p.ReadOnly:
		return platform.RefusedReadOnlyFS
	case p.Answered && p.Denied:
		return platform.RefusedPermission
	case p.Answered && p.Size > 0 && p.Free < SmallestTest:
		return platform.RefusedFull
	case p.NoMedium:
		return platform.RefusedNoMedium
	case !p.Answered:
		return platform.RefusedUnreachable
	}
	return platform.Usable
}
