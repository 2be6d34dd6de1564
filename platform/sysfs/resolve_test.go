package sysfs

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"cachecliff/platform"
)

// resolver reads a mount table; mount IDs come from its paths, as if the kernel did not tell them, and
// paths below /gone do not exist.
func resolver(t *testing.T, f fixture, table string) Resolver {
	t.Helper()
	mounts, err := ParseMountinfo([]byte(table))
	if err != nil {
		t.Fatal(err)
	}
	return Resolver{Tree: NewTree(f), Mounts: mounts, MountID: func(p string) (int, error) {
		if strings.HasPrefix(p, "/gone/") {
			return 0, fs.ErrNotExist
		}
		return 0, errors.New("the kernel does not tell")
	}}
}

const root = "20 1 259:10 / / rw - ext4 /dev/nvme0n1p1 rw\n"

// stacks builds devices on top of the computer's drives.
func stacks() fixture {
	f := computer()
	f.virtual("dm-0", "253:0", []string{"nvme0n1p1", "nvme1n1p1"}, "dm/uuid=LVM-abc", "dm/name=vg-data")
	f.virtual("md127", "9:127", []string{"nvme0n1p1", "nvme1n1p1"}, "md/level=raid1")
	f.virtual("dm-1", "253:1", []string{"nvme0n1p1"}, "dm/uuid=CRYPT-LUKS2-aa-home", "dm/name=luks-home")
	f.virtual("dm-2", "253:2", []string{"dm-1"}, "dm/uuid=LVM-def", "dm/name=vg-home")
	f.virtual("dm-3", "253:3", []string{"nvme1n1"}, "dm/uuid=CRYPT-LUKS2-bb-two", "dm/name=luks-two")
	f.virtual("dm-4", "253:4", []string{"sda", "sdb"}, "dm/uuid=mpath-36001405", "dm/name=mpatha")
	f.virtual("dm-5", "253:5", []string{"sda"}, "dm/uuid=CRYPT-BITLK-cc-win", "dm/name=win")
	f.virtual("dm-6", "253:6", []string{"sda"}, "dm/uuid=", "dm/name=flaky")
	f.virtual("dm-8", "253:8", []string{"sda"}, "dm/uuid=LVM-ghi-vpool", "dm/name=vg-pool-vpool")
	f.virtual("dm-9", "253:9", []string{"dm-8"}, "dm/uuid=LVM-jkl", "dm/name=vg-dedup")
	f.virtual("dm-10", "253:10", []string{"sda"}, "dm/uuid=VDO-mno", "dm/name=vdo0")
	f.virtual("dm-7", "253:7", []string{"dm-7"}, "dm/uuid=LVM-loop", "dm/name=itself")
	f.virtual("bcache0", "251:0", []string{"sda", "nvme0n1"}, "bcache/state=clean")
	f.virtual("zram0", "250:0", nil)
	for i, file := range []string{"/xfs/disk.img", "/dev/shm/disk.img", "/xfs/old.img (deleted)", "/gone/disk.img", "/self/disk.img"} {
		n := string(rune('0' + i))
		f.virtual("loop"+n, "7:"+n, nil, "loop/backing_file="+file)
	}
	f.virtual("loop5", "7:5", nil, "loop/backing_file=/xfs/disk.img", "loop/dio=1")
	f.virtual("loop6", "7:6", nil, "loop/backing_file=/xfs/disk.img", "loop/dio=0")
	f.virtual("loop7", "7:7", []string{}, "loop/backing_file=/dev/shm/disk.img", "loop/dio=1")
	f.virtual("dm-11", "253:11", []string{"loop6"}, "dm/uuid=CRYPT-LUKS2-dd-file", "dm/name=luks-file")
	for id, members := range map[string][]string{"1111": {"nvme0n1p1", "nvme1n1p1"}, "2222": {"dm-1", "dm-3"}, "3333": {"sdb1"}} {
		for _, m := range members {
			f.link("sys/fs/btrfs/"+id+"/devices/"+m, "../../../../class/block/"+m)
		}
		f.file("sys/fs/btrfs/"+id+"/label", "pool "+id+"\n")
	}
	f.link("dev/disk/by-label/My\\x20Files", "../../sda")
	f.file("dev/sda", "")
	f.link("dev/mapper/vg-data", "../dm-0")
	f.file("dev/dm-0", "")
	return f
}

