package sysfs

import (
	"strings"
	"testing"
)

// desktops are mount tables like those of real systems.
var desktops = map[string][]string{
	"ubuntu": {
		"22 29 0:21 / /sys rw - sysfs sysfs rw",
		"23 29 0:22 / /proc rw - proc proc rw",
		"24 29 0:5 / /dev rw - devtmpfs udev rw",
		"26 29 0:24 / /run rw - tmpfs tmpfs rw",
		"29 1 259:2 / / rw - ext4 /dev/nvme0n1p2 rw",
		"30 22 0:6 / /sys/kernel/security rw - securityfs securityfs rw",
		"31 24 0:25 / /dev/shm rw - tmpfs tmpfs rw",
		"40 29 7:1 / /snap/core22/1380 ro - squashfs /dev/loop1 ro",
		"41 29 259:1 / /boot/efi rw - vfat /dev/nvme0n1p1 rw",
		"42 29 0:30 / /tmp rw - tmpfs tmpfs rw",
		"50 26 0:60 / /run/user/1000 rw - tmpfs tmpfs rw",
		"51 50 0:61 / /run/user/1000/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw",
		"52 50 0:62 / /run/user/1000/doc rw - fuse.portal portal rw",
		"53 29 8:1 / /media/me/Big\\040Disk rw - ext4 /dev/sda1 rw",
		"54 29 0:70 / /mnt/nas rw - nfs4 nas:/x rw",
		"55 29 259:2 /var/lib/docker /mnt/bind rw - ext4 /dev/nvme0n1p2 rw",
		"56 29 0:80 / /var/lib/docker/overlay2/ab/merged rw - overlay overlay rw,upperdir=/x",
		"57 29 11:0 / /media/me/CD ro - iso9660 /dev/sr0 ro",
		"58 29 0:81 / /mnt/ram rw - tmpfs none rw",
		"59 29 0:82 / /mnt/ssh rw - fuse.sshfs me@there: rw",
		"60 29 0:83 / /var/lib/lxcfs rw - fuse.lxcfs lxcfs rw",
	},
	"fedora": {
		"60 1 0:35 /root / rw - btrfs /dev/nvme0n1p3 rw,subvol=/root",
		"61 60 0:35 /home /home rw - btrfs /dev/nvme0n1p3 rw,subvol=/home",
		"62 60 259:2 / /boot rw - ext4 /dev/nvme0n1p2 rw",
		"63 60 0:24 / /run rw - tmpfs tmpfs rw",
		"64 63 8:1 / /run/media/me/STICK rw - vfat /dev/sda1 rw",
		"65 63 0:28 / /run/credentials/x ro - ramfs ramfs ro",
		"66 60 0:29 / /home/me/.cache/doc rw - fuse.portal portal rw",
	},
	"container": {
		"500 400 0:90 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/gone/diff,workdir=/gone/w",
		"501 500 0:91 / /proc rw - proc proc rw",
		"502 500 0:92 / /dev rw - tmpfs tmpfs rw",
		"503 502 0:93 / /dev/shm rw - tmpfs shm rw",
		"504 500 8:1 /var/lib/docker/containers/ab/hostname /etc/hostname rw - ext4 /dev/sda1 rw",
		"505 500 8:1 /var/lib/docker/containers/ab/resolv.conf /file rw - ext4 /dev/sda1 rw",
		"506 500 8:1 /srv/data /data/deep rw - ext4 /dev/sda1 rw",
		"507 500 8:1 /srv/d /data rw - ext4 /dev/sda1 rw",
		"508 500 8:2 / /var/lib/docker rw - ext4 /dev/sda2 rw",
	},
	"home of its own, part and whole": {
		"20 1 8:1 / / rw - ext4 /dev/sda1 rw",
		"21 20 8:2 / /home rw - ext4 /dev/sda2 rw",
		"22 20 8:3 /part /a rw - ext4 /dev/sda3 rw",
		"23 20 8:3 / /longer/whole rw - ext4 /dev/sda3 rw",
	},
	"virtual root": {
		"1 1 0:2 / / rw - rootfs rootfs rw",
		"27 1 0:24 / /tmp rw - tmpfs tmp rw",
	},
}

func TestPlaces(t *testing.T) {
	tests := []struct{ table, home, want string }{
		{"ubuntu", "/home/me", "/home/me|/dev/shm|/boot/efi|/tmp|/media/me/Big Disk|/mnt/nas|/media/me/CD|/mnt/ram|/mnt/ssh"},
		{"ubuntu", "", "/|/dev/shm|/boot/efi|/tmp|/media/me/Big Disk|/mnt/nas|/media/me/CD|/mnt/ram|/mnt/ssh"},
		{"fedora", "/home/me", "/home/me|/boot|/run/media/me/STICK"},
		{"fedora", "", "/|/boot|/run/media/me/STICK"},
		{"container", "/root", "/root|/dev/shm|/data|/var/lib/docker"},
		{"home of its own, part and whole", "/home/me", "/home/me|/|/longer/whole"},
		{"virtual root", "/root", "/tmp"},
		{"virtual root", "/tmp", "/tmp"},
	}
	for _, tt := range tests {
		ms := mounts(t, desktops[tt.table]...)
		var got []string
		for _, p := range ms.Places(tt.home, func(path string) bool { return path != "/file" && path != "/etc/hostname" }) {
			got = append(got, p.Path)
		}
		if s := strings.Join(got, "|"); s != tt.want {
			t.Errorf("%s, home %q:\n got %s\nwant %s", tt.table, tt.home, s, tt.want)
		}
	}
}

func TestSystemVolumes(t *testing.T) {
	for table, want := range map[string]string{
		"ubuntu": "/ /boot/efi /mnt/bind", "fedora": "/ /home /boot", "container": "/", "home of its own, part and whole": "/",
	} {
		ms := mounts(t, desktops[table]...)
		var got []string
		for _, m := range ms {
			if ms.system(m) {
				got = append(got, m.Point)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", table, s, want)
		}
	}
}