func TestBelow(t *testing.T) {
	const shm = "21 20 0:22 / /dev/shm rw - tmpfs tmpfs rw\n"
	const xfs = "22 20 8:0 / /xfs rw - xfs /dev/sda rw\n"
	tests := []struct {
		name, mount string // the last line is the mount that is asked for
		layers      string
		drives      string
	}{
		{"partition", root, "partition:nvme0n1p1", "nvme0n1"},
		{"whole drive", "30 20 8:0 / /m rw - ext4 /dev/sda rw", "", "sda"},
		{"LVM striped over two NVMe", "30 20 253:0 / /m rw - ext4 /dev/mapper/vg-data rw",
			"lvm:dm-0 partition:nvme0n1p1 partition:nvme1n1p1", "nvme0n1 nvme1n1"},
		{"md raid1", "30 20 9:127 / /m rw - ext4 /dev/md127 rw", "md:md127 partition:nvme0n1p1 partition:nvme1n1p1", "nvme0n1 nvme1n1"},
		{"btrfs on two devices", "30 20 0:45 / /m rw - btrfs /dev/nvme1n1p1 rw",
			"btrfs:nvme1n1p1 partition:nvme0n1p1 partition:nvme1n1p1", "nvme0n1 nvme1n1"},
		{"btrfs subvolume on one", "30 20 0:46 /@home /m rw - btrfs /dev/sdb1 rw,subvol=/@home", "partition:sdb1", "sdb"},
		{"btrfs whose members are not listed", "30 20 0:46 / /m rw - btrfs /dev/sda rw", "", "sda"},
		{"btrfs over two LUKS", "30 20 0:47 / /m rw - btrfs /dev/mapper/luks-home rw",
			"btrfs:luks-home luks:dm-1 luks:dm-3 partition:nvme0n1p1", "nvme1n1 nvme0n1"},
		{"bind mount", "30 20 8:0 /d /m rw - ext4 /dev/sda rw", "", "sda"},
		{"VDO of LVM", "30 20 253:9 / /m rw - xfs /dev/mapper/vg-dedup rw", "lvm:dm-9 vdo:dm-8", "sda"},
		{"VDO", "30 20 253:10 / /m rw - xfs /dev/mapper/vdo0 rw", "vdo:dm-10", "sda"},
		{"LUKS", "30 20 253:1 / /m rw - ext4 /dev/mapper/luks-home rw", "luks:dm-1 partition:nvme0n1p1", "nvme0n1"},
		{"LVM on LUKS", "30 20 253:2 / /m rw - ext4 /dev/mapper/vg-home rw", "lvm:dm-2 luks:dm-1 partition:nvme0n1p1", "nvme0n1"},
		{"BitLocker", "30 20 253:5 / /m rw - ntfs3 /dev/mapper/win rw", "bitlocker:dm-5", "sda"},
		{"other mapper target", "30 20 253:6 / /m rw - ext4 /dev/mapper/flaky rw", "device-mapper:dm-6", "sda"},
		{"bcache", "30 20 251:0 / /m rw - ext4 /dev/bcache0 rw", "bcache:bcache0", "nvme0n1 sda"},
		{"dm multipath is one drive", "30 20 253:4 / /m rw - ext4 /dev/mapper/mpatha rw", "multipath:dm-4", "dm-4"},
		{"NVMe native multipath", "30 20 259:5 / /m rw - ext4 /dev/nvme2n1 rw", "", "nvme2n1"},
		{"USB", "30 20 8:17 / /m rw - exfat /dev/sdb1 rw", "partition:sdb1", "sdb"},
		{"NTFS by FUSE, number of the device", "30 20 8:17 / /m rw - fuseblk /dev/sdb1 rw", "partition:sdb1", "sdb"},
		{"NTFS by FUSE, name of the device", "30 20 0:99 / /m rw - fuseblk /dev/sdb1 rw", "partition:sdb1", "sdb"},
		{"bcachefs", "30 20 0:61 / /m rw - bcachefs /dev/sda:/dev/sdb1 rw", "partition:sdb1", "sda sdb"},
		{"overlay", xfs + "30 20 0:50 / /m rw - overlay overlay rw,lowerdir=/l\\054a,upperdir=/xfs/up,workdir=/xfs/w", "overlay:/m", "sda"},
		{"overlay, upper out of sight", "30 20 0:50 / /m rw - overlay overlay rw,lowerdir=/l,upperdir=/gone/up,workdir=/gone/w", "overlay:/m", ""},
		{"overlay in memory", shm + "30 20 0:50 / /m rw - overlay overlay rw,lowerdir=/l,upperdir=/dev/shm/up,workdir=/w", "overlay:/m", ""},
		{"overlay without upper", "30 20 0:50 / /m ro - overlay overlay ro,lowerdir=/l:/k", "overlay:/m", ""},
		{"overlay over itself", "30 20 0:50 / /m rw - overlay overlay rw,lowerdir=/l,upperdir=/m/up,workdir=/w", "overlay:/m", ""},
		{"loop file on xfs", xfs + "30 20 7:0 / /m rw - ext4 /dev/loop0 rw", "loop:loop0", "sda"},
		{"loop file in memory", shm + "30 20 7:1 / /m rw - ext4 /dev/loop1 rw", "loop:loop1(cached)", "loop1"},
		{"loop file deleted", xfs + "30 20 7:2 / /m rw - ext4 /dev/loop2 rw", "loop:loop2", "sda"},
		{"loop file with direct I/O", xfs + "30 20 7:5 / /m rw - ext4 /dev/loop5 rw", "loop:loop5(direct)", "sda"},
		{"loop file without direct I/O", xfs + "30 20 7:6 / /m rw - ext4 /dev/loop6 rw", "loop:loop6(cached)", "sda"},
		{"loop file in memory with direct I/O", shm + "30 20 7:7 / /m rw - ext4 /dev/loop7 rw", "loop:loop7(cached)", "loop7"},
		{"LUKS in a file", xfs + "30 20 253:11 / /m rw - ext4 /dev/mapper/luks-file rw", "luks:dm-11 loop:loop6(cached)", "sda"},
		{"loop file out of sight", "30 20 7:3 / /m rw - ext4 /dev/loop3 rw", "loop:loop3", "loop3"},
		{"loop file on itself", "30 20 7:4 / /self rw - ext4 /dev/loop4 rw", "loop:loop4", ""},
		{"mapper on itself", "30 20 253:7 / /m rw - ext4 /dev/mapper/itself rw", "lvm:dm-7", ""},
		{"compressed memory", "30 20 250:0 / /m rw - ext4 /dev/zram0 rw", "", "zram0"},
		{"tmpfs", shm, "", ""},
		{"tmpfs with a device for a name", "30 20 0:22 / /m rw - tmpfs /dev/sda rw", "", ""},
		{"network", "30 20 0:70 / /m rw - nfs4 nas:/export rw", "", ""},
		{"FUSE", "30 20 0:71 / /m rw - fuse.sshfs me@there: rw", "", ""},
		{"FUSE over a device", "30 20 0:71 / /m rw - fuse.fuse2fs /dev/sdb1 rw", "partition:sdb1", "sdb"},
		{"FUSE with a folder for a name", "30 20 0:71 / /m rw - fuse /xfs/below rw", "", ""},
		{"ZFS", "30 20 0:72 / /m rw - zfs tank/home rw", "", ""},
		{"proc", "30 20 0:4 / /proc rw - proc proc rw", "", ""},
		{"device out of sight", "30 20 99:9 / /m rw - ext4 /dev/there rw", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := resolver(t, stacks(), root+strings.TrimPrefix(tt.mount, root))
			layers, drives := r.Below(r.Mounts[len(r.Mounts)-1])
			var gotLayers, gotDrives []string
			for _, l := range layers {
				s := string(l.Kind) + ":" + l.Name
				if l.Cached != platform.Unknown {
					s += map[platform.Tri]string{platform.No: "(direct)", platform.Yes: "(cached)"}[l.Cached]
				}
				gotLayers = append(gotLayers, s)
			}
			for _, d := range drives {
				gotDrives = append(gotDrives, d.Name)
			}
			if got := strings.Join(gotLayers, " "); got != tt.layers {
				t.Errorf("layers %q, want %q", got, tt.layers)
			}
			if got := strings.Join(gotDrives, " "); got != tt.drives {
				t.Errorf("drives %q, want %q", got, tt.drives)
			}
		})
	}
}

func TestTarget(t *testing.T) {
	good := Probe{Answered: true, Folder: true, Size: 1 << 40, Free: 1 << 39}
	with := func(change func(*Probe)) Probe {
		p := good
		change(&p)
		return p
	}
	disk := "30 20 8:0 / /m rw,noatime - ext4 /dev/sda rw,errors=remount-ro"
	tests := []struct {
		name, mount string
		probe       Probe
		want        platform.Refusal
	}{
		{"good", disk, good, platform.Usable},
		{"file", disk, with(func(p *Probe) { p.Folder = false }), platform.RefusedNotFolder},
		{"virtual", "30 20 0:4 / /m rw - proc proc rw", with(func(p *Probe) { p.Denied = true }), platform.RefusedVirtual},
		{"image", "30 20 7:0 / /m ro - squashfs /dev/loop0 ro", good, platform.RefusedImage},
		{"mounted read-only", "30 20 8:0 / /m ro - ext4 /dev/sda rw", with(func(p *Probe) { p.Denied = true }), platform.RefusedReadOnlyFS},
		{"file system read-only", "30 20 8:0 / /m rw - ext4 /dev/sda ro", good, platform.RefusedReadOnlyFS},
		{"read-only by itself", disk, with(func(p *Probe) { p.ReadOnly = true }), platform.RefusedReadOnlyFS},
		{"denied and full", disk, with(func(p *Probe) { p.Denied = true; p.Free = 0 }), platform.RefusedPermission},
		{"full by one byte", disk, with(func(p *Probe) { p.Free = 16<<20 - 1 }), platform.RefusedFull},
		{"just enough", disk, with(func(p *Probe) { p.Free = 16 << 20 }), platform.Usable},
		{"size not told", "30 20 0:7 / /m rw - fuse.sshfs x: rw", with(func(p *Probe) { p.Size, p.Free = 0, 0 }), platform.Usable},
		{"no medium", disk, with(func(p *Probe) { p.NoMedium = true }), platform.RefusedNoMedium},
		{"no answer", "30 20 0:7 / /m rw - nfs4 nas:/x rw", Probe{}, platform.RefusedUnreachable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := resolver(t, stacks(), root+tt.mount)
			got := r.Target("/m/d", r.Mounts[1], tt.probe)
			if got.Refusal != tt.want {
				t.Errorf("refusal %q, want %q", got.Refusal, tt.want)
			}
			if got.Path != "/m/d" || got.Volume.Mount != "/m" || got.Volume.System {
				t.Errorf("target %+v", got)
			}
		})
	}
}

func TestVolume(t *testing.T) {
	tests := []struct {
		mount string
		want  platform.Volume
	}{
		{"30 20 8:0 / /m rw,noatime - ext4 /dev/sda rw,errors=remount-ro",
			platform.Volume{Mount: "/m", Source: "/dev/sda", FS: "ext4", Options: "rw,noatime,errors=remount-ro", Label: "My Files"}},
		{"30 20 0:46 /@ /m ro - btrfs /dev/sdb1 rw,subvol=/@",
			platform.Volume{Mount: "/m", Source: "/dev/sdb1", FS: "btrfs", Options: "ro,subvol=/@", Label: "pool 3333", ReadOnly: true}},
		{"30 20 0:70 / /m rw - cifs //nas/x rw,username=me,addr=10.0.0.1",
			platform.Volume{Mount: "/m", Source: "//nas/x", FS: "cifs", Options: "rw"}},
		{"30 20 259:10 /home /m rw - ext4 /dev/nvme0n1p1 rw",
			platform.Volume{Mount: "/m", Source: "/dev/nvme0n1p1", FS: "ext4", Options: "rw", System: true}},
	}
	for _, tt := range tests {
		r := resolver(t, stacks(), root+tt.mount)
		if got := r.volume(r.Mounts[1], Probe{}); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.mount, got, tt.want)
		}
	}
}
